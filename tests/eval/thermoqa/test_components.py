"""Component questions: balances that close and machines that a plant would run."""

import math
from itertools import product

import pytest

from ansatz.eval.benchmarks.thermoqa.components import COMPONENTS
from ansatz.knowledge_base.properties import saturation, state
from tests.eval.thermoqa.component_cases import CALLED, KELVIN, T0, drawn_cases, of

CLOSE = 1e-9


@pytest.fixture(scope="module")
def cases():
    return drawn_cases()


def test_every_meaningful_combination_is_asked(cases):
    asked = {(case.question.kind, case.question.depth, case.question.fluid) for case in cases}
    meaningless = {("pump", "Air"), ("boiler", "Air")}
    assert asked == {
        (kind, depth, fluid)
        for kind, depth, fluid in product(COMPONENTS, "ABC", CALLED)
        if (kind, fluid) not in meaningless
    }
    assert len(COMPONENTS) == 7


def test_each_depth_asks_for_more_than_the_one_before(cases):
    for kind in COMPONENTS:
        names = [list(of(cases, kind, depth=depth, fluid="Water")[0].key) for depth in "ABC"]
        assert names[0] == names[1][: len(names[0])] and names[1] == names[2][: len(names[1])]
        assert len(names[0]) < len(names[1]) < len(names[2])


def test_entropy_is_generated_and_exergy_destroyed_with_it(cases):
    for case in cases:
        generated = case.key.get("s_gen", case.key.get("S_gen_dot"))
        destroyed = case.key.get("x_dest", case.key.get("X_dest_dot"))
        if case.question.depth != "A":
            assert generated > 0, case
        if case.question.depth == "C":
            assert destroyed == pytest.approx(T0 * generated, rel=CLOSE), case
            assert 0 < case["eta_II"] < 1, case


def test_no_compressor_takes_in_a_wet_vapour_and_none_discharges_too_hot(cases):
    for case in of(cases, "compressor"):
        if case.question.fluid != "Air":
            assert case["T1"] >= saturation(case.fluid, P=case["P1"]).T + 2
            assert state(case.fluid, T=case["T1"], P=case["P1"]).phase == "superheated_vapor"
        assert state(case.fluid, P=case["P2"], h=case["h2"] * 1e3).T <= 650 + KELVIN


def test_turbines_take_in_dry_vapour_and_exhaust_a_bearable_quality(cases):
    for case in of(cases, "turbine"):
        if case.question.fluid != "Air":
            assert case["T1"] > saturation(case.fluid, P=case["P1"]).T + 5
        exhaust = state(case.fluid, P=case["P2"], h=case["h2"] * 1e3)
        assert exhaust.x is None or exhaust.x >= 0.86, case


def test_pumps_handle_subcooled_liquid_only(cases):
    for case in of(cases, "pump"):
        assert case["P1"] >= 1.04 * saturation(case.fluid, T=case["T1"]).P
        for found in (
            state(case.fluid, T=case["T1"], P=case["P1"]),
            state(case.fluid, P=case["P2"], h=case["h2"] * 1e3),
        ):
            assert found.phase == "subcooled_liquid"


def test_temperatures_never_cross_in_a_heat_exchanger(cases):
    for case in of(cases, "heat_exchanger"):
        hot_fluid = "water" if case.question.fluid == "R134a" else case.fluid
        for place in range(41):
            share = place / 40
            hot = case["h_h_in"] + share * (case["h_h_out"] - case["h_h_in"])
            cold = case["h_c_out"] + share * (case["h_c_in"] - case["h_c_out"])
            warm = state(hot_fluid, P=case["P_h"], h=hot * 1e3)
            cool = state(case.fluid, P=case["P_c"], h=cold * 1e3)
            assert warm.T > cool.T + 3.5, case
            if case.question.fluid != "Air":
                assert warm.phase == cool.phase == "subcooled_liquid"


def test_boilers_turn_liquid_into_superheated_vapour_with_heat_from_somewhere_hotter(cases):
    for case in of(cases, "boiler"):
        assert state(case.fluid, T=case["T_in"], P=case["P"]).phase == "subcooled_liquid"
        assert state(case.fluid, T=case["T_out"], P=case["P"]).phase == "superheated_vapor"
        assert case.given.get("T_source", math.inf) > case["T_out"] + 10


def test_a_mixture_lies_between_its_streams(cases):
    for case in of(cases, "mixing_chamber"):
        assert case["T2"] < case.celsius("T3") + KELVIN < case["T1"], case
        assert case["h2"] < case["h3"] < case["h1"]


def test_nozzles_stay_dry_and_speed_up(cases):
    for case in of(cases, "nozzle"):
        exit = state(case.fluid, P=case["P2"], h=case["h2"] * 1e3)
        assert exit.x is None or exit.x >= 0.95
        assert case["V2"] > 1.5 * case["V1"]


def test_air_follows_the_cold_air_closed_forms(cases):
    for case in of(cases, "turbine", "compressor", fluid="Air"):
        ideal = 1.005 * case["T1"] * (case["P2"] / case["P1"]) ** (0.4 / 1.4)
        assert case["h1"] == pytest.approx(1.005 * case["T1"], rel=1e-12)
        assert case["h2s"] == pytest.approx(ideal, rel=1e-12)
        if case.question.depth != "A":
            heating = 1.005 * math.log(case["h2"] / case["h1"])
            expanding = 1.005 * 0.4 / 1.4 * math.log(case["P2"] / case["P1"])
            assert case["s_gen"] == pytest.approx(heating - expanding, rel=1e-9, abs=1e-12)
    for case in of(cases, "mixing_chamber", fluid="Air"):
        mean = (case["m1"] * case["T1"] + case["m2"] * case["T2"]) / (case["m1"] + case["m2"])
        assert case["T3"] == pytest.approx(mean, rel=1e-12)
