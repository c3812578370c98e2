"""Units as people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.equation import library
from ansatz.quantities.scales import Quantity, compare, convert, scale
from ansatz.quantities.unit_writing import written_unit
from ansatz.quantities.units import UnitError, converted, parse_unit, quantity


@pytest.mark.parametrize(
    ("written", "pint_syntax"),
    [
        ("kJ/(kg·K)", "kJ/(kg*K)"),
        ("kJ/kg·K", "kJ/(kg*K)"),
        ("kJ/kg-K", "kJ/(kg*K)"),
        ("kJ/kgK", "kJ/(kg*K)"),
        ("W/m2K", "W/(m**2*K)"),
        ("W/mK", "W/(m*K)"),
        ("W/m^2/K", "W/(m**2*K)"),
        ("m3/kg", "m**3/kg"),
        ("µm", "um"),
        ("m² s⁻¹", "m**2/s"),
        ("s-1", "1/s"),
        ("kg^0.5/m", "kg**0.5/m"),
        (r"\mathrm{kJ/(kg\cdot K)}", "kJ/(kg*K)"),
        (r"\text{W/m}^{2}", "W/m**2"),
        ("deg", "degree"),
        ("°", "degree"),
        ("°C", "degC"),
        ("kJ/(kg·°C)", "kJ/(kg*delta_degC)"),
        ("-", "dimensionless"),
        ("", "dimensionless"),
        ("psia", "psi"),
        ("J/kg*K", "J*K/kg"),  # the operator keeps the precedence of Python
    ],
)
def test_spellings(written, pint_syntax):
    assert parse_unit(written) == parse_unit(pint_syntax)


@pytest.mark.parametrize("text", ["furlongz", "kg/", "m**", "W/(m^2", "import os"])
def test_an_unreadable_unit_is_named(text):
    with pytest.raises(UnitError, match="cannot be read") as refusal:
        parse_unit(text)
    assert repr(text) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("6800 m/s", "km/s", 6.8),
        ("1.2×10^5 Pa", "kPa", 120.0),
        (r"1.2 \times 10^{-3} m", "mm", 1.2),
        ("−20 °C", "K", 253.15),
        ("68 °F", "degC", 20.0),
        ("7 degrees Celsius", "K", 280.15),
        ("7 deg C", "K", 280.15),
        ("180 degrees", "rad", 3.14159265),
        ("1,200 K", "K", 1200.0),
        ("5 %", "-", 0.05),
    ],
)
def test_quantities_read_from_text(text, unit, expected):
    assert quantity(text, unit).magnitude == pytest.approx(expected)
    assert quantity(text, unit).units == parse_unit(unit)


def test_wrong_dimensions_are_refused():
    with pytest.raises(UnitError, match="not a quantity in m/s"):
        quantity("3 kg", "m/s")


@pytest.mark.parametrize(
    ("spelled", "written"),
    [
        ("J/kg/K", "J/(kg·K)"),
        ("W/(m**2*K**4)", "W/(m²·K⁴)"),
        ("W/m**3*s", "W·s/m³"),
        ("m/kg**(1/3)", "m/kg^(1/3)"),
        ("1", "-"),
        ("%", "%"),
    ],
)
def test_units_are_written_as_people_write_them(spelled, written):
    assert written_unit(spelled) == written


def test_every_unit_of_the_base_reads_back_as_it_is_written():
    for unit in {
        each.unit for entry in library() for each in (*entry.symbols.values(), *entry.constants.values())
    }:
        assert parse_unit(written_unit(unit)) == parse_unit(unit), unit


@pytest.mark.parametrize(
    ("unit", "wanted", "number"),
    [("km/h", "m/s", 10.0), ("degC", "K", 309.15), ("psig", "kPa", 349.5362), ("-", "-", 36.0)],
)
def test_a_number_is_converted_with_factor_and_zero_as_a_quantity_is(unit, wanted, number):
    assert converted(36.0, unit, wanted) == pytest.approx(number, rel=1e-6)
    assert converted(36.0, unit, wanted) == quantity(quantity(36.0, unit), wanted).magnitude
    with pytest.raises(UnitError, match="is not a quantity in"):
        converted(36.0, unit, "kg")


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        (1, "Pa", "N/m2", 1),
        (1, "kW/m2", "W/m^2", 1000),
        (1, "kJ/kg·K", "J/(kg K)", 1000),
        (25, "°C", "K", 298.15),
        (0, "K", "degC", -273.15),
        (180, "deg", "rad", 3.141592653589793),
        (38, "%", "-", 0.38),
        (0.38, "", "%", 38),
        (1, "Btu/lb", "kJ/kg", 2.326),  # the definition of the International Table Btu per pound
        (1, "atm", "Pa", 101325),
    ],
)
def test_numbers_in_other_units(value, unit, to, expected):
    assert convert(value, unit, to) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("unit", "to"), [("W/m", "Pa"), ("K", "J"), ("florins", "K"), ("", "Pa"), ("kg/", "kg"), ("[", "m")]
)
def test_what_has_another_dimension_or_no_unit_is_not_converted(unit, to):
    assert convert(1.0, unit, to) is None


@pytest.mark.parametrize(
    ("stated", "target", "error", "unit_ok"),
    [
        (("597.3345", "kW/m^2"), ("597334.5", "W/m^2"), 0, True),
        (("110", "Pa"), ("100", "N/m^2"), 0.1, True),
        (("110", ""), ("100", "Pa"), 0.1, False),
        (("110", "K"), ("100", "Pa"), math.inf, False),
        (("110", "florins"), ("100", "Pa"), 0.1, False),
        (("0.38", ""), ("0.38", "-"), 0, True),
        (("38", "%"), ("0.38", "-"), 0, True),
        (("0.38", "K"), ("0.38", "-"), 0, False),
        (("26.85", "°C"), ("300", "K"), 0, True),
        (("0.2", "m"), ("0", "m"), 0.2, True),
    ],
)
def test_stated_quantities_are_compared_with_expected_ones(stated, target, error, unit_ok):
    comparison = compare(Quantity(float(stated[0]), stated[1]), Quantity(float(target[0]), target[1]))
    assert comparison.relative_error == pytest.approx(error, abs=1e-12)
    assert comparison.unit_ok is unit_ok


@given(st.floats(-1e9, 1e9), st.sampled_from(["°C", "K", "°F"]), st.sampled_from(["°C", "K", "°F"]))
def test_conversion_there_and_back(value, unit, to):
    assert convert(convert(value, unit, to), to, unit) == pytest.approx(value, rel=1e-9, abs=1e-9)


@given(st.text(max_size=80))
def test_no_unit_raises(unit):
    scale(unit)
    convert(1.0, unit, "W")
