"""Models against each other: Welch's test over runs as the paper has it, and a bootstrap over questions."""

from __future__ import annotations

from itertools import combinations

from ansatz.eval.welch import welch
from ansatz.experiments.report.section import (
    COEFFICIENT,
    POINTS,
    PROBABILITY,
    Column,
    Entry,
    Estimate,
    Section,
    Table,
)
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun
from ansatz.experiments.report.thermoqa.runs import run_scores

_COLUMNS = (
    *(Column("tier"), Column("models")),
    *(Column("Welch: difference", POINTS, change=True), Column("t", COEFFICIENT, change=True)),
    *(Column("degrees of freedom", COEFFICIENT), Column("p", PROBABILITY)),
    Column("bootstrap: difference", POINTS, change=True),
)


def models_compared(run: ThermoQARun) -> Section | None:
    """Every pair of models on every tier; None with a single model."""
    if not run.several_models:
        return None
    rows = [
        _row(run, tier, first, second)
        for tier in run.tiers
        for first, second in combinations(run.baselines(), 2)
    ]
    caption = f"Pairs of models in the {run.data.baseline} arm, {FIRST} rule{run.simulated}."
    return Section(
        title="Models compared",
        tables=[Table("models", caption, _COLUMNS, rows)],
        notes=(_caveat(len(run.repeats)),),
    )


def _row(run: ThermoQARun, tier: str, first: System, second: System) -> list[Entry]:
    runs = [list(run_scores(run, system, tier, FIRST).values()) for system in (first, second)]
    row: list[Entry] = [tier, f"{first.model} − {second.model}"]
    if all(runs):
        found = welch(runs[0], runs[1], run.data.level)
        row += [Estimate(found.difference, found.low, found.high), found.t, found.degrees, found.p]
    else:
        row += [None, None, None, None]
    paired = run.difference(run.scores(first, tier), run.scores(second, tier))
    return [*row, estimate(paired)]


def _caveat(runs: int) -> str:
    return (
        f"Welch's test takes the {runs} runs of each model as its sample. With three or so of them it "
        "cannot check that they scatter normally, its power is low (a difference under some four σ goes "
        "unseen), and a significant difference holds for these very questions only. The bootstrap pairs "
        "the models question by question and resamples question families, so that its interval says what "
        "other questions of the kind would leave of the difference. No p is adjusted here."
    )
