"""What points cost in tokens, and whether longer answers are better ones."""

from __future__ import annotations

import math

from ansatz.eval.association import pearson
from ansatz.eval.score import Scale
from ansatz.experiments.report.section import COEFFICIENT, COUNT, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun

_PER_POINT = Scale("tokens per point", 1, 1)
_COLUMNS = (
    *(Column("tier"), Column("system"), Column("output tokens per question", COUNT)),
    *(Column("all tokens per question", COUNT), Column("output tokens per point", _PER_POINT)),
    Column("r (output tokens, score)", COEFFICIENT, change=True),
)
_NOTE = (
    "Output tokens count reasoning tokens where the provider reports them; all tokens add what was sent. "
    "Tokens per point divides output tokens per question by the tier's score in points. r is Pearson's "
    "over questions, repeats averaged, with an interval from leaving out one family at a time. A "
    "correlation over questions also follows from hard questions taking longer answers: it is no effect "
    "of length."
)


def token_efficiency(run: ThermoQARun) -> Section | None:
    """None where no tokens were counted."""
    if not any(attempt.tokens for attempt in run.data.attempts):
        return None
    rows = [_row(run, tier, system) for tier in run.tiers for system in run.systems]
    caption = f"Tokens by tier and system, {FIRST} rule{run.simulated}."
    return Section(title="Tokens", tables=[Table("tokens", caption, _COLUMNS, rows)], notes=(_NOTE,))


def _row(run: ThermoQARun, tier: str, system: System) -> list[Entry]:
    attempts = [each for each in run.of(system, tier) if each.attempt.answer is not None]
    head: list[Entry] = [tier, run.label(system)]
    if not attempts:
        return [*head, None, None, None, None]
    output: dict[str, list[float]] = {}
    scores: dict[str, list[float]] = {}
    for each in attempts:
        score = each.score(FIRST)
        if score is not None:
            output.setdefault(each.attempt.problem, []).append(float(each.attempt.output_tokens))
            scores.setdefault(each.attempt.problem, []).append(score)
    x, y = _means(output), _means(scores)
    found = pearson(x, y, [run.families[id] for id in output], run.data.level)
    points = 100 * _mean(y)
    per_question = _mean(x)
    everything = _mean([float(each.attempt.tokens) for each in attempts])
    per_point = per_question / points if points else None
    return [*head, per_question, everything, per_point, Estimate(found.value, found.low, found.high)]


def _means(values: dict[str, list[float]]) -> list[float]:
    return [_mean(each) for each in values.values()]


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
