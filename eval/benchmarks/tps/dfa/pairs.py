"""Pairs of a tempting and a valid equation, with the condition that separates them."""

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
        """The unit of its limits."""
        own = self.of.units.get(self.predicate.var) or NUMBERS[self.predicate.axis].unit
        return self.predicate.unit or own

    def holds(self, value: float, unit: str) -> bool:
        return self.predicate.admits(convert_number(value, unit, self.unit)) is self.wanted

    def limits(self, unit: str) -> list[float]:
        """Return its positive limits in a unit."""
        limits = self.predicate.interval[:2]
        return [convert_number(limit, self.unit, unit) for limit in limits if 0 < limit < math.inf]

    def admits(self, word: str) -> bool:
        """Whether a word fulfils the predicate or, if not `wanted`, excludes it."""
        return self.predicate.takes(word) if self.wanted else self.predicate.excludes(word)


@dataclass(frozen=True)
class Exclusion:
    """The reason why `primary` must not be used in situations in which `fallback` is valid."""

    primary: Equation
    fallback: Equation
    separator: Condition
    """A failure mode of the primary that must hold, or a requirement of it that must be broken."""
    effect: str
    """The resulting error; "" if the entry does not state it."""

    @property
    def axis(self) -> str:
        return self.separator.predicate.axis

    @property
    def conditions(self) -> list[Condition]:
        """The conditions of a situation: the fallback's requirements and the separator."""
        return [*(Condition(each, self.fallback) for each in self.fallback.regime.require), self.separator]


def find_exclusions(primary: Equation) -> Iterator[Exclusion]:
    """Yield every reason to replace an equation by one that its entry names or with which it is confused.

    Both must give the same kind of quantity, so that the answer of the wrong one looks plausible.
    """
    base = library()
    named = [mode.use for mode in primary.failure_modes if mode.use]
    for id in dict.fromkeys([*named, *primary.confusable_with, *_confused_with(base).get(primary.id, ())]):
        fallback = base.get(id)
        if id != primary.id and _give_same_quantity(primary, fallback):
            yield from _reasons(primary, fallback)


def _give_same_quantity(primary: Equation, fallback: Equation) -> bool:
    """Whether two entries give one dimension; pure numbers must also have the same name or topic."""
    one, other = primary.symbols[primary.output], fallback.symbols[fallback.output]
    named = primary.output == fallback.output or one.desc == other.desc or primary.topic == fallback.topic
    return has_same_dimension(one.unit, other.unit) and (named or not has_same_dimension(one.unit, "-"))


def _reasons(primary: Equation, fallback: Equation) -> Iterator[Exclusion]:
    modes = [mode for mode in primary.failure_modes if mode.use == fallback.id]
    for mode in modes:
        if mode.predicate is not None:
            yield Exclusion(primary, fallback, Condition(mode.predicate, primary), mode.effect)
    effect = modes[0].effect if modes else ""
    constrained = {predicate.axis for predicate in fallback.regime.require}
    for predicate in primary.regime.require:
        # The fallback is only known to be valid on the axes that it constrains.
        if predicate.axis in constrained:
            yield Exclusion(primary, fallback, Condition(predicate, primary, wanted=False), effect)


@lru_cache(maxsize=1)
def _confused_with(base: Library) -> Mapping[str, list[str]]:
    """Return for each entry the entries that name it as easily confused."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for equation in base:
        for id in equation.confusable_with:
            found[id].append(equation.id)
    return found
