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
    """Marks 0, 1, 2 are stored as 0, 0.5, 1. An attempt without an answer earns zero throughout.

    `kpi` is the published score (section IV.2, equation 2): the weighted mean over the dimensions that could
    be judged; None where none of G1 to G4 could be. In it a wrong formula costs 0.20 at most, while checks,
    assumptions, meaning and order (G5 to G8) are worth 0.35, so a well-dressed wrong answer can pass a terse
    right one. `kpi_capped` is the same sum with one condition: G5 to G8 count only for a sound calculation,
    one that has full marks on whatever of G1 to G4 could be judged and final values near the key. Where
    formula, parameters, units and arithmetic are right, the value must be: a far value with full marks means
    that the fault was overlooked. Thus no wrong answer exceeds 0.65, and a right one with formula, numbers
    and result does.
    """

    dimensions: ClassVar[tuple[str, ...]] = (*CHECKS, "kpi", "kpi_capped")

    async def score(self, problem: Problem, transcript: Transcript) -> tuple[Score, ...]:
        working = read(problem, transcript)
        marks = review_working(working)
        scores = [
            Score(
                dimension=name, value=None if mark.points is None else mark.points / 2, evidence=mark.evidence
            )
            for name, mark in marks.items()
        ]
        has_key = any(target.value is not None for target in working.targets)
        near = formula.answer_is_near(working) or not has_key
        return (*scores, _kpi(marks), _kpi_capped(marks, near))


def review(problem: Problem, transcript: Transcript) -> dict[str, Mark]:
    """The mark on every dimension, in order."""
    return review_working(read(problem, transcript))


def read(problem: Problem, transcript: Transcript) -> Working:
    """The attempt as the checks see it."""
    from ansatz.knowledge_base.library import library

    return Working(problem, transcript, library())


def review_working(working: Working) -> dict[str, Mark]:
    """As `review`, of an attempt that was read already."""
    if not working.transcript.answer.strip():
        return {name: Mark(0, f"no answer ({working.transcript.stop})") for name in CHECKS}
    return {name: check(working) for name, (_, check) in CHECKS.items()}


def _kpi(marks: Mapping[str, Mark]) -> Score:
    return _weighted("kpi", {name: mark.points for name, mark in marks.items()}, "")


def _kpi_capped(marks: Mapping[str, Mark], near: bool) -> Score:
    """The weighted mean in which G5 to G8 count as zero unless the calculation is sound."""
    points = {name: mark.points for name, mark in marks.items()}
    faulty = [name for name in _CORE if points[name] not in (None, 2)]
    if not faulty and near:
        return _weighted("kpi_capped", points, "")
    spoiled = {name: 0 if name not in _CORE else mark for name, mark in points.items()}
    reason = (
        f"G5 to G8 count as zero: {'fault on ' + ', '.join(faulty) if faulty else 'a final value is wrong'}"
    )
    return _weighted("kpi_capped", spoiled, reason)


def _weighted(dimension: str, points: Mapping[str, int | None], reason: str) -> Score:
    judged = {name: mark for name, mark in points.items() if mark is not None}
    if not any(name in judged for name in _CORE):
        return Score(dimension=dimension, value=None, evidence="none of G1 to G4 could be judged")
    weight = sum(CHECKS[name][0] for name in judged)
    value = sum(CHECKS[name][0] * mark / 2 for name, mark in judged.items()) / weight
    left_out = [name for name in points if name not in judged]
    evidence = f"weighted mean of {', '.join(judged)}"
    evidence += f"; not judged: {', '.join(left_out)}" if left_out else ""
    evidence += f"; {reason}" if reason else ""
    return Score(dimension=dimension, value=min(value, 1.0), evidence=evidence)
