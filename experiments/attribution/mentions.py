"""The numbers of a text with their places and units, and whether two of them are one value.

`find_mentions` is a plain scan: a run has millions of numbers, and the parser of `ansatz.quantities` takes 20
times as long for one. Units are read by that parser, but only for the numbers that need one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_unit
from ansatz.quantities.scales import UnitScale, find_scale
from ansatz.quantities.terms import normalize_symbol

FEWEST_DIGITS = 3
"""A number with fewer significant digits equals another one too often by chance."""
CERTAIN_DIGITS = 4
"""A number with as many is hardly ever equal to another one by chance."""
_NUMBER = re.compile(
    r"(?<![\w.^])(?<![A-Za-z]-)(?P<sign>[-+−])?(?P<mantissa>"
    r"\d{1,3}(?:(?:,|\{,\}|\\,|[\u00a0\u2009\u202f'])\d{3})+(?!\d)(?:\.\d+)?"
    r"|(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?![\d.]| \d)|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE](?P<letter>[-+]?\d{1,3})(?![\w.])"
    r"|\s?(?:[*x×·]|\\times|\\cdot)\s?10\s?\^?\{?(?P<power>[-+−⁻]?[\d⁰¹²³⁴-⁹]{1,3})\}?)?"
)
_DECIMAL_COMMA = re.compile(
    r"(?<![\w.,(\[])(?:\d+,\d{1,2}|\d{1,3},\d{4,}|0,\d+)(?![\d\])]|[.,]\d)"  # no thousands, no list
)
_ANY_COMMA = re.compile(r"(?<=\d),(?=\d)")
_TIME = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|(?<![\d:])\d\d:\d\d:\d\d")
_POINT = re.compile(r"\d\.\d")
_ABOUT = re.compile(
    r"(?:[≈~∼≃]|\\(?:approx|simeq|sim)|\b(?:about|approximately|approx\.|roughly|around|nearly|almost|ca\.))"
    r"[\s*$]*$",
    re.IGNORECASE,
)
_OUTCOME = re.compile(r"\d[^=≈→\n;]*?[-+−*/·×^][^=≈→\n;]*[=≈→][\s*$]*[-+−]?$|\d\)[^=≈→\n;]*[=≈→][\s*$]*$")
_SEPARATORS = re.compile(r"[^\d.]")
_ASCII = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_NAME = re.compile(r"(?P<name>[^\W\d][\w.]*(?:_?\{\w+\})?)['\"]?\s*(?:=|:|≈|&=|&)\s*['\"$]?\s*$")
_BEFORE, _AFTER = 40, 32  # characters around a number that can hold its name and its unit
_LINE = 120  # characters before a number that can hold the expression that it comes from
_UNIT_ENDS = re.compile(r"[\n;=]|\$\$?(?!\\)")
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
_LARGEST_POWER = 12  # mm⁴ to m⁴
_CONVERSION_SLACK = 4e-4  # relative: 273 for 273.15, 4.186 for 4.1868
_ROUGHLY = 0.005  # relative: about 20,000 for 19,973
EQUAL = 1e-9
"""Relative rounding of floats."""
_CELSIUS = UnitScale(1.0, 273.15, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))


class Mention(NamedTuple):
    """A number in a text."""

    value: float
    digits: int
    """Significant digits, without the trailing zeros of an integer."""
    step: float
    """One unit in the last significant place."""
    start: int
    end: int
    text: str
    """The text that it is in."""

    @property
    def written(self) -> str:
        """The number as it is written."""
        return self.text[self.start : self.end]

    @property
    def unit(self) -> str:
        """The unit after it; "" without one."""
        return _read_unit_after(self.text[self.end : self.end + _AFTER])

    @property
    def scale(self) -> UnitScale | None:
        """The scale of its unit; None without a unit."""
        return _read_scale_at(self.text, self.end)

    @property
    def base(self) -> str:
        """Its name up to the first underscore: `a` of `a_km`."""
        name = _read_name_before(self.text[max(0, self.start - _BEFORE) : self.start])
        return normalize_name(name.partition("_")[0])

    @property
    def name(self) -> str:
        """The symbol that it is assigned to, as letters and digits; "" without one."""
        return normalize_name(_read_name_before(self.text[max(0, self.start - _BEFORE) : self.start]))

    @property
    def is_raised(self) -> bool:
        """Whether it has an explicit plus that is no operator."""
        return self.text[self.start] == "+" and not self.text[: self.start].rstrip()[-1:].isdigit()


@lru_cache(maxsize=1024)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return the numbers of a text in order, without digits that are part of a word, an exponent or a date.

    A text without a decimal point in which a comma cannot separate thousands has decimal commas.
    """
    found = []
    has_commas = "," in text and not _POINT.search(text) and _DECIMAL_COMMA.search(text)
    plain = _ANY_COMMA.sub(".", text) if has_commas else text
    if "-" in text or ":" in text:
        plain = _TIME.sub(lambda found: " " * len(found[0]), plain)
    for match in _NUMBER.finditer(plain):
        sign, mantissa, letter, power = match.groups()
        mantissa = _SEPARATORS.sub("", mantissa)
        exponent = int(letter or (power or "0").translate(_ASCII))
        whole, point, fraction = mantissa.partition(".")
        digits = len((whole + fraction).lstrip("0") if point else whole.strip("0")) or 1
        last = exponent - len(fraction) if point else exponent + len(whole) - len(whole.rstrip("0"))
        if digits < FEWEST_DIGITS <= len(whole) and not point:  # 300 K is more often exact than rounded
            digits, last = len(whole), exponent
        value = float(f"{mantissa}e{exponent}")
        if math.isfinite(value):
            signed = -value if sign in ("-", "−") else value
            found.append(Mention(signed, digits, 10.0**last, match.start(), match.end(), text))
    return tuple(found)


@lru_cache(maxsize=8192)
def normalize_name(symbol: str) -> str:
    """Reduce a symbol to letters and digits, so that ρ₁, rho_1 and rho_{1} are equal."""
    return normalize_symbol(symbol if symbol.isascii() else to_plain_text(symbol))


@lru_cache(maxsize=8192)
def _read_name_before(text: str) -> str:
    found = _NAME.search(text)
    return found["name"] if found else ""


@lru_cache(maxsize=8192)  # a text is hashed once, and a slice of it each time
def _read_scale_at(text: str, end: int) -> UnitScale | None:
    return _read_scale_after(text[end : end + _AFTER])


@lru_cache(maxsize=8192)
def _read_scale_after(text: str) -> UnitScale | None:
    unit = _read_unit_after(text)
    return find_scale(unit) if unit else None


@lru_cache(maxsize=8192)
def _read_unit_after(text: str) -> str:
    text = _UNIT_ENDS.split(text, maxsplit=1)[0]
    plain = to_plain_text(f"1{text}")[1:] if "\\" in text or not text.isascii() else text
    return read_unit(plain)[0]


def is_same_number(shown: Mention, value: float) -> bool:
    """Whether a number shows a value as it is, rounded, or cut off after the last digit."""
    return abs(abs(shown.value) - abs(value)) <= _find_slack(shown) + EQUAL * abs(value)


def is_near(shown: Mention, sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Compute which absolute values a number shows."""
    near: NDArray[np.bool_] = np.abs(sizes - abs(shown.value)) <= _find_slack(shown) + EQUAL * sizes
    return near


def is_one_of(shown: Mention, values: Iterable[Mention]) -> bool:
    """Whether a number shows one of several values."""
    size, slack = abs(shown.value), _find_slack(shown)
    return any(abs(size - abs(each.value)) <= slack + EQUAL * abs(each.value) for each in values)


def _find_slack(shown: Mention) -> float:
    if shown.digits < FEWEST_DIGITS:
        return 0.0
    return shown.step * (0.5 if shown.digits < CERTAIN_DIGITS else 0.999)


def is_rounding(shown: Mention, result: Mention) -> bool:
    """Whether a number of two digits, or one marked as rounded, shows a longer result or its conversion."""
    if shown.digits != FEWEST_DIGITS - 1:
        is_near = abs(shown.value - result.value) <= _ROUGHLY * abs(result.value)
        return shown.digits >= FEWEST_DIGITS and is_near and is_approximate(shown)
    is_same = abs(abs(shown.value) - abs(result.value)) <= 0.5 * shown.step
    return is_same or is_converted(shown, result, fewest=shown.digits)


def is_approximate(shown: Mention) -> bool:
    """Whether a sign or a word before a number marks it as rounded."""
    return _ends_in_about(shown.text[max(0, shown.start - _BEFORE) : shown.start])


@lru_cache(maxsize=8192)
def _ends_in_about(text: str) -> bool:
    return _ABOUT.search(text) is not None


def is_outcome(shown: Mention) -> bool:
    """Whether a number is what a numeric expression before it comes to."""
    before = shown.text[max(0, shown.start - _LINE) : shown.start]
    return _OUTCOME.search(before.rpartition("\n")[2]) is not None


def is_converted(shown: Mention, result: Mention, fewest: int = FEWEST_DIGITS) -> bool:
    """Whether a number shows a result in another unit. A number without a unit may be in SI units.

    Prefixes count for numbers of which one has no unit: 6123.4 from a program is 6.1234 kPa.
    """
    if shown.digits < fewest:
        return False
    have, got = shown.scale, result.scale
    if have and got:
        return have.dimension == got.dimension and have != got and _agree(shown, result, have, got)
    if have:
        in_si = UnitScale(1.0, 0.0, have.dimension)
        bare = (in_si, *([_CELSIUS] if have.dimension == _CELSIUS.dimension else ()))
        return any(_agree(shown, result, have, each) for each in bare) or _has_prefix(shown, result)
    if got:
        return _agree(shown, result, UnitScale(1.0, 0.0, got.dimension), got) or _has_prefix(shown, result)
    return shown.digits >= CERTAIN_DIGITS and _has_prefix(shown, result)


def _agree(shown: Mention, result: Mention, have: UnitScale, got: UnitScale) -> bool:
    stated = shown.value * have.factor + have.offset
    wanted = result.value * got.factor + got.offset
    slack = shown.step * 0.5 * have.factor + _CONVERSION_SLACK * abs(wanted)
    return wanted != 0 and abs(abs(stated) - abs(wanted)) <= slack


def _has_prefix(shown: Mention, result: Mention) -> bool:
    """Whether numbers differ by a prefix, or by any power of ten that only the unit of the first explains."""
    if any(is_same_number(shown, result.value * factor) for factor in _PREFIXES):
        return True
    if result.scale is not None or shown.digits < CERTAIN_DIGITS or not shown.value or not result.value:
        return False
    power = round(math.log10(abs(shown.value / result.value)))
    has_power = abs(power) > 1 and ("10" in shown.written or "e" in shown.written.lower())
    is_explained = has_power or shown.scale is not None
    return is_explained and abs(power) <= _LARGEST_POWER and is_same_number(shown, result.value * 10.0**power)


def is_known(result: Mention, earlier: Iterable[Mention]) -> bool:
    """Whether a result was already in earlier texts, about as precisely."""
    wanted, value, size = min(result.digits, CERTAIN_DIGITS), result.value, abs(result.value)
    slack, equal = _find_slack(result), EQUAL * size
    return any(
        each.value == value
        or (each.digits >= wanted and abs(abs(each.value) - size) <= max(slack, _find_slack(each)) + equal)
        for each in earlier
    )
