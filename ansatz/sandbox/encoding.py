"""Values as tagged JSON: what comes out of the sandbox is read without running anything of its making.

Plain JSON values stand for themselves. Everything else is an object with one key `$` that names its kind:
complex numbers, NaN and infinities, large integers, bytes, tuples, sets, mappings with other keys than text,
NumPy scalars and arrays (exact bytes), fractions, decimals, quantities with units, SymPy expressions (text,
and a number where they have one) and, for anything else, its description. Decoding builds only these.

The same module writes inside the sandbox and reads outside, and the other way round for inputs.
"""

from __future__ import annotations

import base64
import json
import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ansatz.sandbox.values import (
    DESCRIPTION_LENGTH,
    MAXIMUM_BITS,
    MAXIMUM_BYTES,
    MAXIMUM_DEPTH,
    MAXIMUM_PARTS,
    EncodingError,
    Magnitude,
    Opaque,
    Symbolic,
    clean,
)

_PLAIN_INTEGER = 2**53  # beyond it other readers of JSON lose digits


def dumps(value: object) -> bytes:
    """A value as tagged JSON in UTF-8. Raises EncodingError for what is too large or too deep."""
    try:
        text = json.dumps(_Encoder().encode(value, 0), allow_nan=False, separators=(",", ":"))
    except RecursionError as failure:
        raise EncodingError("the value is nested too deeply") from failure
    if len(text) > MAXIMUM_BYTES:
        raise EncodingError(f"the value takes {len(text)} bytes; at most {MAXIMUM_BYTES} can be handed over")
    return text.encode()


class _Encoder:
    """Dispatches on exact built-in types first, so that no method of a stranger's class is trusted."""

    def __init__(self) -> None:
        self._parts = 0

    def encode(self, value: Any, depth: int) -> Any:
        self._parts += 1
        if depth > MAXIMUM_DEPTH:
            raise EncodingError(f"the value is nested more than {MAXIMUM_DEPTH} deep")
        if self._parts > MAXIMUM_PARTS:
            raise EncodingError(f"the value has more than {MAXIMUM_PARTS} parts")
        if value is None or value is True or value is False:
            return value
        writer = getattr(self, f"_{type(value).__name__}") if type(value) in _KNOWN else self._other
        return writer(value, depth)

    def _str(self, value: str, depth: int) -> Any:
        return clean(value)

    def _int(self, value: int, depth: int) -> Any:
        if value.bit_length() > MAXIMUM_BITS:
            raise EncodingError(
                f"an integer of {value.bit_length()} bits; at most {MAXIMUM_BITS} can be handed over"
            )
        return value if abs(value) <= _PLAIN_INTEGER else {"$": "int", "v": hex(value)}

    def _float(self, value: float, depth: int) -> Any:
        return value if math.isfinite(value) else {"$": "float", "v": repr(value)}

    def _complex(self, value: complex, depth: int) -> Any:
        return {"$": "complex", "v": [self._float(value.real, 0), self._float(value.imag, 0)]}

    def _bytes(self, value: bytes, depth: int) -> Any:
        return {"$": "bytes", "v": base64.b64encode(value).decode()}

    def _bytearray(self, value: bytearray, depth: int) -> Any:
        return self._bytes(bytes(value), depth)

    def _list(self, value: list[Any], depth: int) -> Any:
        return [self.encode(each, depth + 1) for each in value]

    def _tuple(self, value: tuple[Any, ...], depth: int) -> Any:
        return {"$": "tuple", "v": [self.encode(each, depth + 1) for each in value]}

    def _set(self, value: set[Any] | frozenset[Any], depth: int) -> Any:
        return {"$": "set", "v": [self.encode(each, depth + 1) for each in value]}

    def _frozenset(self, value: frozenset[Any], depth: int) -> Any:
        return self._set(value, depth) | {"$": "frozenset"}

    def _dict(self, value: dict[Any, Any], depth: int) -> Any:
        if all(type(key) is str for key in value) and "$" not in value:
            return {clean(key): self.encode(each, depth + 1) for key, each in value.items()}
        pairs = [[self.encode(each, depth + 1) for each in pair] for pair in value.items()]
        return {"$": "dict", "v": pairs}

    def _Fraction(self, value: Fraction, depth: int) -> Any:
        return {"$": "fraction", "v": [self._int(value.numerator, 0), self._int(value.denominator, 0)]}

    def _Decimal(self, value: Decimal, depth: int) -> Any:
        return {"$": "decimal", "v": str(value)}

    def _Symbolic(self, value: Symbolic, depth: int) -> Any:
        return {"$": "sympy", "v": clean(value)}

    def _Opaque(self, value: Opaque, depth: int) -> Any:
        return {"$": "opaque", "t": clean(value.type)[:100], "v": clean(value.text)[:DESCRIPTION_LENGTH]}

    def _Magnitude(self, value: Magnitude, depth: int) -> Any:
        return {"$": "quantity", "m": self.encode(value.magnitude, depth + 1), "u": clean(value.units)}

    def _other(self, value: Any, depth: int) -> Any:
        for name, writer in (("numpy", self._numpy), ("sympy", self._sympy), ("pint", self._pint)):
            module = sys.modules.get(name)
            written = writer(module, value, depth) if module is not None else None
            if written is not None:
                return written
        for base in _BASES:
            if isinstance(value, base):  # a named tuple, an enumeration member, an ordered mapping
                return self.encode(base(value), depth)
        return {"$": "opaque", "t": clean(type(value).__name__)[:100], "v": _description(value)}

    def _numpy(self, numpy: Any, value: Any, depth: int) -> Any:
        if not isinstance(value, numpy.ndarray | numpy.generic):
            return None
        array = numpy.asarray(value)
        kind = "array" if isinstance(value, numpy.ndarray) else "scalar"
        if array.dtype.kind not in "biufc":
            items = [self.encode(each, depth + 1) for each in array.ravel().tolist()]
            return {"$": f"object {kind}", "s": list(array.shape), "v": items}
        if array.nbytes > MAXIMUM_BYTES:
            raise EncodingError(
                f"an array of {array.nbytes} bytes; at most {MAXIMUM_BYTES} can be handed over"
            )
        data = base64.b64encode(array.tobytes()).decode()
        return {"$": kind, "d": array.dtype.str, "s": list(array.shape), "v": data}

    def _sympy(self, sympy: Any, value: Any, depth: int) -> Any:
        if not isinstance(value, sympy.Basic | sympy.MatrixBase):
            return None
        text = str(value)
        if len(text) > MAXIMUM_BYTES // 4:
            raise EncodingError("the expression is too long to be handed over")
        written: dict[str, Any] = {"$": "sympy", "v": clean(text)}
        if getattr(value, "is_number", False):
            number = _number_of(value)
            if number is not None:
                written["n"] = self.encode(number, depth + 1)
        return written

    def _pint(self, pint: Any, value: Any, depth: int) -> Any:
        if not (hasattr(value, "magnitude") and hasattr(value, "units") and hasattr(value, "_REGISTRY")):
            return None
        return {"$": "quantity", "m": self.encode(value.magnitude, depth + 1), "u": clean(str(value.units))}


_BASES: tuple[Any, ...] = (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_PLAIN = (str, int, float, complex, bytes, bytearray, list, tuple, set, frozenset, dict)
_KNOWN = (*_PLAIN, Fraction, Decimal, Symbolic, Opaque, Magnitude)


def _number_of(expression: Any) -> float | complex | None:
    try:
        number = complex(expression)
    except Exception:  # a zoo of its own, and a value without a number is still a value
        return None
    return number.real if number.imag == 0 else number


def _description(value: object) -> str:
    try:
        return clean(str(value))[:DESCRIPTION_LENGTH]
    except Exception as failure:
        return f"(its text cannot be had: {type(failure).__name__})"
