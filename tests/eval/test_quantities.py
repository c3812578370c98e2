"""Units are compared by what they mean, not by how they are written."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.quantities.scales import Quantity, compare, convert, scale


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
def test_conversion(value, unit, to, expected):
    assert convert(value, unit, to) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("unit", "to"), [("W/m", "Pa"), ("K", "J"), ("florins", "K"), ("", "Pa"), ("kg/", "kg"), ("[", "m")]
)
def test_no_conversion(unit, to):
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
def test_comparison(stated, target, error, unit_ok):
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
