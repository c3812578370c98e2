"""Where the gain of an arm falls: on state properties or on what is reasoned from them, by which cures."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, KINDS, Steps, ThermoQARun, numbers_of
from ansatz.eval.benchmarks.thermoqa.identities import agreements
from ansatz.eval.problem import Problem
from ansatz.eval.statistics.fieller import share
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut
from ansatz.eval.views.section import Estimate, Section
from ansatz.eval.views.tabulation import Measure, Tally, gain

Cause = Literal["inherited", "made in place", "missing", "no identity"]

NOTES = Notes(__name__)

_CAUSES: tuple[Cause, ...] = ("inherited", "made in place", "missing", "no identity")


def gain_by_kind(run: ThermoQARun) -> Section | None:
    """What falls on property steps and what on reasoning steps; None without an arm to compare."""
    if not run.data.treatments:
        return None
    arms = run.by_tier("arm").treated
    split = arms.table(
        "gain",
        f"Gain over {run.data.baseline} in points of the {FIRST} score",
        gain("gain", run.score),
        *(gain(f"on {kind} steps", run.parts[kind]) for kind in KINDS),
        Measure("share on property steps", lambda row: _property_share(run, row.cut)),
    )
    changes = Tally(lambda row: _changes(run, row.cut))
    cures = arms.where(changes).table(
        "cures",
        f"Reasoning steps cured and broken against {run.data.baseline}, {FIRST} rule",
        changes.count("cured", *_CAUSES),
        changes.count("broken", "broken"),
        *(changes.share(f"cured: {cause}", cause, among=_CAUSES) for cause in _CAUSES),
    )
    notes = (NOTES["kinds_of_steps"], NOTES["parts"], NOTES["cures"])
    return Section("Where the gain falls", tables=[split, cures], notes=notes)


def _property_share(run: ThermoQARun, cut: Cut) -> Estimate:
    gains = {kind: cut.by_problem(of) - cut.control.by_problem(of) for kind, of in run.parts.items()}
    [both] = np.nonzero(~np.isnan(gains["property"]))
    own, other = (gains[kind][both] for kind in ("property", "reasoning"))
    reasoned = any(np.nansum(each.by_problem(run.parts["reasoning"])) for each in (cut, cut.control))
    reach = 1.0 if reasoned else 0.0  # a tier without reasoning steps has no other share
    families = run.data.family[both]
    found = share(own, own + other, families, run.data.level, lambda _: (-reach, reach))
    return Estimate(None) if found.low is None else Estimate(found.value, found.low, found.high)


def causes(problem: Problem, steps: Steps) -> dict[str, Cause]:
    """By step, what a failure of it would be put down to."""
    agrees = agreements(problem, numbers_of(steps))
    found: dict[str, Cause] = {}
    for step in steps:
        if step.name in agrees:
            found[step.name] = "inherited" if agrees[step.name] else "made in place"
        else:
            found[step.name] = "missing" if step.status(FIRST) == "missing" else "no identity"
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
