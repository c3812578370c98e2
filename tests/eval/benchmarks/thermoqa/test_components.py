"""Component questions: balances that close, machines that a plant would run, keys that closed forms give."""

import math
from itertools import product

import pytest

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.generate import order_kinds
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.plant_questions import find_media
from ansatz.eval.benchmarks.thermoqa.plant_templates import plant_templates
from ansatz.knowledge_base.properties import saturation, state
from tests.eval.benchmarks.thermoqa.plants import Solved
from tests.oracles.test_oracles import ask, needs_oracles

CALLED = {"Water": "water", "R134a": "R134a", "Air": "air (constant cp)"}
CLOSE = 1e-9


@pytest.fixture(scope="module")
def cases():
    """Two of every kind, those beyond the published set too."""
    return [Solved(2, kind, seed) for kind in order_kinds(2, "even") for seed in (5, 6)]


def of(cases, *kinds, fluid=None):
    return [case for case in cases if case.kind in kinds and fluid in (None, case.fluid)]


def test_every_combination_exists_and_depths_add_targets(cases):
    boiling = {("pump", "Air"), ("boiler", "Air")}  # a gas is not pumped, and nothing boils
    every = [each for each in product(plant_templates(2), "ABC", CALLED) if (each[0], each[2]) not in boiling]
    assert sorted({(case.kind, case.depth, case.fluid) for case in cases}) == sorted(every)
    names = {(case.kind, case.fluid, case.depth): list(case.key) for case in cases}
    for kind, depth, fluid in every:
        if depth != "A":
            own, before = names[kind, fluid, depth], names[kind, fluid, chr(ord(depth) - 1)]
            assert own[: len(before)] == before and len(own) > len(before)


def test_first_and_second_laws_hold_on_the_key_alone(cases):
    for case in cases:
        generated = case.key.get("s_gen", case.key.get("S_gen_dot"))
        if case.depth != "A":
            assert generated > 0, case
        if case.depth == "C":
            destroyed = case.key.get("x_dest", case.key.get("X_dest_dot"))
            assert destroyed == pytest.approx(298.15 * generated, rel=CLOSE), case
            assert 0 < case["eta_II"] < 1, case
    for case in of(cases, "turbine", "compressor", "pump"):
        work = case.key.get("w_out", -case.key.get("w_in", 0.0))
        assert case["h1"] - case["h2"] == pytest.approx(work, rel=CLOSE, abs=CLOSE * case["h1"])
    for case in of(cases, "heat_exchanger"):
        warmed = case["m_c"] * (case["h_c_out"] - case["h_c_in"])
        assert warmed == pytest.approx(case["Q_dot"], rel=CLOSE)
    for case in of(cases, "mixing_chamber"):
        streams = case["m1"] * case["h1"] + case["m2"] * case["h2"]
        assert case["m3"] * case["h3"] == pytest.approx(streams, rel=CLOSE)
        assert case["T2"] < case["T3"] < case["T1"]
    for case in of(cases, "nozzle"):
        gained = (case["V2"] ** 2 - case["V1"] ** 2) / 2
        assert gained == pytest.approx(case["h1"] - case["h2"], rel=1e-8)
        assert case["V2"] > 1.5 * case["V1"]


def test_machines_run_on_what_they_bear(cases):
    for case in of(cases, "turbine", "compressor", "pump", "nozzle"):
        exit = state(CALLED[case.fluid], P=case["P2"], h=case["h2"])
        inlet = state(CALLED[case.fluid], T=case["T1"], P=case["P1"])
        if case.kind == "pump":
            assert case["P1"] >= 1.04 * saturation(CALLED[case.fluid], T=case["T1"]).P
            assert inlet.phase == exit.phase == "subcooled_liquid"
            continue
        assert inlet.phase in ("superheated_vapor", "gas")
        assert exit.T <= 650 + 273.15 if case.kind == "compressor" else exit.x is None or exit.x >= 0.86, case
    for case in of(cases, "boiler"):
        assert state(CALLED[case.fluid], T=case["T_in"], P=case["P"]).phase == "subcooled_liquid"
        assert state(CALLED[case.fluid], T=case["T_out"], P=case["P"]).phase == "superheated_vapor"
        assert case.depth == "A" or case["T_source"] > case["T_out"] + 10


def test_temperatures_never_cross_in_a_heat_exchanger(cases):
    for case in of(cases, "heat_exchanger"):
        cold_fluid = CALLED[case.fluid]
        hot_fluid = "water" if case.fluid == "R134a" else cold_fluid
        for share in (place / 20 for place in range(21)):
            hot = case["h_h_in"] + share * (case["h_h_out"] - case["h_h_in"])
            cold = case["h_c_out"] + share * (case["h_c_in"] - case["h_c_out"])
            warm, cool = state(hot_fluid, P=case["P_h"], h=hot), state(cold_fluid, P=case["P_c"], h=cold)
            assert warm.T > cool.T + 3.5, case
            assert case.fluid == "Air" or warm.phase == cool.phase == "subcooled_liquid"


def test_streams_that_come_too_near_in_temperature_are_refused():
    flows = {"m_h": 2.0, "m_c": 2.0, "P_h": 5e5, "P_c": 5e5}
    template = plant_templates(2)["heat_exchanger"]
    plant = Plant(
        template,
        flows | {"T_h_in": 360.0, "T_h_out": 320.0, "T_c_in": 318.0},
        find_media(2, template, "Water"),
    )
    with pytest.raises(Infeasible, match="temperatures cross"):
        plant.check("A", "Water")


def test_air_follows_the_cold_air_closed_forms(cases):
    for case in of(cases, "turbine", "compressor", fluid="Air"):
        ideal = 1005 * case["T1"] * (case["P2"] / case["P1"]) ** (0.4 / 1.4)
        assert (case["h1"], case["h2s"]) == pytest.approx((1005 * case["T1"], ideal), rel=1e-11)
        if case.depth != "A":
            heating = 1005 * math.log(case["h2"] / case["h1"])
            expanding = 1005 * 0.4 / 1.4 * math.log(case["P2"] / case["P1"])
            assert case["s_gen"] == pytest.approx(heating - expanding, rel=1e-9, abs=1e-9)
    for case in of(cases, "mixing_chamber", fluid="Air"):
        mean = (case["m1"] * case["T1"] + case["m2"] * case["T2"]) / (case["m1"] + case["m2"])
        assert case["T3"] == pytest.approx(mean, rel=1e-11)


@needs_oracles
def test_an_independent_steam_library_agrees(cases):
    """IAPWS-IF97, within 0.1 %; its backward equations cost a pump a few percent of its small work."""
    machines = of(cases, "turbine", "compressor", "pump", fluid="Water")
    inlets = ask("steam", given=[["IAPWS97", {"T": case["T1"], "P": case["P1"] / 1e6}] for case in machines])
    ends = [{"P": case["P2"] / 1e6, "s": inlet["s"]} for case, inlet in zip(machines, inlets, strict=True)]
    ideals = ask("steam", given=[["IAPWS97", end] for end in ends])
    for case, inlet, ideal in zip(machines, inlets, ideals, strict=True):
        work = inlet["h"] - ideal["h"]
        work = work * case["eta_s"] if case.kind == "turbine" else -work / case["eta_s"]
        theirs = (inlet["h"], inlet["s"], ideal["h"])
        assert [case[each] / 1e3 for each in ("h1", "s1", "h2s")] == pytest.approx(theirs, rel=1e-3)
        tolerance = 0.03 if case.kind == "pump" else 2e-3
        assert case["w_out" if case.kind == "turbine" else "w_in"] / 1e3 == pytest.approx(work, rel=tolerance)
