"""What a result can be compared with: physical bounds, and everyday magnitudes that give it meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.reading import Given, Target
from ansatz.agents.slide_rule.units import NONE, Dimension
from ansatz.agents.slide_rule.words import name_similarity

_HEAT_FLUX: Dimension = (0, 1, -3, 0, 0, 0)
_TEMPERATURE: Dimension = (0, 0, 0, 1, 0, 0)
_PRESSURE: Dimension = (-1, 1, -2, 0, 0, 0)
_SPEED: Dimension = (1, 0, -1, 0, 0, 0)
_DENSITY: Dimension = (-3, 1, 0, 0, 0, 0)
_ENTHALPY: Dimension = (2, 0, -2, 0, 0, 0)
_MAX_NORMAL_SHOCK_DENSITY_RATIO = 6.0  # (gamma + 1)/(gamma - 1) at gamma = 1.4

# Names and words of pure numbers with known limits.
_NUMBER_BOUNDS = (
    (r"density ratio", 0.0, _MAX_NORMAL_SHOCK_DENSITY_RATIO, "the strong-shock limit for gamma = 1.4"),
    (r"efficiency|effectiveness", 0.0, 1.0, "an efficiency cannot exceed one"),
    (r"quality|dryness", 0.0, 1.0, "a vapour mass fraction lies between zero and one"),
    (r"emissivity|fraction", 0.0, 1.0, "a fraction lies between zero and one"),
    (r"pressure coefficient", -2.0, 2.0, "the Newtonian maximum is 2"),
    (r"friction", 0.0, 0.1, "attached boundary layers stay below about 0.1"),
)  # fmt: skip
# Properties by first letter: dimension, lowest and highest tabulated value in SI, the same in words.
_TABLE_RANGES: dict[str, tuple[Dimension, float, float, str]] = {
    "h": (_ENTHALPY, -1e5, 5e6, "-100 to 5000 kJ/kg"),
    "u": (_ENTHALPY, -1e5, 4.2e6, "-100 to 4200 kJ/kg"),
    "s": ((2, 0, -2, -1, 0, 0), -1e3, 1.2e4, "-1 to 12 kJ/(kg K)"),
    "v": ((3, -1, 0, 0, 0, 0), 5e-4, 1e3, "0.0005 to 1000 m^3/kg"),
}


@dataclass(frozen=True)
class Check:
    """A comparison actually made; `passed` is None where nothing is known to compare with."""

    text: str
    passed: bool | None


def check(target: Target, value: float, givens: Sequence[Given]) -> Check:
    """Compare a result in SI with the tightest physical bound known for it."""
    dimension = target.unit.dimension if target.unit else NONE
    words = f"{target.symbol} {' '.join(sorted(target.words))}".lower()
    if dimension == _HEAT_FLUX and (limit := _energy_flux(givens)):
        return _upper(target, value, limit, "W/m^2", "the free-stream energy flux 0.5*rho*V^3")
    if dimension in (_TEMPERATURE, _PRESSURE, _DENSITY):
        unit = {_TEMPERATURE: "K", _PRESSURE: "Pa", _DENSITY: "kg/m^3"}[dimension]
        passed = value > 0
        sign = ">" if passed else "is not >"
        return Check(
            f"{target.symbol} = {written(value, 3)} {unit} {sign} 0, as absolute values must be", passed
        )
    if dimension == NONE:
        for pattern, low, high, reason in _NUMBER_BOUNDS:
            if all(re.search(part, words) for part in pattern.split(" ")):
                passed = low <= value <= high
                verb = "lies" if passed else "does not lie"
                return Check(
                    f"{target.symbol} = {written(value, 3)} {verb} in [{low:g}, {high:g}]: {reason}", passed
                )
    if (table := _TABLE_RANGES.get(target.symbol[:1])) and dimension == table[0] and not _energy_flux(givens):
        _, low, high, span = table
        verb = "lies" if low <= value <= high else "does not lie"
        return Check(f"{target.symbol} {verb} within {span}, what property tables span", low <= value <= high)
    if alike := [
        given for given in givens if target.unit and given.unit.same_kind(target.unit) and given.value
    ]:
        ratio = value / alike[0].value
        passed = 1e-3 < ratio < 1e3
        return Check(
            f"{target.symbol} is {written(ratio, 3)} times the given {alike[0].symbol or 'value'}", passed
        )
    return Check(
        f"no bound is known for {target.symbol}; its sign is {'positive' if value > 0 else 'not positive'}",
        None,
    )


def _upper(target: Target, value: float, limit: float, unit: str, name: str) -> Check:
    passed = 0 < value <= limit
    text = (
        f"{target.symbol} = {written(value, 3)} {unit} is {'at most' if value <= limit else 'ABOVE'} {name}"
    )
    return Check(f"{text} = {written(limit, 3)} {unit} (ratio {written(value / limit, 2)})", passed)


def _energy_flux(givens: Sequence[Given]) -> float | None:
    density = next((g.value for g in givens if g.unit.dimension == _DENSITY and "wall" not in g.words), None)
    speed = next(
        (g.value for g in givens if g.unit.dimension == _SPEED and name_similarity(g.symbol, "V") >= 0), None
    )
    return 0.5 * density * speed**3 if density and speed else None


# An everyday magnitude for each kind of quantity, in SI.
_SCALES: dict[Dimension, tuple[float, str, str]] = {
    _HEAT_FLUX: (1361.0, "W/m^2", "sunlight at the top of the atmosphere"),
    _TEMPERATURE: (288.15, "K", "air at sea level"),
    _PRESSURE: (101325.0, "Pa", "the atmosphere at sea level"),
    _SPEED: (340.3, "m/s", "the speed of sound at sea level"),
    _DENSITY: (1.225, "kg/m^3", "air at sea level"),
    _ENTHALPY: (2.257e6, "J/kg", "the heat that boils water at one atmosphere"),
}
_MACH_RANGES = ((0.8, "subsonic"), (1.2, "transonic"), (5.0, "supersonic"), (float("inf"), "hypersonic"))
_TRANSITION = 5e5  # Reynolds number at which a flat plate's boundary layer turns turbulent


def meaning(target: Target, value: float) -> str:
    """The result beside a magnitude everyone knows, or what its size says about the flow."""
    if scale := _SCALES.get(target.unit.dimension if target.unit else NONE):
        size, unit, what = scale
        return f"{target.symbol} is {written(value / size, 2)} times that of {what} ({size:g} {unit})."
    if "mach" in target.words or name_similarity(target.symbol, "M") == 1.0:
        return f"The flow there is {next(kind for limit, kind in _MACH_RANGES if value < limit)}."
    if "reynolds" in target.words:
        state = "turbulent" if value > _TRANSITION else "laminar"
        return f"Inertia outweighs viscosity {written(value, 1)} times; a flat plate would be {state}."
    return f"{target.symbol} = {written(value, 3)} is a pure number or a quantity without an everyday scale."
