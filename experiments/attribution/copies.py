"""Whether a number is a copy of a result: rounded or in another unit, or with a slip of digits or sign."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ansatz.experiments.attribution.mentions import (
    CERTAIN_DIGITS,
    EQUAL,
    FEWEST_DIGITS,
    Mention,
    is_converted,
    is_same_number,
)

_UNMISTAKABLE_DIGITS = 6  # one slip in so many is no other value, whatever its name
_NEAR = 0.005  # relative: the value of another table is often as close


def are_rewritten(shown: Sequence[Mention], values: Sequence[Mention]) -> bool:
    """Whether a number has fewer digits, or another unit, than the value that it is nearest to."""
    nearest = ((each, min(values, key=lambda value: _distance(each, value))) for each in shown)
    return any(_is_rewritten(each, value) for each, value in nearest)


def _distance(shown: Mention, value: Mention) -> float:
    """Return the distance of a number from a value in powers of ten."""
    if not shown.value or not value.value:
        return math.inf
    return abs(math.log10(abs(shown.value / value.value)))


def _is_rewritten(shown: Mention, result: Mention) -> bool:
    if abs(abs(shown.value) - abs(result.value)) <= EQUAL * abs(result.value):
        return False
    have, got = shown.scale, result.scale
    has_other_unit = have is not None and got is not None and have.factor != got.factor
    lengths = [len(_significant_digits(each.value, each.digits)) for each in (shown, result)]
    return has_other_unit or lengths[0] < lengths[1]


def is_in_both_units(shown: Mention, result: Mention) -> bool:
    """Whether a number shows a result in another unit, where both state theirs."""
    return shown.scale is not None and result.scale is not None and is_converted(shown, result)


def is_repeated(value: Mention, earlier: Sequence[Mention]) -> bool:
    """Whether a short number was there before: as a decimal fraction, or with its unit or name."""
    same = (each for each in earlier if each.value == value.value)
    is_fraction = value.value % 1 != 0
    return any(
        is_fraction or (value.unit and value.unit == each.unit) or (value.name and value.name == each.name)
        for each in same
    )


def is_garbled(shown: Mention, result: Mention) -> bool:
    """Whether a number is a result with a slip: the point moved, or one digit wrong, lost, added or swapped.

    Chance makes such pairs, too. So both need the same name, or units of the same dimension; of a result with
    neither, more digits have to agree.
    """
    digits = min(shown.digits, result.digits)
    is_bare = not (result.unit or result.name)
    stated, got = (_significant_digits(each.value, each.digits) for each in (shown, result))
    rounded = _significant_digits(result.value, digits)
    is_long = digits >= _UNMISTAKABLE_DIGITS
    if digits < CERTAIN_DIGITS or not (is_bare or is_long or _are_of_a_kind(shown, result)):
        return len(stated) >= CERTAIN_DIGITS and stated == rounded and not result.unit
    if stated == rounded:
        return True  # the point has moved, or the unit is another
    if digits < CERTAIN_DIGITS + is_bare or not 0.05 < _ratio(shown, result) < 20:
        return False
    return _is_slip(stated, rounded) or _is_slip(stated, got)


def is_like(shown: Mention, result: Mention) -> bool:
    """Whether a number of the same kind is close to a result, or the same but for two swapped digits."""
    if min(shown.digits, result.digits) < FEWEST_DIGITS or not _are_of_a_kind(shown, result):
        return False
    stated = _significant_digits(shown.value, shown.digits)
    rounded = _significant_digits(result.value, shown.digits)
    is_swapped = stated != rounded and sorted(stated) == sorted(rounded) and _is_slip(stated, rounded)
    return is_swapped or abs(_ratio(shown, result) - 1) <= _NEAR


def _are_of_a_kind(shown: Mention, result: Mention) -> bool:
    have, got = shown.scale, result.scale
    if have and got and have.dimension != got.dimension:
        return False
    if have and got and any(have.dimension):
        return True
    return bool(shown.name) and shown.name in (result.name, result.base)


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


def is_wrong_copy(shown: Sequence[Mention], values: Sequence[Mention]) -> bool:
    """Whether a value appears with another unit, sign or name than in the result, and never correctly.

    A number without a unit and a name shows neither.
    """
    for value in values:
        found = [_is_consistent(each, values) for each in shown if is_same_number(each, value.value)]
        if False in found and True not in found:
            return True
    return False


def _is_consistent(shown: Mention, values: Sequence[Mention]) -> bool | None:
    same = [each for each in values if is_same_number(shown, each.value)]
    has_name = [each for each in values if shown.name and each.name == shown.name]
    if has_name and not any(each in same for each in has_name):
        return False  # the result has another value of this name
    verdicts = []
    for each in same:
        if shown.is_raised and each.value < 0:
            verdicts.append(False)
        have, got = shown.scale, each.scale
        if have and got and have.dimension == got.dimension and (have != got or shown.value * each.value > 0):
            verdicts.append(have == got)
        if shown.name and shown.name == each.name and shown.value * each.value < 0:
            verdicts.append(False)
    return all(verdicts) if verdicts else None
