"""Values as tagged JSON, which can be decoded without running any code from the sandbox.

Plain JSON values represent themselves. Every other value is an object with a key `$` that names its kind:
complex numbers, NaN and infinities, large integers, tuples, NumPy scalars and arrays (exact bytes), SymPy
expressions, fractions and decimals (text, and a number if they have one). Any other type is represented by a
description. Decoding builds only these kinds.

This module encodes inside the sandbox and decodes outside, and for inputs the other way round.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

MAXIMUM_BYTES = 1024 * 1024
MAXIMUM_DEPTH = 32
_MAXIMUM_PARTS = 100_000
_MAXIMUM_BITS = 14_000  # of an integer: Python refuses to print more than 4300 digits
_DESCRIPTION_LENGTH = 1000
_PLAIN_INTEGER = 2**53  # other parsers of JSON lose digits of larger integers
_ENVELOPE = 64 * 1024  # room around the largest value, for an error's text or a program
_NUMERIC = re.compile(r"[<>|=][biufc]\d{1,2}")


class EncodingError(ValueError):
    """A value is too large or too deep to be encoded, or a document is not an encoded value."""


class Symbolic(str):
    """A SymPy expression as text; `number` is its value if it has one.

    Do not pass it to sympify, which would run it as code.
    """

    number: float | complex | None = None


class Opaque(NamedTuple):
    """The description of a value of another type: the type's name and the beginning of its text."""

    type: str
    text: str


def clean(text: str) -> str:
    """Replace lone surrogates, which cannot be stored or printed, by question marks."""
    return text.encode("utf-8", "replace").decode()


def dumps(value: object) -> bytes:
    """Encode a value as tagged JSON in UTF-8. Raises EncodingError if it is too large or too deep."""
    try:
        text = json.dumps(_encode(value, 0, itertools.count()), allow_nan=False, separators=(",", ":"))
    except RecursionError as failure:
        raise EncodingError("the value is nested too deeply") from failure
    if len(text) > MAXIMUM_BYTES:
        raise EncodingError(f"the value takes {len(text)} bytes; at most {MAXIMUM_BYTES} can be returned")
    return text.encode()


def _encode(value: Any, depth: int, parts: Iterator[int]) -> Any:
    """Encode by exact built-in types first, so that no method of an unknown class is trusted."""
    if depth > MAXIMUM_DEPTH:
        raise EncodingError(f"the value is nested more than {MAXIMUM_DEPTH} deep")
    if next(parts) >= _MAXIMUM_PARTS:
        raise EncodingError(f"the value has more than {_MAXIMUM_PARTS} parts")
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return clean(value)
    if kind is int:
        if value.bit_length() > _MAXIMUM_BITS:
            size = f"{value.bit_length()} bits; at most {_MAXIMUM_BITS} can be returned"
            raise EncodingError(f"an integer of {size}")
        return value if abs(value) <= _PLAIN_INTEGER else {"$": "int", "v": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"$": "float", "v": repr(value)}
    if kind is complex:
        return {"$": "complex", "v": [_encode(part, depth, parts) for part in (value.real, value.imag)]}
    if kind is list:
        return [_encode(each, depth + 1, parts) for each in value]
    if kind is tuple:
        return {"$": "tuple", "v": [_encode(each, depth + 1, parts) for each in value]}
    if kind is dict and all(type(key) is str for key in value) and "$" not in value:
        return {clean(key): _encode(each, depth + 1, parts) for key, each in value.items()}
    if kind is Opaque:
        return _opaque(*value)
    return _encode_other(value, depth, parts)


def _encode_other(value: Any, depth: int, parts: Iterator[int]) -> Any:
    numpy, sympy = sys.modules.get("numpy"), sys.modules.get("sympy")
    if numpy and isinstance(value, numpy.ndarray | numpy.generic):
        array = numpy.asarray(value)
        if array.dtype.kind not in "biufc":
            return _encode(value.tolist(), depth, parts)
        if array.nbytes > MAXIMUM_BYTES:
            size = f"{array.nbytes} bytes; at most {MAXIMUM_BYTES} can be returned"
            raise EncodingError(f"an array of {size}")
        data = base64.b64encode(array.tobytes()).decode()
        name = "array" if isinstance(value, numpy.ndarray) else "scalar"
        return {"$": name, "d": array.dtype.str, "s": list(array.shape), "v": data}
    if sympy and isinstance(value, sympy.Basic | sympy.MatrixBase):
        if len(text := str(value)) > MAXIMUM_BYTES // 4:
            raise EncodingError("the expression is too long to be returned")
        number = _number(value) if getattr(value, "is_number", False) else None
        return {"$": "sympy", "v": clean(text), "n": _encode(number, depth, parts)}
    if isinstance(value, Fraction | Decimal):
        return {"$": "sympy", "v": _description(value), "n": _encode(_number(value), depth, parts)}
    for base in _BASES:
        if isinstance(value, base) and type(value) is not base:  # a named tuple, a member of an enumeration
            return _encode(base(value), depth, parts)
    return _opaque(type(value).__name__, _description(value))


_BASES: tuple[Any, ...] = (bool, int, float, complex, str, list, tuple, dict)


def _number(value: Any) -> float | complex | None:
    try:
        number = complex(value)
    except Exception:  # of any type; a value without a number is still a value
        return None
    return number.real if number.imag == 0 else number


def _description(value: object) -> str:
    try:
        return clean(str(value))[:_DESCRIPTION_LENGTH]
    except Exception as failure:
        return f"(it has no text: {type(failure).__name__})"


def _opaque(name: str, text: str) -> dict[str, str]:
    return {"$": "opaque", "t": clean(name)[:100], "v": clean(text)[:_DESCRIPTION_LENGTH]}


def loads(data: bytes) -> Any:
    """Decode tagged JSON. Raises EncodingError for anything that `dumps` could not have written."""
    return decode(parse(data))


def parse(data: bytes) -> Any:
    """JSON, strictly, with its size and depth bounded."""
    if len(data) > MAXIMUM_BYTES + _ENVELOPE:
        raise EncodingError(f"more than {MAXIMUM_BYTES} bytes")
    if data.count(b"[") + data.count(b"{") > 2 * _MAXIMUM_PARTS:  # "[]," of three bytes takes sixty in memory
        raise EncodingError(f"more than {_MAXIMUM_PARTS} parts")
    try:
        return json.loads(data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as failure:
        raise EncodingError(f"not JSON: {type(failure).__name__}") from failure


def _refuse(name: str) -> None:
    raise EncodingError(f"the bare name {name}")


def decode(document: Any, depth: int = 0) -> Any:
    """Build the value that a parsed document represents; only plain values, nothing that could run."""
    if depth > 2 * MAXIMUM_DEPTH:
        raise EncodingError("nested too deeply")
    if isinstance(document, list):
        return [decode(each, depth + 1) for each in document]
    if isinstance(document, str):
        return clean(document)
    if not isinstance(document, dict):
        return document
    if "$" not in document:
        return {clean(key): decode(each, depth + 1) for key, each in document.items()}
    try:
        return _decode_tagged(document, depth + 1)
    except EncodingError:
        raise
    except (TypeError, ValueError, ArithmeticError) as failure:
        raise EncodingError(f"not a value: {type(failure).__name__}") from failure


def _decode_tagged(document: dict[str, Any], depth: int) -> Any:
    match document:
        case {"$": "int", "v": str(digits)} if len(digits) <= _MAXIMUM_BITS // 4 + 3:  # a sign and 0x
            return int(digits, 16)
        case {"$": "float", "v": "nan" | "inf" | "-inf" as name}:
            return float(name)
        case {"$": "complex", "v": [_, _] as parts}:
            numbers = [decode(each, depth) for each in parts]
            if all(type(each) in (int, float) for each in numbers):
                return complex(*map(float, numbers))
        case {"$": "tuple", "v": list(items)}:
            return tuple(decode(each, depth) for each in items)
        case {"$": "scalar" | "array" as kind, "d": str(name), "s": list(shape), "v": str(data)}:
            # Numbers only: a structured or object type could be made to name code.
            sizes = len(shape) <= 32 and all(type(each) is int and each >= 0 for each in shape)
            # Also without elements: `tolist` of the shape (10**12, 0) makes a list of that length.
            if (
                sizes
                and math.prod(max(each, 1) for each in shape) <= MAXIMUM_BYTES
                and _NUMERIC.fullmatch(name)
            ):
                import numpy

                flat = numpy.frombuffer(base64.b64decode(data, validate=True), numpy.dtype(name))
                array = flat.reshape(shape).copy()
                return array[()] if kind == "scalar" else array
        case {"$": "sympy", "v": str(text)}:
            expression, number = Symbolic(clean(text)), decode(document.get("n"), depth)
            expression.number = number if type(number) in (int, float, complex) else None
            return expression
        case {"$": "opaque", "t": str(name), "v": str(text)}:
            return Opaque(clean(name)[:100], clean(text)[:_DESCRIPTION_LENGTH])
    raise EncodingError("no value of a known kind")
