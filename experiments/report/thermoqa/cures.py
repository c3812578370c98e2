"""Reasoning steps that an arm puts right: were they wrong in themselves, or only fed with wrong values?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from ansatz.eval.benchmarks.thermoqa.analysis import Step
from ansatz.eval.benchmarks.thermoqa.analysis_identities import check
from ansatz.eval.problem import Problem
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, Judged, ThermoQARun

Cause = Literal["inherited", "made in place", "missing", "no identity"]

_CAUSES: tuple[Cause, ...] = ("inherited", "made in place", "missing", "no identity")
_COLUMNS = (
    *(Column("tier"), Column("arm"), Column("cured", COUNT), Column("broken", COUNT)),
    *(Column(f"cured: {cause}", POINTS) for cause in _CAUSES),
)

NOTE = (
    "A gain on reasoning steps need not be better reasoning, as a work follows rightly from right states. "
    "Cured steps failed in the baseline and pass in the arm; broken ones the other way round. A cured step "
    "was inherited if its baseline value satisfied its identity with the answer's own numbers (only its "
    "inputs were wrong), and made in place if it did not; some were missing, and for some the answer allows "
    "no check."
)


def cures(run: ThermoQARun) -> Table:
    """By tier and arm: reasoning steps cured, broken, and what had been wrong with the cured ones."""
    rows: list[list[Entry]] = []
    for tier in run.tiers:
        for model in run.data.models:
            before = {_place(each): each for each in run.of(run.baseline(model), tier)}
            for system in run.treatments(model):
                counted, broken = _changes(run, before, system, tier)
                if counted or broken:
                    total = counted.total()
                    shares = [counted[cause] / total if total else None for cause in _CAUSES]
                    rows.append([tier, run.label(system), total, broken, *shares])
    caption = f"Reasoning steps cured and broken against {run.data.baseline}, {FIRST} rule{run.simulated}."
    return Table("cures", caption, _COLUMNS, rows)


def causes(problem: Problem, steps: tuple[Step, ...]) -> dict[str, Cause]:
    """By step, what a failure of it would be put down to. Of several identities the definition decides."""
    values = {step.name: step.value for step in steps if step.value is not None}
    found: dict[str, Cause] = {
        step.name: "missing" if step.status(FIRST) == "missing" else "no identity" for step in steps
    }
    for one in reversed(list(check(problem, values))):  # definitions come first, so they have the last word
        found[one.symbol] = "inherited" if one.holds else "made in place"
    return found


def _changes(
    run: ThermoQARun, before: dict[tuple[str, int], Judged], system: System, tier: str
) -> tuple[Counter[Cause], int]:
    cured: Counter[Cause] = Counter()
    broken = 0
    for treated in run.of(system, tier):
        control = before.get(_place(treated))
        if control is None or control.steps is None or treated.steps is None:
            continue
        why = causes(control.problem, control.steps)
        for was, name in _reasoning_changes(control.steps, treated.steps):
            if was == "pass":
                broken += 1
            else:
                cured[why[name]] += 1
    return cured, broken


def _reasoning_changes(before: tuple[Step, ...], after: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """The former status and the name of each reasoning step that passes on one side only."""
    for was, now in zip(before, after, strict=True):
        fates = (was.status(FIRST), now.status(FIRST))
        if was.kind == "reasoning" and None not in fates and (fates[0] == "pass") != (fates[1] == "pass"):
            yield str(fates[0]), was.name


def _place(judged: Judged) -> tuple[str, int]:
    return judged.attempt.problem, judged.attempt.repeat
