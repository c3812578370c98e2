"""Inputs of states are read or refused, and results are described."""

import pytest

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties import describe_saturation, describe_state, state


@pytest.mark.parametrize(
    ("fluid", "inputs", "message"),
    [
        ("water", {"T": 453.028, "P": 1e6}, "T and P do not fix the state on the saturation line"),
        ("water", {"P": 30e6, "x": 0.5}, "above the critical pressure"),
        ("water", {"T": 700.0, "x": 0.5}, "above the critical temperature"),
        ("water", {"T": 400.0, "x": 1.2}, "between 0 and 1"),
        ("water", {"T": -5.0, "P": 1e5}, "T must be positive"),
        ("water", {"T": 100.0, "P": 1e5}, "has no fluid state with T = 100 K and P = 100 kPa"),
        ("water", {"T": 273.15, "P": 1e5}, r"triple point, 273.16 K \(0.01 degC\)"),
        ("water", {"T": 2500.0, "P": 1e5}, "has no fluid state"),
        ("water", {"T": 253.15, "rho": 0.1}, "has no fluid state"),  # CoolProp goes on below the triple point
        ("water", {"T": 400.0, "P": 2e9}, "has no fluid state"),
        ("water", {"P": 1e6, "h": 1e10}, "has no fluid state"),
        ("water (IF97)", {"T": 373.15, "s": 1000.0}, "has no fluid state"),
        ("water (IF97)", {"P": 500.0, "s": 6000.0}, "has no fluid state"),
        ("water", {"T": 350.0, "h": 325.77e3}, r"more than one state of water: T = 350 K and x = 0\.0\d+ or T"),
        ("water", {"h": 2.7e6, "x": 1.0}, "more than one state"),
        ("water", {"T": 400.0}, "exactly two"),
        ("water", {"v": 0.1, "rho": 10.0}, "same information"),
        ("water", {"g": 1.0, "T": 400.0}, "g cannot fix a state"),
        ("air", {"T": 300.0, "x": 0.5}, "no quality"),
        ("air", {"T": 300.0, "h": 3e5}, "same information"),
        ("air", {"h": 1e9, "P": 1e5}, "outside its range"),
        ("milk", {"T": 300.0, "P": 1e5}, "there is no fluid 'milk'; the fluids are water"),
    ],
)  # fmt: skip
def test_invalid_input_is_refused_in_one_line(fluid, inputs, message):
    with pytest.raises(PropertyError, match=message) as raised:
        state(fluid, **inputs)
    assert "\n" not in str(raised.value)


def test_state_is_described_line_by_line_with_units():
    lines = describe_state("water", ("T=291 degC", "p = 1.12×10^4 kPa"), ["h", "v", "T [K]", "phase", "x"])
    assert lines.splitlines() == [
        "h = 1292.49 kJ/kg",
        "v = 0.00135709 m^3/kg",
        "T = 564.15 K",
        "phase = subcooled liquid",
        "x is not defined for subcooled liquid",
    ]


@pytest.mark.parametrize(("written", "kelvin"), [("400 C", 673.15), ("212F", 373.15), ("300 K", 300.0)])
def test_temperature_is_in_degrees_not_coulomb_or_farad(written, kelvin):
    lines = describe_state("air", (f"T = {written}", "P = 1 bar"), ["T [K]", "T [C]"]).splitlines()
    assert lines == [f"T = {kelvin:.6g} K", f"T = {kelvin - 273.15:.6g} degC"]


@pytest.mark.parametrize(
    ("at", "advice"), [("x = 1", "T or P$"), ("h = 2700 kJ/kg", "with h and x = 0 or x = 1$")]
)
def test_saturation_is_fixed_by_temperature_or_pressure(at, advice):
    with pytest.raises(PropertyError, match=advice):
        describe_saturation("water", at)


def test_saturation_is_described_for_both_phases():
    lines = dict(line.split(" = ") for line in describe_saturation("water", "T = 150 °C").splitlines())
    assert list(lines) == ["T_sat", "P_sat", "h_f", "h_g", "s_f", "s_g", "v_f", "v_g", "u_f", "u_g"]
    assert lines["P_sat"] == "476.165 kPa"
    assert lines["h_g"] == "2745.93 kJ/kg"


@pytest.mark.parametrize(
    ("fluid", "inputs", "phase"),
    [
        ("water", ("P = 30 MPa", "T = 600 degC"), "supercritical"),
        ("air", ("P = 3 MPa", "T = 600 degC"), "gas"),
        ("air (real gas)", ("P = 100 kPa", "x = 0.5"), "two phase"),
    ],
)
def test_other_properties_are_given_without_saturation(fluid, inputs, phase):
    *_, last = describe_state(fluid, inputs, ["h", "T_sat"]).splitlines()
    assert last == f"T_sat is not defined for {phase}"


def test_mixture_has_no_single_saturation_temperature():
    # Lemmon et al. 2000: bubble point 78.90 K and dew point 81.72 K at 101.325 kPa.
    with pytest.raises(PropertyError, match=r"is a mixture.* 78.9.* to 81.7.*give x = 0 or x = 1"):
        describe_saturation("air (real gas)", "P = 101.325 kPa")
