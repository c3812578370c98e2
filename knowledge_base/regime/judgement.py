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
from ansatz.knowledge_base.regime.facts import SURE, AxisNumber, Facts
from ansatz.knowledge_base.regime.stated_quantities import affine, plain_symbol

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


def judge(predicate: Predicate, known: Facts, equation: Equation | None = None) -> Judgement:
    """Three-valued: False only where the question surely contradicts the predicate, None where it is silent.

    An axis with several values satisfies a predicate only if all do, and contradicts it only if all do.
    """
    own = equation.units.get(predicate.var) if equation else None
    sure = support(predicate, own, known)
    numbers, unit = _relevant(predicate, own, known)
    if predicate.axis in WORDS and own is None:
        words = " and ".join(sorted(known.words.get(predicate.axis, ())))
        holds, several = f"the question says {words}", False
        against = f"the question {'says' if sure <= -SURE else 'suggests'} {words}"
    else:
        wanted, several = predicate.unit or unit, len(numbers) > 1
        shown = " and ".join(dict.fromkeys(_in_unit(number, unit, wanted).shown() for number in numbers))
        shown = f"= {shown}".replace("= <", "<").replace("= >", ">")
        says = f"{predicate.var} {shown} {wanted}".removesuffix(" -").removesuffix(" 1")
        holds = against = f"{says} ({'; '.join(dict.fromkeys(number.origin for number in numbers))})"
    if sure >= HOLDS:
        return Judgement(True, f"{predicate.words()} holds: {holds}", sure)
    if sure < 0:
        return Judgement(False if sure <= -SURE else None, f"needs {predicate.words()} but {against}", sure)
    if several:
        return Judgement(None, f"needs {predicate.words()}; the question has {says}", sure)
    return Judgement(None, f"needs {predicate.words()}, which the question does not settle", sure)


def support(predicate: Predicate, own_unit: str | None, known: Facts) -> float:
    """How far what is known speaks for a predicate (1) or against it (-1); 0 where it is silent.

    `own_unit` is that of the entry's symbol of the predicate's name, None where it has none.
    """
    if predicate.axis in WORDS and own_unit is None:
        return _word_support(predicate, known)
    numbers, unit = _relevant(predicate, own_unit, known)
    return _number_support(predicate, numbers, unit, known) if numbers else 0.0


class RegimeVerdict(NamedTuple):
    """For each entry: whether it is excluded, how much speaks for it and how much against it."""

    excluded: NDArray[np.bool_]
    favour: NDArray[np.float64]
    against: NDArray[np.float64]


class Conditions:
    """The conditions of all entries, those that are alike once, by the axis or symbol that they speak of.

    A failure mode that holds speaks against its entry; so do conditions that are doubted or not preferred.
    """

    def __init__(self, equations: Sequence[Equation]):
        self._count = len(equations)
        # Where a test stands: the places of the entries that require it, that prefer it, that fail by it.
        self._tests: dict[tuple[Predicate, str | None], tuple[list[int], list[int], list[int]]] = {}
        self._speaking_of: dict[str, list[tuple[Predicate, str | None]]] = defaultdict(list)
        for place, equation in enumerate(equations):
            failures = [mode.predicate for mode in equation.failure_modes if mode.predicate]
            for role, predicates in enumerate((equation.regime.require, equation.regime.prefer, failures)):
                for predicate in predicates:
                    self._test(predicate, equation.units.get(predicate.var))[role].append(place)

    def _test(self, predicate: Predicate, own: str | None) -> tuple[list[int], list[int], list[int]]:
        test = predicate, own
        if test not in self._tests:
            self._tests[test] = ([], [], [])
            self._speaking_of[predicate.axis].append(test)
            if own is not None:
                self._speaking_of[f"={plain_symbol(predicate.var).replace('_', '')}"].append(test)
        return self._tests[test]

    def judge(self, known: Facts) -> RegimeVerdict:
        """What the facts of a question say of each entry."""
        excluded = np.zeros(self._count, dtype=bool)
        favour, against = np.zeros(self._count), np.zeros(self._count)
        named = (f"={given.symbol.replace('_', '')}" for given in known.givens if given.symbol)
        keys = dict.fromkeys([*known.stated, *known.numbers, *named])
        for test in dict.fromkeys(test for key in keys for test in self._speaking_of.get(key, ())):
            sure = support(*test, known)
            required, preferred, failures = self._tests[test]
            if sure <= -SURE:
                excluded[required] = True
            if sure < 0:
                np.add.at(against, required + preferred, -sure)
            elif sure >= HOLDS:
                np.add.at(favour, required + preferred, sure)
                np.add.at(against, failures, sure)
        return RegimeVerdict(excluded, favour, against)


def _relevant(predicate: Predicate, own_unit: str | None, known: Facts) -> tuple[tuple[AxisNumber, ...], str]:
    """The numbers that a predicate is to be judged by, and their unit: of its own symbol, or of the axis."""
    if own_unit is not None and (named := known.named(predicate.var, own_unit)):
        return named, own_unit
    axis = NUMBERS.get(predicate.axis)
    return (known.numbers.get(predicate.axis, ()), axis.unit) if axis else ((), own_unit or "-")


def _number_support(predicate: Predicate, numbers: Sequence[AxisNumber], unit: str, known: Facts) -> float:
    """What all numbers say where they agree, else 0.

    Another temperature of the question that a predicate admits leaves it open: it may be the one meant.
    """
    wanted = predicate.unit or unit
    sure = [number for number in numbers if number.exact and number.confidence >= SURE]
    each = [_of_number(predicate, _in_unit(number, unit, wanted)) for number in sure or numbers]
    found = max(each) if min(each) > 0 or max(each) < 0 else each[0] if len(each) == 1 else 0.0
    if found <= -SURE and unit == NUMBERS["T"].unit:
        others = (value for given in known.givens if (value := given.to(wanted)) is not None and value > 0)
        if any(_admits(predicate, value, value) for value in others):
            return -_NEAR
    return found


def _of_number(predicate: Predicate, number: AxisNumber) -> float:
    low, high, _, _ = predicate.interval
    if _admits(predicate, number.low, number.high):
        return number.confidence
    margin = [number.tolerance * abs(limit) if math.isfinite(limit) else 0.0 for limit in (low, high)]
    if number.high < low - margin[0] or number.low > high + margin[1]:
        return -number.confidence
    return -_NEAR * number.confidence if number.high <= low or number.low >= high else 0.0


def _admits(predicate: Predicate, lowest: float, highest: float) -> bool:
    """Whether every number from the lowest to the highest passes a predicate."""
    if lowest == highest:
        return predicate.admits(lowest)
    low, high, _, _ = predicate.interval
    return low <= lowest and highest <= high


def _in_unit(number: AxisNumber, unit: str, wanted: str) -> AxisNumber:
    line = affine(unit, wanted) if unit != wanted else None
    if line is None:
        return number
    zero, scale = line[0], line[1] - line[0]
    return number._replace(low=zero + scale * number.low, high=zero + scale * number.high)


def _word_support(predicate: Predicate, known: Facts) -> float:
    axis, said = WORDS[predicate.axis], known.stated.get(predicate.axis, ())
    favour = max((word.confidence for word in said if predicate.takes(word.word)), default=0.0)
    against = max((word.confidence for word in said if predicate.excludes(word.word)), default=0.0)
    if axis.parts and (len(said) > 1 or "cycle" in known.words):  # parts of one system exclude no third
        return favour if predicate.accepted else 0.0
    if favour > 0 and against > 0:
        return 0.0 if against >= SURE or favour < SURE else favour - against
    stated = [word.word for word in said if word.confidence >= HOLDS]
    if against >= SURE and any(axis.exclude(one, other) for one, other in combinations(stated, 2)):
        return -HOLDS  # of several cases a third may be meant, as a cone with a cap
    return favour - against


def contradicted(equation: Equation, known: Facts) -> Iterator[Judgement]:
    """The conditions that an entry requires and the question contradicts."""
    for needed in equation.regime.require:
        found = judge(needed, known, equation)
        if found.holds is False:
            yield found
