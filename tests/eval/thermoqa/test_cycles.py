"""Cycle physics against textbooks, closed forms and the equations of the knowledge base."""

import pytest

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.properties import saturation, substance
from tests.eval.thermoqa.plants import cycle

KELVIN = 273.15
STEAM = {"kind": "RNK-I", "P_cond": 75e3, "P_boiler": 3e6, "T3": 350 + KELVIN}
IDEAL_AIR = {
    "kind": "BRY-AV",
    "T1": 300.0,
    "P1": 100e3,
    "r_p": 8.0,
    "T3": 1300.0,
    "eta_comp": 1,
    "eta_turb": 1,
}
REAL_AIR = IDEAL_AIR | {"eta_comp": 0.8, "eta_turb": 0.85}
COLD_AIR = REAL_AIR | {"kind": "BRY-A"}
REGENERATIVE = {
    **{"kind": "BRY-RV", "T1": 300.0, "P1": 100e3, "r_p": 8.0, "T4": 1300.0},
    **{"eta_comp": 0.8, "eta_turb": 0.85, "epsilon_regen": 0.8},
}
REHEAT = {
    **{"kind": "RNK-RH", "P_cond": 10e3, "P_boiler": 15e6, "P_reheat": 4e6, "T3": 600 + KELVIN},
    **{"T5": 600 + KELVIN, "eta_pump": 1, "eta_HPT": 1, "eta_LPT": 1},
}
REFRIGERATOR = {
    **{"kind": "VCR-A", "T_evap": saturation("R134a", P=140e3).T, "T_cond": saturation("R134a", P=800e3).T},
    **{"eta_comp": 1, "m_dot": 0.05},
}
COMBINED = REAL_AIR | {
    **{"kind": "CCGT", "eta_gas_turb": 0.85, "P_cond": 5e3, "P_steam": 7e6, "m_dot_air": 1.0},
    **{"T8_superheat": 500 + KELVIN - saturation("water", P=7e6).T, "eta_pump": 1, "eta_steam_turb": 1},
    "T5_stack": 450.0,
}
FEASIBLE = COMBINED | {
    **{"P_steam": 3e6, "T8_superheat": 460 + KELVIN - saturation("water", P=3e6).T},
    **{"eta_pump": 0.8, "eta_steam_turb": 0.85},
}


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        # Worked examples of Cengel and Boles, Thermodynamics: An Engineering Approach; table values, rounded
        pytest.param(STEAM, {"q_in": 2728.6e3, "w_net": 710.0e3, "eta_th": 0.260}, id="example 10-1"),
        pytest.param(REHEAT, {"q_in": 3896.1e3, "eta_th": 0.450, "h4": 3155.0e3, "h6": 2335.1e3}, id="10-4"),
        pytest.param(
            IDEAL_AIR,
            {"h2": 544.35e3, "h4": 789.37e3, "w_comp": 244.16e3, "w_turb": 606.60e3, "T4": 770.0},
            id="example 9-5",
        ),
        pytest.param(
            REAL_AIR, {"w_comp": 305.20e3, "w_turb": 515.61e3, "eta_th": 0.266, "T4": 853.0}, id="9-6"
        ),
        pytest.param(REGENERATIVE, {"h3": 825.37e3, "w_net": 210.41e3, "eta_th": 0.369}, id="example 9-7"),
        pytest.param(REFRIGERATOR, {"Q_dot_L": 7.18e3, "W_dot_comp": 1.81e3, "COP_R": 3.97}, id="11-1"),
        pytest.param(COMBINED, {"m_dot_steam": 0.131, "w_net": 384.8e3, "eta_combined": 0.487}, id="10-9"),
        # Moran and Shapiro, Fundamentals of Engineering Thermodynamics, example 9.4
        pytest.param(IDEAL_AIR | {"r_p": 10.0, "T3": 1400.0}, {"eta_th": 0.457, "w_net": 427.4e3}, id="9.4"),
    ],
)
def test_textbook_examples(given, printed):
    found = cycle(**given)
    assert {name: found[name] for name in printed} == pytest.approx(printed, rel=4e-3)


@pytest.mark.parametrize("pressure_ratio", [5, 12, 20])
def test_the_ideal_cold_air_cycle_has_its_closed_form(pressure_ratio):
    found = cycle("BRY-I", T1=300.0, P1=100e3, r_p=pressure_ratio, T3=1400.0)
    given = {"r_p": pressure_ratio, "gamma": 1.4}
    efficiency = library().get("cycle.brayton_efficiency").value(**given)
    net = library().get("cycle.brayton_net_work").value(cp=1005.0, T1=300.0, T3=1400.0, **given)
    assert (found["eta_th"], found["w_net"]) == pytest.approx((efficiency, net), rel=1e-12)


def test_the_ideal_regenerator_has_its_closed_form():
    given = {"r_p": 6.0, "T4": 1350.0, "eta_comp": 1, "eta_turb": 1, "epsilon_regen": 1}
    found = cycle(**(REGENERATIVE | given | {"kind": "BRY-RG"}))
    law = library().get("cycle.brayton_regenerative_efficiency")
    assert found["eta_th"] == pytest.approx(law.value(T1=300.0, T3=1350.0, r_p=6.0, gamma=1.4), rel=1e-12)


def test_variable_heat_capacities_tend_to_constant_ones_in_the_cold():
    """Near 300 K, cp of air is 1.005 kJ/(kg·K) and k is 1.4, so that both models agree there."""
    given = REAL_AIR | {"T1": 280.0, "r_p": 1.5, "T3": 330.0, "eta_comp": 0.85}
    cold, real = cycle(**(given | {"kind": "BRY-A"})), cycle(**given)
    for name in ("w_comp", "w_turb", "q_in"):
        assert real[name] == pytest.approx(cold[name], rel=3e-3)


def test_a_boiler_that_cools_the_gas_to_ambient_gives_the_series_efficiency():
    """Only then does all heat that the gas turbine rejects reach the steam: eta = eta_g + eta_s - eta_g eta_s."""
    gas = cycle(**REAL_AIR)["eta_th"]
    steam = cycle("RNK-I", P_cond=5e3, P_boiler=7e6, T3=500 + KELVIN)["eta_th"]
    series = library().get("cycle.combined_cycle_efficiency").value(eta_g=gas, eta_s=steam)
    assert cycle(**(COMBINED | {"T5_stack": 300.0}))["eta_combined"] == pytest.approx(series, rel=1e-12)


def test_pump_work_is_that_of_a_nearly_incompressible_liquid():
    found = cycle(**STEAM)
    work = library().get("cycle.pump_work").value(v_f=found.state("1").v, P1=75e3, P2=3e6)
    assert found["w_pump"] == pytest.approx(work, rel=2e-3)


def test_an_ideal_refrigerator_comes_near_carnot_and_stays_below():
    """Superheat and throttling are all that part it from a Carnot cycle between its own temperatures."""
    carnot = library().get("cycle.carnot_refrigerator").value(T_L=260.0, T_H=320.0)
    assert 0.6 * carnot < cycle("VCR-A", T_evap=260.0, T_cond=320.0, eta_comp=1)["COP_R"] < carnot


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (STEAM | {"P_cond": 5e3, "P_boiler": 15e6, "T3": 380 + KELVIN}, "exhaust is too wet"),
        (STEAM | {"P_cond": 10e3, "P_boiler": 5e6, "T3": 250 + KELVIN}, "not superheated"),
        (
            REHEAT
            | {"P_cond": 50e3, "P_boiler": 6e6, "P_reheat": 1e6, "T3": 560 + KELVIN, "T5": 335 + KELVIN}
            | {"eta_pump": 0.8, "eta_HPT": 0.78, "eta_LPT": 0.8},
            "hardly heats",
        ),
        (REHEAT | {"P_boiler": 6e6, "T3": 500 + KELVIN, "T5": 500 + KELVIN}, "unusual"),
        (COLD_AIR | {"r_p": 18.0, "T3": 1000.0, "eta_comp": 0.75, "eta_turb": 0.75}, "takes nearly all"),
        (REGENERATIVE | {"r_p": 18.0, "T4": 1250.0}, "no heat to recover"),
        (FEASIBLE | {"T5_stack": 365.0}, "pinch"),
        (FEASIBLE | {"T8_superheat": 575 + KELVIN - saturation("water", P=3e6).T}, "hot end"),
        (FEASIBLE | {"T5_stack": 318.0}, "cold end"),
    ],
)
def test_a_plant_that_could_not_run_is_refused(given, rule):
    with pytest.raises(Infeasible, match=rule):
        cycle(**given).check("A", "")


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (STEAM | {"T_source": 600.0, "T_sink": 300.0}, "heat of boiler flows from cold to hot"),
        (COLD_AIR | {"T_source": 1500.0, "T_sink": 310.0}, "heat of hr flows from cold to hot"),
        (STEAM | {"T_source": 900.0, "T_sink": 290.0}, "colder than the environment"),
        (STEAM | {"T_source": 400.0, "T_sink": 300.0}, "boiler destroys entropy"),
        (STEAM | {"T_source": 900.0, "T_sink": 370.0}, "cond destroys entropy"),
        (REFRIGERATOR | {"T_L": 254.0, "T_H": 300.0}, "evap destroys entropy"),
    ],
)
def test_reservoirs_that_heat_could_not_reach_are_refused(given, rule):
    def check(plant):
        plant.check("B", "")
        plant.check_second_law()

    with pytest.raises(Infeasible, match=rule):
        check(cycle(**given))


@pytest.mark.parametrize(
    "given",
    [
        STEAM | {"T_source": 900.0, "T_sink": 350.0},
        COLD_AIR | {"T_source": 1500.0, "T_sink": 299.0},
        REGENERATIVE | {"T_source": 1500.0, "T_sink": 299.0},
        FEASIBLE | {"T_source": 1500.0, "T_sink": 300.0},
        REFRIGERATOR | {"T_L": 260.0, "T_H": 300.0},
    ],
)
def test_a_feasible_plant_is_let_pass(given):
    found = cycle(**given)
    found.check("AB", "")
    found.check_second_law()


def test_another_fluid_may_stand_in_for_a_pages_own():
    assert cycle(**STEAM, main=substance("water (IF97)"))["q_in"] == pytest.approx(
        cycle(**STEAM)["q_in"], rel=1e-3
    )
