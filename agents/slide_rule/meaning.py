"""What a result means: beside a magnitude everyone knows, and what follows from it."""

from __future__ import annotations

import math
import re

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import NONE, Dimension
from ansatz.agents.slide_rule.words import name_similarity

_STEFAN_BOLTZMANN = 5.670374e-8  # W/(m^2 K^4), CODATA
_SUPERALLOY_LIMIT = 1400.0  # K, about where nickel alloys lose their strength
_BOILING = 2.257e6  # J/kg, latent heat of water at one atmosphere
_TRANSITION = 5e5  # Reynolds number at which a smooth flat plate's boundary layer turns turbulent

_MACH = ((0.8, "subsonic"), (1.2, "transonic"), (5.0, "supersonic"), (math.inf, "hypersonic"))
_KNUDSEN = (
    (0.01, "a continuum"),
    (0.1, "in slip flow"),
    (10.0, "transitional"),
    (math.inf, "free-molecular"),
)
# Onset temperatures of air at one atmosphere (J. D. Anderson, Hypersonic and High-Temperature Gas Dynamics).
_AIR = (
    (800.0, "air still behaves as a calorically perfect gas"),
    (2500.0, "the vibration of air molecules is excited"),
    (4000.0, "oxygen would dissociate"),
    (9000.0, "nitrogen would dissociate"),
    (math.inf, "air would ionize"),
)


def meaning(target: Target, value: float, stated: str) -> str:
    """A sentence on a result in SI; `stated` is the result as `symbol = value unit`."""
    dimension = target.unit.dimension if target.unit else NONE
    if dimension != NONE:
        return f"{stated} {_of_quantity(dimension, value)}."
    return f"{stated} {_of_number(target, value)}."


def _of_quantity(dimension: Dimension, value: float) -> str:
    size = abs(value)
    match dimension:
        case (0, 1, -3, 0, 0, 0):
            wall = (size / (0.9 * _STEFAN_BOLTZMANN)) ** 0.25
            verdict = "more than metals bear" if wall > _SUPERALLOY_LIMIT else "which metals can bear"
            shed = f"a wall that sheds it by radiation alone must reach {wall:.0f} K, {verdict}"
            return f"is {written(size / 1361, 2)} times the heat of sunlight in space, so {shed}"
        case (0, 0, 0, 1, 0, 0):
            state = next(state for limit, state in _AIR if value < limit)
            return f"is {written(value / 288.15, 2)} times the temperature of air at sea level, so {state}"
        case (-1, 1, -2, 0, 0, 0):
            return (
                f"is {written(value / 101325, 2)} times the pressure of one atmosphere, a load for any wall"
            )
        case (1, 0, -1, 0, 0, 0):
            return f"is {written(value / 340.3, 2)} times the speed of sound at sea level"
        case (-3, 1, 0, 0, 0, 0):
            return f"is {written(value / 1.225, 2)} times the density of air at sea level"
        case (2, 0, -2, 0, 0, 0):
            return f"is {written(value / _BOILING, 2)} times the heat that boils water at one atmosphere"
    return f"is the size of the effect in SI units: {written(value, 2)}"


def _of_number(target: Target, value: float) -> str:
    words = " ".join(sorted(target.words))
    if name_similarity(target.symbol, "M") == 1.0 or "mach" in words:
        return f"means that the stream is {next(kind for limit, kind in _MACH if value < limit)} there"
    if "knudsen" in words or name_similarity(target.symbol, "Kn") >= 0.8:
        return (
            f"means that the gas is {next(kind for limit, kind in _KNUDSEN if value < limit)} for this body"
        )
    if "reynolds" in words:
        side = "above" if value > _TRANSITION else "below"
        return f"is {side} the 5e5 at which the boundary layer of a plate turns turbulent"
    if "friction" in words:
        return f"means that the wall takes {written(100 * value, 2)} % of the dynamic pressure as shear"
    if "coefficient" in words and "pressure" in words:
        return f"means that the surface bears {written(value, 2)} times the dynamic pressure above the stream"
    if "efficiency" in words:
        return f"means that {written(100 * value, 2)} % of the heat becomes work; the rest must be rejected"
    if "quality" in words or target.symbol == "x":
        return f"means that {written(100 * value, 2)} % of the mass is vapour"
    if re.search("ratio", words):
        return f"means a change by a factor of {written(value, 2)}"
    return f"is {'larger' if abs(value) > 1 else 'smaller'} than one, so the effect it measures is " + (
        "strong" if abs(value) > 1 else "weak"
    )
