"""Whether a returned value is the reference's: numbers, complex numbers, arrays, and tuples of these.

A number a stands for the expected e where |a − e| ≤ max(r·|e|, t, f·S): r and t are the tolerance of the
problem, and f·S is a floor for results that are zero but for rounding, S being the largest |e| of the same
component over all test inputs. Complex numbers are compared in the complex plane, so that a real number may
come as a complex one without an imaginary part. Infinities have to be the same infinity; NaN equals nothing.
Shapes have to agree exactly; a list or a tuple may stand for an array, and an array for a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.problem import Tolerance
from ansatz.sandbox import Symbolic

Array = NDArray[np.complex128]
Difference = tuple[Literal["wrong value", "wrong shape or type"], str]
_NONE = np.zeros(0, np.complex128)


def leaves(value: Any) -> list[Array] | None:
    """The components of a reference's value; None for one that is no number, array or tuple of these."""
    if isinstance(value, tuple | list):
        parts = [leaves(each) for each in value]
        return [leaf for part in parts for leaf in part or ()] if None not in parts else None
    array = _numbers(value)
    return None if array is None else [array]


def scales(expected: Sequence[Sequence[Array]]) -> list[float]:
    """The largest magnitude of each component over all inputs, zero where none is finite."""
    return [
        max(float(np.abs(leaf[np.isfinite(leaf)]).max(initial=0.0)) for leaf in component)
        for component in zip_longest(*expected, fillvalue=_NONE)
    ]


def difference(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Sequence[float]
) -> Difference | None:
    """The first way in which a value is not the expected one; None where it is.

    `floors` has one absolute floor for each of the components of `leaves(expected)`.
    """
    return next(_differences(answered, expected, tolerance, iter(floors)), None)


def _differences(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Iterator[float]
) -> Iterator[Difference]:
    if isinstance(expected, tuple | list):
        given = list(answered) if isinstance(answered, np.ndarray) and answered.ndim else answered
        if not isinstance(given, tuple | list):
            yield "wrong shape or type", f"{_kind(answered)} instead of {len(expected)} values"
        elif len(given) != len(expected):
            yield "wrong shape or type", f"{len(given)} values instead of {len(expected)}"
        else:
            for one, other in zip(given, expected, strict=True):
                yield from _differences(one, other, tolerance, floors)
        return
    wanted, found, floor = _numbers(expected), _numbers(answered), next(floors)
    assert wanted is not None
    if found is None or found.shape != wanted.shape:
        yield "wrong shape or type", f"{_kind(answered)} instead of {_kind(expected)}"
        return
    with np.errstate(all="ignore"):
        allowed = np.maximum(tolerance.relative * np.abs(wanted), max(tolerance.absolute, floor))
        close = np.where(np.isfinite(wanted), np.abs(found - wanted) <= allowed, found == wanted)
    if not close.all():
        at = int(np.argmin(close))
        yield "wrong value", f"{_short(found.ravel()[at])} for {_short(wanted.ravel()[at])}"


def _numbers(value: Any) -> Array | None:
    """A number, or nested lists or an array of them, as complex numbers; None for anything else."""
    if isinstance(value, Symbolic):
        value = value.number
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind in "iufc":
            return np.asarray(value, np.complex128)
        return _numbers(value.tolist()) if value.dtype.kind == "O" else None
    if isinstance(value, list | tuple):
        parts = [part for each in value if (part := _numbers(each)) is not None]
        alike = len(parts) == len(value) and len({part.shape for part in parts}) < 2
        return np.array(parts, np.complex128) if alike else None
    if isinstance(value, bool) or not isinstance(value, int | float | complex | Fraction | Decimal):
        return None
    try:
        return np.asarray(value, np.complex128)
    except OverflowError:
        return np.asarray(np.inf if value > 0 else -np.inf, np.complex128)  # type: ignore[operator]


def _kind(value: Any) -> str:
    numbers = _numbers(value)
    if numbers is None:
        return f"a value of type {type(value).__name__}"
    return f"an array of shape {numbers.shape}" if numbers.ndim else "a number"


def _short(number: complex) -> str:
    return f"{number.real:.8g}" if number.imag == 0 else f"{number:.8g}"
