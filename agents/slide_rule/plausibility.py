"""Physical bounds that a result is really compared with; where none is known it says so."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import NONE, ONE, Dimension, parse_unit
from ansatz.agents.slide_rule.words import name_similarity

_STEFAN_BOLTZMANN = 5.670374e-8  # W/(m^2 K^4), CODATA
_LIGHT = 299792458.0  # m/s
_READING = 0.02  # how far slide rules put two equal values apart


@dataclass(frozen=True)
class Bound:
    """Lowest and highest value in SI, infinite where there is none, and why."""

    low: float
    high: float
    reason: str


def _dimension(unit: str) -> Dimension:
    parsed = parse_unit(unit)
    assert parsed is not None
    return parsed.dimension


_FLUX, _KELVIN, _PASCAL, _SPEED = (_dimension(unit) for unit in ("W/m^2", "K", "Pa", "m/s"))
_DENSITY, _ENTHALPY, _LENGTH = (_dimension(unit) for unit in ("kg/m^3", "J/kg", "m"))
_STATES = {_KELVIN: "temperature", _PASCAL: "pressure", _DENSITY: "density"}

# Quantities that cannot be negative, whatever the case.
_POSITIVE = {
    _dimension(unit): name
    for unit, name in {
        "K": "an absolute temperature", "Pa": "an absolute pressure", "kg/m^3": "a density", "m": "a length",
        "m^2": "an area", "m^3": "a volume", "m^3/kg": "a specific volume", "kg": "a mass", "s": "a time",
        "1/s": "a rate or frequency", "Pa*s": "a viscosity", "m^2/s": "a diffusivity", "1/m": "a wave number",
        "kg/s": "a mass flow", "1/m^3": "a number density", "W/(m*K)": "a thermal conductivity",
        "W/(m^2*K)": "a heat transfer coefficient", "kg/mol": "a molar mass", "mol/m^3": "a concentration",
        "W/(m^2*sr*Hz)": "a spectral radiance", "W/m^3": "an emitted power", "1/(m^2*s)": "a number flux",
    }.items()
}  # fmt: skip
_SIGNED = {
    "difference", "change", "gradient", "jump", "rise", "drop", "gauge", "position", "shear",
}  # fmt: skip

# Pure numbers, by words one set of which must all be said.
_NUMBERS: tuple[tuple[str, Bound], ...] = (
    ("stagnation ratio shock", Bound(0.0, 1.0, "because a shock loses stagnation pressure")),
    ("total ratio shock", Bound(0.0, 1.0, "because a shock loses stagnation pressure")),
    ("ratio shock", Bound(1.0, math.inf, "because a shock compresses the gas")),
    ("friction", Bound(0.0, 1.0, "because friction takes less than the whole dynamic pressure")),
    ("pressure coefficient", Bound(-math.inf, 2.0, "the most that bringing a stream to rest can give")),
    ("efficiency", Bound(0.0, 1.0, "because no machine gives more work than it takes heat")),
    ("quality", Bound(0.0, 1.0, "because quality is a mass fraction")),
    ("fraction", Bound(0.0, 1.0, "because a part is not more than the whole")),
    ("probability", Bound(0.0, 1.0, "because nothing is more than certain")),
    ("degree dissociation", Bound(0.0, 1.0, "because no more than everything dissociates")),
    ("degree ionization", Bound(0.0, 1.0, "because no more than everything is ionized")),
    ("emissivity", Bound(0.0, 1.0, "because no body radiates more than a black one")),
    ("transmissivity", Bound(0.0, 1.0, "because no more leaves than enters")),
    ("reliability", Bound(0.0, 1.0, "because nothing is more than certain")),
    *(
        (word, Bound(0.0, math.inf, f"because a {name} is a ratio of positive quantities"))
        for word, name in {
            "mach": "Mach number", "reynolds": "Reynolds number", "knudsen": "Knudsen number",
            "prandtl": "Prandtl number", "damkohler": "Damkohler number", "nusselt": "Nusselt number",
            "stanton": "Stanton number", "lewis": "Lewis number", "schmidt": "Schmidt number",
            "biot": "Biot number", "fourier": "Fourier number", "ratio": "ratio of two such values",
            "equilibrium constant": "constant of mass action",
        }.items()
    ),
    ("optical thickness", Bound(0.0, math.inf, "because a layer that only absorbs cannot amplify")),
    ("drag", Bound(0.0, math.inf, "because drag acts along the stream")),
)  # fmt: skip


def check(target: Target, value: float, givens: Sequence[Given], stated: str) -> str:
    """Compare a result in SI with the tightest bound known; `stated` is it as `symbol = value unit`."""
    bound = next(_bounds(target, givens), None)
    if bound is None:
        return f"{stated}: no physical bound is known for this quantity, so it is left unchecked."
    low, high = _spelled(bound.low, target), _spelled(bound.high, target)
    for limit, spelled, outside, side in (
        (bound.low, low, value < bound.low, "below"),
        (bound.high, high, value > bound.high, "above"),
    ):
        if outside and abs(value - limit) <= _READING * abs(limit):
            return f"{stated} is {spelled} within the accuracy of reading, {bound.reason}: plausible."
        if outside:
            return f"{stated} is {side} {spelled}, which it cannot be, {bound.reason}: NOT plausible."
    if math.isinf(bound.high):
        return f"{stated} >= {low}, as it must be, {bound.reason}: plausible."
    if value > 0 and bound.low in (0.0, -bound.high, -math.inf):
        return f"{stated} <= {high}, {bound.reason}: plausible."
    return f"{stated} lies between {low} and {high}, {bound.reason}: plausible."


def _spelled(limit: float, target: Target) -> str:
    unit = "" if target.unit_text in ("", "-", "1", "(-)") else f" {target.unit_text}"
    return f"{written((target.unit or ONE).from_si(limit), 4)}{unit}" if math.isfinite(limit) else ""


def _bounds(target: Target, givens: Sequence[Given]) -> Iterator[Bound]:
    """Bounds that hold for this target, those that follow from the givens first."""
    dimension = target.unit.dimension if target.unit else NONE
    for rule in _RULES:
        if (bound := rule(target, dimension, givens)) is not None:
            yield bound
    if dimension == NONE and target.unit and target.unit.angle:
        if target.words & {"wave", "mach", "deflection", "inclination"}:
            yield Bound(0.0, math.pi / 2, "because it lies between along and across the stream")
    elif dimension == NONE:
        yield from (bound for words, bound in _NUMBERS if set(words.split()) <= target.words)
        if target.symbol == "x":
            yield Bound(0.0, 1.0, "because quality is a mass fraction")
    elif dimension == _SPEED:
        yield Bound(-_LIGHT, _LIGHT, "because nothing exceeds the speed of light")
    elif dimension in _POSITIVE and not target.words & _SIGNED:
        yield Bound(0.0, math.inf, f"because {_POSITIVE[dimension]} is never negative")


def _energy_flux(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    density, speed = _stream(givens)
    if dimension == _FLUX and density and speed:
        return Bound(0.0, 0.5 * density * speed**3, "the energy flux 0.5*rho*V^3 of the free stream")
    return None


def _black_body(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    temperatures = _of(givens, _KELVIN)
    emitted = target.words & {"radiative", "radiated", "radiate", "emitted", "emission", "emissive"}
    if dimension == _FLUX and emitted and temperatures:
        hottest = max(given.value for given in temperatures)
        return Bound(
            0.0, _STEFAN_BOLTZMANN * hottest**4, "the flux of a black body at the highest temperature"
        )
    return None


def _shear(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    density, speed = _stream(givens)
    if dimension == _PASCAL and "shear" in target.words and density and speed:
        return Bound(0.0, 0.5 * density * speed**2, "the dynamic pressure 0.5*rho*V^2 of the stream")
    return None


def _recovery(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    """Between the static and, where it is given or follows for gamma = 1.4, the stagnation temperature."""
    if dimension != _KELVIN or not target.words & {"recovery", "adiabatic"}:
        return None
    static = _value(givens, _KELVIN, without={"stagnation", "wall"})
    mach = _value(givens, NONE, {"mach"})
    stagnation = _value(givens, _KELVIN, {"stagnation"})
    if stagnation is None and static is not None and mach is not None:
        stagnation = static * (1 + 0.2 * mach**2)
    if static is None or stagnation is None or static > stagnation:
        return None
    return Bound(static, stagnation, "the static and the stagnation temperature")


def _across(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    """States behind a shock, and stagnation beside static states."""
    if dimension not in _STATES or target.words & _SIGNED or "angle" in target.words:
        return None
    name = _STATES[dimension]
    static = _value(givens, dimension, without={"stagnation", "wall", "downstream", "exit", "dynamic"})
    if "shock" in target.words and "stagnation" not in target.words and static:
        return Bound(static, math.inf, f"because a shock raises the {name} above the upstream value")
    if "stagnation" in target.words and static and "shock" not in target.words:
        return Bound(static, math.inf, f"because bringing a stream to rest raises its {name}")
    stagnation = _value(givens, dimension, {"stagnation"})
    if "static" in target.words and stagnation:
        return Bound(0.0, stagnation, f"the stagnation {name} of the same stream")
    whole = _value(givens, dimension, {"mixture"})
    if "partial" in target.words and whole:
        return Bound(0.0, whole, f"the {name} of the whole mixture")
    return None


def _layer(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    """A layer or a shock's distance is thinner than the body is long."""
    sizes = [given.value for given in _of(givens, _LENGTH) if not given.words & {"thickness", "altitude"}]
    if dimension == _LENGTH and target.words & {"thickness", "standoff", "layer"} and sizes:
        return Bound(0.0, max(sizes), "the largest stated length of the body")
    return None


def _carnot(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    cold, hot = _value(givens, _KELVIN, {"cold"}), _value(givens, _KELVIN, {"hot"})
    if dimension == NONE and "efficiency" in target.words and cold and hot and cold < hot:
        return Bound(0.0, 1 - cold / hot, "the Carnot efficiency between the two temperatures")
    return None


def _kinetic(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    _, speed = _stream(givens)
    if dimension == _ENTHALPY and "stagnation" in target.words and speed:
        return Bound(0.5 * speed**2, math.inf, "because it holds the kinetic energy 0.5*V^2")
    return None


def _vacuum(target: Target, dimension: Dimension, givens: Sequence[Given]) -> Bound | None:
    """The pressure coefficient of a vacuum, -2/(gamma*M^2) with gamma = 1.4."""
    mach = _value(givens, NONE, {"mach"})
    if dimension == NONE and {"pressure", "coefficient"} <= target.words and mach:
        return Bound(
            -2 / (1.4 * mach**2), 2.0, "from a vacuum to the most that bringing a stream to rest gives"
        )
    return None


_Rule = Callable[[Target, Dimension, Sequence[Given]], Bound | None]
_RULES: tuple[_Rule, ...] = (
    _black_body, _energy_flux, _shear, _recovery, _across, _layer, _carnot, _kinetic, _vacuum,
)  # fmt: skip


def _of(givens: Sequence[Given], dimension: Dimension) -> list[Given]:
    return [given for given in givens if given.unit.dimension == dimension and not given.unit.angle]


def _value(
    givens: Sequence[Given],
    dimension: Dimension,
    words: set[str] | None = None,
    without: set[str] | None = None,
) -> float | None:
    """The first of a dimension with all of these words (or the letter of Mach number), without those."""
    for given in _of(givens, dimension):
        named = (words or set()) <= given.words or (
            words == {"mach"} and name_similarity(given.symbol, "M") >= 0.8
        )
        if named and not given.words & (without or set()) and given.value > 0:
            return given.value
    return None


def _stream(givens: Sequence[Given]) -> tuple[float | None, float | None]:
    """Density and speed of the stream, where they are given."""
    speeds = (g.value for g in _of(givens, _SPEED) if name_similarity(g.symbol, "V") > 0 and g.value > 0)
    return _value(givens, _DENSITY, without={"wall"}), next(speeds, None)
