"""The conditions of all entries at once, as arrays: what a question's facts exclude, favour and doubt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import SURE, Facts
from ansatz.knowledge_base.regime.stated_quantities import plain_symbol
from ansatz.knowledge_base.regime.three_valued import HOLDS, Choices, Limits, number_support, relevant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.equation import Equation
    from ansatz.knowledge_base.equation.parts import FailureMode


class Verdict(NamedTuple):
    """For each entry: whether it is excluded, how much speaks for it and how much against it.

    `support` is that of each condition by itself, in the order of `ConditionMatrix.of`.
    """

    excluded: NDArray[np.bool_]
    favour: NDArray[np.float64]
    against: NDArray[np.float64]
    support: NDArray[np.float64]


class _Condition(NamedTuple):
    """Where a predicate stands: the entry's place, and whether it is required or names a failure."""

    place: int
    required: bool
    failure: bool


@dataclass(frozen=True)
class _Numeric:
    """Predicates that are judged by the same numbers: one symbol or axis, in one unit."""

    var: str
    axis: str
    own_unit: str | None
    unit: str | None
    limits: Limits
    members: NDArray[np.intp]


@dataclass(frozen=True)
class _Worded:
    """The predicates on one word axis, `rows` giving the choice that each of them is."""

    choices: Choices
    rows: NDArray[np.intp]
    members: NDArray[np.intp]

    @classmethod
    def of(cls, axis: str, found: Sequence[tuple[int, Predicate]]) -> _Worded:
        keys = [(predicate.accepted_words, predicate.refused_words) for _, predicate in found]
        unlike = {key: predicate for key, (_, predicate) in zip(keys, found, strict=True)}
        place = {key: row for row, key in enumerate(unlike)}
        rows = np.array([place[key] for key in keys], dtype=np.intp)
        return cls(Choices.of(axis, list(unlike.values())), rows, _members(found))


class ConditionMatrix:
    """Compiled once for a base; a question then costs one pass over the axes that it speaks of."""

    def __init__(self, equations: Sequence[Equation]):
        self._count = len(equations)
        conditions: list[_Condition] = []
        numeric: dict[Hashable, list[tuple[int, Predicate]]] = defaultdict(list)
        worded: dict[str, list[tuple[int, Predicate]]] = defaultdict(list)
        for place, equation in enumerate(equations):
            for predicate, required, failure in _predicates(equation):
                own = equation.units.get(predicate.var)
                entry = (len(conditions), predicate)
                conditions.append(_Condition(place, required, failure))
                if predicate.axis in WORDS and own is None:
                    worded[predicate.axis].append(entry)
                else:
                    numeric[predicate.var, predicate.axis, own, predicate.unit].append(entry)
        self._places = np.array([each.place for each in conditions], dtype=np.intp)
        self._required = np.array([each.required for each in conditions], dtype=bool)
        self._failure = np.array([each.failure for each in conditions], dtype=bool)
        self._words = [_Worded.of(axis, found) for axis, found in worded.items()]
        self._numbers: dict[str, list[_Numeric]] = defaultdict(list)
        for found in numeric.values():
            self._add_numeric(equations[self._places[found[0][0]]], found)

    def _add_numeric(self, equation: Equation, found: Sequence[tuple[int, Predicate]]) -> None:
        """Index a group by what a question must state for it to matter: a symbol of that name or the axis."""
        first = found[0][1]
        own = equation.units.get(first.var)
        limits = Limits.of([predicate for _, predicate in found])
        group = _Numeric(first.var, first.axis, own, first.unit, limits, _members(found))
        keys = {first.axis} if first.axis in NUMBERS else set()
        keys |= {f"={plain_symbol(first.var).replace('_', '')}"} if own is not None else set()
        for key in keys:
            self._numbers[key].append(group)

    def of(self, place: int) -> slice:
        """Where the conditions of an entry stand: those required, those preferred, and its failures."""
        first, end = np.searchsorted(self._places, (place, place + 1))
        return slice(int(first), int(end))

    def judge(self, known: Facts) -> Verdict:
        """What the facts of a question say of each entry."""
        support = np.zeros(len(self._places))
        for group in self._words:
            if group.choices.axis in known.stated:
                support[group.members] = group.choices.support(known)[group.rows]
        for each in self._groups(known):
            numbers, unit = relevant(each.var, each.axis, each.own_unit, known)
            if numbers:
                units = (unit, each.unit or unit)
                support[each.members] = number_support(each.limits, numbers, units, known)
        return self._verdict(support)

    def _groups(self, known: Facts) -> list[_Numeric]:
        named = {f"={given.symbol.replace('_', '')}" for given in known.givens if given.symbol}
        groups = [group for key in (*known.numbers, *named) for group in self._numbers.get(key, ())]
        return list({id(group): group for group in groups}.values())

    def _verdict(self, support: NDArray[np.float64]) -> Verdict:
        """Failure modes that hold speak against; so do conditions that are doubted or not preferred."""
        said = np.flatnonzero(support)
        places, found, failure = self._places[said], support[said], self._failure[said]
        barred = self._required[said] & (found <= -SURE)
        favour = np.where((found >= HOLDS) & ~failure, found, 0.0)
        against = np.where(failure, np.where(found >= HOLDS, found, 0.0), np.maximum(-found, 0.0))
        excluded = np.zeros(self._count, dtype=bool)
        excluded[places[barred]] = True
        sums = [np.bincount(places, each, minlength=self._count).astype(float) for each in (favour, against)]
        return Verdict(excluded, sums[0], sums[1], support)


def _predicates(equation: Equation) -> list[tuple[Predicate, bool, bool]]:
    """Each predicate of an entry with whether it is required and whether it names a failure."""
    modes = [mode.predicate for mode in named_failures(equation)]
    return [
        *((predicate, True, False) for predicate in equation.regime.require),
        *((predicate, False, False) for predicate in equation.regime.prefer),
        *((predicate, False, True) for predicate in modes if predicate),
    ]


def named_failures(equation: Equation) -> list[FailureMode]:
    """The failure modes of an entry that are told by a predicate rather than in prose."""
    return [mode for mode in equation.failure_modes if mode.predicate]


def _members(found: Sequence[tuple[int, Predicate]]) -> NDArray[np.intp]:
    return np.array([index for index, _ in found], dtype=np.intp)
