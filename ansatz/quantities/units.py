"""Units as people write them, in one shared pint registry.

Where pint has nothing for what people write, or something else, the tables of units.yaml say what is meant.
"""

from __future__ import annotations

import math
import re
import sys
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from ansatz.errors import AnsatzError
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.latex import rendered

if TYPE_CHECKING:
    import pint

_TABLE: dict[str, Any] = yaml.load(
    Path(__file__).with_name("units.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
STANDARD_ATMOSPHERE = 101325.0  # Pa; NIST SP 811 (2008), appendix B.8
DEFINITIONS: list[str] = _TABLE["definitions"].splitlines()
GAUGES: dict[str, float] = _TABLE["gauges"]
AMBIGUOUS: dict[str, str] = _TABLE["ambiguous"]
CONSTANTS_IN_USE = frozenset(_TABLE["constants_in_use"])
EVERY_PREFIX = frozenset(_TABLE["every_prefix"].split())
TAKES_PREFIX = {
    (prefix, unit)
    for prefixes, units in _TABLE["prefixed"].items()
    for prefix in prefixes.split()
    for unit in units.split()
}
SPELLINGS = {written: unit for unit, spelled in _TABLE["spellings"].items() for written in spelled}
"""Words as they are written, and the same for pint."""
CHINESE = {name: unit for unit, names in _TABLE["chinese"].items() for name in names}
IN_TEXT: dict[str, Any] = _TABLE["in_text"]

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SYMBOLS = str.maketrans({"−": "-", "–": "-", "µ": "u", "μ": "u", "Ω": "ohm", "Å": "angstrom"})
_COMMON = "m s kg K Pa kPa MPa bar J kJ MJ W kW N mol kmol rad deg degC L atm eV Hz h min km mm cm um psi Btu"
_COULOMB_OR_FARAD = re.compile(r"(?P<number>|.*[\d.]\s*)(?P<unit>[CF])\s*", re.DOTALL)
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
    # Pounds alone with a length or on an area are forces, as are kilograms: torque, energy, pressure.
    (re.compile(r"^kgf?/cm(?:2|²|\^2)(?= ?(?:\(?[aAgG]\)?|gauge|abs\w*)?$)"), "at"),
    (re.compile(rf"^(ft|foot|in|inch)[-·. ]?{_POUND}$"), r"\1·lbf"),
    (re.compile(rf"^{_POUND}[-·. ]?(ft|foot|in|inch)$"), r"lbf·\1"),
    (re.compile(rf"^{_POUND}/(ft|foot|in|inch)(?:2|²|\^2)$"), r"lbf/\1²"),
    (re.compile(rf"{_LENGTH}[ _]?(?:H2O|H₂O|WC|WG|w\.? ?c|w\.? ?g){_END}"), r"\1·water_column"),
    (re.compile(rf"{_LENGTH}[ _]?Hg{_END}"), r"\1·mercury_column"),
    (re.compile(rf"{_GAUGED}(?: ?\([gG]\)|[gG]|_g| g| \(?gauge\)?){_END}"), r"\1_gauge"),
    (re.compile(rf"{_GAUGED}(?: ?\([aA]\)|[aA]|_a| a| \(?abs(?:olute)?\)?){_END}"), r"\1"),
    # Symbols that are written as one word, and plurals otherwise (pint's Pas is several pascals).
    (re.compile(rf"(?<![A-Za-z])([kMGmu]?N)m{_END}"), r"\1·m"),
    (re.compile(rf"(?<![A-Za-z])([kMGmu]?(?:Pa|N|J|W|A|V))s{_END}"), r"\1·s"),
)
_NUMBER = re.compile(
    r"\s*(?P<mantissa>[+\-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?)"
    r"(?:\s*(?:×|x|\*|·|\\times|\\cdot)\s*10\s*(?:\^|\*\*)?\s*\{?\s*(?P<power>[+\-−⁺⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\}?)?"
    r"(?P<unit>.*)$",
    re.DOTALL,
)


_TURNS = {"turn", "revolutions_per_minute", "revolutions_per_second"}
_CYCLES = {"cycle", "hertz"}
CYCLES_AND_ANGLES = "hertz counts cycles, rad/s is an angular velocity, and 2π lies between them"


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
    # pint imports Dask where it is installed, for arrays that we have none of: half a second of a start.
    hides_dask = sys.modules.setdefault("dask", None) is None  # type: ignore[arg-type]
    import pint

    if hides_dask:
        del sys.modules["dask"]
    import platformdirs

    def built(cache: Path | None) -> pint.UnitRegistry[Any]:
        return pint.UnitRegistry(
            autoconvert_offset_to_baseunit=True, on_redefinition="ignore", cache_folder=cache
        )

    try:
        # pint's definitions are parsed once for a user; what is kept names the files of the pint that did.
        own = sha256(pint.__file__.encode()).hexdigest()[:16]
        made = built(platformdirs.user_cache_path("pint", appauthor=False, ensure_exists=True) / own)
    except Exception:  # no such folder, or a file that another process is just writing
        made = built(None)
    made.load_definitions(DEFINITIONS)
    for unit, pascals in GAUGES.items():
        made.define(f"{unit}_gauge = {pascals!r} * pascal; offset: {STANDARD_ATMOSPHERE}")
    return made


@cache
def _constants() -> frozenset[str]:
    """The names of pint's physical constants, which are units to it."""
    text = resources.files("pint").joinpath("constants_en.txt").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^(\w+) *=", text, re.MULTILINE)) - CONSTANTS_IN_USE


@cache
def parse_unit(text: str) -> pint.Unit:
    """The pint unit for a spelling such as "kJ/(kg·K)", "m³/kg", "gpm", "inH2O", "bar(g)", "°C" or "-".

    A product written as type is set (·, a space, a hyphen) binds tighter than the solidus, so
    "kJ/kg·K" is kJ/(kg·K); the operator `*` keeps Python's precedence. A gauge pressure has the standard
    atmosphere, 101325 Pa, as its zero, as a degree Celsius has 273.15 K. Raises UnitError, also for what has
    several meanings in use, such as "ton".

    Example:
        >>> parse_unit("bar(g)") == parse_unit("barg")
        True
        >>> round(quantity("10 psig", "kPa").magnitude, 2)
        170.27
    """
    if text.strip().lower() in _NONE:
        return registry().Unit("")
    plain = _plain(text)
    for pattern, reason in _AMBIGUOUS:
        if pattern.search(plain):
            raise UnitError(f"unit {text!r} cannot be read: {reason}")
    spelled = _in_syntax_of_pint(plain)
    try:
        if _SYNTAX.fullmatch(spelled) is None:
            raise ValueError(spelled)
        _check_names(spelled)
        return registry().parse_units(spelled)
    except Exception as problem:  # pint raises its own, tokenizer, attribute and type errors
        raise UnitError(f"unit {text!r} cannot be read{_hint(spelled)}") from problem


def quantity(value: float | str | pint.Quantity[Any], unit: str | None = None) -> pint.Quantity[Any]:
    """A quantity from a number and a unit, or from text such as "6800 m/s" or "1.2×10^5 Pa".

    `unit` is that of a bare number; what has a unit of its own is converted to it. Raises UnitError.
    """
    if isinstance(value, str) and unit is not None:
        value = spell_degrees(value, unit)
    if isinstance(value, int | float | str):
        number, own = number_and_unit(value) if isinstance(value, str) else (float(value), "")
        value = registry().Quantity(number, parse_unit(own or unit or "-"))
    if unit is None:
        return value
    wanted = parse_unit(unit)
    if value.dimensionality != wanted.dimensionality:
        raise UnitError(f"{value:~} is not a quantity in {unit}")
    turned = turn_factor(rotation(value.units), rotation(wanted))
    if turned is None:
        raise UnitError(f"{value:~} is not a quantity in {unit}: {CYCLES_AND_ANGLES}")
    found: pint.Quantity[Any] = value.to(wanted) * turned
    return found


def spell_degrees(text: str, unit: str) -> str:
    """A quantity or unit as text, with C and F at its end as degrees if `unit` is one of temperature.

    Example:
        >>> spell_degrees("400 C", "K"), spell_degrees("400 C", "C")
        ('400 degC', '400 C')
    """
    found = _COULOMB_OR_FARAD.fullmatch(text)
    return f"{found['number']}deg{found['unit']}" if found and same_dimension(unit, "K") else text


def number_in(value: pint.Quantity[Any], unit: str, difference: bool = False) -> float:
    """The number of a quantity in a unit; as a `difference`, whatever the zeros of both. Raises UnitError."""
    number = float(quantity(value, unit).magnitude)
    return number - number_in(registry().Quantity(0.0, value.units), unit) if difference else number


def converted(value: float, unit: str, wanted: str, difference: bool = False) -> float:
    """A number in one unit as a number in another; as a `difference`, whatever their zeros. Raises UnitError.

    Example:
        >>> converted(36.0, "km/h", "m/s"), converted(20.0, "degC", "K"), converted(20.0, "degC", "K", True)
        (10.0, 293.15, 20.0)
    """
    zero, one = _ends(unit, wanted)
    if difference or not zero:
        return value * (one - zero)
    return float(quantity(quantity(value, unit), wanted).magnitude)


@cache
def _ends(unit: str, wanted: str) -> tuple[float, float]:
    """What 0 and 1 of a unit are in another."""
    zero, one = (float(quantity(quantity(value, unit), wanted).magnitude) for value in (0.0, 1.0))
    return zero, one


@cache
def same_dimension(first: str, second: str) -> bool:
    """Whether a quantity in one unit can be converted to the other."""
    one, other = parse_unit(first), parse_unit(second)
    fits = turn_factor(rotation(one), rotation(other)) is not None
    return bool(one.dimensionality == other.dimensionality) and fits


class Rotation(NamedTuple):
    """What a unit counts: "turns", "cycles", "angles" or "none", and to which power."""

    counts: str
    power: float = 0.0


@cache
def rotation(unit: pint.Unit) -> Rotation:
    """What a unit counts of a rotation: turns (rpm), cycles (Hz), angles (rad/s) or nothing (1/s).

    In a product such as N·m·rpm, or a constant such as V/rpm, the speed of rotation is an angular velocity.
    What is given per turn, such as m³/rev, counts turns.
    """
    known = registry()
    powers = {"turns": 0.0, "cycles": 0.0, "angles": 0.0}
    of_time_only = set(unit.dimensionality) <= {"[time]"}
    for name, exponent in known.Quantity(1.0, unit).unit_items():
        power = float(str(exponent))
        base = known.parse_unit_name(name)[0][1]
        roots = dict(known.Quantity(1.0, known.get_root_units(base)[1]).unit_items())
        if base in _CYCLES:
            powers["cycles"] += power
        elif base in _TURNS and (of_time_only or (base == "turn" and power < 0)):
            powers["turns"] += power
        elif roots.get("radian") == 1:  # a steradian has two
            powers["angles"] += power
    return next((Rotation(counts, power) for counts, power in powers.items() if power), Rotation("none"))


def turn_factor(have: Rotation, wanted: Rotation) -> float | None:
    """The factor between two units of one dimension, in addition to pint's, which counts a turn as 2π.

    Turns are angles of 2π where angles are wanted, and are counted otherwise: 60 rpm are 2π rad/s, 1 Hz and
    1/s. None for cycles against angles: 1 Hz is neither 1 rad/s nor 2π rad/s without saying which is meant.
    """
    if {have.counts, wanted.counts} == {"cycles", "angles"}:
        return None
    if have.counts == "turns" and wanted.counts in ("cycles", "none"):
        return float(math.tau**-have.power)
    if wanted.counts == "turns" and have.counts in ("cycles", "none"):
        return float(math.tau**wanted.power)
    return 1.0


def number_and_unit(text: str) -> tuple[float, str]:
    """The number of a text and the unit as it is written behind it, "" for none. Raises UnitError.

    Example:
        >>> number_and_unit("1.2×10^5 Pa")
        (120000.0, 'Pa')
    """
    found = _NUMBER.match(text)
    if not found:
        raise UnitError(f"{text!r} is not a number with a unit, such as '6800 m/s'")
    number = float(found["mantissa"].replace(",", "").replace("−", "-"))
    if found["power"]:
        number *= 10.0 ** int(found["power"].translate(_SUPERSCRIPTS).replace("−", "-"))
    unit = found["unit"].strip()
    parse_unit(unit)
    return number, unit


def _check_names(spelled: str) -> None:
    """Raise ValueError for a word that pint reads with a prefix, or as a constant, that nobody means."""
    for word in _NAME.findall(spelled):
        for prefix, unit, _ in registry().parse_unit_name(word)[:1]:
            if prefix and unit not in EVERY_PREFIX and (prefix, unit) not in TAKES_PREFIX:
                raise ValueError(f"{word} is not {prefix}{unit}")
            if unit in _constants():
                raise ValueError(f"{word} is not the {unit}")


def _plain(text: str) -> str:
    """`text` without LaTeX, outer brackets and signs that only look different."""
    if any(mark in text for mark in "\\{$"):
        text = rendered(re.sub(r"\\mu\s*", "u", text).replace(r"\Omega", "ohm").replace("~", " "))
    return text.strip().strip("[]").strip().translate(_SYMBOLS)


def _in_syntax_of_pint(text: str) -> str:
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    text = _WORDS.sub(lambda word: SPELLINGS[word[0]], text)
    text = re.sub(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda power: "**" + power[0].translate(_SUPERSCRIPTS), text)
    text = text.replace("^", "**").replace("{", "").replace("}", "")
    text = re.sub(r"(?<=[WJ]/)m(\d?)K\b", lambda found: f"(m**{found[1] or 1}*K)", text)
    text = re.sub(r"(?<![A-Za-z\d.])([A-Za-z]+)(-?\d+)(?![\d.]*H)", r"\1**\2", text)  # m3, s-1
    text = re.sub(r"(\*\*\(?-?\d+(?:\.\d+)?\)?)\s*(?=[A-Za-z])", r"\1·", text)  # m2K, m²K
    text = re.sub(
        r"(?<=[A-Za-z)\d])(?:\s*[·⋅×•]\s*|\s+(?=[A-Za-z(])|-(?=[A-Za-z])|\.(?=[A-Za-z]))", "·", text
    )
    # Each run of typeset products after a solidus goes in brackets; then pint's operator serves.
    term = r"(?:\([^()]*\)|[A-Za-z_%][\w%]*)(?:\*\*\(?-?\d+(?:\.\d+)?\)?)?"
    return re.sub(rf"/\s*({term}(?:·{term})+)", r"/(\1)", text).replace("·", "*")


def _hint(spelled: str) -> str:
    known = registry()
    for word in _NAME.findall(spelled):
        try:
            _check_names(word)
            unknown = word not in known
        except ValueError:
            unknown = True
        if unknown:
            return f": unknown {word!r}{nearest(word, _COMMON.split())}"
    return ""
