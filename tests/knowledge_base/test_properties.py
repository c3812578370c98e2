"""States of fluids, ideal gases, exergy and the standard atmosphere, against published tables and closed forms."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties import (
    FLUIDS,
    ConstantHeatCapacityGas,
    DeadState,
    atmosphere,
    flow_exergy,
    saturation,
    state,
    substance,
)
from ansatz.knowledge_base.properties.flash import Flash

KELVIN = 273.15
AIR = ConstantHeatCapacityGas(cp=1005.0, k=1.4)

# IAPWS R7-97(2012), tables 5 and 15 (regions 1 and 2): T in K, P in Pa, then v in m³/kg, h in J/kg, s in J/(kg·K).
IF97 = [
    (300, 3e6, 0.100215168e-2, 115.331273e3, 0.392294792e3),
    (300, 80e6, 0.971180894e-3, 184.142828e3, 0.368563852e3),
    (500, 3e6, 0.120241800e-2, 975.542239e3, 2.58041912e3),
    (300, 0.0035e6, 0.394913866e2, 2549.91145e3, 8.52238967e3),
    (700, 0.0035e6, 0.923015898e2, 3335.68375e3, 10.1749996e3),
    (700, 30e6, 0.542946619e-2, 2631.49474e3, 5.17540298e3),
]
# ASHRAE Fundamentals (IIR zero); Cengel and Boles, A-12 (zero at -40 °C): °C, kPa, h_f, h_g, s_f, s_g.
R134A_SATURATION = [
    ("R134a", 20, 571.71, (227.47, 409.75), (1.0962, 1.7180)),
    ("R134a (ASHRAE)", -18.77, 140, (27.08, 239.16), (0.11087, 0.94456)),
    ("R134a (ASHRAE)", 31.31, 800, (95.47, 267.29), (0.35404, 0.91835)),
]
# Ideal-gas air of Moran and Shapiro, A-22: T in K, h and u in kJ/kg, p_r, v_r, s° in kJ/(kg·K).
AIR_TABLE = [
    (200, 199.97, 142.56, 0.3363, 1707, 1.29559),
    (300, 300.19, 214.07, 1.3860, 621.2, 1.70203),
    (500, 503.02, 359.49, 8.411, 170.6, 2.21952),
    (800, 821.95, 592.30, 47.75, 48.08, 2.71787),
    (1200, 1277.79, 933.33, 238.0, 14.470, 3.17888),
    (2000, 2252.1, 1678.7, 2068, 2.776, 3.7994),
]
# U.S. Standard Atmosphere 1976, table I (geometric altitude): m, K, Pa, kg/m³.
ATMOSPHERE_TABLE = [
    (0, 288.15, 101325, 1.2250),
    (5000, 255.676, 54048, 0.73643),
    (20_000, 216.650, 5529.3, 0.088910),
    (50_000, 270.650, 79.779, 1.0269e-3),
    (80_000, 198.639, 1.0524, 1.8458e-5),
]
# State, what it has by a source, and how nearly.
PUBLISHED = [
    # IAPWS R6-95(2018), table 7
    ("water", {"T": 300, "rho": 996.5560}, {"P": 0.992418352e5, "cv": 4130.18112, "speed_of_sound": 1501.51914}, 1e-6),
    ("water", {"T": 300, "rho": 1005.308}, {"P": 0.200022515e8, "cv": 4067.98347, "speed_of_sound": 1534.92501}, 1e-6),
    ("water", {"T": 500, "rho": 0.4350000}, {"P": 0.999679423e5, "cv": 1508.17541, "speed_of_sound": 548.314253}, 1e-6),
    ("water", {"T": 500, "rho": 838.0250}, {"P": 0.100003858e8, "cv": 3221.06219, "speed_of_sound": 1271.28441}, 1e-6),
    ("water", {"T": 647, "rho": 358.0000}, {"P": 0.220384756e8, "cv": 6183.15728, "speed_of_sound": 252.145078}, 1e-6),
    ("water", {"T": 900, "rho": 52.61500}, {"P": 0.200000690e8, "cv": 1935.10526, "speed_of_sound": 698.445674}, 1e-6),
    # Steam tables of Cengel and Boles, A-4 to A-7
    ("water", {"T": 423.15, "x": 0.0}, {"phase": "saturated_liquid", "h": 632.18e3, "s": 1841.8, "v": 0.001091}, 1.5e-3),
    ("water", {"P": 1e6, "x": 1.0}, {"phase": "saturated_vapor", "h": 2777.1e3, "s": 6585.0, "v": 0.19436}, 1.5e-3),
    ("water", {"T": 673.15, "P": 1e6}, {"phase": "superheated_vapor", "h": 3264.5e3, "s": 7467.0, "v": 0.30661}, 1.5e-3),
    ("water", {"T": 873.15, "P": 30e6}, {"phase": "supercritical", "h": 3446.7e3, "s": 6237.3, "v": 0.011455}, 1.5e-3),
    ("water", {"T": 353.15, "P": 10e6}, {"phase": "subcooled_liquid", "h": 342.94e3, "s": 1069.1, "v": 0.0010244}, 1.5e-3),
    # IAPWS R7-97(2012), table 35
    ("water (IF97)", {"T": 300, "x": 1.0}, {"P": 0.353658941e4}, 1e-6),
    ("water (IF97)", {"T": 500, "x": 1.0}, {"P": 0.263889776e7}, 1e-6),
    ("water (IF97)", {"T": 600, "x": 1.0}, {"P": 0.123443146e8}, 1e-6),
]  # fmt: skip


@pytest.mark.parametrize(("fluid", "inputs", "published", "rtol"), PUBLISHED)
def test_state_agrees_with_published_values(fluid, inputs, published, rtol):
    found = state(fluid, **inputs)
    assert found.phase == published.get("phase", found.phase)
    for symbol in published.keys() - {"phase"}:
        assert getattr(found, symbol) == pytest.approx(published[symbol], rel=rtol), symbol


@pytest.mark.parametrize(("T", "P", "v", "h", "s"), IF97)
@pytest.mark.parametrize("pair", ["TP", "Ph", "Ps"])
def test_if97_inverts_its_verification_values(T, P, v, h, s, pair):
    known = {"T": T, "P": P, "h": h, "s": s}
    found = state("water (IF97)", **{symbol: known[symbol] for symbol in pair})
    assert (found.T, found.v, found.h, found.s) == pytest.approx((T, v, h, s), rel=1e-7)


@pytest.mark.parametrize(("fluid", "celsius", "kilopascal", "h", "s"), R134A_SATURATION)
def test_r134a_agrees_with_tables_in_their_reference_states(fluid, celsius, kilopascal, h, s):
    both = saturation(fluid, P=kilopascal * 1e3)
    assert pytest.approx(celsius, abs=0.02) == both.T - KELVIN
    assert (both.liquid.h / 1e3, both.vapor.h / 1e3) == pytest.approx(h, abs=0.15)
    assert (both.liquid.s / 1e3, both.vapor.s / 1e3) == pytest.approx(s, abs=6e-4)


@settings(max_examples=40)
@given(st.floats(230, 360), st.floats(1e5, 4e6), st.sampled_from(["R134a (ASHRAE)", "R134a (NBP)"]))
def test_reference_states_do_not_change_differences(T, P, name):
    def shift(**inputs):
        one, other = substance("R134a").state(**inputs), substance(name).state(**inputs)
        return one.h - other.h, one.s - other.s, one.u - other.u, one.rho - other.rho

    assert shift(T=T, P=P)[3] == 0
    assert shift(T=T, P=P) == pytest.approx(shift(T=300.0, P=1e5), rel=1e-6, abs=1e-5)


def test_zero_is_independent_of_coolprops_global_state():
    from CoolProp import CoolProp

    zero, before = state("R134a", T=KELVIN, x=0.0), state("R134a", T=300.0, P=1e5)
    assert (zero.h, zero.s) == pytest.approx((200e3, 1000.0), abs=1e-6)
    try:
        CoolProp.set_reference_state("R134a", "NBP")
        moved = CoolProp.PropsSI("H", "T", 300.0, "P", 1e5, "R134a")
        after = state("R134a", T=300.0, P=1e5)
    finally:
        CoolProp.set_reference_state("R134a", "DEF")
    assert abs(moved - before.h) > 1e4
    assert (after.h, after.s, after.u) == pytest.approx((before.h, before.s, before.u), rel=1e-9)


STATES = [
    ("water", {"T": 600.0, "P": 1e6}),
    ("water", {"T": 350.0, "P": 5e6}),
    ("water", {"P": 6.15e6, "x": 0.52}),
    ("water", {"T": 700.0, "P": 30e6}),
    ("R134a", {"T": 300.0, "P": 1e5}),
    ("R134a", {"P": 4e5, "x": 0.3}),
]


@pytest.mark.parametrize(("fluid", "inputs"), STATES)
@pytest.mark.parametrize("pair", list(combinations("TPhsvu", 2)), ids="-".join)
def test_every_pair_of_properties_gives_the_state(fluid, inputs, pair):
    known = state(fluid, **inputs)
    given_pair = {symbol: getattr(known, symbol) for symbol in pair}
    if problem := refusal(known, pair):
        with pytest.raises(PropertyError, match=problem):
            state(fluid, **given_pair)
    else:
        found = state(fluid, **given_pair)
        assert found.phase == known.phase
        for symbol in "TPhsvu":
            assert getattr(found, symbol) == pytest.approx(getattr(known, symbol), rel=1e-4)


def refusal(known, pair):
    """Why a pair cannot fix this state: it lies on the saturation line, or physics gives it twins."""
    if pair == ("T", "P") and known.x is not None:
        return "give x with T or P"
    if pair == ("h", "u"):  # h - u = P v, which a second pressure matches
        return f"fits more than one state.*P = {known.P / 1e3:.6g} kPa"
    if pair == ("T", "h") and known.phase == "subcooled_liquid":  # wet steam of tiny quality has this h too
        return f"fits more than one state.*x = .*P = {known.P / 1e3:.6g} kPa"
    return None


@settings(max_examples=60)
@given(st.floats(0.1, 0.98), st.floats(280, 640), st.sampled_from("hsvu"))
def test_quality_is_found_from_temperature_and_any_other_property(x, T, symbol):
    known = state("water", T=T, x=x)
    assert state("water", **{"T": T, symbol: getattr(known, symbol)}).x == pytest.approx(x, abs=1e-5)


def test_twin_above_100_mpa_does_not_make_a_state_ambiguous():
    found = state("water", T=620.0, h=1570.84e3)  # the same h is reached again at 225 MPa
    assert pytest.approx(40e6, rel=1e-3) == found.P
    assert found.twin_pressures == (pytest.approx(225e6, rel=1e-3),)


def test_coolprop_state_without_the_inputs_is_refused():
    water = Flash("HEOS", "Water", None)
    water.update({"T": 300.0, "P": 1e5})
    assert water.agrees({"T": 300.0, "h": water.value("h") + 0.5})
    assert not water.agrees({"T": 300.0, "h": water.value("h") + 50.0})
    assert not water.agrees({"T": 300.0, "x": 0.5})


def test_air_is_a_real_gas_only_by_name():
    cold = {"T": 150.0, "P": 5e6}
    with pytest.raises(PropertyError, match="200 K to 6000 K"):
        state("air", **cold)
    assert state("air (real gas)", **cold).rho > 1.3 * cold["P"] / (287.05 * cold["T"])


@pytest.mark.parametrize(("T", "h", "u", "p_r", "v_r", "s"), AIR_TABLE, ids=lambda value: f"{value:g}")
def test_air_agrees_with_textbook_tables(T, h, u, p_r, v_r, s):
    found = state("air", T=T, P=100e3)
    assert (found.h / 1e3, found.u / 1e3) == pytest.approx((h, u), rel=1e-3)
    assert found.s / 1e3 == pytest.approx(s, rel=5e-4)
    compressed = state("air", s=state("air", T=300.0, P=1386.0).s, T=T)  # p_r is 1.386 at 300 K
    assert pytest.approx(p_r, rel=2e-3) == compressed.P / 1e3
    assert compressed.v / state("air", T=300.0, P=1386.0).v * 621.2 == pytest.approx(v_r, rel=2e-3)


@settings(max_examples=60)
@given(st.floats(210, 3000), st.floats(1e3, 1e7))
def test_air_is_an_ideal_gas(T, P):
    found = state("air", T=T, P=P)
    assert found.h - found.u == pytest.approx(found.P * found.v, rel=1e-9)
    assert found.cp - found.cv == pytest.approx(8.314510 / 28.9651159e-3, rel=1e-9)
    step = 1e-3 * T
    slope = (state("air", T=T + step, P=P).h - state("air", T=T - step, P=P).h) / (2 * step)
    assert slope == pytest.approx(found.cp, rel=1e-3)


@given(
    st.sampled_from([FLUIDS["air"], AIR]),
    st.floats(210, 2500),
    st.floats(1e3, 1e7),
    st.sampled_from(["TP", "Ph", "Ps", "Pu", "Pv", "Tv", "hs", "su", "sv", "Ts", "hv", "uv"]),
)
def test_every_pair_gives_the_state_of_an_ideal_gas(gas, T, P, pair):
    known = gas.state(T=T, P=P)
    found = gas.state(**{symbol: getattr(known, symbol) for symbol in pair})
    assert (found.T, found.P, found.h, found.s, found.v) == pytest.approx(
        (known.T, known.P, known.h, known.s, known.v), rel=1e-7, abs=1e-9
    )


def test_perfect_gas_has_the_documented_zero_and_slope():
    zero = AIR.state(T=298.15, P=100e3)
    assert (zero.h, zero.s) == pytest.approx((1005.0 * 298.15, 0.0), abs=1e-9)
    rise = AIR.state(T=330.0, P=600e3).s - AIR.state(T=290.0, P=100e3).s
    by_hand = 1.005 * 0.129212 - 0.287143 * 1.791759  # ln(330/290) and ln 6
    assert rise / 1e3 == pytest.approx(by_hand, abs=1e-5)


@given(st.floats(200, 1500), st.floats(1e4, 1e6), st.floats(0.05, 20))
def test_isentrope_follows_p_v_to_the_k(T, P, ratio):
    inlet = AIR.state(T=T, P=P)
    exit = AIR.isentropic(inlet, P * ratio)
    assert exit.s == pytest.approx(inlet.s, abs=1e-9)
    assert exit.P * exit.v**1.4 == pytest.approx(inlet.P * inlet.v**1.4, rel=1e-9)


def test_stated_gas_constant_changes_entropy_only():
    rounded = ConstantHeatCapacityGas(cp=1005.0, k=1.4, stated_gas_constant=287.0)
    inlet = rounded.state(T=300.0, P=100e3)
    assert pytest.approx(300.0 * 8 ** (0.4 / 1.4), rel=1e-12) == rounded.isentropic(inlet, 800e3).T
    assert rounded.state(T=300.0, P=200e3).s - inlet.s == pytest.approx(-287.0 * math.log(2), rel=1e-12)


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
def test_flow_exergy_is_zero_only_at_the_dead_state(name, T):
    fluid = substance(name)
    dead = DeadState(298.15, 100e3).of(fluid)
    assert flow_exergy(dead, dead) == 0.0
    assert flow_exergy(fluid.state(T=T, P=100e3), dead) >= -1e-6


@pytest.mark.parametrize(("geometric", "T", "P", "rho"), ATMOSPHERE_TABLE, ids=lambda value: f"{value:g}")
def test_atmosphere_agrees_with_its_tables(geometric, T, P, rho):
    found = atmosphere.compute_air(geometric=geometric)
    assert pytest.approx(T, abs=6e-3) == found.T
    assert (found.P, found.rho) == pytest.approx((P, rho), rel=1e-4)


def test_sea_level_transport():
    found = substance("air").state(T=288.15, P=101_325.0)  # table III: 1.7894e-5 Pa·s, 2.5326e-2 W/(m·K)
    assert (found.viscosity, found.conductivity) == pytest.approx((1.7894e-5, 2.5326e-2), rel=1e-4)
    assert atmosphere.compute_air(geometric=0.0).viscosity == found.viscosity


@pytest.mark.parametrize(
    ("fluid", "key"),
    [("CO2", "CarbonDioxide"), ("methane", "Methane"), ("N2", "Nitrogen"), ("R407C", "R407C")],
)
def test_further_fluids_have_the_states_of_coolprop(fluid, key):
    from CoolProp.CoolProp import PropsSI

    known = {"T": "T", "P": "P", "h": "H", "s": "S", "rho": "D"}
    critical, pressure = PropsSI("Tcrit", key), PropsSI("pcrit", key)
    for T, P in ((0.8, 2.0), (1.2, 0.1), (1.1, 1.5)):
        expected = {n: PropsSI(name, "T", T * critical, "P", P * pressure, key) for n, name in known.items()}
        for pair in (("T", "P"), ("P", "h"), ("P", "s"), ("T", "rho")):
            found = state(fluid, **{name: expected[name] for name in pair})
            assert {name: getattr(found, name) for name in known} == pytest.approx(expected, rel=1e-6)


def test_a_mixture_that_boils_over_a_range_is_named_so():
    with pytest.raises(PropertyError, match="mixture"):
        saturation("R407C", P=8e5)
    assert pytest.approx(5.9, abs=0.6) == state("R407C", P=8e5, x=1).T - state("R407C", P=8e5, x=0).T
