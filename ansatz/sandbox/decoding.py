"""The other direction of `encoding`: builds plain values, and nothing that could run."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections import Counter
from collections.abc import Callable
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

_NUMERIC = re.compile(r"[<>|=][biufc]\d{1,2}")
_MOST_COLLIDING = 64  # members of a set or mapping with one hash; by chance there are a few
_LONGEST_DECIMAL = 10_000  # digits, and the exponent: whoever makes an integer of it can do so
_ENVELOPE = 64 * 1024  # what is around a value of the largest size: an error's text, or a program


def loads(data: bytes) -> Any:
    """The value of tagged JSON. Raises EncodingError for whatever `dumps` could not have written."""
    return decode(parse(data))


def parse(data: bytes) -> Any:
    """JSON, strictly, with its size and depth bounded."""
    if len(data) > MAXIMUM_BYTES + _ENVELOPE:
        raise EncodingError(f"more than {MAXIMUM_BYTES} bytes")
    if data.count(b"[") + data.count(b"{") > 2 * MAXIMUM_PARTS:  # three bytes of "[]," become sixty in memory
        raise EncodingError(f"more than {MAXIMUM_PARTS} parts")
    try:
        return json.loads(data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as failure:
        raise EncodingError(f"not JSON: {type(failure).__name__}") from failure


def decode(document: Any, depth: int = 0) -> Any:
    """The value that a parsed document stands for."""
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
        return _DECODERS[document["$"]](document, depth + 1)
    except EncodingError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, binascii.Error) as failure:
        raise EncodingError(f"not a value: {type(failure).__name__}") from failure


def _refuse(name: str) -> None:
    raise EncodingError(f"the bare name {name}")


def _real(document: Any, depth: int) -> float:
    number = decode(document, depth)
    if type(number) not in (int, float):
        raise EncodingError("not a real number")
    return float(number)


def _complex(document: dict[str, Any], depth: int) -> complex:
    real, imaginary = document["v"]
    return complex(_real(real, depth), _real(imaginary, depth))


def _non_finite(document: dict[str, Any], depth: int) -> float:
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[document["v"]]


def _parts(document: dict[str, Any], depth: int) -> list[Any]:
    if not isinstance(document["v"], list):
        raise EncodingError("not a list of items")
    return [decode(each, depth) for each in document["v"]]


def _members(document: dict[str, Any], depth: int) -> list[Any]:
    parts = _parts(document, depth)
    _refuse_collisions(parts)
    return parts


def _mapping(document: dict[str, Any], depth: int) -> dict[Any, Any]:
    pairs = [(key, value) for key, value in _parts(document, depth)]
    _refuse_collisions([key for key, _ in pairs])
    return dict(pairs)


def _refuse_collisions(members: list[Any]) -> None:
    """Numbers can be chosen to share one hash; a set of them takes the square of its size to build."""
    if members and max(Counter(map(hash, members)).values()) > _MOST_COLLIDING:
        raise EncodingError(f"more than {_MOST_COLLIDING} members with one hash")


def _integer(document: dict[str, Any], depth: int) -> int:
    if len(document["v"]) > MAXIMUM_BITS // 4 + 3:  # hexadecimal digits, a sign and 0x
        raise EncodingError(f"an integer of more than {MAXIMUM_BITS} bits")
    return int(document["v"], 16)


def _fraction(document: dict[str, Any], depth: int) -> Fraction:
    numerator, denominator = _parts(document, depth)
    if (
        type(numerator) is not int or type(denominator) is not int
    ):  # a decimal 1e999999999 would be written out
        raise EncodingError("not a fraction of integers")
    return Fraction(numerator, denominator)


def _decimal(document: dict[str, Any], depth: int) -> Decimal:
    number = Decimal(str(document["v"])[:_LONGEST_DECIMAL])
    if number.is_finite() and abs(number.adjusted()) > _LONGEST_DECIMAL:
        raise EncodingError("a decimal beyond all measure")
    return Decimal("NaN") if number.is_snan() else number  # a signalling one raises wherever it is looked at


def _numpy_value(document: dict[str, Any], depth: int) -> Any:
    """Numbers only: a structured or object type could be made to name code."""
    import numpy

    if not _NUMERIC.fullmatch(document["d"]):
        raise EncodingError("not a numeric type")
    data = base64.b64decode(document["v"], validate=True)
    array = numpy.frombuffer(data, numpy.dtype(document["d"])).reshape(_shape(document)).copy()
    return array[()] if document["$"] == "scalar" else array


def _object_array(document: dict[str, Any], depth: int) -> Any:
    import numpy

    items = _parts(document, depth)
    if document["$"] == "object scalar":
        return items[0]
    array = numpy.empty(len(items), object)
    array[:] = items
    return array.reshape(_shape(document))


def _shape(document: dict[str, Any]) -> tuple[int, ...]:
    shape = document["s"]
    if len(shape) > 32 or not all(type(each) is int and each >= 0 for each in shape):
        raise EncodingError("not a shape")
    return tuple(shape)


def _symbolic(document: dict[str, Any], depth: int) -> Symbolic:
    text = Symbolic(clean(str(document["v"])))
    number = decode(document.get("n"), depth)
    text.number = number if type(number) in (int, float, complex) else None
    return text


def _opaque(document: dict[str, Any], depth: int) -> Opaque:
    return Opaque(clean(str(document["t"]))[:100], clean(str(document["v"]))[:DESCRIPTION_LENGTH])


_DECODERS: dict[str, Callable[[dict[str, Any], int], Any]] = {
    "int": _integer,
    "float": _non_finite,
    "complex": _complex,
    "bytes": lambda document, depth: base64.b64decode(document["v"], validate=True),
    "tuple": lambda document, depth: tuple(_parts(document, depth)),
    "set": lambda document, depth: set(_members(document, depth)),
    "frozenset": lambda document, depth: frozenset(_members(document, depth)),
    "dict": _mapping,
    "fraction": _fraction,
    "decimal": _decimal,
    "scalar": _numpy_value,
    "array": _numpy_value,
    "object scalar": _object_array,
    "object array": _object_array,
    "sympy": _symbolic,
    "opaque": _opaque,
    "quantity": lambda document, depth: Magnitude(decode(document["m"], depth), clean(str(document["u"]))),
}
