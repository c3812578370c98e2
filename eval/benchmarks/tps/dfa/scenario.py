"""A situation in which one equation holds and another does not: its words, numbers and givens."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from ansatz.errors import EvaluationError, UnitError
from ansatz.eval.benchmarks.templates.template_parts import round_to
from ansatz.eval.benchmarks.tps.dfa.pairs import Condition, Exclusion
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import NUMBERS, WORDS, Equation, find_violations, library, resolve_axis
from ansatz.quantities.units import convert_number, has_same_dimension

# Constants of nature and of substances; scenarios do not change them.
_MATERIAL = re.compile(
    r"molar mass|gas constant|ratio of specific heats|Prandtl|Lewis|gravitational|planet|characteristic|"
    r"reference|molecular (?:mass|diameter)|degenera|emissivity|activation",
    re.IGNORECASE,
)
_MARGIN = (1.2, 4.0)  # the range of the factor between a limit and a number above or below it
_TRIES = 4  # numbers drawn at each limit
_DIGITS = 3


@dataclass(frozen=True)
class StatedQuantity:
    """A quantity that a question states; angles are in degrees."""

    symbol: str
    value: float
    unit: str
    description: str


@dataclass(frozen=True)
class Scenario:
    """The facts that a question states: words by axis, numbers (symbols are axes), and equation inputs."""

    words: Mapping[str, str]
    numbers: tuple[StatedQuantity, ...]
    inputs: tuple[StatedQuantity, ...]


def draw_scenario(exclusion: Exclusion, seed: Problem, rng: random.Random) -> Scenario | None:
    """Return a scenario near a seed problem, with the seed's values if the fallback admits them."""
    try:
        return _ScenarioDraw(exclusion, seed, rng).scenario()
    except (LookupError, UnitError):
        return None


class _ScenarioDraw:
    """Draws values by name, in the unit of their symbol or axis: inputs of the fallback, and other axes."""

    def __init__(self, exclusion: Exclusion, seed: Problem, rng: random.Random) -> None:
        self.exclusion, self.seed, self.rng = exclusion, seed, rng
        self.equation = exclusion.fallback
        self.conditions: defaultdict[str, list[Condition]] = defaultdict(list)
        for each in exclusion.conditions:
            if (name := self._subject(each)) is not None:
                self.conditions[name].append(each)

    def _subject(self, condition: Condition) -> str | None:
        """Return the input or the axis that a condition constrains; None for a condition on words."""
        var, axis = condition.predicate.var, condition.predicate.axis
        if var in self.equation.inputs:
            return var
        inputs = (name for name in self.equation.inputs if resolve_axis(name.partition("_")[0]) == axis)
        return None if axis in WORDS else next(inputs, axis)

    def _unit(self, name: str) -> str:
        quantity = self.equation.symbols[name] if name in self.equation.inputs else NUMBERS[name]
        return quantity.unit

    def _meaning(self, name: str) -> str:
        return self.equation.symbols[name].desc if name in self.equation.inputs else NUMBERS[name].meaning

    def scenario(self) -> Scenario | None:
        """Return a scenario, or None if the values contradict the conditions.

        Raises LookupError if no word or number is possible, and UnitError if units do not fit.
        """
        words, inputs = self._words(), self.equation.inputs
        values = {symbol: self._input(symbol) for symbol in inputs}
        values |= {axis: self._number(axis) for axis in list(self.conditions) if axis not in inputs}
        values = self._consistent(values)
        fits = all(self._fits(name, value) for name, value in values.items())
        if not fits or find_violations(self.equation, {name: values[name] for name in inputs}):
            return None
        stated = [self._stated(name, value) for name, value in values.items()]
        return Scenario(words, tuple(stated[len(inputs) :]), tuple(stated[: len(inputs)]))

    def _stated(self, name: str, value: float) -> StatedQuantity:
        """Round angles in degrees; the answer is computed from the stated value."""
        unit = self._unit(name)
        if unit == "rad":
            value, unit = round_to(_DIGITS, math.degrees(value)), "deg"
        return StatedQuantity(name, value, unit, self._meaning(name))

    def _fits(self, name: str, value: float) -> bool:
        return all(each.holds(value, self._unit(name)) for each in self.conditions.get(name, ()))

    def _words(self) -> dict[str, str]:
        """Choose a word on each axis that the fallback requires or that separates the two equations."""
        words: dict[str, str] = {}
        on_words: defaultdict[str, list[Condition]] = defaultdict(list)
        for each in self.exclusion.conditions:
            if each.predicate.axis in WORDS and each.predicate.var not in self.equation.symbols:
                on_words[each.predicate.axis].append(each)
        for axis, conditions in on_words.items():
            usable = [word for word in WORDS[axis].values if all(each.admits(word) for each in conditions)]
            if not usable:
                raise LookupError(axis)
            is_required = any(each.wanted and each.predicate.accepted for each in conditions)
            # A condition that only excludes words is not mentioned.
            if is_required or self.exclusion.axis == axis:
                words[axis] = self._word(axis, usable)
        return words

    def _word(self, axis: str, usable: list[str]) -> str:
        """Choose the seed's word, or the gas of the entry, or any other."""
        family = self.equation.family
        instance = family.instance.casefold().replace("_", " ").split() if family else []
        seed_words = [given.value for given in self.seed.givens if given.name == axis]
        preferred = [word for word in usable if word in seed_words] or [
            word for word in usable if word.casefold() in instance
        ]
        return self.rng.choice(preferred or usable)

    def _input(self, symbol: str) -> float:
        """Return the seed's value, or one near the entry's example, or one near the limits."""
        variable = self.equation.symbols[symbol]
        example = self.rng.choice(self.equation.tests).inputs[symbol]
        spread = 1.0 if _MATERIAL.search(variable.desc) else self.rng.uniform(0.8, 1.25)
        low, high = variable.sample or (-math.inf, math.inf)
        for value in (*self._seed_values(symbol), round_to(_DIGITS, example * spread)):
            if low <= value <= high and self._fits(symbol, value):
                return value
        return self._number(symbol, low, high)

    def _number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """Draw a number clearly above or below a limit of its conditions."""
        unit = self._unit(name)
        limits = [limit for each in self.conditions.get(name, ()) for limit in each.limits(unit)]
        drawn = [limit * self.rng.uniform(*_MARGIN) ** sign for limit in limits for sign in (1, -1) * _TRIES]
        self.rng.shuffle(drawn)
        for value in (round_to(_DIGITS, each) for each in drawn):
            if low <= value <= high and self._fits(name, value):
                return value
        raise LookupError(name)

    def _seed_values(self, symbol: str) -> Iterator[float]:
        """Yield the seed's givens with the same name or description, and the same dimension."""
        variable = self.equation.symbols[symbol]
        for given in self.seed.givens:
            has_name = given.name.replace("_", "") == symbol.replace("_", "")
            is_same = has_name or given.description == variable.desc
            if is_same and not isinstance(given.value, str) and has_same_dimension(given.unit, variable.unit):
                yield round_to(_DIGITS, convert_number(given.value, given.unit, variable.unit))

    def _consistent(self, values: Mapping[str, float]) -> dict[str, float]:
        """Compute the values that a law gives from the others, such as a Fourier number from its time.

        A quantity is a symbol of the law if both have the same unit, and the same name or description.
        """
        names = {key: name for name in values for key in (resolve_axis(name), self._meaning(name))}
        found = dict(values)
        for law in _laws():
            symbols = {
                symbol: names.get(resolve_axis(symbol)) or names.get(quantity.desc, "")
                for symbol, quantity in law.symbols.items()
            }
            if all(name and self._unit(name) == law.units[symbol] for symbol, name in symbols.items()):
                with suppress(EvaluationError):
                    value = law.value(**{symbol: found[symbols[symbol]] for symbol in law.inputs})
                    found[symbols[law.output]] = round_to(_DIGITS, value)
        return found


@lru_cache(maxsize=1)
def _laws() -> tuple[Equation, ...]:
    """Return the explicit laws and definitions of a number that conditions can constrain."""
    meanings = {each.meaning for each in NUMBERS.values()}
    return tuple(
        each
        for each in library()
        if each.kind in ("definition", "law")
        and each.expr
        and each.inputs
        and (resolve_axis(each.output) in NUMBERS or each.symbols[each.output].desc in meanings)
    )
