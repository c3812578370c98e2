"""A situation in which one equation holds and another does not: its words, numbers and givens."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ansatz.eval.benchmarks.templates.template_parts import round_to
from ansatz.eval.data.dfa.pairs import Exclusion
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import (
    NUMBERS,
    WORDS,
    Equation,
    EvaluationError,
    Predicate,
    axis_name,
    library,
    violations,
)
from ansatz.quantities.scales import convert
from ansatz.quantities.units import UnitError, same_dimension

# Constants of nature and of substances, which no scenario changes.
_MATERIAL = re.compile(
    r"molar mass|gas constant|ratio of specific heats|Prandtl|Lewis|gravitational|planet|characteristic|"
    r"reference|molecular (?:mass|diameter)|degenera|emissivity|activation",
    re.IGNORECASE,
)
_BESIDE = (1.2, 4.0)  # a number is drawn so many times above or below a limit
_TRIES = 4  # numbers drawn at each limit
_DIGITS = 3


@dataclass(frozen=True)
class Scenario:
    """What a question states: words by axis, numbers by axis, and the inputs of the equation that holds.

    Angles are in degrees; `units` gives the unit of each number and input.
    """

    words: Mapping[str, str]
    numbers: Mapping[str, float]
    inputs: Mapping[str, float]
    units: Mapping[str, str]


@dataclass(frozen=True)
class Condition:
    """A predicate of an equation that a situation must fulfil, or, if not `wanted`, break."""

    predicate: Predicate
    of: Equation
    wanted: bool

    @property
    def unit(self) -> str:
        """That of its limits."""
        own = self.of.units.get(self.predicate.var) or NUMBERS[self.predicate.axis].unit
        return self.predicate.unit or own

    def holds(self, value: float, unit: str) -> bool:
        return self.predicate.admits(_converted(value, unit, self.unit)) is self.wanted

    def limits(self, unit: str) -> list[float]:
        """Its positive limits, in a unit."""
        limits = self.predicate.interval[:2]
        return [_converted(limit, self.unit, unit) for limit in limits if 0 < limit < math.inf]

    def admits(self, word: str) -> bool:
        """Whether a word fulfils the predicate, or is apart from all that do."""
        return self.predicate.takes(word) if self.wanted else self.predicate.excludes(word)


class ScenarioDraw:
    """The draw of one scenario near a seed problem, whose values it keeps where the fallback admits them."""

    def __init__(self, exclusion: Exclusion, seed: Problem, rng: random.Random) -> None:
        self._exclusion, self._equation = exclusion, exclusion.fallback
        self._seed, self._rng = seed, rng

    def draw(self) -> Scenario | None:
        """A scenario, or None where none was found."""
        try:
            words = self._words()
            inputs = {symbol: self._input(symbol) for symbol in self._equation.inputs}
            numbers = {axis: self._number(axis) for axis in self._conditions if axis not in inputs}
        except (LookupError, UnitError):
            return None
        values = self._consistent({**inputs, **numbers})
        fits = all(self._fits(name, value) for name, value in values.items())
        if not fits or violations(self._equation, {name: values[name] for name in inputs}):
            return None
        # Angles are stated in degrees, which are what counts: the answer is computed from them.
        stated = {
            name: round_to(_DIGITS, math.degrees(value)) if self._units[name] == "rad" else value
            for name, value in values.items()
        }
        return Scenario(
            words,
            {name: stated[name] for name in numbers},
            {name: stated[name] for name in inputs},
            {name: "deg" if self._units[name] == "rad" else self._units[name] for name in values},
        )

    @cached_property
    def _all(self) -> list[Condition]:
        needed = [Condition(each, self._equation, True) for each in self._equation.regime.require]
        fails = self._exclusion.basis == "failure"
        return [*needed, Condition(self._exclusion.predicate, self._exclusion.primary, fails)]

    @cached_property
    def _conditions(self) -> dict[str, list[Condition]]:
        """The conditions on numbers, by the equation's own symbol or by axis."""
        found: dict[str, list[Condition]] = {}
        for each in self._all:
            axis = each.predicate.axis
            same = (name for name in self._equation.inputs if axis_name(name.partition("_")[0]) == axis)
            if each.predicate.var in self._equation.inputs:
                found.setdefault(each.predicate.var, []).append(each)
            elif axis not in WORDS:
                found.setdefault(next(same, axis), []).append(each)
        return found

    @cached_property
    def _units(self) -> dict[str, str]:
        return {
            **{axis: NUMBERS[axis].unit for axis in self._conditions if axis in NUMBERS},
            **{symbol: self._equation.symbols[symbol].unit for symbol in self._equation.inputs},
        }

    def _fits(self, name: str, value: float) -> bool:
        try:
            return all(each.holds(value, self._units[name]) for each in self._conditions.get(name, ()))
        except UnitError:
            return False

    def _words(self) -> dict[str, str]:
        """A word on each axis that the fallback asks for or that parts the two."""
        parting = self._exclusion.predicate
        words: dict[str, str] = {}
        wanted = [each for each in self._all if each.predicate.var not in self._equation.symbols]
        for axis in dict.fromkeys(each.predicate.axis for each in wanted if each.predicate.axis in WORDS):
            conditions = [each for each in wanted if each.predicate.axis == axis]
            usable = [word for word in WORDS[axis].values if all(each.admits(word) for each in conditions)]
            if not usable:
                raise LookupError(axis)
            named = any(each.wanted and each.predicate.accepted for each in conditions)
            # A condition that only refuses words need not be mentioned.
            if named or parting.axis == axis:
                words[axis] = self._word(axis, usable)
        return words

    def _word(self, axis: str, usable: list[str]) -> str:
        """The seed's word, or that of the gas that the entry is for, before any other."""
        family = self._equation.family
        own = family.instance.casefold().replace("_", " ").split() if family else []
        of_seed = [given.value for given in self._seed.givens if given.name == axis]
        preferred = [word for word in usable if word in of_seed] or [
            word for word in usable if word.casefold() in own
        ]
        return self._rng.choice(preferred or usable)

    def _input(self, symbol: str) -> float:
        """The seed's value, else one near the entry's example, else one beside the limits to keep."""
        variable = self._equation.symbols[symbol]
        example = self._rng.choice(self._equation.tests).inputs[symbol]
        spread = 1.0 if _MATERIAL.search(variable.desc) else self._rng.uniform(0.8, 1.25)
        low, high = variable.sample or (-math.inf, math.inf)
        for value in (*self._of_seed(symbol), round_to(_DIGITS, example * spread)):
            if low <= value <= high and self._fits(symbol, value):
                return value
        return self._number(symbol, low, high)

    def _number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """A number beside a limit of the conditions on it, so far off that no reader can take it for met."""
        unit = self._units[name]
        limits = [limit for each in self._conditions.get(name, ()) for limit in each.limits(unit)]
        drawn = [limit * self._rng.uniform(*_BESIDE) ** way for limit in limits for way in (1, -1) * _TRIES]
        self._rng.shuffle(drawn)
        for value in (round_to(_DIGITS, each) for each in drawn):
            if low <= value <= high and self._fits(name, value):
                return value
        raise LookupError(name)

    def _of_seed(self, symbol: str) -> Iterator[float]:
        """The seed's given that is this quantity: of the same name or description, and of its dimensions."""
        variable = self._equation.symbols[symbol]
        for given in self._seed.givens:
            alike = given.name.replace("_", "") == symbol.replace("_", "")
            same = alike or given.description == variable.desc
            if same and not isinstance(given.value, str) and same_dimension(given.unit, variable.unit):
                yield round_to(_DIGITS, _converted(given.value, given.unit, variable.unit))

    def _consistent(self, values: Mapping[str, float]) -> dict[str, float]:
        """The values, with those set that a law of the base gives from others: a Fourier number by its time.

        A stated quantity counts as a symbol of the law where both have the same unit and name or description.
        """
        meant = {name: self._equation.symbols[name].desc for name in self._equation.inputs}
        meant = {name: meant.get(name) or NUMBERS[name].meaning for name in values}
        names = {key: name for name in values for key in (axis_name(name), meant[name])}
        found = dict(values)
        for law in _laws():
            symbols = {
                symbol: names.get(axis_name(symbol)) or names.get(law.symbols[symbol].desc) or ""
                for symbol in (law.output, *law.inputs)
            }
            if all(name and self._units[name] == law.units[symbol] for symbol, name in symbols.items()):
                inputs = {symbol: found[symbols[symbol]] for symbol in law.inputs}
                try:
                    found[symbols[law.output]] = round_to(_DIGITS, law.value(**inputs))
                except EvaluationError:
                    continue
        return found


@lru_cache(maxsize=1)
def _laws() -> tuple[Equation, ...]:
    """The entries with an explicit formula that fix a number of the vocabulary of conditions by others."""
    meanings = {each.meaning for each in NUMBERS.values()}
    return tuple(
        each
        for each in library()
        if each.kind in ("definition", "law")
        and each.expr
        and each.inputs
        and (axis_name(each.output) in NUMBERS or each.symbols[each.output].desc in meanings)
    )


def _converted(value: float, unit: str, wanted: str) -> float:
    """Raises UnitError where the dimensions differ."""
    converted = value if unit == wanted else convert(value, unit, wanted)
    if converted is None:
        raise UnitError(f"{unit} is no unit of what is measured in {wanted}")
    return converted
