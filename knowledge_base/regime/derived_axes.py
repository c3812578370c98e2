"""Derive axes that a question does not state from those that it does, by equations of the base."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.errors import EvaluationError
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.facts import SURE, Fact, Facts

# Confidence of a derived number relative to its least certain input, without and with assumed values.
_DERIVED, _ASSUMED = 0.97, 0.9
_ONLY_LIKELY = 0.65
_PIPES = {"duct", "channel"}
RUNNING = re.compile(r"_\{?[xLl]")
"""Matches the symbol of a Reynolds number on the running length."""
_TOLERANCE = 0.3
_CONDENSING = {"steam", "refrigerant", "carbon"}  # their state does not follow from the temperature alone
_LIKE_AIR = {"air", "N2"}  # the assumed gas constant and viscosity are theirs
_NO_FLIGHT = 1e5  # m/s; faster than any vehicle, so it is the speed of a particle
_TEMPERATURE_KNOWN_TO = 86_000.0  # m, the top of the standard atmosphere here


@dataclass(frozen=True)
class Derivation:
    """An equation of the base that yields an axis from others."""

    equation: str
    """The id of the equation."""
    axis: str
    """The axis that it yields."""
    inputs: dict[str, str]
    """The axis of each input, by symbol."""
    assumed: dict[str, float] = field(default_factory=dict)
    """Values of axes that the question may leave out."""
    within: dict[str, list[float]] = field(default_factory=dict)
    """The range of axes in which the derivation is valid."""
    times: str = ""
    """An axis by which the result is multiplied."""


@cache
def load_derivations() -> tuple[Derivation, ...]:
    return tuple(Derivation(**fields) for fields in _load_table()["derivations"])


@cache
def _load_table() -> Any:
    text = Path(__file__).with_name("derivations.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)


def add_derived_facts(stated: Facts, library: Library) -> Facts:
    """Add the axes that follow from `stated`: of the standard atmosphere first, then by each derivation."""
    axes = dict(stated.axes)
    known = replace(stated, axes=axes)
    axes |= {axis: (fact,) for axis, fact in _derive_atmosphere(known) if not known.has(axis)}
    gas, temperature = known.words("gas"), known.only("T")
    if gas and gas <= _LIKE_AIR and temperature is not None and not known.has("T_inf"):
        axes["T_inf"] = (_make_fact("T of the gas", known.confidence("T") * _ASSUMED, temperature),)
    for by in load_derivations():
        if by.equation in library and not known.has(by.axis) and (found := _derive_fact(known, by, library)):
            axes[by.axis] = (found,)
    if not known.has("mach") and (found := _derive_mach_interval(known)):
        axes["mach"] = (found,)
    for axis, fact in list(_derive_words(known)):
        if fact.word not in known.words(axis):
            axes[axis] = (*known.on(axis), fact)
    return known


def _make_fact(origin: str, confidence: float, low: float, high: float | None = None) -> Fact:
    return Fact(origin, confidence, low=low, high=low if high is None else high, tolerance=_TOLERANCE)


def _derive_atmosphere(known: Facts) -> Iterator[tuple[str, Fact]]:
    """Yield free-stream temperature, pressure, density and viscosity at one stated altitude on Earth."""
    altitude = known.only("altitude")
    if altitude is None or known.words("gas") - {"air"} or not 0 <= altitude <= _TEMPERATURE_KNOWN_TO:
        return
    from ansatz.knowledge_base.properties.atmosphere import compute_air

    air = compute_air(geometric=altitude)
    origin = f"standard atmosphere at {altitude / 1000:g} km"
    for axis, value in {"T_inf": air.T, "p": air.P, "rho": air.rho, "mu": air.viscosity}.items():
        yield axis, _make_fact(origin, known.confidence("altitude") * _DERIVED, value)


def _derive_fact(known: Facts, by: Derivation, library: Library) -> Fact | None:
    """Evaluate an equation, if its inputs are known or assumed and within its range."""
    stated = {name: known.only(axis) for name, axis in by.inputs.items()}
    values = {
        name: by.assumed.get(by.inputs[name]) if value is None else value for name, value in stated.items()
    }
    scale = known.only(by.times) if by.times else 1.0
    inside = all(
        (limited := known.only(axis)) is not None and low <= limited <= high
        for axis, (low, high) in by.within.items()
    )
    numbers = {name: value for name, value in values.items() if value is not None}
    if scale is None or not inside or len(numbers) < len(values):
        return None
    try:
        value = scale * library.get(by.equation).value(**numbers)
    except EvaluationError:
        return None
    inputs = [axis for name, axis in by.inputs.items() if stated[name] is not None]
    sure = min((known.confidence(axis) for axis in [*inputs, by.times] if axis), default=0.0)
    sure *= _DERIVED if len(inputs) == len(values) else _ASSUMED
    return _make_fact(f"derived from {', '.join(by.inputs.values())}", sure, value)


def _derive_mach_interval(known: Facts) -> Fact | None:
    """Return the range of Mach numbers of a speed in the atmosphere, if no temperature is stated."""
    speed, gas = known.only("speed"), known.words("gas") or {"air"}
    sound = _load_table()["sound_speed"].get(next(iter(gas))) if len(gas) == 1 else None
    if speed is None or not 0 < speed < _NO_FLIGHT or sound is None:
        return None
    slow, fast = sound
    return _make_fact("derived from speed", known.confidence("speed") * _DERIVED, speed / fast, speed / slow)


def _derive_words(known: Facts) -> Iterator[tuple[str, Fact]]:
    """Yield the words that numbers imply, each with its axis."""
    for axis, low, high, word_axis, word in _load_table()["words"]:
        numbers = known.on(axis)
        if axis == "T" and known.words("gas") & _CONDENSING:
            continue
        if word_axis == "bl_state" and not _is_of_layer(axis, known):
            continue
        if numbers and all(low <= number.low and number.high <= high for number in numbers):
            share = _ONLY_LIKELY if axis == "T" else _ASSUMED
            sure = share * min(number.confidence for number in numbers)
            yield word_axis, Fact(f"implied by {axis} {numbers[0].format_value()}", sure, word=word)


def _is_of_layer(axis: str, known: Facts) -> bool:
    """Whether a Reynolds number gives the state of the layer: that of a plate, or of a pipe and no body."""
    bodies = known.words("geometry", SURE)
    if axis == "Re":
        return bool(bodies) and bodies <= _PIPES
    return bodies == {"flat_plate"} or all(RUNNING.search(number.quote) for number in known.on(axis))
