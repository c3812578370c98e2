"""The plausibility check compares with bounds that really hold, and admits it where none is known."""

import pytest

from ansatz.agents.slide_rule.plausibility import check
from ansatz.agents.slide_rule.reading import read


def said(text, unit, value):
    """What is said of a value in SI for the (last) target of a question."""
    reading = read(f"{text}\n\nReport your answers as:\ny = ___ {unit}")
    return check(reading.targets[0], value, reading.givens, f"y = {value:g} {unit}")


STREAM = "A stream of density rho = 1e-4 kg/m^3 and speed V = 6000 m/s."
GAS = "A gas of static temperature T_1 = 250 K and static pressure p_1 = 5 kPa at Mach number M_1 = 4."
FLUX = 0.5 * 1e-4 * 6000**3

BOUNDS = [
    (f"{STREAM} Find the heat flux y.", "W/m^2", FLUX / 2, 2 * FLUX, f"{FLUX:.4g}".replace("e+0", "e")),
    (f"{STREAM} Find the wall shear stress y.", "Pa", 20.0, 2000.0, "1800 Pa"),
    (f"{STREAM} Find the stagnation enthalpy y.", "J/kg", 1.9e7, 1e7, "1.8e7 J/kg"),
    ("A wall of temperature T_w = 1000 K. Find the emitted flux y.", "W/m^2", 4e4, 8e4, "56700 W/m^2"),
    (f"{GAS} Find the recovery temperature y.", "K", 900.0, 1200.0, "250 K and 1050 K"),
    (f"{GAS} Find the temperature y behind the shock.", "K", 1000.0, 200.0, "250 K"),
    (f"{GAS} Find the pressure y behind the shock.", "Pa", 9e4, 2e3, "5000 Pa"),
    (f"{GAS} Find the stagnation pressure y.", "Pa", 7e5, 1e3, "5000 Pa"),
    (f"{GAS} Find the pressure coefficient y.", "-", 1.8, -0.5, "-0.08929"),
    (
        "A gas of stagnation temperature T_0 = 900 K. Find the static temperature y.",
        "K",
        300.0,
        950.0,
        "900 K",
    ),
    ("A plate of length L = 0.5 m. Find the boundary layer thickness y.", "m", 0.01, 0.9, "0.5 m"),
    (
        "A cold reservoir T_c = 300 K, a hot reservoir T_h = 500 K. Find the efficiency y.",
        "-",
        0.3,
        0.6,
        "0.4",
    ),
    ("Find the skin friction coefficient y.", "-", 3e-3, 1.5, "1"),
    ("Find the probability y.", "-", 0.2, 1.2, "1"),
    ("Find the quality y.", "-", 0.2, -0.2, "0"),
    ("Find the density ratio y across the shock.", "-", 4.0, 0.5, "1"),
    ("Find the stagnation pressure ratio y across the shock.", "-", 0.5, 1.3, "1"),
    ("Find the Mach number y.", "-", 3.0, -1.0, "0"),
    ("Find the temperature y.", "K", 300.0, -20.0, "0 K"),
    ("Find the pressure y.", "kPa", 3e5, -2e4, "0 kPa"),
    ("Find the relaxation time y.", "s", 1e-5, -1e-5, "0 s"),
    ("Find the speed y.", "m/s", 7000.0, 4e8, "2.998e8 m/s"),
]


@pytest.mark.parametrize(("text", "unit", "good", "bad", "bound"), BOUNDS, ids=lambda value: str(value)[:60])
def test_a_value_is_compared_with_its_bound(text, unit, good, bad, bound):
    inside, outside = said(text, unit, good), said(text, unit, bad)
    assert inside.endswith(": plausible.")
    assert outside.endswith(": NOT plausible.")
    assert bound in inside
    assert "cannot be" in outside


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Find the lift coefficient y.", "-"),
        ("Find the specific entropy y.", "kJ/(kg*K)"),
        ("Find the enthalpy change y.", "kJ/kg"),
        ("Find the temperature difference y.", "K"),
    ],
)
@pytest.mark.parametrize("value", [-7.0, 7.0])
def test_no_bound_is_invented(text, unit, value):
    assert "no physical bound is known" in said(text, unit, value)


def test_a_value_at_its_bound_is_not_accused_of_a_slip_in_reading():
    text = "A black wall of temperature T_w = 1000 K. Find the emitted flux y."
    assert "within the accuracy of reading" in said(text, "W/m^2", 5.7e4)


def test_plasma_and_light_have_positive_scales():
    assert said("Find the plasma frequency y.", "GHz", 9e9).endswith(": plausible.")
    assert said("Find the spectral radiance y.", "W/m^2/sr/Hz", -1.0).endswith(": NOT plausible.")
