"""Judge conditions by known facts, in three values: fulfilled, contradicted or open."""

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
"""The least support with which a condition counts as fulfilled."""
_BEYOND = 2.0  # factor on the ends of a `valid` range outside of which an entry is excluded
_NEAR = 0.5  # factor on the weight of a number that contradicts by less than its tolerance


class Judgement(NamedTuple):
    """Whether a condition is fulfilled, and why."""

    holds: bool | None
    """True, False, or None if the question leaves it open."""
    reason: str
    support: float = 0.0
    """From 1 (certainly fulfilled) to -1 (certainly not); at -0.7 and below, the entry is excluded."""
    conflict: str = ""
    """The facts of which one fulfils the condition and another contradicts it."""


class EntryCondition(NamedTuple):
    """A condition of an entry."""

    predicate: Predicate
    unit: str | None
    """The unit of the entry's symbol with the name of the condition; None if it has no such symbol."""

    @property
    def is_about_words(self) -> bool:
        return self.predicate.axis in WORDS and self.unit is None

    def select_facts(self, known: Facts) -> tuple[tuple[Fact, ...], str]:
        """Return the facts about its symbol or, if there are none, about its axis; and their unit."""
        predicate, unit = self
        if unit is not None and (named := known.named(predicate.var, unit)):
            return named, unit
        if predicate.axis in NUMBERS:
            return known.on(predicate.axis), NUMBERS[predicate.axis].unit
        return (known.on(predicate.axis), "") if self.is_about_words else ((), unit or "-")

    def rate_support(self, known: Facts) -> float:
        """Rate how far the facts support the condition (1) or contradict it (-1); 0 without facts."""
        facts, unit = self.select_facts(known)
        if not facts:
            return 0.0
        if self.is_about_words:
            return _rate_words(self.predicate, facts, known)
        return _rate_numbers(self.predicate, facts, unit, known)


def judge_condition(predicate: Predicate, known: Facts, equation: Equation | None = None) -> Judgement:
    """Judge whether known facts fulfil a condition, contradict it, or leave it open.

    Several values on an axis fulfil or contradict a condition only if all of them do.
    """
    condition = EntryCondition(predicate, equation.units.get(predicate.var) if equation else None)
    support, (facts, unit) = condition.rate_support(known), condition.select_facts(known)
    needs = f"needs {predicate.describe()}"
    if condition.is_about_words:
        words = " and ".join(sorted({fact.word for fact in facts}))
        is_mixed = {predicate.takes(fact.word) for fact in facts} == {True, False}
        finding, origin = f"the question {'suggests' if -SURE < support < 0 else 'says'} {words}", ""
    else:
        wanted = predicate.unit or unit
        converted = (_convert_fact(fact, unit, wanted).format_value() for fact in facts)
        values = f"= {' and '.join(dict.fromkeys(converted))}".replace("= <", "<").replace("= >", ">")
        finding = f"{predicate.var} {values} {wanted}".removesuffix(" -").removesuffix(" 1")
        origin = f" ({'; '.join(dict.fromkeys(fact.origin for fact in facts))})"
        is_mixed = len(facts) > 1
    if support >= HOLDS:
        return Judgement(True, f"{predicate.describe()} holds: {finding}{origin}", support)
    if support < 0:
        return Judgement(False if support <= -SURE else None, f"{needs} but {finding}{origin}", support)
    if is_mixed:
        finding = f"the question has {finding}" if origin else finding
        return Judgement(None, f"{needs}; {finding}", support, finding)
    return Judgement(None, f"{needs}, which the question does not settle", support)


def find_contradicted(equation: Equation, known: Facts) -> Iterator[Judgement]:
    """Yield the judgements of required conditions that the question contradicts."""
    for condition in equation.regime.require:
        judgement = judge_condition(condition, known, equation)
        if judgement.holds is False:
            yield judgement
    for valid, least in find_ranges(equation):
        if judge_condition(least, known, equation).holds is False:
            yield judge_condition(valid, known, equation)


def find_ranges(equation: Equation) -> Iterator[tuple[Predicate, Predicate]]:
    """Yield the `valid` ranges of an entry's dimensionless groups, each with the range widened by 2.

    A value outside the range counts against the entry, and one outside the wider range excludes it: the end
    of a fit is where its data end, and not where it fails. Axes with a required condition are left out.
    """
    required = {condition.axis for condition in equation.regime.require}
    for variable in equation.symbols.values():
        valid = variable.valid
        if valid is None or valid.axis in required or valid.axis not in NUMBERS:
            continue
        if NUMBERS[valid.axis].unit == "-":
            low, high, _, _ = valid.interval
            wider = (low / _BEYOND if low > 0 else low, high * _BEYOND if high > 0 else high)
            yield valid, Predicate(var=valid.var, between=wider, unit=valid.unit)


class RegimeVerdict(NamedTuple):
    """The verdict on each entry, by its place in the library."""

    excluded: NDArray[np.bool_]
    favour: NDArray[np.float64]
    """The support of fulfilled conditions."""
    against: NDArray[np.float64]
    """The support against its conditions, and of its failure modes."""


class Conditions:
    """The distinct conditions of all entries, by their axis or symbol.

    Doubtful required conditions, unfulfilled preferences and fulfilled failure modes count against an entry.
    """

    def __init__(self, equations: Sequence[Equation]):
        self._count = len(equations)
        # The places of the entries that require a condition, prefer it, or fail under it.
        self._places: dict[EntryCondition, tuple[list[int], ...]] = defaultdict(lambda: ([], [], []))
        for place, equation in enumerate(equations):
            failures = [mode.predicate for mode in equation.failure_modes if mode.predicate]
            ranges = list(find_ranges(equation))
            required = [*equation.regime.require, *(wider for _, wider in ranges)]
            preferred = [*equation.regime.prefer, *(valid for valid, _ in ranges)]
            for role, predicates in enumerate((required, preferred, failures)):
                for predicate in predicates:
                    self._places[EntryCondition(predicate, equation.units.get(predicate.var))][role].append(
                        place
                    )
        self._by_subject: dict[str, list[EntryCondition]] = defaultdict(list)
        for condition in self._places:
            self._by_subject[condition.predicate.axis].append(condition)
            if condition.unit is not None:
                self._by_subject[f"={compact_symbol(condition.predicate.var)}"].append(condition)

    def judge(self, known: Facts) -> RegimeVerdict:
        """Judge each entry by the facts of a question."""
        excluded = np.zeros(self._count, dtype=bool)
        favour, against = np.zeros(self._count), np.zeros(self._count)
        keys = [*known.axes, *(f"={compact_symbol(given.symbol)}" for given in known.givens if given.symbol)]
        affected = (condition for key in keys for condition in self._by_subject.get(key, ()))
        for condition in dict.fromkeys(affected):
            support = condition.rate_support(known)
            required, preferred, failures = self._places[condition]
            if support <= -SURE:
                excluded[required] = True
            if support < 0:
                np.add.at(against, required + preferred, -support)
            elif support >= HOLDS:
                np.add.at(against, failures, support)
                if not condition.predicate.refused:  # only refusing cases is weak evidence
                    np.add.at(favour, required + preferred, support)
        return RegimeVerdict(excluded, favour, against)


def _rate_numbers(predicate: Predicate, numbers: Sequence[Fact], unit: str, known: Facts) -> float:
    """Rate a condition by all numbers if they agree; otherwise 0.

    If the condition admits another temperature of the question, which may be meant, it is only in doubt.
    """
    wanted = predicate.unit or unit
    certain = [number for number in numbers if number.exact and number.confidence >= SURE]
    ratings = [_rate_number(predicate, _convert_fact(number, unit, wanted)) for number in certain or numbers]
    support = max(ratings) if min(ratings) > 0 or max(ratings) < 0 or len(ratings) == 1 else 0.0
    if support <= -SURE and unit == NUMBERS["T"].unit:
        others = (value for given in known.givens if (value := given.to(wanted)) is not None and value > 0)
        if any(map(predicate.admits, others)):
            return -_NEAR
    return support


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
    refused = [fact.word for fact in word_facts if fact.word in predicate.refused]
    favour = max(
        (
            fact.confidence
            for fact in word_facts
            # A word that holds together with a refused one, as reversible with polytropic, is no other case.
            if predicate.takes(fact.word) and all(axis.exclude(fact.word, other) for other in refused)
        ),
        default=0.0,
    )
    against = max((fact.confidence for fact in word_facts if predicate.excludes(fact.word)), default=0.0)
    if axis.parts and (len(word_facts) > 1 or known.on("cycle")):  # a system may have further parts
        return favour if predicate.accepted else 0.0
    if favour > 0 and against > 0:
        return 0.0 if against >= SURE or favour < SURE else favour - against
    stated = [fact.word for fact in word_facts if fact.confidence >= HOLDS]
    if against >= SURE and any(axis.exclude(one, other) for one, other in combinations(stated, 2)):
        return -HOLDS  # if two cases are stated, a third may be meant, such as a cone with a cap
    return favour - against
