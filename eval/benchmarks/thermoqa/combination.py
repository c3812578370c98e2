"""Three ways to make one reading of two extractions, and what each of them knows.

The first pass alone, or both by agreement, look at no key. The publisher's take-max does: it keeps whichever
passes, so that a second extractor can only raise a score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ansatz.eval.benchmarks.thermoqa.score import published
from ansatz.eval.benchmarks.thermoqa.stated_values import Reading, in_unit
from ansatz.eval.benchmarks.thermoqa.steps import unit_aware
from ansatz.eval.problem import NumberTarget, Problem, Target

WAYS = ("first_pass", "agreement", "take_max")
_AGREEMENT = 1e-3  # relative: two readings of one number differ by rounding at most

Readings = Mapping[str, Reading]


def combine(way: str, problem: Problem, first: Readings, second: Readings) -> dict[str, Reading]:
    """The readings of an answer by one of `WAYS`."""
    if way == "first_pass":
        return dict(first)
    return by_agreement(problem, first, second) if way == "agreement" else take_max(problem, first, second)


def by_agreement(problem: Problem, first: Readings, second: Readings) -> dict[str, Reading]:
    """What both state; what only one states; of two that differ, the one whose unit fits, else the first.

    The first pass quotes the text and the second may not, which is why it has the last word.
    """
    combined = {}
    for target in problem.targets:
        one, other = first.get(target.name), second.get(target.name)
        if one and other and not agree(target, one, other):
            combined[target.name] = other if _fits(target, other) and not _fits(target, one) else one
        elif stated := one or other:
            combined[target.name] = stated
    return combined


def take_max(problem: Problem, first: Readings, second: Readings) -> dict[str, Reading]:
    """The publisher's way, key in hand: the second unless only the first passes the published rule."""
    ours = published(problem, unit_aware(problem, first))
    theirs = published(problem, unit_aware(problem, second))
    combined = {}
    for target in problem.targets:
        name = target.name
        keep_first = name in first and (name not in second or (ours[name].passed and not theirs[name].passed))
        chosen = first.get(name) if keep_first else second.get(name)
        if chosen:
            combined[name] = chosen
    return combined


def agree(target: Target, one: Reading, other: Reading) -> bool:
    """Whether two readings of a target are the same value, by units too."""
    if not isinstance(target, NumberTarget):
        return one.value == other.value
    values = in_unit(one, target), in_unit(other, target)
    if values[0] is None or values[1] is None:
        return one == other
    return math.isclose(values[0], values[1], rel_tol=_AGREEMENT, abs_tol=1e-12)


def _fits(target: Target, reading: Reading) -> bool:
    return not isinstance(target, NumberTarget) or in_unit(reading, target) is not None
