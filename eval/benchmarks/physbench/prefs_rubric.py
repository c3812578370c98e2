"""P-REFS: what an answer to a physics problem is worth, stage by stage (Scaria et al., tables 1 and 5).

Ten points over eight criteria for problems, five over five for conceptual questions. A criterion is marked
0 (not met), 1 (partly) or 2 (fully); its points are earned in that proportion.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ansatz.eval.problem import Problem
from ansatz.eval.reading.answer_parts import AnswerParts, Part
from ansatz.eval.score import Dimension, Score

FULL = 2
_ENOUGH = 0.5  # of the points must be marked for a score of the whole


class PrefsCriterion(NamedTuple):
    """`points` are what it is worth, `part` where it stands, `error` the kind of error that costs it.

    The kinds of errors are those of appendix G.1; the rubric file `prefs` says what each is.
    """

    name: str
    part: Part
    points: int
    error: str | None = None


PROBLEM_SOLVING: tuple[PrefsCriterion, ...] = (
    PrefsCriterion("interpretation", "formulation", 1, "INT"),
    PrefsCriterion("modeling", "formulation", 1, "MOD"),
    PrefsCriterion("relevance", "solution", 1, "CON"),
    PrefsCriterion("application", "solution", 1, "APP"),
    PrefsCriterion("calculation", "solution", 1, "CAL"),
    PrefsCriterion("correctness", "solution", 2, "COR"),
    PrefsCriterion("coherence", "solution", 1, "COH"),
    PrefsCriterion("final", "final", 2, "ANS"),
)
CONCEPTUAL: tuple[PrefsCriterion, ...] = (
    PrefsCriterion("setup", "formulation", 1),
    PrefsCriterion("concept", "solution", 1),
    PrefsCriterion("execution", "solution", 1),
    PrefsCriterion("coherence", "solution", 1),
    PrefsCriterion("final", "final", 1),
)
CODES: tuple[str, ...] = tuple(each.error for each in PROBLEM_SOLVING if each.error)
CRITERIA: tuple[str, ...] = tuple(dict.fromkeys(each.name for each in (*PROBLEM_SOLVING, *CONCEPTUAL)))
SUMMARY = ("score", "final_correct", "fully_correct", "template")


def dimensions_of(prefix: str, *, conceptual: bool = True) -> tuple[Dimension, ...]:
    """`prefs.score`, `prefs.relevance`, … and `error.prefs.INT`, …, for the prefix "prefs.".

    Without the criteria that only conceptual questions have, unless they are wanted. Errors are shares of
    answers that bear them.
    """
    criteria = CRITERIA if conceptual else tuple(each.name for each in PROBLEM_SOLVING)
    return (
        *(Dimension(f"{prefix}{name}", detail=name not in SUMMARY[:3]) for name in (*SUMMARY, *criteria)),
        *(Dimension(f"error.{prefix}{code}", better="lower", role="error") for code in CODES),
    )


def is_conceptual(problem: Problem) -> bool:
    return problem.tags.get("kind") == "conceptual"


def criteria_of(problem: Problem) -> tuple[PrefsCriterion, ...]:
    """The criteria that count; execution does not where a conceptual question has nothing to calculate."""
    if not is_conceptual(problem):
        return PROBLEM_SOLVING
    calculates = bool(problem.reference.steps)
    return tuple(each for each in CONCEPTUAL if calculates or each.name != "execution")


Found = Mapping[str, tuple[float | None, str]]
"""By criterion the mark from 0 to 2 and what it rests on; None where nobody could judge it.

A criterion that is not there has nothing to judge in this problem, and does not count.
"""


@dataclass(frozen=True)
class Assessment:
    """Marks by criterion, and the kinds of errors that were tagged.

    `about` stands before the evidence of the whole; `record` is its details.
    """

    found: Found
    tags: frozenset[str] = frozenset()
    about: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)


def score_assessment(
    dimensions: Sequence[Dimension], problem: Problem, answer: AnswerParts, assessment: Assessment
) -> tuple[Score, ...]:
    """A score for every dimension; those of the other question kind are unscored.

    An error is 1 where it is present, tagged or because its criterion lacks full marks: less is better.
    """
    told = "; ".join(answer.faults) or "all parts in their order"
    values = {"template": (float(answer.is_compliant), told)} | _whole(problem, assessment)
    for each in criteria_of(problem):
        if each.name not in assessment.found:
            continue
        mark, reason = assessment.found[each.name]
        values[each.name] = (None if mark is None else mark / FULL, reason)
        if each.error in assessment.tags:
            values[each.error or ""] = (1.0, f"tagged {each.error}; {reason}")
        elif each.error:
            values[each.error] = (None if mark is None else float(mark < FULL), reason)
    absent = (None, f"no criterion of {'conceptual questions' if is_conceptual(problem) else 'this problem'}")
    scores = []
    for dimension in dimensions:
        name = dimension.name.rpartition(".")[2]
        value, evidence = values.get(name, absent)
        details = dict(assessment.record) if name == "score" else {}
        scores.append(Score(dimension=dimension.name, value=value, evidence=evidence, details=details))
    return tuple(scores)


def _whole(problem: Problem, assessment: Assessment) -> dict[str, tuple[float | None, str]]:
    """The points of all criteria together, and whether the final answer and everything is right."""
    found = assessment.found
    points = {each.name: each.points for each in criteria_of(problem) if each.name in found}
    marks = {name: mark for name in points if (mark := found[name][0]) is not None}
    worth = sum(points[name] for name in marks)
    earned = math.fsum(points[name] * mark / FULL for name, mark in marks.items())
    missing = [name for name in points if name not in marks]
    line = f"{assessment.about}{earned:g} of {worth} points"
    line += f"; not judged: {', '.join(missing)}" if missing else ""
    enough = worth and worth >= _ENOUGH * sum(points.values())
    short = [name for name, mark in marks.items() if mark < FULL]
    said = f"short of full marks: {', '.join(short)}" if short else "full marks on every criterion"
    final, reason = found.get("final", (None, "not judged"))
    return {
        "score": (min(1.0, earned / worth) if enough else None, line),
        "final_correct": (None if final is None else float(final == FULL), reason),
        "fully_correct": (None, line) if missing else (float(not short), said),
    }


def nothing(problem: Problem, stop: str) -> Assessment:
    """The assessment of an attempt that gave no answer: no mark on any criterion."""
    found = dict.fromkeys((each.name for each in criteria_of(problem)), (0.0, f"no answer ({stop})"))
    return Assessment(found, frozenset(CODES))
