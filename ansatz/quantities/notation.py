"""Read numbers and units from plain text (see `markup.to_plain_text`)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ansatz.errors import UnitError
from ansatz.quantities.unit_registry import DEFINITIONS, GAUGES
from ansatz.quantities.units import IN_TEXT, SPELLINGS, parse_unit

# A comma is decimal only where it cannot separate thousands: 1.292,49 and 0,649 and 3,14, but not 3,399.
_GERMAN = r"(?:\d{1,3}(?:[. ]\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|0,\d+)"
MANTISSA = (
    rf"(?:{_GERMAN}(?![\d,])|\d{{1,3}}(?:,\d{{3}})+(?:\.\d*)?(?!\d)|\d{{1,3}}(?:['_]\d{{3}})+(?:\.\d*)?(?!\d)"
    r"|\d{1,3}(?: \d{3})+(?:\.\d*)?(?![\d.])|\d+\.?\d*|\.\d+)"
)
_END = r"(?!\d|\.\d)"
_TEN = (
    r" ?(?:\*|[xX](?= ?10)) ?10 ?(?:\^|\*\*) ?"
    rf"(?:\((?P<group>[+-]?\d{{1,4}})\)|(?P<caret>[+-]?\d{{1,4}}){_END})"
)
_LETTER = rf"[eE](?P<letter>[+-]?\d{{1,4}}){_END}"
NUMBER = re.compile(rf"[+-]? ?(?P<mantissa>{MANTISSA})(?:{_LETTER}|{_TEN})?")
_BARE = re.compile(rf"([+-]? ?)10(?:\^|\*\*)(?:\(([+-]?\d{{1,4}})\)|([+-]?\d{{1,4}}){_END})")
_LARGE = re.compile(r" (?:(?P<thousand>thousand)|(?P<million>million)|(?P<billion>billion))\b")
_POWERS = {"thousand": 3, "million": 6, "billion": 9}
_UNCERTAINTY = re.compile(r" ?(?:±|\+/-) ?[\d.,]{1,20}(?:[eE][+-]?\d{1,3})?")

_DEFINED = "|".join(name for line in DEFINITIONS for name in line.split(" = ")[2:] if name != "%")
_GAUGED = (
    rf"(?:{'|'.join(GAUGES)})(?:[ag]| ?\([agAG]\)| g\b| \(?(?:gauge|abs(?:olute)?)\b\)?|\((?:gauge|abs)\))"
)
_WORD = rf"(?:kilo|mega|giga|milli|micro|centi|nano)?(?i:(?:{'|'.join(IN_TEXT['words'].split())})s?)"
_SYMBOL = "|".join(IN_TEXT["symbols"].split())
# Every spelling that `parse_unit` reads, except R, which is a symbol in text.
_SPELT = "|".join(re.escape(word) for word in sorted({*SPELLINGS} - {"R"}, key=len, reverse=True))
_PREFIXED = rf"(?:da|mu ?|[fpnumcdhkMGTP]|K(?=W|J|Pa))?(?:{'|'.join(IN_TEXT['prefixed'].split())})"
_SPELLED_WHOLE = re.compile(_WORD)
_FACTOR = re.compile(
    r"(?P<area>square |cubic )?"
    rf"(?P<name>(?:{_GAUGED}|{_SPELT}|{_DEFINED}|{_WORD}|{_SYMBOL}|{_PREFIXED})(?![A-Za-z_]))"
    rf"(?P<power>(?:\^|\*\*)(?:\([+-]?[\d.]{{1,5}}(?:/\d{{1,2}})?\)|[+-]?\d(?:\.\d+)?)|[+-]?\d{_END})?"
)
_AREA = {"": "", "square ": "^2", "cubic ": "^3"}
_OPERATORS = (
    (re.compile(r"(?=\([A-Za-z]{1,4}/[A-Za-z]{1,4}\)\^)"), "·"),  # N(m/kg)^2 is a product
    (re.compile(r" ?\*(?!\*) ?"), "·"),
    (re.compile(r" ?/ ?| per "), "/"),
    (
        re.compile(
            r"-(?=[A-Za-z°])|\.(?=[Km]\b)|(?<=m\^\d)(?=(?:s|K|sr)(?![A-Za-z]))|(?<=m\d)(?=K(?![A-Za-z]))"
            r"|(?<=\^-\d)(?=[A-Za-z])"
            r"|(?<=[a-z])(?=°C)"
        ),
        "·",
    ),
    (re.compile(r" {1,3}"), " "),
)
_JOINS_BY_SPACE = re.compile(
    r"(?:k?g|k?mol|K|°C|m|s|s?r|rad|torr|lbf|atm|L|J)(?![A-Za-z])|[A-Za-z]+(?:\^|\(?-)"
    r"|(?:met(?:er|re)|second|hour)s(?![A-Za-z])"
)
_ONE_OVER = re.compile(r"1(?= ?/ ?[A-Za-z(])")
# What follows a unit without a space and may belong to its denominator: kg/d, W/m2°C, Btu/lb*R.
_GLUED = re.compile(r"(?:[A-Za-z°/*.^-]|(?<=[A-Za-z^])-?\d|\((?=[A-Za-z])[^()]{0,40}\))+")
_CLOSE = re.compile(r" ?\)(?P<power>\^\(?[+-]?\d{1,3}\)?)?")
# A level in decibels is a pure number; pint would turn it back into the ratio.
_NONE = re.compile(
    r"\(?(?:dimensionless|unitless|[Nn]o units?|non-dimensional|(?:dB|decibels?)(?![A-Za-z/])"
    r"|-(?= *(?:[.,;|)]|$)))\)?"
)
_TO_ONE = re.compile(r":1(?!\d|[.,:/]\d)")
_STARTS = re.compile(r"(?<![\w.])\.?\d")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+)(?![\d,]|\.\d)")
_DOUBTFUL_COMMA = re.compile(r"(?<=[1-9]),(?=\d{3}(?![\d,]|\.\d))|(?<=[1-9]\d),(?=\d{3}(?![\d,]|\.\d))")
_NO_DECIMAL_COMMA = re.compile(r"\d\.\d|\d,\d{3},\d{3}(?!\d)")
_MOST_NUMBERS = 2000
_LONGEST, _DEEPEST = 24, 4  # operators and nested brackets in one unit


@dataclass(frozen=True)
class Number:
    """A number in a text."""

    value: float
    digits: int
    """Significant digits, without the trailing zeros of an integer."""
    end: int
    """The offset of its end in the text."""


def read_number(text: str, at: int = 0) -> Number | None:
    """Read the number that starts at `at`: 1,234.5  1 234.5  .5  3.4e5  3.4*10^5  3.4 x 10^-5  10^5  18:1."""
    found = NUMBER.match(text, at)
    if found is None:
        return None
    bare = _BARE.match(text, at)
    if bare:
        return Number(float(f"{bare[1].strip()}1e{bare[2] or bare[3]}"), 1, bare.end())
    mantissa = _normalize_decimal(found["mantissa"])
    sign = "-" if found.group().startswith("-") else ""
    large = _LARGE.match(text, found.end())
    power = _read_exponent(found) + (_POWERS[str(large.lastgroup)] if large else 0)
    value = float(f"{sign}{mantissa}e{power}")
    whole, point, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    digits = digits if point else digits.rstrip("0")
    to_one = _TO_ONE.match(text, found.end())
    end = large.end() if large else to_one.end() if to_one else found.end()
    return Number(value, max(len(digits), 1), end) if math.isfinite(value) else None


def resolve_decimal_commas(text: str) -> str:
    """Write a point for the comma of 3,250 in a text whose other numbers show that it writes decimal commas.

    A text shows it by a number such as 20,5. A decimal point, or a comma between groups of thousands,
    contradicts it. The text then stays as it is, and so does one without such numbers.

    Example: `resolve_decimal_commas("3,250 bar at 20,5 degC")` is "3.250 bar at 20,5 degC".
    """
    return _DOUBTFUL_COMMA.sub(".", text) if has_decimal_commas(text) else text


def has_decimal_commas(text: str) -> bool:
    """Whether a text writes decimal commas, as `resolve_decimal_commas` decides."""
    return bool(_DECIMAL_COMMA.search(text)) and not _NO_DECIMAL_COMMA.search(text)


def read_unit(text: str, at: int = 0) -> tuple[str, int]:
    """Read the unit that starts at `at`, after at most two spaces; return it and its end, or ("", at).

    Products are joined by "·", which binds tighter than "/": J/kg K is J/kg·K. A dimensionless unit is "-".
    """
    start = at
    while text[at : at + 1] == " " and at - start < 2:
        at += 1
    bracket = text[at : at + 1] == "["
    unit, end = _extend_denominator(text, at + bracket, *_read_product(text, at + bracket))
    if not unit:
        nothing = _NONE.match(text, at)
        return ("-", nothing.end()) if nothing else ("", start)
    return unit, end + (text[end : end + 1] == "]") * bracket


def _extend_denominator(text: str, at: int, unit: str, end: int) -> tuple[str, int]:
    """Extend a unit by the rest of its word if only the whole word is a unit of a quotient, such as Btu/lb*R.

    A symbol alone can be a variable: "3 kg*R" stays kg.
    """
    rest = _GLUED.match(text, end) if unit else None
    if rest is None or "/" not in text[at : rest.end()]:
        return unit, end
    word = text[at : rest.end()].rstrip(".-*/^").replace("*", "·")
    if at + len(word) <= end:
        return unit, end
    try:
        parse_unit(word)
    except UnitError:
        return unit, end
    return word, at + len(word)


def read_quantities(text: str) -> Iterator[tuple[Number, str]]:
    """Yield the numbers of a text, each with the unit after it ("" for none); at most 2000."""
    end = 0
    for found in islice(_STARTS.finditer(text), _MOST_NUMBERS):
        number = read_number(text, found.start()) if found.start() >= end else None
        if number is not None:
            unit, end = read_unit(text, number.end)
            yield number, unit


def read_whole_unit(text: str) -> str:
    """Read a text that is a unit and nothing else; "" for any other text."""
    unit, end = read_unit(text)
    return unit if end == len(text) else ""


def skip_uncertainty(text: str, at: int) -> int:
    """Return the offset after a ± term at `at`, or `at` if there is none."""
    found = _UNCERTAINTY.match(text, at)
    return found.end() if found else at


def _normalize_decimal(mantissa: str) -> str:
    if re.fullmatch(_GERMAN, mantissa):
        return re.sub("[. ]", "", mantissa).replace(",", ".")
    return re.sub("[,' _]", "", mantissa)


def _read_exponent(found: re.Match[str]) -> int:
    return int(found["letter"] or found["caret"] or found["group"] or 0)


def _read_product(text: str, at: int, depth: int = 0) -> tuple[str, int]:
    """Read terms joined by operators; return them and their end. A space joins only unambiguous units."""
    unit, end = ("1", at + 1) if _ONE_OVER.match(text, at) else _read_term(text, at, depth)
    for _ in range(_LONGEST if unit else 0):
        joints = (
            (found.end(), meaning) for pattern, meaning in _OPERATORS if (found := pattern.match(text, end))
        )
        following, operator = next(joints, (end, ""))
        term, ended = _read_term(text, following, depth) if operator else ("", end)
        if not term or (operator == " " and not _JOINS_BY_SPACE.match(term)):
            break
        unit += ("·" if operator == " " else operator) + term
        end = ended
    return (unit, end) if unit != "1" else ("", at)


def _read_term(text: str, at: int, depth: int) -> tuple[str, int]:
    factor = _FACTOR.match(text, at)
    if factor:
        name = _normalize_unit_name(factor["name"])
        power = factor["power"] or _AREA[factor["area"] or ""]
        return name + (power if power[:1] in ("", "^") else f"^{power.lstrip('*')}"), factor.end()
    if text[at : at + 1] != "(" or depth >= _DEEPEST:
        return "", at
    inside, end = _read_product(text, at + 1 + (text[at + 1 : at + 2] == " "), depth + 1)
    closed = _CLOSE.match(text, end)
    return (f"({inside}){closed['power'] or ''}", closed.end()) if inside and closed else ("", at)


def _normalize_unit_name(name: str) -> str:
    """Convert a unit name to its spelling in units.yaml."""
    name = re.sub("^K(?=W|J|Pa)", "k", re.sub("^mu ?", "u", name))
    name = re.sub(" ?Omega$", "ohm", name)
    name = name.lower() if _SPELLED_WHOLE.fullmatch(name) and name not in IN_TEXT["spelled"] else name
    return str(IN_TEXT["spelled"].get(name, name))
