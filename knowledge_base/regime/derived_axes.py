"""Axes that a question does not state but that follow from what it does, by the base's own equations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.knowledge_base.equation.equation import EvaluationError
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.facts import AxisNumber, AxisWord, Facts

# How sure a derived number is, relative to the least sure of its inputs, with and without assumed values.
_DERIVED, _ASSUMED = 0.97, 0.9
_ONLY_LIKELY = 0.65
_TOLERANCE = 0.3
_CONDENSING = {"steam", "refrigerant", "carbon"}  # gases whose state a temperature alone does not tell
_NO_FLIGHT = 1e5  # m/s, beyond any vehicle: it is a particle that moves as fast
_TEMPERATURE_KNOWN_TO = 86_000.0  # m, the top of the Standard used here


@dataclass(frozen=True)
class Derivation:
    """An equation of the base that yields an axis from others; derivations.yaml says what its fields are."""

    equation: str
    axis: str
    inputs: dict[str, str]
    assumed: dict[str, float] = field(default_factory=dict)
    within: dict[str, list[float]] = field(default_factory=dict)
    times: str = ""


@cache
def derivations() -> tuple[Derivation, ...]:
    return tuple(Derivation(**fields) for fields in _table()["derivations"])


@cache
def _table() -> Any:
    text = Path(__file__).with_name("derivations.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)


def with_derived(stated: Facts, library: Library) -> Facts:
    """`stated` with the axes that follow from it: the standard atmosphere first, then each derivation."""
    known = _with_atmosphere(stated)
    for derivation in derivations():
        if not known.has(derivation.axis) and derivation.equation in library:
            known = _derived(known, derivation, library)
    known = _with_mach_interval(known)
    words = dict(known.stated)
    for axis, word in _implied(known):
        if word.word not in known.words.get(axis, ()):
            words[axis] = (*words.get(axis, ()), word)
    return replace(known, stated=words)


def _with_atmosphere(known: Facts) -> Facts:
    """Free-stream temperature, pressure and density at one stated altitude on Earth, where not stated."""
    altitude = known.only("altitude")
    if altitude is None or known.words.get("gas", frozenset({"air"})) != {"air"}:
        return known
    if not 0 <= altitude <= _TEMPERATURE_KNOWN_TO:
        return known
    from ansatz.knowledge_base.properties.atmosphere import at

    air = at(geometric=altitude)
    origin = f"standard atmosphere at {altitude / 1000:g} km"
    sure = known.confidence("altitude") * _DERIVED
    for axis, value in {"T_inf": air.T, "p": air.P, "rho": air.rho, "mu": air.viscosity}.items():
        if not known.has(axis):
            known = _with(known, axis, AxisNumber(value, value, origin, sure, tolerance=_TOLERANCE))
    return known


def _derived(known: Facts, by: Derivation, library: Library) -> Facts:
    stated = {name: known.only(axis) for name, axis in by.inputs.items()}
    values = {
        name: by.assumed.get(by.inputs[name]) if value is None else value for name, value in stated.items()
    }
    scale = known.only(by.times) if by.times else 1.0
    inside = all(
        (at := known.only(axis)) is not None and low <= at <= high for axis, (low, high) in by.within.items()
    )
    numbers = {name: value for name, value in values.items() if value is not None}
    if scale is None or not inside or len(numbers) < len(values):
        return known
    try:
        value = scale * library.get(by.equation).value(**numbers)
    except EvaluationError:
        return known
    inputs = [axis for name, axis in by.inputs.items() if stated[name] is not None]
    sure = min((known.confidence(axis) for axis in [*inputs, by.times] if axis), default=0.0)
    sure *= _DERIVED if len(inputs) == len(values) else _ASSUMED
    origin = f"derived from {', '.join(by.inputs.values())}"
    return _with(known, by.axis, AxisNumber(value, value, origin, sure, tolerance=_TOLERANCE))


def _with_mach_interval(known: Facts) -> Facts:
    """The Mach numbers that a speed may mean somewhere in the atmosphere, where no temperature is stated."""
    speed, gas = known.only("speed"), known.words.get("gas", frozenset({"air"}))
    sound = _table()["sound_speed"].get(next(iter(gas))) if len(gas) == 1 else None
    if speed is None or not 0 < speed < _NO_FLIGHT or sound is None or known.has("mach"):
        return known
    slow, fast = sound
    sure = known.confidence("speed") * _DERIVED
    return _with(
        known,
        "mach",
        AxisNumber(speed / fast, speed / slow, "derived from speed", sure, tolerance=_TOLERANCE),
    )


def _with(known: Facts, axis: str, number: AxisNumber) -> Facts:
    return replace(known, numbers={**known.numbers, axis: (number,)})


def _implied(known: Facts) -> Iterator[tuple[str, AxisWord]]:
    for axis, low, high, word_axis, word in _table()["words"]:
        numbers = known.numbers.get(axis, ())
        if axis == "T" and known.words.get("gas", frozenset()) & _CONDENSING:
            continue
        if numbers and all(low <= number.low and number.high <= high for number in numbers):
            share = _ONLY_LIKELY if axis == "T" else _ASSUMED
            sure = share * min(number.confidence for number in numbers)
            yield word_axis, AxisWord(word, f"implied by {axis} {numbers[0].shown()}", sure)
