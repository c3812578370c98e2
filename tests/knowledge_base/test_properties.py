"""States of fluids, ideal-gas air and the standard atmosphere, against published tables."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.knowledge_base.properties import PropertyError, atmosphere, saturation, state

KELVIN = 273.15
SYMBOLS = ("T", "P", "h", "s", "v", "u")

# IAPWS R6-95(2018), table 7: T in K, rho in kg/m³, P in MPa, cv in kJ/(kg·K), speed of sound in m/s.
IAPWS_95_CHECKS = [
    (300, 996.5560, 0.992418352e-1, 4.13018112, 1501.51914),
    (300, 1005.308, 0.200022515e2, 4.06798347, 1534.92501),
    (500, 0.4350000, 0.999679423e-1, 1.50817541, 548.314253),
    (500, 838.0250, 0.100003858e2, 3.22106219, 1271.28441),
    (647, 358.0000, 0.220384756e2, 6.18315728, 252.145078),
    (900, 52.61500, 0.200000690e2, 1.93510526, 698.445674),
]
# Steam tables of Cengel and Boles, A-4 to A-7: kJ/kg, kJ/(kg·K), m³/kg.
STEAM_TABLES = [
    ({"T": 150 + KELVIN, "x": 0.0}, "saturated_liquid", 632.18, 1.8418, 0.001091),
    ({"P": 1e6, "x": 1.0}, "saturated_vapor", 2777.1, 6.5850, 0.19436),
    ({"T": 400 + KELVIN, "P": 1e6}, "superheated_vapor", 3264.5, 7.4670, 0.30661),
    ({"T": 600 + KELVIN, "P": 30e6}, "supercritical", 3446.7, 6.2373, 0.011455),
    ({"T": 80 + KELVIN, "P": 10e6}, "subcooled_liquid", 342.94, 1.0691, 0.0010244),
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


@pytest.mark.parametrize(("T", "rho", "pressure", "cv", "speed"), IAPWS_95_CHECKS)
def test_water_reproduces_the_verification_values_of_iapws_95(T, rho, pressure, cv, speed):
    found = state("water", T=T, rho=rho)
    assert pytest.approx(pressure, rel=1e-6) == found.P / 1e6
    assert found.cv / 1e3 == pytest.approx(cv, rel=1e-6)
    assert found.speed_of_sound == pytest.approx(speed, rel=1e-6)


@pytest.mark.parametrize(("inputs", "phase", "h", "s", "v"), STEAM_TABLES)
def test_water_agrees_with_steam_tables(inputs, phase, h, s, v):
    found = state("water", **inputs)
    assert found.phase == phase
    assert (found.h / 1e3, found.s / 1e3, found.v) == pytest.approx((h, s, v), rel=1.5e-3)


@pytest.mark.parametrize(
    ("fluid", "celsius", "h", "s"), [("R134a", 0.0, 200e3, 1000.0), ("R134a (ASHRAE)", -40.0, 0.0, 0.0)]
)
def test_r134a_has_its_stated_zero(fluid, celsius, h, s):
    found = state(fluid, T=celsius + KELVIN, x=0.0)
    assert (found.h, found.s) == pytest.approx((h, s), abs=1e-6)


def test_a_zero_does_not_depend_on_coolprops_global_reference_state():
    from CoolProp import CoolProp

    before = state("R134a", T=300.0, P=1e5)
    try:
        CoolProp.set_reference_state("R134a", "NBP")
        moved = CoolProp.PropsSI("H", "T", 300.0, "P", 1e5, "R134a")
        after = state("R134a", T=300.0, P=1e5)
    finally:
        CoolProp.set_reference_state("R134a", "DEF")
    assert abs(moved - before.h) > 1e4
    assert (after.h, after.s, after.u) == pytest.approx((before.h, before.s, before.u), rel=1e-9)


def test_r134a_agrees_with_ashrae_tables():
    both = saturation("R134a", T=20 + KELVIN)  # ASHRAE Fundamentals: 571.71 kPa, h_f 227.47, h_g 409.75
    assert pytest.approx(571.71, rel=1e-3) == both.P / 1e3
    assert (both.liquid.h / 1e3, both.vapor.h / 1e3) == pytest.approx((227.47, 409.75), rel=1e-3)


STATES = [
    ("water", {"T": 600.0, "P": 1e6}),
    ("water", {"T": 350.0, "P": 5e6}),
    ("water", {"P": 6.15e6, "x": 0.52}),
    ("water", {"T": 700.0, "P": 30e6}),
    ("R134a", {"T": 300.0, "P": 1e5}),
    ("R134a", {"P": 4e5, "x": 0.3}),
    ("air", {"T": 800.0, "P": 5e5}),
]


@pytest.mark.parametrize(("fluid", "inputs"), STATES)
@pytest.mark.parametrize("pair", list(combinations(SYMBOLS, 2)), ids="-".join)
def test_every_pair_of_properties_leads_back_to_the_state(fluid, inputs, pair):
    known = state(fluid, **inputs)
    given_pair = {symbol: getattr(known, symbol) for symbol in pair}
    problem = refusal(fluid, known, pair)
    if problem:
        with pytest.raises(PropertyError, match=problem):
            state(fluid, **given_pair)
    else:
        found = state(fluid, **given_pair)
        assert [getattr(found, symbol) for symbol in SYMBOLS] == pytest.approx(
            [getattr(known, symbol) for symbol in SYMBOLS], rel=1e-4
        )
        assert found.phase == known.phase


def refusal(fluid, known, pair):
    """Why a pair cannot fix this state: it lies on the saturation line, or physics gives it twins."""
    if pair == ("T", "P") and known.x is not None:
        return "give x with T or P"
    if fluid == "air":
        return "same information" if set(pair) < {"T", "h", "u"} else None
    if pair == ("h", "u"):  # h - u = P v, which a second pressure matches
        return f"fits more than one state.*P = {known.P / 1e3:.6g} kPa"
    if pair == ("T", "h") and known.phase == "subcooled_liquid":  # wet steam of tiny quality has this h too
        return f"fits more than one state.*x = .*P = {known.P / 1e3:.6g} kPa"
    return None


@settings(max_examples=60)
@given(st.floats(0.1, 0.98), st.floats(280, 640), st.sampled_from(["h", "s", "v", "u"]))
def test_quality_is_found_from_temperature_and_any_other_property(x, T, symbol):
    known = state("water", T=T, x=x)
    assert state("water", **{"T": T, symbol: getattr(known, symbol)}).x == pytest.approx(x, abs=1e-5)


@settings(max_examples=60)
@given(st.floats(210, 3000), st.floats(1e3, 1e7))
def test_air_is_an_ideal_gas(T, P):
    found = state("air", T=T, P=P)
    assert found.h - found.u == pytest.approx(found.P * found.v, rel=1e-9)
    assert found.cp - found.cv == pytest.approx(8.314510 / 28.9651159e-3, rel=1e-9)
    step = 1e-3 * T
    slope = (state("air", T=T + step, P=P).h - state("air", T=T - step, P=P).h) / (2 * step)
    assert slope == pytest.approx(found.cp, rel=1e-3)
    assert pytest.approx(T, rel=1e-6) == state("air", s=found.s, v=found.v).T


@pytest.mark.parametrize(("T", "h", "u", "p_r", "v_r", "s"), AIR_TABLE, ids=lambda value: f"{value:g}")
def test_air_agrees_with_textbook_tables(T, h, u, p_r, v_r, s):
    found = state("air", T=T, P=100e3)
    assert (found.h / 1e3, found.u / 1e3) == pytest.approx((h, u), rel=1e-3)
    assert found.s / 1e3 == pytest.approx(s, rel=5e-4)
    compressed = state("air", s=state("air", T=300.0, P=1386.0).s, T=T)  # p_r is 1.386 at 300 K
    assert pytest.approx(p_r, rel=2e-3) == compressed.P / 1e3
    assert compressed.v / state("air", T=300.0, P=1386.0).v * 621.2 == pytest.approx(v_r, rel=2e-3)


def test_a_twin_beyond_steam_tables_does_not_make_a_state_ambiguous():
    found = state("water", T=620.0, h=1570.84e3)  # the same h is reached again at 225 MPa
    assert pytest.approx(40e6, rel=1e-3) == found.P


def test_air_is_a_real_gas_only_by_name():
    cold = {"T": 150.0, "P": 5e6}
    with pytest.raises(PropertyError, match="200 K to 6000 K"):
        state("air", **cold)
    assert state("air (real gas)", **cold).rho > 1.3 * cold["P"] / (287.05 * cold["T"])


@pytest.mark.parametrize(("geometric", "T", "P", "rho"), ATMOSPHERE_TABLE, ids=lambda value: f"{value:g}")
def test_the_atmosphere_agrees_with_its_tables(geometric, T, P, rho):
    found = atmosphere.at(geometric=geometric)
    assert pytest.approx(T, abs=6e-3) == found.T
    assert (found.P, found.rho) == pytest.approx((P, rho), rel=1e-4)


def test_sea_level_transport_and_sound():
    found = atmosphere.at(geometric=0.0)
    # tables II and III: 340.294 m/s, 1.7894e-5 Pa·s, 2.5326e-2 W/(m·K)
    assert found.speed_of_sound == pytest.approx(340.294, abs=1e-3)
    assert (found.viscosity, found.conductivity) == pytest.approx((1.7894e-5, 2.5326e-2), rel=1e-4)
