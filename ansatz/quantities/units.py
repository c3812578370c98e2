"""Units as people write them, in one shared pint registry."""

from __future__ import annotations

import re
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from ansatz.errors import AnsatzError
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    import pint

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SYMBOLS = str.maketrans({"−": "-", "–": "-", "µ": "u", "μ": "u", "Ω": "ohm", "Å": "angstrom"})
_NONE = {"", "-", "--", "—", "1", "none", "dimensionless", "unitless", "n/a", "[-]", "(-)"}
# Whole spellings that pint reads otherwise (C is coulomb, F is farad, R is the gas constant) or not at all.
_WORDS = {
    "°C": "degC",
    "℃": "degC",
    "ºC": "degC",
    "degree C": "degC",
    "degrees C": "degC",
    "deg C": "degC",
    "degrees Celsius": "degC",
    "Celsius": "degC",
    "°F": "degF",
    "℉": "degF",
    "deg F": "degF",
    "°R": "degR",
    "°K": "kelvin",
    "degK": "kelvin",
    "deg K": "kelvin",
    "Kelvin": "kelvin",
    "°": "degree",
    "º": "degree",
    "sec": "s",
    "hrs": "hour",
    "hr": "hour",
    "kgK": "kg·K",
    "kmolK": "kmol·K",
    "molK": "mol·K",
    "Nm": "N·m",
    "psia": "psi",
    "bara": "bar",
}
_LATEX = (
    (re.compile(r"\\(?:mathrm|text|rm|mathit|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|\\circ"), "°"),
    (re.compile(r"\\(?:cdot|times)\s*"), "·"),
    (re.compile(r"\\[,;:! ]|~"), " "),
    (re.compile(r"\\mu\s*"), "u"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\^\s*\{([^{}]*)\}"), r"^\1"),
    (re.compile(r"\$"), ""),
)
_NUMBER = re.compile(
    r"\s*(?P<mantissa>[+\-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?)"
    r"(?:\s*(?:×|x|\*|·|\\times|\\cdot)\s*10\s*(?:\^|\*\*)?\s*\{?\s*(?P<power>[+\-−⁺⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\}?)?"
    r"(?P<unit>.*)$",
    re.DOTALL,
)


class UnitError(AnsatzError, ValueError):
    """A unit or quantity that cannot be read, or that has the wrong dimensions; the message is one line."""


_building = Lock()  # two threads that ask first at once must not get a registry each


def registry() -> pint.UnitRegistry[Any]:
    """The one registry: quantities of two registries cannot be compared.

    An offset temperature that enters a product is taken as absolute, so 20 degC counts as 293.15 K.
    """
    with _building:
        return _registry()


@cache
def _registry() -> pint.UnitRegistry[Any]:
    import pint

    made: pint.UnitRegistry[Any] = pint.UnitRegistry(autoconvert_offset_to_baseunit=True, cache_folder=None)
    made.define("percent = 0.01 = %")
    return made


@cache
def parse_unit(text: str) -> pint.Unit:
    """The pint unit for a spelling such as "kJ/(kg·K)", "m³/kg", "W/m^2", "°C" or "-".

    A product written as type is set (·, a space, a hyphen) binds tighter than the solidus, so
    "kJ/kg·K" is kJ/(kg·K); the operator `*` keeps Python's precedence. Raises UnitError.
    """
    if text.strip().lower() in _NONE:
        return registry().Unit("")
    spelled = _spelled(text.strip())
    try:
        return registry().parse_units(spelled)
    except Exception as problem:  # pint raises its own, tokenizer, attribute and type errors
        raise UnitError(f"unit {text!r} cannot be read{_hint(spelled)}") from problem


def quantity(value: float | str | pint.Quantity[Any], unit: str | None = None) -> pint.Quantity[Any]:
    """A quantity from a number and a unit, or from text such as "6800 m/s" or "1.2×10^5 Pa".

    `unit` is that of a bare number; text that carries its own unit is converted to it. Raises UnitError.
    """
    if isinstance(value, int | float):
        return registry().Quantity(float(value), parse_unit(unit or "-"))
    read = _read(value) if isinstance(value, str) else value
    if unit is None:
        return read
    if isinstance(value, str) and read.units == registry().Unit("") and value.strip()[-1:].isdigit():
        return registry().Quantity(float(read.magnitude), parse_unit(unit))
    return convert(read, unit)


def convert(value: pint.Quantity[Any], unit: str) -> pint.Quantity[Any]:
    """`value` in `unit`; UnitError when the dimensions differ."""
    wanted = parse_unit(unit)
    if value.dimensionality != wanted.dimensionality:
        raise UnitError(f"{value:~} is not a quantity in {unit}")
    return value.to(wanted)


@cache
def same_dimension(first: str, second: str) -> bool:
    return bool(parse_unit(first).dimensionality == parse_unit(second).dimensionality)


def _read(text: str) -> pint.Quantity[Any]:
    found = _NUMBER.match(text)
    if not found:
        raise UnitError(f"{text!r} is not a number with a unit, such as '6800 m/s'")
    number = float(found["mantissa"].replace(",", "").replace("−", "-"))
    if found["power"]:
        number *= 10.0 ** int(found["power"].translate(_SUPERSCRIPTS).replace("−", "-"))
    return registry().Quantity(number, parse_unit(found["unit"].strip()))


def _spelled(text: str) -> str:
    """`text` in pint's own syntax."""
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    text = text.strip().strip("[]").strip().translate(_SYMBOLS)
    text = re.sub(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda power: "**" + power[0].translate(_SUPERSCRIPTS), text)
    text = text.replace("^", "**").replace("{", "").replace("}", "")
    for word, meaning in sorted(_WORDS.items(), key=lambda pair: -len(pair[0])):
        end = r"(?![A-Za-z])" if word[-1].isalpha() else ""
        text = re.sub(rf"(?<![A-Za-z]){re.escape(word)}{end}", meaning, text)
    text = re.sub(r"(?<=[WJ]/)m(\d?)K\b", lambda found: f"(m**{found[1] or 1}*K)", text)
    text = re.sub(r"(?<![A-Za-z\d.])([A-Za-z]+)(-?\d+)(?![\d.]*H)", r"\1**\2", text)  # m3, s-1
    text = re.sub(r"(\*\*\(?-?\d+(?:\.\d+)?\)?)\s*(?=[A-Za-z])", r"\1·", text)  # m2K, m²K
    text = re.sub(
        r"(?<=[A-Za-z)\d])(?:\s*[·⋅×•]\s*|\s+(?=[A-Za-z(])|-(?=[A-Za-z])|\.(?=[A-Za-z]))", "·", text
    )
    return _bind_products(text)


def _bind_products(text: str) -> str:
    """Put each run of typeset products after a solidus in brackets, then use pint's operator."""
    term = r"(?:\([^()]*\)|[A-Za-z_%][\w%]*)(?:\*\*\(?-?\d+(?:\.\d+)?\)?)?"
    text = re.sub(rf"/\s*({term}(?:·{term})+)", r"/(\1)", text)
    return text.replace("·", "*")


def _hint(spelled: str) -> str:
    known = registry()
    for word in re.findall(r"[A-Za-z][A-Za-z_]*", spelled):
        if word not in known:
            common = (
                "m s kg K Pa kPa MPa bar J kJ MJ W kW N mol kmol rad deg degC L atm eV Hz h min km mm cm um"
            )
            return f": unknown {word!r}{nearest(word, common.split())}"
    return ""
