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

from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_unit
from ansatz.quantities.scales import UnitScale, find_scale
from ansatz.quantities.terms import normalize_symbol

FEWEST_DIGITS = 3
"""A number with fewer significant digits equals another one too often by chance."""
_CERTAIN_DIGITS = 4
_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+−])?(?P<mantissa>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE](?P<letter>[-+]?\d{1,3})(?![\w.])"
    r"|\s?(?:[*x×·]|\\times|\\cdot)\s?10\s?\^?\{?(?P<power>[-+−⁻]?[\d⁰¹²³⁴-⁹]{1,3})\}?)?"
)
_ASCII = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_NAME = re.compile(r"(?P<name>[^\W\d][\w.]*(?:_?\{\w+\})?)['\"]?\s*(?:=|:|≈|&=|&)\s*['\"$]?\s*$")
_BEFORE, _AFTER = 40, 32  # characters around a number that can hold its name and its unit
_UNIT_ENDS = re.compile(r"[\n;=]|\$\$?(?!\\)")
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
_NEAR = 0.005  # relative: the value of another table is often as close
_CONVERSION_SLACK = 4e-4  # relative: 273 for 273.15, 4.186 for 4.1868
_EQUAL = 1e-9  # relative rounding of floats
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
    def unit(self) -> str:
        """The unit after it; "" without one."""
        return _read_unit_after(_UNIT_ENDS.split(self.text[self.end : self.end + _AFTER], maxsplit=1)[0])

    @property
    def scale(self) -> UnitScale | None:
        """The scale of its unit; None without a unit."""
        unit = self.unit
        return find_scale(unit) if unit else None

    @property
    def name(self) -> str:
        """The symbol that it is assigned to, as letters and digits; "" without one."""
        found = _NAME.search(self.text[max(0, self.start - _BEFORE) : self.start])
        return normalize_symbol(found["name"]) if found else ""


@lru_cache(maxsize=1024)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return the numbers of a text in order, without digits that are part of a word."""
    found = []
    for match in _NUMBER.finditer(text):
        sign, mantissa, letter, power = match.groups()
        mantissa = mantissa.replace(",", "")
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
def _read_unit_after(text: str) -> str:
    plain = to_plain_text(f"1{text}")[1:] if "\\" in text or not text.isascii() else text
    return read_unit(plain)[0]


def is_same_number(shown: Mention, value: float) -> bool:
    """Whether a number shows a value as it is, rounded, or cut off after the last digit."""
    if shown.value == value:
        return True
    slack = shown.step * (0.5 if shown.digits < _CERTAIN_DIGITS else 0.999)
    if shown.digits < FEWEST_DIGITS:
        slack = 0.0
    return abs(abs(shown.value) - abs(value)) <= slack + _EQUAL * abs(value)


def is_converted(shown: Mention, result: Mention) -> bool:
    """Whether a number shows a result in another unit. A number without a unit may be in SI units.

    Prefixes count for numbers of which one has no unit: 6123.4 from a program is 6.1234 kPa.
    """
    have, got = shown.scale, result.scale
    if shown.digits < FEWEST_DIGITS:
        return False
    if have and got:
        return have.dimension == got.dimension and have != got and _agree(shown, result, have, got)
    if have:
        in_si = UnitScale(1.0, 0.0, have.dimension)
        bare = (in_si, *([_CELSIUS] if have.dimension == _CELSIUS.dimension else ()))
        return any(_agree(shown, result, have, each) for each in bare) or _has_prefix(shown, result)
    if got:
        return _agree(shown, result, UnitScale(1.0, 0.0, got.dimension), got) or _has_prefix(shown, result)
    return shown.digits >= _CERTAIN_DIGITS and _has_prefix(shown, result)


def _agree(shown: Mention, result: Mention, have: UnitScale, got: UnitScale) -> bool:
    stated = shown.value * have.factor + have.offset
    wanted = result.value * got.factor + got.offset
    slack = shown.step * 0.5 * have.factor + _CONVERSION_SLACK * abs(wanted)
    return wanted != 0 and abs(abs(stated) - abs(wanted)) <= slack


def _has_prefix(shown: Mention, result: Mention) -> bool:
    return any(is_same_number(shown, result.value * factor) for factor in _PREFIXES)


def is_known(result: Mention, earlier: Iterable[Mention]) -> bool:
    """Whether a result was already in earlier texts, about as precisely."""
    wanted = min(result.digits, _CERTAIN_DIGITS)
    return any(
        each.digits >= wanted and (is_same_number(each, result.value) or is_same_number(result, each.value))
        for each in earlier
    )


def is_garbled(shown: Mention, result: Mention) -> bool:
    """Whether a number is a result with a slip: the point moved, or one digit wrong, lost, added or swapped.

    Chance makes such pairs, too. So both need the same name, or units of the same dimension; of a result with
    neither, more digits have to agree.
    """
    digits = min(shown.digits, result.digits)
    is_bare = not (result.unit or result.name)
    if digits < _CERTAIN_DIGITS or not (is_bare or _are_of_a_kind(shown, result)):
        return False
    told, got = (_significant_digits(each.value, each.digits) for each in (shown, result))
    rounded = _significant_digits(result.value, min(shown.digits, result.digits))
    if told == rounded:
        return True  # the point has moved, or the unit is another
    if digits < _CERTAIN_DIGITS + is_bare or not 0.05 < _ratio(shown, result) < 20:
        return False
    return _is_slip(told, rounded) or _is_slip(told, got)


def is_like(shown: Mention, result: Mention) -> bool:
    """Whether a number of the same kind is close to a result, or the same but for two swapped digits."""
    if min(shown.digits, result.digits) < FEWEST_DIGITS or not _are_of_a_kind(shown, result):
        return False
    told = _significant_digits(shown.value, shown.digits)
    rounded = _significant_digits(result.value, shown.digits)
    is_swapped = told != rounded and sorted(told) == sorted(rounded) and _is_slip(told, rounded)
    return is_swapped or abs(_ratio(shown, result) - 1) <= _NEAR


def _are_of_a_kind(shown: Mention, result: Mention) -> bool:
    have, got = shown.scale, result.scale
    if have and got and have.dimension != got.dimension:
        return False
    if have and got and any(have.dimension):
        return True
    return bool(shown.name) and shown.name == result.name


def _ratio(shown: Mention, result: Mention) -> float:
    """Return the ratio of two numbers, in SI units if both have units; 0 if the result is zero."""
    have, got = shown.scale, result.scale
    factor = have.factor / got.factor if have and got else 1.0
    return abs(shown.value * factor / result.value) if result.value else 0.0


def _significant_digits(value: float, digits: int) -> str:
    return f"{abs(value):.{digits - 1}e}".partition("e")[0].replace(".", "").rstrip("0")


def _is_slip(first: str, second: str) -> bool:
    """Whether texts differ by one character that is replaced, added or lost, or by two that are swapped."""
    differing = [at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b]
    if not differing:
        return abs(len(first) - len(second)) == 1
    if len(first) == len(second):
        i, j = differing[0], differing[-1]
        return i == j or (len(differing) == 2 and first[i] == second[j] and first[j] == second[i])
    a, b = first[differing[0] :], second[differing[0] :]
    return a == b[1:] or a[1:] == b
