"""Three-valued judgement of conditions by what is known: each holds, is contradicted, or is left open."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import SURE, Fact, Facts
from ansatz.knowledge_base.regime.stated_quantities import compact_symbol, find_linear_conversion

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


class EntryCondition(NamedTuple):
    """A predicate as an entry means it; `own` is the unit of the entry's own symbol of that name, if any."""

    predicate: Predicate
    own: str | None

    @property
    def of_words(self) -> bool:
        return self.predicate.axis in WORDS and self.own is None

    def bearing(self, known: Facts) -> tuple[tuple[Fact, ...], str]:
        """The facts that bear on it, those of its own symbol before those of its axis, and their unit."""
        predicate, own = self
        if own is not None and (named := known.named(predicate.var, own)):
            return named, own
        if predicate.axis in NUMBERS:
            return known.on(predicate.axis), NUMBERS[predicate.axis].unit
        return (known.on(predicate.axis), "") if self.of_words else ((), own or "-")

    def support(self, known: Facts) -> float:
        """How far what is known speaks for it (1) or against it (-1); 0 where that is silent."""
        facts, unit = self.bearing(known)
        if not facts:
            return 0.0
        if self.of_words:
            return _rate_words(self.predicate, facts, known)
        return _rate_numbers(self.predicate, facts, unit, known)


def judge_condition(predicate: Predicate, known: Facts, equation: Equation | None = None) -> Judgement:
    """Three-valued: False only where the question surely contradicts the predicate, None where it is silent.

    An axis with several values satisfies a predicate only if all do, and contradicts it only if all do.
    """
    condition = EntryCondition(predicate, equation.units.get(predicate.var) if equation else None)
    sure, (facts, unit) = condition.support(known), condition.bearing(known)
    needs = f"needs {predicate.words()}"
    if condition.of_words:
        words = " and ".join(sorted({fact.word for fact in facts}))
        finding, origin = f"the question {'suggests' if -SURE < sure < 0 else 'says'} {words}", ""
    else:
        wanted = predicate.unit or unit
        shown = " and ".join(dict.fromkeys(_convert_fact(fact, unit, wanted).shown() for fact in facts))
        shown = f"= {shown}".replace("= <", "<").replace("= >", ">")
        finding = f"{predicate.var} {shown} {wanted}".removesuffix(" -").removesuffix(" 1")
        origin = f" ({'; '.join(dict.fromkeys(fact.origin for fact in facts))})"
    if sure >= HOLDS:
        return Judgement(True, f"{predicate.words()} holds: {finding}{origin}", sure)
    if sure < 0:
        return Judgement(False if sure <= -SURE else None, f"{needs} but {finding}{origin}", sure)
    if origin and len(facts) > 1:
        return Judgement(None, f"{needs}; the question has {finding}", sure)
    return Judgement(None, f"{needs}, which the question does not settle", sure)


def find_contradicted(equation: Equation, known: Facts) -> Iterator[Judgement]:
    """The conditions that an entry requires and the question contradicts."""
    for needed in equation.regime.require:
        found = judge_condition(needed, known, equation)
        if found.holds is False:
            yield found


class RegimeVerdict(NamedTuple):
    """For each entry: whether it is excluded, how much speaks for it and how much against it."""

    excluded: NDArray[np.bool_]
    favour: NDArray[np.float64]
    against: NDArray[np.float64]


class Conditions:
    """The conditions of all entries, identical ones once, by the axis or symbol that they speak of.

    A failure mode that holds speaks against its entry; so do conditions that are doubted or not preferred.
    """

    def __init__(self, equations: Sequence[Equation]):
        self._count = len(equations)
        # The places of the entries that require a condition, that prefer it, that fail by it.
        self._places: dict[EntryCondition, tuple[list[int], ...]] = defaultdict(lambda: ([], [], []))
        for place, equation in enumerate(equations):
            failures = [mode.predicate for mode in equation.failure_modes if mode.predicate]
            for role, predicates in enumerate((equation.regime.require, equation.regime.prefer, failures)):
                for predicate in predicates:
                    self._places[EntryCondition(predicate, equation.units.get(predicate.var))][role].append(
                        place
                    )
        self._speaking_of: dict[str, list[EntryCondition]] = defaultdict(list)
        for condition in self._places:
            self._speaking_of[condition.predicate.axis].append(condition)
            if condition.own is not None:
                self._speaking_of[f"={compact_symbol(condition.predicate.var)}"].append(condition)

    def judge(self, known: Facts) -> RegimeVerdict:
        """What the facts of a question say of each entry."""
        excluded = np.zeros(self._count, dtype=bool)
        favour, against = np.zeros(self._count), np.zeros(self._count)
        keys = [*known.axes, *(f"={compact_symbol(given.symbol)}" for given in known.givens if given.symbol)]
        speaking = (condition for key in keys for condition in self._speaking_of.get(key, ()))
        for condition in dict.fromkeys(speaking):
            sure = condition.support(known)
            required, preferred, failures = self._places[condition]
            if sure <= -SURE:
                excluded[required] = True
            if sure < 0:
                np.add.at(against, required + preferred, -sure)
            elif sure >= HOLDS:
                np.add.at(favour, required + preferred, sure)
                np.add.at(against, failures, sure)
        return RegimeVerdict(excluded, favour, against)


def _rate_numbers(predicate: Predicate, numbers: Sequence[Fact], unit: str, known: Facts) -> float:
    """What all numbers say where they agree, else 0.

    Another temperature of the question that a predicate admits leaves it open: it may be the one meant.
    """
    wanted = predicate.unit or unit
    sure = [number for number in numbers if number.exact and number.confidence >= SURE]
    each = [_rate_number(predicate, _convert_fact(number, unit, wanted)) for number in sure or numbers]
    found = max(each) if min(each) > 0 or max(each) < 0 or len(each) == 1 else 0.0
    if found <= -SURE and unit == NUMBERS["T"].unit:
        others = (value for given in known.givens if (value := given.to(wanted)) is not None and value > 0)
        if any(map(predicate.admits, others)):
            return -_NEAR
    return found


def _rate_number(predicate: Predicate, number: Fact) -> float:
    low, high, _, _ = predicate.interval
    if predicate.admits(number.low) if number.exact else low <= number.low and number.high <= high:
        return number.confidence
    margin = [number.tolerance * abs(limit) if math.isfinite(limit) else 0.0 for limit in (low, high)]
    if number.high < low - margin[0] or number.low > high + margin[1]:
        return -number.confidence
    return -_NEAR * number.confidence if number.high <= low or number.low >= high else 0.0


def _convert_fact(number: Fact, unit: str, wanted: str) -> Fact:
    line = find_linear_conversion(unit, wanted) if unit != wanted else None
    if line is None:
        return number
    zero, scale = line[0], line[1] - line[0]
    return number._replace(low=zero + scale * number.low, high=zero + scale * number.high)


def _rate_words(predicate: Predicate, word_facts: Sequence[Fact], known: Facts) -> float:
    axis = WORDS[predicate.axis]
    favour = max((fact.confidence for fact in word_facts if predicate.takes(fact.word)), default=0.0)
    against = max((fact.confidence for fact in word_facts if predicate.excludes(fact.word)), default=0.0)
    if axis.parts and (len(word_facts) > 1 or known.on("cycle")):  # parts of one system exclude no third
        return favour if predicate.accepted else 0.0
    if favour > 0 and against > 0:
        return 0.0 if against >= SURE or favour < SURE else favour - against
    stated = [fact.word for fact in word_facts if fact.confidence >= HOLDS]
    if against >= SURE and any(axis.exclude(one, other) for one, other in combinations(stated, 2)):
        return -HOLDS  # of several cases a third may be meant, as a cone with a cap
    return favour - against
