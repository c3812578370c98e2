"""Units as a person handles them: a factor to SI, the powers of six base units, and an offset for °C."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache

Dimension = tuple[float, ...]  # powers of m, kg, s, K, mol, A

_BASE = ("m", "kg", "s", "K", "mol", "A")
NONE: Dimension = (0.0,) * 6


@dataclass(frozen=True)
class Unit:
    """SI value = value * factor + offset. Angles are dimensionless but kept apart from plain numbers."""

    factor: float
    dimension: Dimension
    offset: float = 0.0
    angle: bool = False

    def times(self, other: Unit, power: float) -> Unit:
        """This unit times another to a power; offsets are lost, as in J/(kg °C)."""
        dimension = tuple(
            round(a + power * b, 6) + 0.0 for a, b in zip(self.dimension, other.dimension, strict=True)
        )
        return Unit(self.factor * other.factor**power, dimension)

    def to_si(self, value: float) -> float:
        return value * self.factor + self.offset

    def from_si(self, value: float) -> float:
        return (value - self.offset) / self.factor

    def same_kind(self, other: Unit) -> bool:
        return self.dimension == other.dimension and self.angle == other.angle


ONE = Unit(1.0, NONE)

_PREFIXES = {
    "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9,
    "T": 1e12, "p": 1e-12,
}  # fmt: skip

_PREFIXABLE = {
    "m": Unit(1.0, (1, 0, 0, 0, 0, 0)),
    "g": Unit(1e-3, (0, 1, 0, 0, 0, 0)),
    "s": Unit(1.0, (0, 0, 1, 0, 0, 0)),
    "K": Unit(1.0, (0, 0, 0, 1, 0, 0)),
    "mol": Unit(1.0, (0, 0, 0, 0, 1, 0)),
    "A": Unit(1.0, (0, 0, 0, 0, 0, 1)),
    "Pa": Unit(1.0, (-1, 1, -2, 0, 0, 0)),
    "bar": Unit(1e5, (-1, 1, -2, 0, 0, 0)),
    "N": Unit(1.0, (1, 1, -2, 0, 0, 0)),
    "J": Unit(1.0, (2, 1, -2, 0, 0, 0)),
    "W": Unit(1.0, (2, 1, -3, 0, 0, 0)),
    "V": Unit(1.0, (2, 1, -3, 0, 0, -1)),
    "Hz": Unit(1.0, (0, 0, -1, 0, 0, 0)),
    "L": Unit(1e-3, (3, 0, 0, 0, 0, 0)),
    "eV": Unit(1.602176634e-19, (2, 1, -2, 0, 0, 0)),
    "cal": Unit(4.184, (2, 1, -2, 0, 0, 0)),
    "Torr": Unit(101325 / 760, (-1, 1, -2, 0, 0, 0)),
    "C": Unit(1.0, (0, 0, 1, 0, 0, 1)),
    "F": Unit(1.0, (-2, -1, 4, 0, 0, 2)),
    "T": Unit(1.0, (0, 1, -2, 0, 0, -1)),
    "ohm": Unit(1.0, (2, 1, -3, 0, 0, -2)),
    "H": Unit(1.0, (2, 1, -2, 0, 0, -2)),
    "Wb": Unit(1.0, (2, 1, -2, 0, 0, -1)),
    "Wh": Unit(3600.0, (2, 1, -2, 0, 0, 0)),
    "Bq": Unit(1.0, (0, 0, -1, 0, 0, 0)),
}

_PLAIN = {
    "rad": Unit(1.0, NONE, angle=True),
    "deg": Unit(0.017453292519943295, NONE, angle=True),
    "degC": Unit(1.0, (0, 0, 0, 1, 0, 0), 273.15),
    "degF": Unit(5 / 9, (0, 0, 0, 1, 0, 0), 459.67 * 5 / 9),
    "min": Unit(60.0, (0, 0, 1, 0, 0, 0)),
    "h": Unit(3600.0, (0, 0, 1, 0, 0, 0)),
    "atm": Unit(101325.0, (-1, 1, -2, 0, 0, 0)),
    "psi": Unit(6894.757, (-1, 1, -2, 0, 0, 0)),
    "ft": Unit(0.3048, (1, 0, 0, 0, 0, 0)),
    "day": Unit(86400.0, (0, 0, 1, 0, 0, 0)),
    "amu": Unit(1.66053906660e-27, (0, 1, 0, 0, 0, 0)),
    "angstrom": Unit(1e-10, (1, 0, 0, 0, 0, 0)),
    "percent": Unit(0.01, NONE),
    "sr": Unit(1.0, NONE),
    "rev": Unit(2 * math.pi, NONE, angle=True),
    "rpm": Unit(2 * math.pi / 60, (0, 0, -1, 0, 0, 0)),
    "year": Unit(365.25 * 86400.0, (0, 0, 1, 0, 0, 0)),
    "week": Unit(7 * 86400.0, (0, 0, 1, 0, 0, 0)),
    "mph": Unit(0.44704, (1, 0, -1, 0, 0, 0)),
    "mile": Unit(1609.344, (1, 0, 0, 0, 0, 0)),
    "lb": Unit(0.45359237, (0, 1, 0, 0, 0, 0)),
    "tonne": Unit(1e3, (0, 1, 0, 0, 0, 0)),
    "AU": Unit(1.495978707e11, (1, 0, 0, 0, 0, 0)),
    "dB": Unit(1.0, NONE),
    "dioptre": Unit(1.0, (-1, 0, 0, 0, 0, 0)),
    "Ci": Unit(3.7e10, (0, 0, -1, 0, 0, 0)),
}  # fmt: skip

_LONG_NAMES = {
    "kelvin": "K", "degrees": "deg", "degree": "deg", "radian": "rad", "radians": "rad", "meter": "m",
    "metre": "m", "second": "s", "kilogram": "kg", "pascal": "Pa", "joule": "J", "watt": "W", "newton": "N",
    "mole": "mol", "dimensionless": "1", "delta_degC": "K", "hertz": "Hz", "steradian": "sr", "hr": "h",
    "days": "day", "\u00c5": "angstrom", "meters": "m", "metres": "m", "seconds": "s", "kilograms": "kg",
    "grams": "g", "gram": "g", "joules": "J", "watts": "W", "newtons": "N", "moles": "mol", "pascals": "Pa",
    "volt": "V", "volts": "V", "ampere": "A", "amperes": "A", "amps": "A", "coulomb": "C", "coulombs": "C",
    "ohms": "ohm", "\u03a9": "ohm", "farad": "F", "farads": "F", "tesla": "T", "henry": "H", "weber": "Wb",
    "liter": "L", "litre": "L", "liters": "L", "litres": "L", "minute": "min", "minutes": "min", "hour": "h",
    "hours": "h", "kilometer": "km", "kilometre": "km", "kilometers": "km", "kilometres": "km", "yr": "year",
    "centimeter": "cm", "centimetre": "cm", "centimeters": "cm", "centimetres": "cm", "years": "year",
    "miles": "mile", "weeks": "week", "revolution": "rev", "revolutions": "rev",
    "nanometers": "nm", "nanometres": "nm", "millimeters": "mm", "millimetres": "mm", "au": "AU",
    "kilojoules": "kJ", "kilowatts": "kW", "kilohertz": "kHz", "megahertz": "MHz", "diopter": "dioptre",
    "diopters": "dioptre", "dioptres": "dioptre", "kilopascals": "kPa", "becquerel": "Bq",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans({**dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))})
_COUNTED = re.compile(r"\b(?:electron|ion|atom|molecule|particle|photon)s?\s*/")
_RUNS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")


def plain_text(text: str) -> str:
    """Unicode superscripts and minus signs in ASCII, so that numbers and units read one way."""
    text = _RUNS.sub(lambda run: "^" + run.group().translate(_SUPERSCRIPTS), text)
    return text.replace("−", "-").replace("–", "-")


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit | None:
    """The unit written in `text` (W/m^2, kJ/(kg·K), kg**0.5/m, °C), or None where it is not one."""
    text = plain_text(text.strip()).replace("°C", "degC").replace("°F", "degF").replace("°", "deg")
    if text in ("", "-", "1", "(-)"):
        return ONE
    text = _COUNTED.sub("1/", text).replace("%", "percent").replace("^", "**")
    text = re.sub(r"/([A-Za-z0-9*]+(?:[·⋅-][A-Za-z0-9*]+)+)", r"/(\1)", text)  # kJ/kg·K means kJ/(kg·K)
    text = re.sub(r"[·⋅]|(?<=[\w)])-(?=[A-Za-z])|(?<=[\w)]) +(?=[A-Za-z(])", "*", text)
    try:
        return _unit_of(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return None


def _unit_of(node: ast.expr) -> Unit:
    match node:
        case ast.Name(id=name):
            return _named(_LONG_NAMES.get(name, name))
        case ast.Constant(value=1):
            return ONE
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _unit_of(left).times(_unit_of(right), 1.0)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _unit_of(left).times(_unit_of(right), -1.0)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return ONE.times(_unit_of(left), float(ast.literal_eval(right)))
    raise ValueError("not a unit")


def _named(name: str) -> Unit:
    if name == "1":
        return ONE
    unit = _PREFIXABLE.get(name) or _PLAIN.get(name)
    if unit is None and name[:1] in _PREFIXES and name[1:] in _PREFIXABLE:
        base = _PREFIXABLE[name[1:]]
        unit = replace(base, factor=base.factor * _PREFIXES[name[0]])
    if unit is None:
        raise ValueError(f"{name!r} is not a unit")
    return unit


_DERIVED: dict[Dimension, str] = {
    (-1, 1, -2, 0, 0, 0): "Pa",
    (2, 1, -2, 0, 0, 0): "J",
    (2, 1, -3, 0, 0, 0): "W",
    (1, 1, -2, 0, 0, 0): "N",
    (0, 1, -3, 0, 0, 0): "W/m^2",
    (-1, 1, -3, 0, 0, 0): "W/m^3",
    (1, 0, -1, 0, 0, 0): "m/s",
    (1, 0, -2, 0, 0, 0): "m/s^2",
    (-3, 1, 0, 0, 0, 0): "kg/m^3",
    (2, 0, -2, 0, 0, 0): "J/kg",
    (2, 0, -2, -1, 0, 0): "J/(kg*K)",
    (-1, 1, -1, 0, 0, 0): "Pa*s",
}


def spell(dimension: Dimension) -> str:
    """A dimension in SI units: W/m^2 where it has a name, else kg m^-3 and the like; 1 for a pure number."""
    named = _DERIVED.get(dimension)
    if named:
        return named
    powers = [(unit, power) for unit, power in zip(_BASE, dimension, strict=True) if power]
    return " ".join(unit if power == 1 else f"{unit}^{power:g}" for unit, power in powers) or "1"
