"""Values survive the crossing exactly, and nothing that crosses can harm the reader."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ansatz.sandbox.encoding import (
    MAXIMUM_BYTES,
    MAXIMUM_DEPTH,
    EncodingError,
    Opaque,
    Symbolic,
    dumps,
    loads,
)

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="$"), max_size=20)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text
values = st.recursive(
    plain | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(text, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_value_and_types_are_decoded(value):
    back = loads(dumps(value))
    assert back == value
    assert types(back) == types(value)


def types(value):
    """The types of a value and of all within it."""
    within = value.values() if isinstance(value, dict) else value
    return [type(value), *map(types, within)] if isinstance(value, dict | list | tuple) else type(value)


@given(st.floats() | st.complex_numbers())
def test_numbers_are_decoded_exactly(number):
    assert repr(loads(dumps(number))) == repr(number)


@given(
    arrays.arrays(
        st.one_of(
            arrays.boolean_dtypes(),
            arrays.integer_dtypes(),
            arrays.unsigned_integer_dtypes(),
            arrays.floating_dtypes(),
            arrays.complex_number_dtypes(),
        ),
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    )
)
def test_arrays_are_decoded_exactly(array):
    back = loads(dumps(array))
    assert isinstance(back, numpy.ndarray)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


@pytest.mark.parametrize(
    "scalar", [numpy.float64(0.1), numpy.float32(0.1), numpy.int8(-3), numpy.bool_(True), numpy.complex64(1j)]
)
def test_numpy_scalar_retains_its_type(scalar):
    back = loads(dumps(scalar))
    assert (type(back), back) == (type(scalar), scalar)


def test_other_arrays_become_lists():
    assert loads(dumps(numpy.array([["a", None], [1, 2.5]], dtype=object))) == [["a", None], [1, 2.5]]


@pytest.mark.parametrize(
    ("value", "text", "number"),
    [
        (sympy.sin(sympy.Symbol("x")) ** 2, "sin(x)**2", None),
        (sympy.sqrt(2), "sqrt(2)", math.sqrt(2)),
        (2 * sympy.I, "2*I", 2j),
        (Fraction(1, 4), "1/4", 0.25),
        (Decimal("0.10"), "0.10", 0.1),
        (Decimal("sNaN"), "sNaN", None),  # which raises wherever it is looked at
    ],
)
def test_symbolic_values_retain_text_and_number(value, text, number):
    back = loads(dumps(value))
    assert (type(back), back) == (Symbolic, text)
    assert back.number == (None if number is None else pytest.approx(number, rel=1e-15))


class Hostile:
    """Every way that a value may be looked at runs its code."""

    def __repr__(self):
        raise SystemError("repr ran")

    __str__ = __eq__ = __reduce__ = __hash__ = __repr__


class Sly(int):
    def __abs__(self):
        raise SystemError("abs ran")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Hostile(), Opaque("Hostile", "(it has no text: SystemError)")),
        (Sly(3), 3),
        ({1: 2}, Opaque("dict", "{1: 2}")),
        ({"$": 1}, Opaque("dict", "{'$': 1}")),  # or it would be read as a tag
        (b"x", Opaque("bytes", "b'x'")),
    ],
)
def test_value_of_another_type_is_described(value, expected):
    assert loads(dumps(value)) == expected


@pytest.mark.parametrize(
    "value",
    [
        "x" * (MAXIMUM_BYTES + 1),
        list(range(200_000)),
        numpy.zeros(10**6),
        [[[]] * 50] * 5000,
    ],
    ids=["text", "list", "array", "nested"],
)
def test_too_large_value_is_refused(value):
    with pytest.raises(EncodingError):
        dumps(value)


def test_deep_nesting_is_refused():
    value = 1
    for _ in range(MAXIMUM_DEPTH):
        value = [value]
    assert loads(dumps(value)) == value
    with pytest.raises(EncodingError, match="nested more than 32 deep"):
        dumps([value])


def test_recursive_value_is_refused():
    value: list[object] = []
    value.append(value)
    with pytest.raises(EncodingError, match="nested"):
        dumps(value)


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"{",
        b"NaN",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 100_000,
        b'{"$": "pickle", "v": "gASVAAAAAA=="}',
        b'{"$": ["int"], "v": "0x1"}',
        b'{"$": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"$": "int", "v": 7}',
        b'{"$": "float", "v": "1e999"}',
        b'{"$": "complex", "v": ["a", 1]}',
        b'{"$": "complex", "v": [1]}',
        b'{"$": "complex", "v": [{"$": "int", "v": "0x' + b"f" * 4000 + b'"}, 0]}',
        b'{"$": "array", "d": "|S8", "s": [1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "|O8", "s": [1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": [1000000000000], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": [-1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f7", "s": [1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": "x", "v": "AAAAAAAAAAA="}',
        b'{"$": "sympy"}',
        b'{"$": "opaque", "v": "x"}',
    ],
    ids=lambda document: repr(document[:40]),
)
def test_forged_document_is_refused_with_one_error_type(document):
    with pytest.raises(EncodingError):
        loads(document)


TAGS = ("int", "float", "array", "scalar", "tuple", "complex", "sympy", "opaque", "<f8", "AAAA")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("$vdsntmu"), inner | st.sampled_from(TAGS), max_size=4)
    ),
    max_leaves=10,
)


@given(json_values)
def test_any_document_is_decoded_or_refused(document):
    """What is decoded can be sent back and is the same there; no other error comes out."""
    try:
        value = loads(json.dumps(document).encode())
    except EncodingError:
        return
    assert repr(loads(dumps(value))) == repr(value)


@pytest.mark.parametrize("shape", [[10**12, 0], [0, 10**12], [2**20, 2, 0]])
def test_sizes_of_empty_arrays_are_bounded(shape):
    document = {"$": "array", "d": "<f8", "s": shape, "v": ""}
    with pytest.raises(EncodingError):
        loads(json.dumps(document).encode())
