"""P-REFS: a score for each stage of an answer to a physics problem (Scaria et al., tables 1 and 5).

Problems have ten points over eight criteria, conceptual questions five over five. A criterion is rated 0 (not
met), 1 (partly met) or 2 (fully met), and its points are earned in that proportion.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ansatz.eval.benchmarks.physbench.answer_parts import AnswerParts, Part
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score

FULL = 2
"""The full rating of a criterion."""
PREFIXES = {"prefs.": "by a judge", "prefs_rules.": "by rules"}
"""The prefixes of the dimensions with their source; reports use the first that a run has."""
_MIN_RATED = 0.5  # the share of the points that must be rated for a score of the whole answer


class PrefsCriterion(NamedTuple):
    """One criterion of a rubric."""

    name: str
    part: Part
    """The part of the answer to which it applies."""
    points: int
    error: str | None = None
    """The kind of error (appendix G.1, described in the rubric file `prefs`) that costs the points."""


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
    """Return `prefs.score`, `prefs.relevance`, … and `error.prefs.INT`, … for the prefix "prefs.".

    `conceptual` includes the criteria that only conceptual questions have. An error's value is the share of
    answers with the error.
    """
    criteria = CRITERIA if conceptual else tuple(each.name for each in PROBLEM_SOLVING)
    return (
        *(Dimension(f"{prefix}{name}", detail=name not in SUMMARY[:3]) for name in (*SUMMARY, *criteria)),
        *(Dimension(f"error.{prefix}{code}", better="lower", role="error") for code in CODES),
    )


def is_conceptual(problem: Problem) -> bool:
    return problem.tags.get("kind") == "conceptual"


def criteria_of(problem: Problem) -> tuple[PrefsCriterion, ...]:
    """Return the criteria that apply; `execution` needs a question with a calculation."""
    if not is_conceptual(problem):
        return PROBLEM_SOLVING
    calculates = bool(problem.reference.steps)
    return tuple(each for each in CONCEPTUAL if calculates or each.name != "execution")


Ratings = Mapping[str, tuple[float | None, str]]
"""By criterion the rating from 0 to 2 (None if it could not be rated) and the evidence.

A criterion that is missing does not apply to the problem, and does not count.
"""


@dataclass(frozen=True)
class Assessment:
    """Ratings of one answer, and the kinds of errors that were tagged."""

    found: Ratings
    tags: frozenset[str] = frozenset()
    about: str = ""
    """Text before the evidence of the score."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """The details of the score."""


def score_assessment(
    dimensions: Sequence[Dimension], problem: Problem, answer: AnswerParts, assessment: Assessment
) -> tuple[Score, ...]:
    """Return a score for every dimension; dimensions of the other kind of question are unscored.

    An error is 1 if it was tagged or its criterion lacks points, else 0.
    """
    form = "; ".join(answer.faults) or "all parts in their order"
    values = {"template": (float(answer.is_compliant), form)} | _score_whole(problem, assessment)
    for each in criteria_of(problem):
        if each.name not in assessment.found:
            continue
        rating, reason = assessment.found[each.name]
        values[each.name] = (None if rating is None else rating / FULL, reason)
        if each.error in assessment.tags:
            values[each.error or ""] = (1.0, f"tagged {each.error}; {reason}")
        elif each.error:
            values[each.error] = (None if rating is None else float(rating < FULL), reason)
    absent = (None, f"no criterion of {'conceptual questions' if is_conceptual(problem) else 'this problem'}")
    scores = []
    for dimension in dimensions:
        name = dimension.name.rpartition(".")[2]
        value, evidence = values.get(name, absent)
        details = dict(assessment.record) if name == "score" else {}
        scores.append(Score(dimension=dimension.name, value=value, evidence=evidence, details=details))
    return tuple(scores)


def _score_whole(problem: Problem, assessment: Assessment) -> dict[str, tuple[float | None, str]]:
    """Return the points of all criteria together, and whether the final answer and the whole are correct."""
    found = assessment.found
    points = {each.name: each.points for each in criteria_of(problem) if each.name in found}
    ratings = {name: rating for name in points if (rating := found[name][0]) is not None}
    possible = sum(points[name] for name in ratings)
    earned = math.fsum(points[name] * rating / FULL for name, rating in ratings.items())
    missing = [name for name in points if name not in ratings]
    line = f"{assessment.about}{earned:g} of {possible} points"
    line += f"; not judged: {', '.join(missing)}" if missing else ""
    is_enough = possible and possible >= _MIN_RATED * sum(points.values())
    short = [name for name, rating in ratings.items() if rating < FULL]
    complete = f"less than full points: {', '.join(short)}" if short else "full points on every criterion"
    final, reason = found.get("final", (None, "not judged"))
    return {
        "score": (min(1.0, earned / possible) if is_enough else None, line),
        "final_correct": (None if final is None else float(final == FULL), reason),
        "fully_correct": (None, line) if missing else (float(not short), complete),
    }


def assess_no_answer(problem: Problem, stop: str) -> Assessment:
    """Return the assessment of an attempt without an answer: zero on every criterion."""
    found = dict.fromkeys((each.name for each in criteria_of(problem)), (0.0, f"no answer ({stop})"))
    return Assessment(found, frozenset(CODES))
