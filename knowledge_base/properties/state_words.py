"""States as text: inputs such as "T = 291 degC", results such as "h = 1292.49 kJ/kg"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ansatz.errors import PropertyError, UnitError
from ansatz.knowledge_base.properties.fluids import fluid_name, saturation, state
from ansatz.knowledge_base.properties.substance import INPUTS, State
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import quantity, resolve_unit

# For each property: the default unit of results, the unit of the computation, and aliases in lower case.
_PROPERTIES = {
    "T": ("degC", "K", "t", "temperature"),
    "P": ("kPa", "Pa", "p", "pressure"),
    "h": ("kJ/kg", "J/kg", "enthalpy", "specific enthalpy"),
    "s": ("kJ/(kg*K)", "J/(kg*K)", "entropy", "specific entropy"),
    "v": ("m^3/kg", "m^3/kg", "volume", "specific volume"),
    "rho": ("kg/m^3", "kg/m^3", "ρ", "density"),
    "u": ("kJ/kg", "J/kg", "internal energy", "specific internal energy"),
    "x": ("-", "-", "q", "quality"),
    "cp": ("kJ/(kg*K)", "J/(kg*K)", "c p"),
    "cv": ("kJ/(kg*K)", "J/(kg*K)", "c v"),
    "k": ("-", "-", "gamma"),
    "speed_of_sound": ("m/s", "m/s", "a", "w", "speed of sound", "sound speed"),
    "viscosity": ("Pa*s", "Pa*s", "mu", "dynamic viscosity"),
    "conductivity": ("W/(m*K)", "W/(m*K)", "lambda", "thermal conductivity"),
    "T_sat": ("degC", "K", "saturation temperature"),
    "P_sat": ("kPa", "Pa", "saturation pressure"),
}
UNITS = {symbol: fields[0] for symbol, fields in _PROPERTIES.items()}
"""The default unit of each property in results."""
_SI = {symbol: fields[1] for symbol, fields in _PROPERTIES.items()}
_SYMBOLS = {name: symbol for symbol, fields in _PROPERTIES.items() for name in fields[2:]}
_SATURATED = ("h", "s", "v", "u")


def read_input(text: str) -> tuple[str, float]:
    """Read symbol and SI value of an input such as "T = 291 degC", "P=11200 kPa" or "x = 0.52"."""
    name, equals, value = text.partition("=")
    symbol = _resolve_symbol(name)
    if not equals or symbol not in INPUTS:
        raise PropertyError(f"cannot read {text!r}; write one of {', '.join(INPUTS)} as in 'T = 291 degC'")
    unit = _SI[symbol]
    if unit != "-" and re.fullmatch(r"[\s\d.,eE+−-]*", value):
        written = f"{symbol} = {value.strip()}"
        kelvin = f" or '{written} K'" if symbol == "T" else ""
        raise PropertyError(
            f"{text.strip()!r} has no unit; write it as in '{written} {UNITS[symbol]}'{kelvin}"
        )
    try:
        return symbol, float(quantity(value, unit).magnitude)
    except UnitError as error:
        raise PropertyError(f"{text.strip()!r}: {error}; write {symbol} in {UNITS[symbol]}") from error


def describe_state(fluid: str, inputs: Iterable[str], properties: Iterable[str]) -> str:
    """Describe a state with one line for each property, such as `v = 0.00135709 m^3/kg`.

    Parameters:
        fluid: The name of the fluid.
        inputs: Two properties, such as "T = 291 degC".
        properties: The symbols of the results; `T [K]` also selects the unit.
    """
    given: dict[str, float] = {}
    for text in inputs:
        symbol, value = read_input(text)
        if symbol in given:
            raise PropertyError(f"{symbol} is given twice; give it with another property")
        given[symbol] = value
    found = state(fluid, **given)
    twins = [
        f"Note: the same {' and '.join(given)} occur again at {pressure / 1e3:.6g} kPa, beyond steam tables"
        for pressure in found.twin_pressures
    ]
    return "\n".join([*(_format_property(found, wanted) for wanted in properties), *twins])


def describe_saturation(fluid: str, at: str) -> str:
    """Describe T_sat, P_sat and h, s, v, u of saturated liquid (f) and vapour (g) at one T or P."""
    symbol, value = read_input(at)
    if symbol not in ("T", "P"):
        other = "" if symbol == "x" else f", or ask for the state with {symbol} and x = 0 or x = 1"
        raise PropertyError(f"saturation is fixed by T or P, not by {symbol}; give T or P{other}")
    if fluid_name(fluid) in ("air", "air (constant cp)"):
        raise PropertyError("air is an ideal gas here and has no saturation state")
    both = saturation(fluid, **{symbol: value})
    lines = [_format_value("T_sat", both.T), _format_value("P_sat", both.P)]
    for name in _SATURATED:
        for suffix, phase in (("f", both.liquid), ("g", both.vapor)):
            lines.append(_format_value(name, getattr(phase, name), label=f"{name}_{suffix}"))
    return "\n".join(lines)


def _format_property(found: State, wanted: str) -> str:
    name, _, unit = wanted.strip().rstrip("]").partition("[")
    symbol = _resolve_symbol(name)
    if symbol == "phase":
        return f"phase = {found.phase.replace('_', ' ')}"
    if symbol not in UNITS:
        raise PropertyError(f"there is no property {wanted!r}{nearest(wanted, [*UNITS, 'phase'])}")
    value = _find_saturation_value(found, symbol) if symbol in ("T_sat", "P_sat") else getattr(found, symbol)
    if value is None:
        return f"{symbol} is not defined for {found.phase.replace('_', ' ')}"
    return _format_value(symbol, value, unit)


def _find_saturation_value(found: State, symbol: str) -> float | None:
    """Return T_sat or P_sat of a state; None above the critical point, for an ideal gas, or for a mixture."""
    at = {"P": found.P} if symbol == "T_sat" else {"T": found.T}
    try:
        line = saturation(found.fluid, **at)
    except PropertyError:
        return None
    return line.T if symbol == "T_sat" else line.P


def _format_value(symbol: str, value: float, unit: str = "", label: str = "") -> str:
    """Format `label = value unit` with six significant digits."""
    unit = resolve_unit(unit, _SI[symbol]) or UNITS[symbol]
    try:
        converted = float(quantity(quantity(value, _SI[symbol]), unit).magnitude)
    except UnitError as error:
        raise PropertyError(f"{symbol} in {unit!r}: {error}; its unit is {UNITS[symbol]}") from error
    return f"{label or symbol} = {converted:.6g} {unit if unit != '-' else ''}".rstrip()


def _resolve_symbol(text: str) -> str:
    name = text.strip()
    return name if name in UNITS else _SYMBOLS.get(name.lower().replace("_", " "), name)
