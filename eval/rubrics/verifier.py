"""A deterministic reviewer of engineering calculations: eight dimensions, each 0, 1 or 2, and their mean.

The dimensions and weights are those of TPS-CalcBench (section IV.2, table 6), which has a language model
judge them; here every mark follows from the text by rules and carries the evidence it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.problem import Problem
from ansatz.eval.rubrics import calculation, discourse, formula, parameters, plausibility, presentation, units
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.working import Working
from ansatz.eval.score import Score

CHECKS: Mapping[str, tuple[float, Callable[[Working], Mark]]] = {
    "G1": (0.20, formula.check),
    "G2": (0.15, parameters.check),
    "G3": (0.15, units.check),
    "G4": (0.15, calculation.check),
    "G5": (0.10, plausibility.check),
    "G6": (0.05, discourse.check_assumptions),
    "G7": (0.10, discourse.check_interpretation),
    "G8": (0.10, presentation.check),
}
"""Weight and check of each dimension: formula selection, parameter identification, unit consistency,
calculation accuracy, physical plausibility, assumption justification, result interpretation, presentation."""

_CORE = ("G1", "G2", "G3", "G4")


@dataclass(frozen=True)
class Verifier:
    """Marks 0, 1, 2 are stored as 0, 0.5, 1. `kpi` is the weighted mean over the dimensions that could be
    judged; None where none of G1 to G4 could be. An attempt without an answer earns zero throughout."""

    dimensions: ClassVar[tuple[str, ...]] = (*CHECKS, "kpi")

    async def score(self, problem: Problem, transcript: Transcript) -> tuple[Score, ...]:
        marks = review(problem, transcript)
        scores = [
            Score(
                dimension=name, value=None if mark.points is None else mark.points / 2, evidence=mark.evidence
            )
            for name, mark in marks.items()
        ]
        return (*scores, _kpi(marks))


def review(problem: Problem, transcript: Transcript) -> dict[str, Mark]:
    """The mark on every dimension, in order."""
    from ansatz.knowledge_base.library import library

    if not transcript.answer.strip():
        return {name: Mark(0, f"no answer ({transcript.stop})") for name in CHECKS}
    working = Working(problem, transcript, library())
    return {name: check(working) for name, (_, check) in CHECKS.items()}


def _kpi(marks: Mapping[str, Mark]) -> Score:
    judged = {name: mark.points for name, mark in marks.items() if mark.points is not None}
    if not any(name in judged for name in _CORE):
        return Score(dimension="kpi", value=None, evidence="none of G1 to G4 could be judged")
    weight = sum(CHECKS[name][0] for name in judged)
    value = sum(CHECKS[name][0] * points / 2 for name, points in judged.items()) / weight
    left_out = [name for name in marks if name not in judged]
    evidence = f"weighted mean of {', '.join(judged)}" + (
        f"; not judged: {', '.join(left_out)}" if left_out else ""
    )
    return Score(dimension="kpi", value=min(value, 1.0), evidence=evidence)
