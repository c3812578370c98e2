"""A situation in which one equation holds and another does not: its words, numbers and givens."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.eval.data.dfa.exclusions import Exclusion
from ansatz.eval.data.dfa.intervals import Interval, between, converted, round_to, wanted_intervals
from ansatz.eval.data.dfa.settling import Stated, settled
from ansatz.eval.problem import Given, Problem
from ansatz.knowledge_base.equation import NUMBERS, WORDS, Equation, Predicate, violations
from ansatz.knowledge_base.regime import facts
from ansatz.quantities.units import same_dimension

# Constants of nature and of substances, which no scenario changes.
_MATERIAL = re.compile(
    r"molar mass|gas constant|ratio of specific heats|Prandtl|Lewis|gravitational|planet|characteristic|"
    r"reference|molecular (?:mass|diameter)|degenera|emissivity|activation",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Scenario:
    """What a question states: words by axis, numbers by axis, and the inputs of the equation that holds.

    Angles are in degrees; `units` gives the unit of each number and input.
    """

    words: Mapping[str, str]
    numbers: Mapping[str, float]
    inputs: Mapping[str, float]
    units: Mapping[str, str]


def draw(exclusion: Exclusion, seed: Problem, rng: random.Random) -> Scenario | None:
    """A scenario near a seed problem, or None where none can be drawn.

    What the fallback needs and the seed gives keeps the seed's value where the fallback admits it.
    """
    fallback = exclusion.fallback
    words = _words(exclusion, seed, rng)
    if words is None:
        return None
    wanted = wanted_intervals(exclusion)
    if wanted is None:
        return None
    inputs: dict[str, float] = {}
    for symbol in fallback.inputs:
        value = _input(fallback, symbol, wanted.get(symbol), seed, rng)
        if value is None:
            return None
        inputs[symbol] = value
    numbers = {
        axis: round_to(between(interval, rng))
        for axis, interval in wanted.items()
        if axis not in fallback.symbols
    }
    units = {axis: NUMBERS[axis].unit for axis in numbers}
    units |= {symbol: fallback.symbols[symbol].unit for symbol in inputs}
    drawn = _settled(Scenario(words, numbers, inputs, units), fallback)
    return _in_degrees(drawn) if _is_within(drawn, fallback, wanted) else None


def _settled(scenario: Scenario, fallback: Equation) -> Scenario:
    """The scenario with the quantities that follow from others set to what follows."""
    stated = {
        axis: Stated(axis, value, scenario.units[axis], NUMBERS[axis].meaning)
        for axis, value in scenario.numbers.items()
    } | {
        symbol: Stated(symbol, value, scenario.units[symbol], fallback.symbols[symbol].desc)
        for symbol, value in scenario.inputs.items()
    }
    follows = {name: round_to(value) for name, value in settled(stated).items()}
    return Scenario(
        scenario.words,
        {axis: follows.get(axis, value) for axis, value in scenario.numbers.items()},
        {symbol: follows.get(symbol, value) for symbol, value in scenario.inputs.items()},
        scenario.units,
    )


def _is_within(scenario: Scenario, fallback: Equation, wanted: Mapping[str, Interval]) -> bool:
    values = {**scenario.numbers, **scenario.inputs}
    return not violations(fallback, scenario.inputs) and all(
        low <= values[name] <= high for name, (low, high) in wanted.items() if name in values
    )


def _words(exclusion: Exclusion, seed: Problem, rng: random.Random) -> dict[str, str] | None:
    """A word on each axis that the fallback asks for; None where the primary would be admitted as well."""
    of_seed = {given.name: given.value for given in seed.givens if isinstance(given.value, str)}
    told = facts(exclusion.words).words if exclusion.basis == "prose" else {}
    words: dict[str, str] = {}
    for predicate in exclusion.fallback.regime.require:
        if predicate.axis not in WORDS or predicate.var in exclusion.fallback.symbols:
            continue
        usable = [word for word in WORDS[predicate.axis].values if _admits(predicate, word)]
        if predicate.axis in told:
            # The prose settles it; a second word beside it would repeat or contradict it.
            if not told[predicate.axis] & set(usable):
                return None
            continue
        if exclusion.predicate is not None and exclusion.predicate.axis == predicate.axis:
            usable = [word for word in usable if _parts(exclusion, word)]
        elif of_seed.get(predicate.axis) in usable:
            usable = [str(of_seed[predicate.axis])]
        accepted = [word for word in usable if word in predicate.accepted_words] or usable
        # Of an entry for one gas the gas itself, not a mixture that it is also used in.
        own = [word for word in accepted if word.casefold() in _instance(exclusion)]
        accepted = own or accepted
        if words.get(predicate.axis) in usable:
            continue
        if not accepted or predicate.axis in words:
            return None
        # A condition that only refuses words need not be mentioned.
        if predicate.accepted_words or (exclusion.predicate and exclusion.predicate.axis == predicate.axis):
            words[predicate.axis] = rng.choice(accepted)
    parting = exclusion.predicate
    if parting is not None and parting.axis in WORDS and parting.axis not in words:
        return None
    return words


def _instance(exclusion: Exclusion) -> list[str]:
    """The words for what an entry stands for in its family, such as a gas."""
    family = exclusion.fallback.family
    return family.instance.casefold().replace("_", " ").split() if family else []


def _admits(predicate: Predicate, word: str) -> bool:
    if predicate.accepted_words:
        return word in predicate.accepted_words
    return word not in predicate.refused_words


def _parts(exclusion: Exclusion, word: str) -> bool:
    """Whether a word rules the primary out."""
    predicate = exclusion.predicate
    assert predicate is not None
    if exclusion.basis == "failure":
        return _admits(predicate, word)
    axis = WORDS[predicate.axis]
    if predicate.accepted_words:
        return all(axis.exclude(word, accepted) for accepted in predicate.accepted_words)
    return word in predicate.refused_words


def _input(
    equation: Equation, symbol: str, wanted: Interval | None, seed: Problem, rng: random.Random
) -> float | None:
    """The seed's value, else one near the entry's example, in its sampling range and the wanted interval."""
    variable = equation.symbols[symbol]
    low, high = variable.sample or (-math.inf, math.inf)
    if wanted is not None:
        low, high = max(low, wanted[0]), min(high, wanted[1])
    if low >= high:
        return None
    of_seed = _of_seed(equation, symbol, seed)
    if of_seed is not None and low <= of_seed <= high:
        return of_seed
    example = rng.choice(equation.tests).inputs[symbol]
    spread = 1.0 if _MATERIAL.search(variable.desc) else rng.uniform(0.8, 1.25)
    value = round_to(example * spread)
    if low <= value <= high:
        return value
    if math.isinf(low) or math.isinf(high):
        return None
    value = round_to(between((low, high), rng))
    return value if low <= value <= high else None


def _of_seed(equation: Equation, symbol: str, seed: Problem) -> float | None:
    """The seed's given that is this quantity: of the same name or description, and the same dimensions."""
    variable = equation.symbols[symbol]
    for given in seed.givens:
        if isinstance(given.value, str) or not _is_same(given, symbol, variable.desc):
            continue
        if same_dimension(given.unit, variable.unit):
            return round_to(converted(given.value, given.unit, variable.unit))
    return None


def _is_same(given: Given, symbol: str, description: str) -> bool:
    return given.description == description or given.name.replace("_", "") == symbol.replace("_", "")


def _in_degrees(scenario: Scenario) -> Scenario:
    """Angles as people state them. The degrees are what counts: the answer is computed from them."""

    def stated(values: Mapping[str, float]) -> dict[str, float]:
        return {
            name: round_to(math.degrees(value)) if scenario.units[name] == "rad" else value
            for name, value in values.items()
        }

    units = {name: "deg" if unit == "rad" else unit for name, unit in scenario.units.items()}
    return Scenario(scenario.words, stated(scenario.numbers), stated(scenario.inputs), units)
