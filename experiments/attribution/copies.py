"""Whether a number is a copy of a result: rounded or in another unit, or with a slip of digits or sign."""

from __future__ import annotations

from collections.abc import Sequence

from ansatz.experiments.attribution.mentions import (
    CERTAIN_DIGITS,
    EQUAL,
    FEWEST_DIGITS,
    Mention,
    is_converted,
    is_rounding,
    is_same_number,
)

_UNMISTAKABLE_DIGITS = 6  # a number with this many digits and one slip is the same value under any name
_NEAR = 0.005  # relative: the value of another table is often as close


def are_rewritten(shown: Sequence[Mention], values: Sequence[Mention]) -> bool:
    """Whether a number has fewer digits, or another unit, than the value that it shows."""
    origins = [(each, _find_origin(each, values)) for each in shown]
    return any(
        _is_rewritten(each, value) if value is not None else _is_garbled_in_another_unit(each, values)
        for each, value in origins
    )


def _is_garbled_in_another_unit(shown: Mention, values: Sequence[Mention]) -> bool:
    have = shown.scale
    others = [each for each in values if have and each.scale and each.scale.factor != have.factor]
    return any(is_garbled(shown, each) for each in others)


def _find_origin(shown: Mention, values: Sequence[Mention]) -> Mention | None:
    """Return the nearest value that a number equals, or else one that it is rounded or converted from."""
    same = [each for each in values if is_same_number(shown, each.value)]
    others = (each for each in values if is_converted(shown, each) or is_rounding(shown, each))
    nearest = min(same, key=lambda value: abs(abs(shown.value) - abs(value.value)), default=None)
    return nearest or next(others, None)


def _is_rewritten(shown: Mention, result: Mention) -> bool:
    if abs(abs(shown.value) - abs(result.value)) <= EQUAL * abs(result.value):
        return False
    if not is_same_number(shown, result.value):
        return True
    lengths = [len(_significant_digits(each.value, each.digits)) for each in (shown, result)]
    return lengths[0] < lengths[1]


def is_in_both_units(shown: Mention, result: Mention) -> bool:
    """Whether a number shows a result in another unit, where both state theirs."""
    return shown.scale is not None and result.scale is not None and is_converted(shown, result)


def is_in_one_unit(shown: Mention, result: Mention) -> bool:
    """Whether a number shows a result in another unit, where only one of them states its unit."""
    is_one = (shown.scale is None) != (result.scale is None)
    return is_one and not is_same_number(shown, result.value) and is_converted(shown, result)


def is_repeated(value: Mention, earlier: Sequence[Mention]) -> bool:
    """Whether a short number was there before: as a decimal fraction, or with its unit or name."""
    same = (each for each in earlier if each.value == value.value)
    is_fraction = value.value % 1 != 0
    return any(
        is_fraction or (value.unit and value.unit == each.unit) or (value.name and value.name == each.name)
        for each in same
    )


def is_garbled(shown: Mention, result: Mention) -> bool:
    """Whether a number is a result with a slip: the point moved, or digits wrong, lost, added or swapped.

    Chance makes such pairs, too. So both need the same name, or units of the same dimension; of a result with
    neither, more digits have to agree. Swapped digits are rarer by chance, so four of them are enough.
    """
    if is_swapped(shown, result):
        return True
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


def is_swapped(shown: Mention, result: Mention) -> bool:
    """Whether a number has the digits of a result in another order: two swapped, or of five or more any."""
    digits = min(shown.digits, result.digits)
    if digits < FEWEST_DIGITS or not 0.05 < _ratio(shown, result) < 20:
        return False
    have, got = shown.scale, result.scale
    if have and got and have.dimension != got.dimension:
        return False
    stated, rounded = (_significant_digits(each.value, digits).ljust(digits, "0") for each in (shown, result))
    if stated == rounded or sorted(stated) != sorted(rounded):
        return False
    moved = [at for at, (a, b) in enumerate(zip(stated, rounded, strict=True)) if a != b]
    if digits < CERTAIN_DIGITS:
        return moved[1] - moved[0] == 1 and len(moved) == 2 and _are_of_a_kind(shown, result)
    return len(moved) == 2 or digits > CERTAIN_DIGITS


def is_like(shown: Mention, result: Mention) -> bool:
    """Whether a number is close to a result, or is the same but for two swapped digits of a short number."""
    if min(shown.digits, result.digits) >= FEWEST_DIGITS and abs(_ratio(shown, result) - 1) <= _NEAR:
        return _are_of_a_kind(shown, result)
    digits = [f"{each.value:g}".replace(".", "") for each in (shown, result)]
    is_mixed = digits[0] != digits[1] and sorted(digits[0]) == sorted(digits[1]) and shown.digits > 1
    return is_mixed and (shown.digits >= FEWEST_DIGITS or is_of_same_kind(shown, result))


def is_of_same_kind(shown: Mention, result: Mention) -> bool:
    """Whether numbers have the same unit or the same name."""
    return bool(shown.unit and shown.unit == result.unit) or bool(shown.name and shown.name == result.name)


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
