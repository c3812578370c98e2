"""Pairs of an equation that tempts and the one that holds, with the condition that parts them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ansatz.knowledge_base.equation import NUMBERS, Equation, Library, Predicate, library
from ansatz.quantities.units import convert_number, has_same_dimension


@dataclass(frozen=True)
class Condition:
    """A predicate of an equation that a situation must fulfil, or, if not `wanted`, break."""

    predicate: Predicate
    of: Equation
    wanted: bool = True

    @property
    def unit(self) -> str:
        """That of its limits."""
        own = self.of.units.get(self.predicate.var) or NUMBERS[self.predicate.axis].unit
        return self.predicate.unit or own

    def holds(self, value: float, unit: str) -> bool:
        return self.predicate.admits(convert_number(value, unit, self.unit)) is self.wanted

    def limits(self, unit: str) -> list[float]:
        """Its positive limits, in a unit."""
        limits = self.predicate.interval[:2]
        return [convert_number(limit, self.unit, unit) for limit in limits if 0 < limit < math.inf]

    def admits(self, word: str) -> bool:
        """Whether a word fulfils the predicate, or is apart from all that do."""
        return self.predicate.takes(word) if self.wanted else self.predicate.excludes(word)


@dataclass(frozen=True)
class Exclusion:
    """Why `primary` must not be used where `fallback` holds.

    `parting` is a failure mode of the primary that must hold, or a requirement of it that must be broken.
    `effect` is the error that is then made, "" where the entry does not say.
    """

    primary: Equation
    fallback: Equation
    parting: Condition
    effect: str

    @property
    def axis(self) -> str:
        return self.parting.predicate.axis

    @property
    def conditions(self) -> list[Condition]:
        """All that a situation must keep: what the fallback requires, and what parts the two."""
        return [*(Condition(each, self.fallback) for each in self.fallback.regime.require), self.parting]


def exclusions(primary: Equation) -> Iterator[Exclusion]:
    """Every way in which an equation gives way to one that it is confused with or that its entry names.

    Both must give the same kind of quantity, so that the wrong one gives an answer that looks right.
    """
    base = library()
    named = [mode.use for mode in primary.failure_modes if mode.use]
    for id in dict.fromkeys([*named, *primary.confusable_with, *_confused_with(base).get(primary.id, ())]):
        fallback = base.get(id)
        if id != primary.id and _gives_alike(primary, fallback):
            yield from _reasons(primary, fallback)


def _gives_alike(primary: Equation, fallback: Equation) -> bool:
    """Whether two entries give quantities of one dimension; pure numbers must bear one name or topic."""
    one, other = primary.symbols[primary.output], fallback.symbols[fallback.output]
    named = primary.output == fallback.output or one.desc == other.desc or primary.topic == fallback.topic
    return has_same_dimension(one.unit, other.unit) and (named or not has_same_dimension(one.unit, "-"))


def _reasons(primary: Equation, fallback: Equation) -> Iterator[Exclusion]:
    modes = [mode for mode in primary.failure_modes if mode.use == fallback.id]
    for mode in modes:
        if mode.predicate is not None:
            yield Exclusion(primary, fallback, Condition(mode.predicate, primary), mode.effect)
    effect = modes[0].effect if modes else ""
    spoken_of = {predicate.axis for predicate in fallback.regime.require}
    for predicate in primary.regime.require:
        # Of an axis on which the fallback is silent, nobody says that it holds there.
        if predicate.axis in spoken_of:
            yield Exclusion(primary, fallback, Condition(predicate, primary, wanted=False), effect)


@lru_cache(maxsize=1)
def _confused_with(base: Library) -> Mapping[str, list[str]]:
    """For each entry those that name it as easily confused."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for equation in base:
        for id in equation.confusable_with:
            found[id].append(equation.id)
    return found
