"""The slide rule: one reading per operation, and honest dimensions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.agents.slide_rule.arithmetic import (
    NotCalculable,
    dimension_of,
    evaluate,
    names_in,
    read_off,
    substituted,
    written,
)
from ansatz.agents.slide_rule.units import parse_unit, spell

positive = st.floats(1e-6, 1e6)


@given(positive)
def test_a_reading_is_the_nearest_division(value):
    reading = read_off(value)
    assert reading == pytest.approx(value, rel=0.0126)
    assert read_off(reading) == reading


@pytest.mark.parametrize(
    ("value", "reading"), [(1.234, 1.24), (1999.0, 2000.0), (-2.87, -2.85), (0.0664, 0.066), (0, 0)]
)
def test_divisions_widen_along_the_scale(value, reading):
    assert read_off(value) == pytest.approx(reading, rel=1e-12)


@given(positive, positive, positive)
def test_every_product_and_quotient_is_read_off(a, b, c):
    by_hand = read_off(read_off(read_off(a) * read_off(b)) / read_off(c))
    values = {"a": a, "b": b, "c": c}
    assert evaluate("a*b/c", values) == pytest.approx(by_hand, rel=0.08)
    assert evaluate("a*b/c", {n: read_off(v) for n, v in values.items()}) == by_hand
    assert math.isclose(evaluate("a*b/c", values, exact=True), a * b / c)


def test_sums_are_made_on_paper_with_three_digits():
    values = {"x": 1.23456, "y": 1.23321}
    assert evaluate("x - y", values) == 0.0
    assert evaluate("x - y", values, exact=True) == pytest.approx(0.00135)
    assert evaluate("x + 9", {"x": 1.234}) == 10.2


def test_an_answer_by_hand_is_typically_a_little_off():
    errors = []
    for speed in range(1000, 8000, 137):
        values = {"k": 1.7415e-4, "rho": 3.13e-4, "R": 0.617, "V": float(speed)}
        exact = evaluate("k*sqrt(rho/R)*V**3", values, exact=True)
        errors.append(abs(evaluate("k*sqrt(rho/R)*V**3", values) / exact - 1))
    assert 0.003 < sorted(errors)[len(errors) // 2] < 0.02


@pytest.mark.parametrize(
    "expression", ["1/x", "sqrt(-1 - x)", "unknown", "f(x)", "x ===", "10**(400 + x)", "(x - 1)**0.5", "x.y"]
)
def test_what_cannot_be_worked_out_is_refused(expression):
    with pytest.raises(NotCalculable):
        evaluate(expression, {"x": 0.0})


@given(st.floats(-1e30, 1e30).filter(lambda x: x == 0 or abs(x) > 1e-30), st.integers(2, 8))
def test_written_numbers_read_back(value, digits):
    assert float(written(value, digits)) == pytest.approx(value, rel=0.51 * 10 ** (1 - digits))


def test_symbols_are_replaced_and_functions_spelled_for_python():
    code = substituted("Abs(a)*cot(b) + ln(c)**2", {"a": "-2.0", "b": "r1", "c": "3.0"})
    assert eval(code, {**vars(math), "r1": 0.5}) == pytest.approx(2 / math.tan(0.5) + math.log(3) ** 2)
    assert names_in("a*sqrt(b) + pi") == {"a", "b"}


@pytest.mark.parametrize(
    ("unit", "si", "dimension"),
    [
        ("kJ/(kg·K)", 1e3, "J/(kg*K)"),
        ("kJ/kg·K", 1e3, "J/(kg*K)"),
        ("m³/kg", 1.0, "m^3 kg^-1"),
        ("W/cm^2", 1e4, "W/m^2"),
        ("kg**0.5/m", 1.0, "m^-1 kg^0.5"),
        ("MPa", 1e6, "Pa"),
        ("µm", 1e-6, "m"),
        ("1/m^3", 1.0, "m^-3"),
        ("W/(m K)", 1.0, "m kg s^-3 K^-1"),
        ("%", 0.01, "1"),
        ("percent", 0.01, "1"),
        ("sr", 1.0, "1"),
        ("THz", 1e12, "s^-1"),
        ("GHz", 1e9, "s^-1"),
        ("kHz", 1e3, "s^-1"),
        ("W/m^2/sr/Hz", 1.0, "kg s^-2"),
        ("W/(m²·sr·Hz)", 1.0, "kg s^-2"),
        ("W/m^3", 1.0, "W/m^3"),
        ("W/m^2/sr/µm", 1e6, "W/m^3"),
        ("1/m", 1.0, "m^-1"),
        ("cm⁻¹", 100.0, "m^-1"),
        ("m^-3", 1.0, "m^-3"),
        ("atm", 101325.0, "Pa"),
        ("Torr", 133.3224, "Pa"),
        ("eV", 1.602177e-19, "J"),
        ("keV", 1.602177e-16, "J"),
        ("electrons/m^3", 1.0, "m^-3"),
        ("particles/cm^3", 1e6, "m^-3"),
        ("kcal/mol", 4184.0, "m^2 kg s^-2 mol^-1"),
    ],
)
def test_units_as_they_are_written(unit, si, dimension):
    assert parse_unit(unit).factor == pytest.approx(si)
    assert spell(parse_unit(unit).dimension) == dimension


@pytest.mark.parametrize("word", ["and", "flows", "the", "air", "m**x", "K)"])
def test_ordinary_words_are_not_units(word):
    assert parse_unit(word) is None


def test_temperatures_have_an_offset_but_not_inside_a_product():
    assert parse_unit("°C").to_si(25) == pytest.approx(298.15)
    assert parse_unit("°F").to_si(212) == pytest.approx(373.15)
    assert parse_unit("J/(kg °C)").to_si(1) == 1.0


def test_dimensions_follow_from_the_units():
    units = {"rho": parse_unit("kg/m^3"), "V": parse_unit("m/s"), "T": parse_unit("K")}
    assert spell(dimension_of("0.5*rho*V**3", units)) == "W/m^2"
    assert dimension_of("rho + V", units) is None
    assert dimension_of("exp(T)", units) is None
    assert dimension_of("sqrt(V**2)", units) == units["V"].dimension
