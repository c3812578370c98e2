"""Read units in their usual spellings into one shared pint registry.

The tables of units.yaml define spellings that pint does not know or reads differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ansatz.errors import UnitError
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.latex import render_latex
from ansatz.quantities.rotation import CYCLES_AND_ANGLES, find_rotation, turn_factor
from ansatz.quantities.unit_registry import TABLE
from ansatz.quantities.unit_registry import registry as registry

if TYPE_CHECKING:
    import pint

AMBIGUOUS: dict[str, str] = TABLE["ambiguous"]
CONSTANTS_IN_USE = frozenset(TABLE["constants_in_use"])
RARE_PREFIXES = frozenset(TABLE["rare_prefixes"].split())
LETTERS: dict[str, dict[str, Any]] = TABLE["letters"]
HEAT_UNITS = frozenset(TABLE["heat_units"])
ANY_CASE: dict[str, str] = {symbol.casefold(): symbol for symbol in TABLE["any_case"].split()}
EVERY_PREFIX = frozenset(TABLE["every_prefix"].split())
TAKES_PREFIX = {
    (prefix, unit)
    for prefixes, units in TABLE["prefixed"].items()
    for prefix in prefixes.split()
    for unit in units.split()
}
SPELLINGS = {written: unit for unit, spelled in TABLE["spellings"].items() for written in spelled}
"""The pint spelling of each word."""
CHINESE = {name: unit for unit, names in TABLE["chinese"].items() for name in names}
IN_TEXT: dict[str, Any] = TABLE["in_text"]

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SYMBOLS = str.maketrans({"−": "-", "–": "-", "µ": "u", "μ": "u", "Ω": "ohm", "Å": "angstrom"})
_COMMON = "m s kg K Pa kPa MPa bar J kJ MJ W kW N mol kmol rad deg degC L atm eV Hz h min km mm cm um psi Btu"
_NONE = {"", "-", "--", "—", "1", "none", "dimensionless", "unitless", "n/a", "[-]", "(-)"}
_SYNTAX = re.compile(r"[\w\s*/().%+-]*", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_END = r"(?![A-Za-z\d_])"
_WORDS = re.compile(
    "|".join(
        rf"(?<![A-Za-z_]){re.escape(word)}" + (r"(?![A-Za-z_])" if word[-1].isalnum() else "")
        for word in sorted(SPELLINGS, key=len, reverse=True)
    )
)
_AMBIGUOUS = [(re.compile(rf"(?<![A-Za-z_])(?:{word}){_END}"), reason) for word, reason in AMBIGUOUS.items()]
_GAUGED = r"(?<![A-Za-z])(psi|[mk]?bar|[hkM]?Pa|atm?)"
_LENGTH = r"(?<![A-Za-z])(mm|cm|m|in|inch|inches|ft|foot|feet)"
_POUND = r"(?:lb|lbs)"
_REWRITTEN = (
    (re.compile(r"(?<=[A-Za-z])\.(?=$|[\s/)\d^²³])"), ""),  # in. lb.
    (re.compile(r"(?<=[\w)]) per (?=[A-Za-z])"), "/"),
    # A pound times a length or per area is a force (torque, energy, pressure), and so is a kilogram.
    (re.compile(r"^kgf?/cm(?:2|²|\^2)(?= ?(?:\(?[aAgG]\)?|gauge|abs\w*)?$)"), "at"),
    (re.compile(rf"^(ft|foot|in|inch)[-·. ]?{_POUND}$"), r"\1·lbf"),
    (re.compile(rf"^{_POUND}[-·. ]?(ft|foot|in|inch)$"), r"lbf·\1"),
    (re.compile(rf"^{_POUND}/(ft|foot|in|inch)(?:2|²|\^2)$"), r"lbf/\1²"),
    (re.compile(rf"{_LENGTH}[ _]?(?:H2O|H₂O|WC|WG|w\.? ?c|w\.? ?g){_END}"), r"\1·water_column"),
    (re.compile(rf"{_LENGTH}[ _]?Hg{_END}"), r"\1·mercury_column"),
    (re.compile(rf"{_GAUGED}(?: ?\([gG]\)|[gG]|_g| g| \(?gauge\)?){_END}"), r"\1_gauge"),
    (re.compile(rf"{_GAUGED}(?: ?\([aA]\)|[aA]|_a| a| ?\(?abs(?:olute)?\)?){_END}"), r"\1"),
    (re.compile(r"(?<=/)(k?mol|k?g)C(?![A-Za-z])"), r"\1·C"),
    (re.compile(r"(?<=[A-Za-z])(?=[°º][CFKR](?![A-Za-z]))"), "·"),
    (re.compile(rf"(?<![A-Za-z])([kMGmu]?N)ms{_END}"), r"\1·m·s"),
    # Symbols that are written as one word; pint would read a plural ("Pas" as several pascals).
    (re.compile(rf"(?<![A-Za-z])([kMGmu]?N)m{_END}"), r"\1·m"),
    (re.compile(rf"(?<![A-Za-z])([kMGmu]?(?:Pa|N|J|W|A|V))s{_END}"), r"\1·s"),
)
# W/mK and W/(mK) are per metre and kelvin, as engineers write; mK alone and in mK/W is a millikelvin.
_METRE_KELVIN = re.compile(r"(?<=[WJ]/)(\(?)m(\d?)([KC])\b")
_NUMBER = re.compile(
    r"\s*(?P<mantissa>[+\-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?)"
    r"(?:\s*(?:×|x|\*|·|\\times|\\cdot)\s*10\s*(?:\^|\*\*)?\s*\{?\s*(?P<power>[+\-−⁺⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\}?)?"
    r"(?P<unit>.*)$",
    re.DOTALL,
)


_CONTINUES_NUMBER = re.compile(r"[\d,.'/±+−-]")
"""A unit that begins like this is the rest of a number that Ansatz does not read."""
_DECIMAL_COMMA = re.compile(r"\s*[+\-−]?\d+,\d+(?![\d,.])")
_LETTER = re.compile(r"(?<![A-Za-z_°º])[CF](?![A-Za-z_])")
_FRACTION = re.compile(
    r"\s*\+?(?P<sign>[-−]?)(?:(?P<whole>\d+)[ -])?(?P<above>\d+)/(?P<below>[1-9]\d*)[ -]?"
    r"(?P<unit>[A-Za-z].*)$"
)
_PART = r"(\d+(?:\.\d+)?)\s*([A-Za-z]+\.?)"
_IN_PARTS = re.compile(rf"\s*\+?([-−]?){_PART}(?:\s+|,\s*|\s+and\s+){_PART}\s*$")


@cache
def _constants() -> frozenset[str]:
    """Return the names of physical constants that pint reads as units."""
    text = resources.files("pint").joinpath("constants_en.txt").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^(\w+) *=", text, re.MULTILINE)) - CONSTANTS_IN_USE


@cache
def parse_unit(text: str) -> pint.Unit:
    """Return the pint unit for a spelling such as "kJ/(kg·K)", "m³/kg", "gpm", "inH2O", "bar(g)" or "-".

    A typeset product (·, a space, a hyphen) binds tighter than the slash: "kJ/kg·K" is kJ/(kg·K). The
    operator `*` has Python's precedence. The zero of a gauge pressure is one atmosphere, 101325 Pa.

    C and F are degrees in units of heat ("W/m2C", "Btu/hr-ft-F"). They are coulomb and farad alone and in
    units of electricity ("C/m2", "F/m"). In other units they are refused. Other capitals are accepted where
    they have one meaning ("KPa", "KWH", "Watts").

    Raises:
        UnitError: The unit is unknown, or has several meanings, such as "ton".

    Example:
        >>> parse_unit("bar(g)") == parse_unit("barg")
        True
        >>> round(quantity("10 psig", "kPa").magnitude, 2)
        170.27
    """
    if text.strip().lower() in _NONE:
        return registry().Unit("")
    plain = _clean_spelling(text)
    for pattern, reason in _AMBIGUOUS:
        if pattern.search(plain):
            raise UnitError(f"unit {text!r} cannot be read: {reason}")
    spelled = _to_pint_syntax(plain)
    try:
        if _SYNTAX.fullmatch(spelled) is None:
            raise ValueError(spelled)
        spelled = _NAME.sub(lambda word: _fix_case(word[0]), spelled)
        _check_names(spelled)
        return registry().parse_units(_resolve_letters(spelled))
    except _AmbiguousLetter as letter:
        raise UnitError(f"unit {text!r} cannot be read: {letter}") from None
    except Exception as error:  # pint raises its own, tokenizer, attribute and type errors
        raise UnitError(f"unit {text!r} cannot be read{_suggest_unit(spelled)}") from error


def quantity(value: float | str | pint.Quantity[Any], unit: str | None = None) -> pint.Quantity[Any]:
    """Create a quantity from a number and a unit, or from text such as "6800 m/s" or "1.2×10^5 Pa".

    Parameters:
        value: A number, a text or a quantity.
        unit: The unit of a bare number, and the unit to which other values are converted.

    Raises:
        UnitError: The text is no quantity, or cannot be converted to the unit.
    """
    if isinstance(value, int | float | str):
        number, written = read_number_and_unit(value, unit) if isinstance(value, str) else (float(value), "")
        value = registry().Quantity(number, parse_unit(written or unit or "-"))
    if unit is None:
        return value
    wanted = parse_unit(unit)
    if value.dimensionality != wanted.dimensionality:
        raise UnitError(f"{value:~} is not a quantity in {unit}")
    factor = turn_factor(find_rotation(value.units), find_rotation(wanted))
    if factor is None:
        raise UnitError(f"{value:~} is not a quantity in {unit}: {CYCLES_AND_ANGLES}")
    converted: pint.Quantity[Any] = value.to(wanted) * factor
    return converted


def get_magnitude(value: pint.Quantity[Any], unit: str, difference: bool = False) -> float:
    """Return the number of a quantity in a unit; a `difference` is converted without offsets.

    Raises:
        UnitError: The quantity cannot be converted to the unit.
    """
    number = float(quantity(value, unit).magnitude)
    return number - get_magnitude(registry().Quantity(0.0, value.units), unit) if difference else number


def convert_number(value: float, unit: str, wanted: str, difference: bool = False) -> float:
    """Convert a number from one unit to another; a `difference` is converted without offsets.

    Raises:
        UnitError: A unit cannot be read, or their dimensions differ.

    Example:
        >>> convert_number(36.0, "km/h", "m/s"), convert_number(20.0, "degC", "K")
        (10.0, 293.15)
        >>> convert_number(20.0, "degC", "K", difference=True)
        20.0
    """
    zero, one = _convert_zero_and_one(unit, wanted)
    if difference or not zero:
        return value * (one - zero)
    return float(quantity(quantity(value, resolve_unit(unit, wanted)), wanted).magnitude)


def resolve_unit(unit: str, wanted: str) -> str:
    """Resolve C and F in a unit to degrees if the expected unit `wanted` contains a temperature.

    Example:
        >>> resolve_unit("F", "K"), resolve_unit("F", "uF"), resolve_unit("C/m", "K/m")
        ('degF', 'F', 'degC/m')
    """
    if not _LETTER.search(unit) or "[temperature]" not in parse_unit(wanted).dimensionality:
        return unit
    spelled = _to_pint_syntax(_clean_spelling(unit))
    letters = set(LETTERS).intersection(_NAME.findall(spelled))
    return _replace_with_degrees(spelled, letters) if letters else unit


@cache
def _convert_zero_and_one(unit: str, wanted: str) -> tuple[float, float]:
    """Convert 0 and 1 from one unit to another."""
    unit = resolve_unit(unit, wanted)
    zero, one = (float(quantity(quantity(value, unit), wanted).magnitude) for value in (0.0, 1.0))
    return zero, one


@cache
def has_same_dimension(first: str, second: str) -> bool:
    """Whether a quantity in one unit can be converted to the other."""
    one, other = parse_unit(resolve_unit(first, second)), parse_unit(resolve_unit(second, first))
    fits = turn_factor(find_rotation(one), find_rotation(other)) is not None
    return bool(one.dimensionality == other.dimensionality) and fits


def read_number_and_unit(text: str, slot: str | None = None) -> tuple[float, str]:
    """Read a number and the unit as written after it, "" for none.

    Fractions ("1 1/4 in") and quantities in two units ("6 ft 2 in") are returned in the first unit.

    Parameters:
        text: The number and its unit.
        slot: The unit in which a quantity is expected. It decides whether C and F directly after the number
            are degrees, or coulomb and farad. Without a slot, they are refused.

    Raises:
        UnitError: The text is no number with a unit.

    Example:
        >>> read_number_and_unit("1.2×10^5 Pa"), read_number_and_unit("6 ft 3 in")
        ((120000.0, 'Pa'), (6.25, 'ft'))
        >>> read_number_and_unit("400 C", "K")
        (400.0, 'degC')
    """
    number, unit = _read_two_units(text) or _read_fraction(text) or _read_number(text)
    if slot is not None:
        unit = resolve_unit(unit, slot)
    elif unit in LETTERS:
        raise UnitError(f"{text!r} cannot be read: {_AmbiguousLetter(unit)}")
    try:
        parse_unit(unit)
    except UnitError:
        if not _CONTINUES_NUMBER.match(unit):
            raise
        point = f"; write a decimal point: {text.replace(',', '.')}" if _DECIMAL_COMMA.match(text) else ""
        raise UnitError(f"{text!r} is not a number with a unit, such as '6800 m/s'{point}") from None
    return number, unit


def _read_number(text: str) -> tuple[float, str]:
    found = _NUMBER.match(text)
    if not found:
        raise UnitError(f"{text!r} is not a number with a unit, such as '6800 m/s'")
    number = float(found["mantissa"].replace(",", "").replace("−", "-"))
    if found["power"]:
        number *= 10.0 ** int(found["power"].translate(_SUPERSCRIPTS).replace("−", "-"))
    return number, found["unit"].strip()


def _read_fraction(text: str) -> tuple[float, str] | None:
    found = _FRACTION.match(text)
    if found is None:
        return None
    number = int(found["whole"] or 0) + int(found["above"]) / int(found["below"])
    return -number if found["sign"] else number, found["unit"].strip()


def _read_two_units(text: str) -> tuple[float, str] | None:
    found = _IN_PARTS.match(text)
    if found is None:
        return None
    sign, first, unit, second, smaller = found.groups()
    share = float(second) * convert_number(1.0, smaller, unit)
    if not share < 1:
        raise UnitError(f"{text!r} is not one quantity: {second} {smaller} is not less than 1 {unit}")
    return (float(first) + share) * (-1 if sign else 1), unit


class _AmbiguousLetter(ValueError):
    """C or F may be a degree or a unit of electricity here."""

    def __init__(self, letter: str) -> None:
        degree, electric = f"°{letter}", LETTERS[letter]["electric"]
        super().__init__(f"{letter} may be {degree} or {electric}; write {degree} or {electric}")


def _resolve_letters(spelled: str) -> str:
    """Replace C and F by degrees in units of heat. Raises _AmbiguousLetter if the unit does not decide it."""
    words = set(_NAME.findall(spelled))
    for letter in words & set(LETTERS):
        table = LETTERS[letter]
        if spelled in (letter, f"({letter})"):
            continue
        known = registry()
        rest = known.parse_units(re.sub(rf"(?<!\w){letter}(?!\w)", "radian", spelled)).dimensionality
        is_heat = any(known.parse_unit_name(word)[0][1] in HEAT_UNITS for word in words)
        if is_heat or rest in _list_dimensions(*table["degree_with"]):
            spelled = _replace_with_degrees(spelled, [letter])
        elif rest not in _list_dimensions(*table["electric_with"]):
            raise _AmbiguousLetter(letter)
    return spelled


def _replace_with_degrees(spelled: str, letters: Iterable[str]) -> str:
    for letter in letters:
        spelled = re.sub(rf"(?<!\w){letter}(?!\w)", LETTERS[letter]["degree"], spelled)
    return spelled


@cache
def _list_dimensions(*units: str) -> list[Any]:
    return [registry().parse_units(unit).dimensionality for unit in units]


@cache
def _fix_case(word: str) -> str:
    """Return a word in its usual capitals, such as kPa for KPa or watts for Watts."""
    if _is_known(word):
        return word
    prefixes = {"k": "k", "K": "k", "M": "M", "G": "G"}
    for prefix, rest in (("", word), (prefixes.get(word[0], ""), word[1:])):
        symbol = ANY_CASE.get(rest.casefold())
        if symbol and (prefix or rest == word) and _is_known(prefix + symbol):
            return prefix + symbol
    lower = word.lower()
    is_name = len(word) > 3 and (word.istitle() or word.isupper())
    return lower if is_name and _is_known(lower) else word


def _is_known(word: str) -> bool:
    try:
        _check_names(word)
    except ValueError:
        return False
    return word in registry()


def _check_names(spelled: str) -> None:
    """Raise ValueError for a word that pint reads with a rare prefix or as a physical constant."""
    for word in _NAME.findall(spelled):
        for prefix, unit, _ in registry().parse_unit_name(word)[:1]:
            is_rare = prefix in RARE_PREFIXES and not word.startswith(prefix)
            if is_rare or (prefix and unit not in EVERY_PREFIX and (prefix, unit) not in TAKES_PREFIX):
                raise ValueError(f"{word} is not {prefix}{unit}")
            if unit in _constants():
                raise ValueError(f"{word} is not the {unit}")


def _clean_spelling(text: str) -> str:
    """Remove LaTeX and outer brackets, and replace signs that only look different."""
    if any(mark in text for mark in "\\{$"):
        text = render_latex(re.sub(r"\\mu\s*", "u", text).replace(r"\Omega", "ohm").replace("~", " "))
    return text.strip().strip("[]").strip().translate(_SYMBOLS)


def _to_pint_syntax(text: str) -> str:
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    text = _WORDS.sub(lambda word: SPELLINGS[word[0]], text)
    text = re.sub(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda power: "**" + power[0].translate(_SUPERSCRIPTS), text)
    text = text.replace("^", "**").replace("{", "").replace("}", "")
    text = _METRE_KELVIN.sub(lambda found: f"{found[1]}(m**{found[2] or 1}*{found[3]})", text)
    text = re.sub(
        r"(?<![A-Za-z\d])(?<![^A-Za-z]\d\.)([A-Za-z]+)(-?\d+)(?![\d.]*H)", r"\1**\2", text
    )  # m3, s-1
    text = re.sub(r"(\*\*\(?-?\d+(?:\.\d+)?\)?)\s*(?=[A-Za-z])", r"\1·", text)  # m2K, m²K
    text = re.sub(
        r"(?<=[A-Za-z)\d])(?:\s*[·⋅×•]\s*|\s+(?=[A-Za-z(])|-(?=[A-Za-z])|\.(?=[A-Za-z]))", "·", text
    )
    # Put each typeset product after a slash in brackets; then pint's operator `*` is right.
    term = r"(?:\([^()]*\)|[A-Za-z_%][\w%]*)(?:\*\*\(?-?\d+(?:\.\d+)?\)?)?"
    return re.sub(rf"/\s*({term}(?:·{term})+)", r"/(\1)", text).replace("·", "*")


def _suggest_unit(spelled: str) -> str:
    known = registry()
    for word in _NAME.findall(spelled):
        try:
            _check_names(word)
            unknown = word not in known
        except ValueError:
            unknown = True
        if unknown:
            return f": unknown {word!r}{nearest(word, _COMMON.split(), cutoff=0.6)}"
    return ""
