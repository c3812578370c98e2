"""Values survive the crossing exactly, and nothing that crosses can harm the reader."""

import contextlib
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

from ansatz.sandbox.decoding import loads
from ansatz.sandbox.encoding import dumps
from ansatz.sandbox.values import MAXIMUM_BYTES, MAXIMUM_DEPTH, EncodingError, Magnitude, Opaque, Symbolic

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
hashable = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    text,
    st.binary(max_size=20),
    st.fractions(),
)
plain = st.one_of(hashable, st.complex_numbers(allow_nan=False), st.decimals(allow_nan=False))
values = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(text, inner, max_size=4),
        st.dictionaries(hashable, inner, max_size=4),
        st.sets(hashable, max_size=4),
        st.frozensets(hashable, max_size=4),
    ),
    max_leaves=12,
)


@given(values)
def test_a_value_and_its_types_come_back(value):
    back = loads(dumps(value))
    assert back == value
    assert types(back) == types(value)


def types(value):
    """The types of a value and of all within it; members of sets, which have no order, by their text."""
    if isinstance(value, dict):
        return [dict, *((types(key), types(each)) for key, each in value.items())]
    if isinstance(value, set | frozenset):
        return [type(value), *sorted(map(repr, value))]
    return [type(value), *map(types, value)] if isinstance(value, list | tuple) else type(value)


@given(st.floats() | st.complex_numbers())
def test_every_number_comes_back_to_the_bit(number):
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
def test_an_array_comes_back_to_the_bit(array):
    back = loads(dumps(array))
    assert isinstance(back, numpy.ndarray)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


@pytest.mark.parametrize(
    "scalar", [numpy.float64(0.1), numpy.float32(0.1), numpy.int8(-3), numpy.bool_(True), numpy.complex64(1j)]
)
def test_a_numpy_scalar_keeps_its_type(scalar):
    back = loads(dumps(scalar))
    assert (type(back), back) == (type(scalar), scalar)


def test_other_arrays_come_back_with_their_shape():
    array = numpy.array([["a", None], [1, 2.5]], dtype=object)
    assert (loads(dumps(array)) == array).all()


def test_a_signalling_decimal_does_not_raise_where_it_is_scored():
    assert math.isnan(loads(dumps([Decimal("sNaN")]))[0])


def test_an_expression_becomes_text_with_its_number():
    x = sympy.Symbol("x")
    assert loads(dumps(sympy.sin(x) ** 2)) == Symbolic("sin(x)**2")
    assert loads(dumps(sympy.sin(x))).number is None
    assert loads(dumps(sympy.sqrt(2))).number == pytest.approx(math.sqrt(2), rel=1e-15)
    assert loads(dumps(2 * sympy.I)).number == 2j


def test_a_quantity_keeps_magnitude_and_unit():
    import pint

    assert loads(dumps(3.5 * pint.UnitRegistry().meter)) == Magnitude(3.5, "meter")


class Hostile:
    """Every way that a value may be looked at runs its code."""

    def __repr__(self):
        raise SystemError("repr ran")

    __str__ = __eq__ = __reduce__ = __hash__ = __repr__


class Sly(int):
    def __abs__(self):
        raise SystemError("abs ran")


def test_what_is_nothing_known_is_described():
    assert loads(dumps(object())).type == "object"
    assert loads(dumps(Hostile())) == Opaque("Hostile", "(its text cannot be had: SystemError)")
    assert loads(dumps(Sly(3))) == 3


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
def test_what_is_too_large_is_refused(value):
    with pytest.raises(EncodingError):
        dumps(value)


def test_nesting_has_a_bound():
    value = 1
    for _ in range(MAXIMUM_DEPTH):
        value = [value]
    assert loads(dumps(value)) == value
    with pytest.raises(EncodingError, match="nested more than 32 deep"):
        dumps([value])


def test_what_holds_itself_is_refused():
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
        b'{"$": "int", "v": 7}',
        b'{"$": "float", "v": "1e999"}',
        b'{"$": "complex", "v": ["a", 1]}',
        b'{"$": "complex", "v": [1]}',
        b'{"$": "complex", "v": [{"$": "int", "v": "0x' + b"f" * 4000 + b'"}, 0]}',
        b'{"$": "fraction", "v": [1, 0]}',
        b'{"$": "fraction", "v": ["1e999999999", 1]}',
        b'{"$": "fraction", "v": [{"$": "decimal", "v": "1e999999999"}, null]}',
        b'{"$": "fraction", "v": [1.5, null]}',
        b'{"$": "decimal", "v": "1e999999999"}',
        b'{"$": "set", "v": [[1]]}',
        b'{"$": "dict", "v": [[[1], 2]]}',
        b'{"$": "dict", "v": [1]}',
        b'{"$": "array", "d": "|O8", "s": [1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": [1000000000000], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": [-1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f7", "s": [1], "v": "AAAAAAAAAAA="}',
        b'{"$": "array", "d": "<f8", "s": "x", "v": "AAAAAAAAAAA="}',
        b'{"$": "object array", "s": [2], "v": [1]}',
        b'{"$": "object scalar", "s": [], "v": []}',
        b'{"$": "sympy"}',
        b'{"$": "opaque", "v": "x"}',
    ],
    ids=lambda document: repr(document[:40]),
)
def test_a_forged_document_is_refused_with_one_kind_of_error(document):
    with pytest.raises(EncodingError):
        loads(document)


TAGS = (
    "int", "array", "scalar", "set", "dict", "complex", "sympy", "object array", "fraction", "decimal", "quantity",
    "opaque", "<f8",
)  # fmt: skip
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("$vdsntmu"), inner | st.sampled_from(TAGS), max_size=4)
    ),
    max_leaves=10,
)


@given(json_values)
def test_no_document_raises_anything_else(document):
    with contextlib.suppress(EncodingError):
        loads(json.dumps(document).encode())


def test_a_plain_object_with_the_tag_as_a_key_survives():
    assert loads(dumps({"$": 1})) == {"$": 1}
    assert loads(dumps({1: Fraction(1, 3), "d": Decimal("0.10")})) == {
        1: Fraction(1, 3),
        "d": Decimal("0.10"),
    }
