"""Substances, reference states, the perfect gas and exergy, against tables, and closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.properties import (
    ConstantHeatCapacityGas,
    DeadState,
    PropertyError,
    flow_exergy,
    saturation,
    state,
    substance,
)

KELVIN = 273.15
AIR = ConstantHeatCapacityGas(cp=1005.0, k=1.4)

# IAPWS R7-97(2012), table 15 (region 2): T in K, P in Pa, then v in m³/kg, h in J/kg, s in J/(kg·K).
IF97_VAPOR = [
    (300, 0.0035e6, 0.394913866e2, 2549.91145e3, 8.52238967e3),
    (700, 0.0035e6, 0.923015898e2, 3335.68375e3, 10.1749996e3),
    (700, 30e6, 0.542946619e-2, 2631.49474e3, 5.17540298e3),
]
# The same, table 5 (region 1).
IF97_LIQUID = [
    (300, 3e6, 0.100215168e-2, 115.331273e3, 0.392294792e3),
    (300, 80e6, 0.971180894e-3, 184.142828e3, 0.368563852e3),
    (500, 3e6, 0.120241800e-2, 975.542239e3, 2.58041912e3),
]
# The same, table 35: saturation pressure in Pa by temperature in K.
IF97_SATURATION = [(300, 0.353658941e4), (500, 0.263889776e7), (600, 0.123443146e8)]
# Cengel and Boles, table A-12 (zero: saturated liquid at -40 °C): °C, kPa, h_f, h_g, s_f, s_g.
R134A_SATURATION = [
    (-18.77, 140, 27.08, 239.16, 0.11087, 0.94456),
    (31.31, 800, 95.47, 267.29, 0.35404, 0.91835),
]


@pytest.mark.parametrize(("T", "P", "v", "h", "s"), IF97_LIQUID + IF97_VAPOR)
@pytest.mark.parametrize("pair", ["TP", "Ph", "Ps"])
def test_if97_leads_back_from_enthalpy_and_entropy_to_its_verification_values(T, P, v, h, s, pair):
    known = {"T": T, "P": P, "h": h, "s": s}
    found = state("water (IF97)", **{symbol: known[symbol] for symbol in pair})
    assert (found.T, found.v, found.h, found.s) == pytest.approx((T, v, h, s), rel=1e-7)


@pytest.mark.parametrize(("T", "P"), IF97_SATURATION)
def test_if97_reproduces_its_saturation_line(T, P):
    assert pytest.approx(P, rel=1e-6) == saturation("water (IF97)", T=T).P


@pytest.mark.parametrize(("celsius", "kilopascal", "h_f", "h_g", "s_f", "s_g"), R134A_SATURATION)
def test_r134a_agrees_with_textbook_tables_in_their_reference_state(celsius, kilopascal, h_f, h_g, s_f, s_g):
    both = saturation("R134a (ASHRAE)", P=kilopascal * 1e3)
    assert pytest.approx(celsius, abs=0.02) == both.T - KELVIN
    assert (both.liquid.h / 1e3, both.vapor.h / 1e3) == pytest.approx((h_f, h_g), abs=0.15)
    assert (both.liquid.s / 1e3, both.vapor.s / 1e3) == pytest.approx((s_f, s_g), abs=6e-4)


@given(st.floats(230, 360), st.floats(1e5, 4e6))
def test_reference_states_shift_but_never_change_differences(T, P):
    shifts = []
    for name in ("R134a (ASHRAE)", "R134a (NBP)"):
        one, other = substance("R134a").state(T=T, P=P), substance(name).state(T=T, P=P)
        shifts.append((one.h - other.h, one.s - other.s, one.u - other.u, one.rho - other.rho))
    for name, shift in zip(("R134a (ASHRAE)", "R134a (NBP)"), shifts, strict=True):
        one, other = substance("R134a").state(T=300.0, P=1e5), substance(name).state(T=300.0, P=1e5)
        expected = (one.h - other.h, one.s - other.s, one.u - other.u, 0.0)
        assert shift == pytest.approx(expected, rel=1e-6, abs=1e-5)


def test_the_perfect_gas_has_the_zero_and_the_slope_it_states():
    zero = AIR.state(T=298.15, P=100e3)
    assert (zero.h, zero.s) == pytest.approx((1005.0 * 298.15, 0.0), abs=1e-9)
    rise = AIR.state(T=330.0, P=600e3).s - AIR.state(T=290.0, P=100e3).s
    by_hand = 1.005 * 0.129212 - 0.287143 * 1.791759  # ln(330/290) and ln 6
    assert rise / 1e3 == pytest.approx(by_hand, abs=1e-5)


@given(
    st.floats(150, 2500),
    st.floats(1e3, 1e7),
    st.sampled_from(["TP", "Ph", "Ps", "Pu", "Pv", "Tv", "hs", "su", "sv", "Ts", "hv"]),
)
def test_any_pair_of_properties_of_the_perfect_gas_leads_back(T, P, pair):
    known = AIR.state(T=T, P=P)
    found = AIR.state(**{symbol: getattr(known, symbol) for symbol in pair})
    assert (found.T, found.P, found.h, found.s, found.v) == pytest.approx(
        (known.T, known.P, known.h, known.s, known.v), rel=1e-9, abs=1e-9
    )


@given(st.floats(200, 1500), st.floats(1e4, 1e6), st.floats(0.05, 20))
def test_an_isentrope_follows_p_v_to_the_k(T, P, ratio):
    inlet = AIR.state(T=T, P=P)
    exit = AIR.isentropic(inlet, P * ratio)
    assert exit.s == pytest.approx(inlet.s, abs=1e-9)
    assert exit.P * exit.v**1.4 == pytest.approx(inlet.P * inlet.v**1.4, rel=1e-9)


def test_a_stated_gas_constant_counts_for_entropy_while_isentropes_follow_k():
    rounded = ConstantHeatCapacityGas(cp=1005.0, k=1.4, stated_gas_constant=287.0)
    inlet = rounded.state(T=300.0, P=100e3)
    assert pytest.approx(300.0 * 8 ** (0.4 / 1.4), rel=1e-12) == rounded.isentropic(inlet, 800e3).T
    assert rounded.state(T=300.0, P=200e3).s - inlet.s == pytest.approx(-287.0 * math.log(2), rel=1e-12)


@pytest.mark.parametrize(
    ("inputs", "problem"),
    [
        ({"T": 300.0, "x": 0.5}, "no quality"),
        ({"T": 300.0, "h": 3e5}, "same information"),
        ({"P": 1e5, "h": -1e3}, "outside its range"),
        ({"T": 300.0}, "exactly two"),
        ({"T": -1.0, "P": 1e5}, "T must be positive"),
    ],
)
def test_what_a_perfect_gas_cannot_have_is_said(inputs, problem):
    with pytest.raises(PropertyError, match=problem):
        AIR.state(**inputs)


def test_flow_exergy_of_steam_agrees_with_steam_tables():
    """Steam at 3 MPa and 450 °C, dead state 25 °C and 100 kPa, with the values of Cengel and Boles."""
    water = substance("water")
    exergy = flow_exergy(water.state(T=450 + KELVIN, P=3e6), DeadState(298.15, 100e3).of(water))
    by_hand = (3344.9 - 104.83) - 298.15 * (7.0856 - 0.3672)  # tables
    assert exergy / 1e3 == pytest.approx(by_hand, rel=1e-3)


def test_flow_exergy_of_a_perfect_gas_has_its_closed_form():
    dead = DeadState(290.0, 95e3)
    found = flow_exergy(AIR.state(T=500.0, P=400e3), dead.of(AIR), velocity=120.0)
    gas_constant = 1005.0 * 0.4 / 1.4
    thermal = 1005.0 * (500 - 290 - 290 * math.log(500 / 290))
    mechanical = gas_constant * 290 * math.log(400 / 95)
    assert found == pytest.approx(thermal + mechanical + 120.0**2 / 2, rel=1e-12)


@given(st.sampled_from(["water", "R134a", "air", "air (constant cp)"]), st.floats(280, 360))
def test_at_the_environments_pressure_flow_exergy_is_zero_there_and_positive_elsewhere(name, T):
    fluid = substance(name)
    dead = DeadState(298.15, 100e3).of(fluid)
    assert flow_exergy(dead, dead) == 0.0
    assert flow_exergy(fluid.state(T=T, P=100e3), dead) >= -1e-6
