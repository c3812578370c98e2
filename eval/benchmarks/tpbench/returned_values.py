"""Whether a returned value is the reference's: numbers, complex numbers, arrays, and tuples of these.

A number a stands for the expected e where |a − e| ≤ max(r·|e|, t, f·S): r and t are the tolerance of the
problem, and f·S is a floor for results that are zero but for rounding, S being the largest |e| of the same
component over all test inputs. Complex numbers are compared in the complex plane, so that a real number may
come as a complex one without an imaginary part. Infinities have to be the same infinity; NaN equals nothing.
Shapes have to agree exactly; a list or a tuple may stand for an array, and an array for a tuple.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.problem import Tolerance
from ansatz.sandbox import Symbolic

Array = NDArray[np.complex128]
Difference = tuple[Literal["wrong value", "wrong shape or type"], str]


def leaves(value: Any) -> list[Array] | None:
    """The components of a reference's value; None for one that is no number, array or tuple of these."""
    if isinstance(value, tuple | list):
        parts = [leaves(each) for each in value]
        return [leaf for part in parts for leaf in part or ()] if None not in parts else None
    array = _numbers(value)
    return None if array is None else [array]


def scales(expected: Sequence[Sequence[Array]]) -> list[float]:
    """The largest magnitude of each component over all inputs, zero where none is finite."""
    count = max(map(len, expected), default=0)
    found = [0.0] * count
    for value in expected:
        for at, leaf in enumerate(value):
            finite = np.abs(leaf[np.isfinite(leaf)])
            found[at] = max(found[at], float(finite.max(initial=0.0)))
    return found


def difference(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Sequence[float]
) -> Difference | None:
    """The first way in which a value is not the expected one; None where it is.

    `floors` has one absolute floor for each of the components of `leaves(expected)`.
    """
    return _differs(answered, expected, tolerance, iter(floors))


def _differs(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Iterator[float]
) -> Difference | None:
    if not isinstance(expected, tuple | list):
        return _differs_in_numbers(answered, expected, tolerance, next(floors))
    given = list(answered) if isinstance(answered, np.ndarray) and answered.ndim else answered
    if not isinstance(given, tuple | list):
        return "wrong shape or type", f"{_kind(answered)} instead of {len(expected)} values"
    if len(given) != len(expected):
        return "wrong shape or type", f"{len(given)} values instead of {len(expected)}"
    for one, other in zip(given, expected, strict=True):
        if (found := _differs(one, other, tolerance, floors)) is not None:
            return found
    return None


def _differs_in_numbers(
    answered: Any, expected: Any, tolerance: Tolerance, floor: float
) -> Difference | None:
    wanted, given = _numbers(expected), _numbers(answered)
    assert wanted is not None
    if given is None:
        return "wrong shape or type", f"{_kind(answered)} instead of {_described(wanted)}"
    if given.shape != wanted.shape:
        return "wrong shape or type", f"{_described(given)} instead of {_described(wanted)}"
    with np.errstate(all="ignore"):
        allowed = np.maximum(tolerance.relative * np.abs(wanted), max(tolerance.absolute, floor))
        close = np.where(np.isfinite(wanted), np.abs(given - wanted) <= allowed, given == wanted)
    if close.all():
        return None
    at = int(np.argmin(close))
    return "wrong value", f"{_short(given.ravel()[at])} for {_short(wanted.ravel()[at])}"


def _numbers(value: Any) -> Array | None:
    """A number, or nested lists or an array of them, as complex numbers; None for anything else."""
    if isinstance(value, Symbolic):
        value = value.number
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return np.asarray(array, np.complex128) if array.dtype.kind in "iufc" else _of_objects(array)
    if isinstance(value, list | tuple):
        parts = [_numbers(each) for each in value]
        if any(part is None for part in parts) or len({part.shape for part in parts if part is not None}) > 1:
            return None
        return np.array(parts, dtype=np.complex128)
    if isinstance(value, bool) or not isinstance(value, int | float | complex | Fraction | Decimal):
        return None
    try:
        return np.asarray(complex(value), dtype=np.complex128)
    except OverflowError:
        return np.asarray(complex(math.inf if value > 0 else -math.inf))  # type: ignore[operator]


def _of_objects(value: NDArray[Any]) -> Array | None:
    return _numbers(value.tolist()) if value.dtype.kind == "O" else None


def _kind(value: Any) -> str:
    numbers = _numbers(value)
    return _described(numbers) if numbers is not None else f"a value of type {type(value).__name__}"


def _described(numbers: Array) -> str:
    return f"an array of shape {numbers.shape}" if numbers.ndim else "a number"


def _short(number: complex) -> str:
    return f"{number.real:.8g}" if number.imag == 0 else f"{number:.8g}"
