"""Where the gain of an arm falls: on state properties or on what is reasoned from them, by which cures."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, Steps, ThermoQARun
from ansatz.eval.benchmarks.thermoqa.identities import check
from ansatz.eval.benchmarks.thermoqa.steps import KINDS, numbers_of
from ansatz.eval.problem import Problem
from ansatz.eval.statistics.fieller import share
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut
from ansatz.eval.views.section import Estimate, Figure, Panel, Section, Table, as_estimate
from ansatz.eval.views.tabulation import Measure, Tally, gain, value

Cause = Literal["inherited", "made in place", "missing", "no identity"]

NOTES = Notes(__name__)

_CAUSES: tuple[Cause, ...] = ("inherited", "made in place", "missing", "no identity")


def gain_by_kind(run: ThermoQARun) -> Section | None:
    """What falls on property steps and what on reasoning steps; None without an arm to compare."""
    if not run.data.treatments:
        return None
    split = _split(run)
    return Section(
        "Where the gain falls",
        figures=[_figure(run, model, split) for model in run.data.models],
        tables=[split, _passed(run), _cures(run)],
        notes=(NOTES["kinds_of_steps"], NOTES["parts"], NOTES["cures"]),
    )


def _split(run: ThermoQARun) -> Table:
    columns = [gain("gain", run.score), *(gain(f"on {kind} steps", run.parts[kind]) for kind in KINDS)]
    columns.append(Measure("share on property steps", lambda row: _property_share(run, row.cut)))
    caption = f"Gain over {run.data.baseline} in points of the {FIRST} score"
    return run.by_tier("arm").treated.table("gain", caption, *columns)


def _property_share(run: ThermoQARun, cut: Cut) -> Estimate:
    gains = {kind: cut.by_problem(of) - cut.control.by_problem(of) for kind, of in run.parts.items()}
    [both] = np.nonzero(~np.isnan(gains["property"]))
    own, other = (gains[kind][both] for kind in ("property", "reasoning"))
    reasoned = any(np.nansum(each.by_problem(run.parts["reasoning"])) for each in (cut, cut.control))
    reach = 1.0 if reasoned else 0.0  # a tier without reasoning steps has no other share
    families = run.data.family[both]
    found = share(own, own + other, families, run.data.level, lambda _: (-reach, reach))
    return Estimate(None) if found.low is None else Estimate(found.value, found.low, found.high)


def _passed(run: ThermoQARun) -> Table:
    columns = []
    for kind in KINDS:
        scores = run.scores[FIRST, kind]
        columns += [value(f"{kind} steps", scores), gain(f"Δ {kind} steps", scores)]
    said = run.data.simulation
    caption = f"Passed steps of each kind, by weight, under the {FIRST} rule{said}; p is not adjusted."
    return run.by_tier("arm").table("kinds", caption, *columns)


def _figure(run: ThermoQARun, model: str, split: Table) -> Figure:
    rows = list(zip(run.by_tier("arm").treated.rows, split.rows, strict=True))
    panels = []
    for tier in run.tiers:
        own = [each for each in rows if each[0].about == tier and each[0].cut.system.model == model]
        series = {
            f"{kind} steps": [as_estimate(entries[3 + at]) for _, entries in own]
            for at, kind in enumerate(KINDS)
        }
        panels.append(Panel(f"tier {tier}", [row.cut.system.arm for row, _ in own], series))
    caption = f"{run.data.said_of(model)}: gain over {run.data.baseline} by kind of step"
    return Figure("stacked", run.data.per_model("gain", model), caption, panels, "points")


def _cures(run: ThermoQARun) -> Table:
    """By tier and arm: reasoning steps cured, broken, and what had been wrong with the cured ones."""
    changes = Tally(lambda row: _changes(run, row.cut))
    return (
        run.by_tier("arm")
        .treated.where(changes)
        .table(
            "cures",
            f"Reasoning steps cured and broken against {run.data.baseline}, {FIRST} rule",
            changes.count("cured", *_CAUSES),
            changes.count("broken", "broken"),
            *(changes.share(f"cured: {cause}", cause, among=_CAUSES) for cause in _CAUSES),
        )
    )


def causes(problem: Problem, steps: Steps) -> dict[str, Cause]:
    """By step, what a failure of it would be put down to. Of several identities the definition decides."""
    found: dict[str, Cause] = {
        step.name: "missing" if step.status(FIRST) == "missing" else "no identity" for step in steps
    }
    # definitions come first, so they have the last word
    for one in reversed(list(check(problem, numbers_of(steps)))):
        found[one.symbol] = "inherited" if one.holds else "made in place"
    return found


def _changes(run: ThermoQARun, cut: Cut) -> Counter[Cause | Literal["broken"]]:
    """What had been wrong with the reasoning steps that an arm cured, and how many it broke."""
    attempts = run.data.attempts
    before = {(attempts.problem[row], attempts.repeat[row]): row for row in cut.control.rows.tolist()}
    found: Counter[Cause | Literal["broken"]] = Counter()
    for row in cut.rows.tolist():
        other = before.get((attempts.problem[row], attempts.repeat[row]))
        if other not in run.steps or row not in run.steps:
            continue
        why = causes(run.problem_of(row), run.steps[other])
        for was, now in zip(run.steps[other], run.steps[row], strict=True):
            fates = was.status(FIRST), now.status(FIRST)
            if was.kind == "reasoning" and None not in fates and fates.count("pass") == 1:
                found["broken" if fates[0] == "pass" else why[was.name]] += 1
    return found
