"""Three-valued judgement of a condition by what is known: it holds, is contradicted, or is left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, WordAxis
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import SURE, Facts, Number, Word
from ansatz.knowledge_base.regime.stated_quantities import affine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.equation import Equation

HOLDS = 0.5
"""The support from which a condition counts as fulfilled."""
_NEAR = 0.5  # what is left of the weight of a number that contradicts by less than its tolerance


class Judgement(NamedTuple):
    """Whether a predicate holds: True, False, or None where the question does not say; and why.

    `support` is how sure that is: 1 to -1, where -0.7 and less exclude and what lies between only doubts.
    """

    holds: bool | None
    reason: str
    support: float = 0.0


@dataclass(frozen=True)
class Limits:
    """Lower and upper limits of many numeric predicates as arrays; a strict limit is not itself admitted."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    low_strict: NDArray[np.bool_]
    high_strict: NDArray[np.bool_]

    @classmethod
    def of(cls, predicates: Sequence[Predicate]) -> Limits:
        rows = [predicate.interval for predicate in predicates]
        low, high, low_strict, high_strict = zip(*rows, strict=True)
        return cls(np.array(low), np.array(high), np.array(low_strict), np.array(high_strict))

    def admit(self, low: float, high: float) -> NDArray[np.bool_]:
        """Whether every number from `low` to `high` is within the limits."""
        if low != high:
            return (low >= self.low) & (high <= self.high)
        least, most = self._admitted
        return (low >= least) & (high <= most)

    @cached_property
    def _admitted(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The least and the greatest number that is itself admitted."""
        least = np.where(self.low_strict, np.nextafter(self.low, np.inf), self.low)
        return least, np.where(self.high_strict, np.nextafter(self.high, -np.inf), self.high)

    @cached_property
    def sizes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How large the limits are, 0 for an open one."""
        finite = [np.where(np.isfinite(limit), limit, 0.0) for limit in (self.low, self.high)]
        return np.abs(finite[0]), np.abs(finite[1])


def judge(predicate: Predicate, known: Facts, equation: Equation | None = None) -> Judgement:
    """Three-valued: False only where the question surely contradicts the predicate, None where it is silent.

    An axis with several values satisfies a predicate only if all do, and contradicts it only if all do.
    """
    own = equation.units.get(predicate.var) if equation else None
    if predicate.axis in WORDS and own is None:
        return _judge_words(predicate, known)
    numbers, unit = relevant(predicate.var, predicate.axis, own, known)
    if not numbers:
        return _open(predicate)
    wanted = predicate.unit or unit
    support = float(number_support(Limits.of([predicate]), numbers, (unit, wanted), known)[0])
    shown = " and ".join(dict.fromkeys(_in_unit(number, unit, wanted).shown() for number in numbers))
    says = f"{predicate.var} = {shown} {wanted}".rstrip(" -1").replace("= <", "<").replace("= >", ">")
    if support >= HOLDS:
        return Judgement(True, f"{predicate.words()} holds: {says} ({_origins(numbers)})", support)
    if support >= 0 and len(numbers) > 1:
        return Judgement(None, f"needs {predicate.words()}; the question has {says}", support)
    if support >= 0:
        return _open(predicate)
    contradicted = False if support <= -SURE else None
    return Judgement(contradicted, f"needs {predicate.words()} but {says} ({_origins(numbers)})", support)


def relevant(var: str, axis_name: str, own_unit: str | None, known: Facts) -> tuple[tuple[Number, ...], str]:
    """The numbers that a predicate is to be judged by, and their unit: of its own symbol, or of the axis."""
    if own_unit is not None and (named := known.named(var, own_unit)):
        return named, own_unit
    axis = NUMBERS.get(axis_name)
    return (known.numbers.get(axis_name, ()), axis.unit) if axis else ((), own_unit or "-")


def number_support(
    limits: Limits, numbers: Sequence[Number], units: tuple[str, str], known: Facts
) -> NDArray[np.float64]:
    """The support of each predicate by all `numbers`; these are in the first unit, the limits in the second.

    Another temperature of the question that a predicate admits leaves it open: it may be the one meant.
    """
    sure = [number for number in numbers if number.exact and number.confidence >= SURE]
    found = _agreed([_support(limits, _in_unit(number, *units)) for number in sure or numbers])
    if NUMBERS["T"].unit == units[0] and (found <= -SURE).any():
        others = [value for given in known.givens if (value := _temperature(given.to(units[1]))) is not None]
        for value in others:
            found = np.where((found < 0) & limits.admit(value, value), np.maximum(found, -_NEAR), found)
    return np.asarray(found)


def _agreed(each: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """What several numbers say of the same conditions where they agree, and 0 where they do not."""
    if len(each) == 1:
        return each[0]
    least, most = np.min(each, axis=0), np.max(each, axis=0)
    return np.where((least > 0) | (most < 0), most, 0.0)


@dataclass(frozen=True)
class Choices:
    """Many predicates on one word axis: which of its words each accepts, and which speak against it."""

    axis: str
    favours: NDArray[np.float64]
    opposes: NDArray[np.float64]
    lists_accepted: NDArray[np.bool_]

    @classmethod
    def of(cls, axis: str, predicates: Sequence[Predicate]) -> Choices:
        words = WORDS[axis].values
        sets = [(each.accepted_words, each.refused_words) for each in predicates]
        favours = [[_favours(word, *both) for word in words] for both in sets]
        opposes = [[_opposes(word, WORDS[axis], *both) for word in words] for both in sets]
        listing = [bool(accepted) for accepted, _ in sets]
        return cls(axis, np.array(favours, dtype=float), np.array(opposes, dtype=float), np.array(listing))

    def support(self, known: Facts) -> NDArray[np.float64]:
        """The support of each predicate, by the words that the question says on the axis."""
        axis, said = WORDS[self.axis], known.stated.get(self.axis, ())
        confidence = np.zeros(len(axis.values))
        for each in said:
            place = axis.values.index(each.word)
            confidence[place] = max(confidence[place], each.confidence)
        favour = (self.favours * confidence).max(axis=1)
        against = (self.opposes * confidence).max(axis=1)
        if _of_one_system(axis, said, known):
            return np.where(self.lists_accepted, favour, 0.0)
        mixed = np.where((against >= SURE) | (favour < SURE), 0.0, favour - against)
        found = np.where((favour > 0) & (against > 0), mixed, favour - against)
        if _of_several_cases(said, axis):
            found = np.where((against >= SURE) & (favour == 0), -HOLDS, found)
        return np.asarray(found)


def _of_one_system(axis: WordAxis, said: Sequence[Word], known: Facts) -> bool:
    """Whether the words are parts of one system, of which two exclude no third."""
    return axis.parts and (len(said) > 1 or "cycle" in known.words)


def _of_several_cases(said: Sequence[Word], axis: WordAxis) -> bool:
    """Whether words that exclude each other are stated: a third may then be meant, as a cone with a cap."""
    words = [each.word for each in said if each.confidence >= HOLDS]
    return any(axis.exclude(one, other) for one, other in combinations(words, 2))


def _favours(word: str, accepted: frozenset[str], refused: frozenset[str]) -> bool:
    return word in accepted if accepted else word not in refused


def _opposes(word: str, axis: WordAxis, accepted: frozenset[str], refused: frozenset[str]) -> bool:
    if word in refused:
        return True
    return bool(accepted) and all(axis.exclude(word, other) for other in accepted)


def _judge_words(predicate: Predicate, known: Facts) -> Judgement:
    support = float(Choices.of(predicate.axis, [predicate]).support(known)[0])
    says = " and ".join(sorted(known.words.get(predicate.axis, ())))
    if support >= HOLDS:
        return Judgement(True, f"{predicate.words()} holds: the question says {says}", support)
    if support >= 0:
        return _open(predicate)._replace(support=support)
    verb = "says" if support <= -SURE else "suggests"
    contradicted = False if support <= -SURE else None
    return Judgement(contradicted, f"needs {predicate.words()} but the question {verb} {says}", support)


def _open(predicate: Predicate) -> Judgement:
    return Judgement(None, f"needs {predicate.words()}, which the question does not settle")


def _support(limits: Limits, number: Number) -> NDArray[np.float64]:
    low_size, high_size = limits.sizes
    below = number.high < limits.low - number.tolerance * low_size
    above = number.low > limits.high + number.tolerance * high_size
    inside = limits.admit(number.low, number.high)
    near = (number.high <= limits.low) | (number.low >= limits.high)
    found = np.where(inside, 1.0, np.where(below | above, -1.0, np.where(near, -_NEAR, 0.0)))
    return np.asarray(number.confidence * found)


def _in_unit(number: Number, unit: str, wanted: str) -> Number:
    line = affine(unit, wanted) if unit != wanted else None
    if line is None:
        return number
    zero, scale = line[0], line[1] - line[0]
    return number._replace(low=zero + scale * number.low, high=zero + scale * number.high)


def _temperature(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None


def _origins(numbers: Sequence[Number]) -> str:
    return "; ".join(dict.fromkeys(number.origin for number in numbers))
