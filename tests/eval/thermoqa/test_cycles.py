"""Cycle physics against textbooks, closed forms and the equations of the knowledge base."""

from dataclasses import replace

import pytest

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Surroundings, energy_results
from ansatz.eval.benchmarks.thermoqa.cycles.brayton import Brayton, RegenerativeBrayton
from ansatz.eval.benchmarks.thermoqa.cycles.combined import CombinedCycle
from ansatz.eval.benchmarks.thermoqa.cycles.feasibility import check_second_law, check_states
from ansatz.eval.benchmarks.thermoqa.cycles.rankine import Rankine, ReheatRankine
from ansatz.eval.benchmarks.thermoqa.cycles.refrigeration import VaporCompression
from ansatz.eval.benchmarks.thermoqa.generated import Infeasible
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.properties import saturation, substance

AIR, CONSTANT_CP = substance("air"), substance("air (constant cp)")
KELVIN = 273.15
STEAM_PLANT = Rankine(75e3, 3e6, 350 + KELVIN)
GAS_TURBINE = Brayton(AIR, 300.0, 100e3, 8.0, 1300.0)
REAL_GAS_TURBINE = replace(GAS_TURBINE, compressor_efficiency=0.8, turbine_efficiency=0.85)
COLD_AIR = Brayton(CONSTANT_CP, 300.0, 100e3, 8.0, 1300.0, 0.8, 0.85)
REGENERATIVE = RegenerativeBrayton(AIR, 300.0, 100e3, 8.0, 1300.0, 0.8, 0.85, 0.8)
REFRIGERATOR = VaporCompression(
    saturation("R134a", P=140e3).T, saturation("R134a", P=800e3).T, compressor_efficiency=1.0
)
COMBINED = CombinedCycle(REAL_GAS_TURBINE, Rankine(5e3, 7e6, 500 + KELVIN), stack_temperature=450.0)


def results(cycle, flow=1.0):
    """In kJ/kg and kW, as textbooks print."""
    found = energy_results(cycle, cycle.states(), flow)
    plain = ("eta", "COP", "x4", "T", "m_dot", "energy")
    return {name: value if name.startswith(plain) else value / 1e3 for name, value in found.items()}


@pytest.mark.parametrize(
    ("cycle", "flow", "printed"),
    [
        # Worked examples of Cengel and Boles, Thermodynamics: An Engineering Approach; table values, rounded
        pytest.param(STEAM_PLANT, 1.0, {"q_in": 2728.6, "q_out": 2018.6, "eta_th": 0.260}, id="example 10-1"),
        pytest.param(
            ReheatRankine(10e3, 15e6, 4e6, 600 + KELVIN, 600 + KELVIN),
            1.0,
            {"q_in": 3896.1, "eta_th": 0.450, "h4": 3155.0, "h6": 2335.1},
            id="example 10-4",
        ),
        pytest.param(
            GAS_TURBINE,
            1.0,
            {"h2": 544.35, "h4": 789.37, "w_comp": 244.16, "w_turb": 606.60, "eta_th": 0.426, "T4": 770.0},
            id="example 9-5",
        ),
        pytest.param(
            REAL_GAS_TURBINE,
            1.0,
            {"w_comp": 305.20, "w_turb": 515.61, "eta_th": 0.266, "T4": 853.0},
            id="example 9-6",
        ),
        pytest.param(REGENERATIVE, 1.0, {"h3": 825.37, "w_net": 210.41, "eta_th": 0.369}, id="example 9-7"),
        pytest.param(
            REFRIGERATOR,
            0.05,
            {"Q_dot_L": 7.18, "W_dot_comp": 1.81, "COP_R": 3.97},
            id="example 11-1",
        ),
        pytest.param(COMBINED, 1.0, {"m_dot_steam": 0.131, "w_net": 384.8, "eta_combined": 0.487}, id="10-9"),
        # Moran and Shapiro, Fundamentals of Engineering Thermodynamics, example 9.4
        pytest.param(
            Brayton(AIR, 300.0, 100e3, 10.0, 1400.0), 1.0, {"eta_th": 0.457, "w_net": 427.4}, id="9.4"
        ),
    ],
)
def test_textbook_examples(cycle, flow, printed):
    found = results(cycle, flow)
    assert {name: found[name] for name in printed} == pytest.approx(printed, rel=4e-3)


@pytest.mark.parametrize("pressure_ratio", [5, 8, 12, 20])
def test_the_ideal_cold_air_cycle_has_its_closed_form(pressure_ratio):
    cycle = Brayton(CONSTANT_CP, 300.0, 100e3, pressure_ratio, 1400.0)
    found = energy_results(cycle, cycle.states(), 1.0)
    given = {"r_p": pressure_ratio, "gamma": 1.4}
    assert found["eta_th"] == pytest.approx(
        library().get("cycle.brayton_efficiency").value(**given), rel=1e-12
    )
    net = library().get("cycle.brayton_net_work").value(cp=1005.0, T1=300.0, T3=1400.0, **given)
    assert found["w_net"] == pytest.approx(net, rel=1e-12)


def test_the_ideal_regenerator_has_its_closed_form():
    cycle = RegenerativeBrayton(CONSTANT_CP, 300.0, 100e3, 6.0, 1350.0, 1.0, 1.0, 1.0)
    closed = (
        library().get("cycle.brayton_regenerative_efficiency").value(T1=300.0, T3=1350.0, r_p=6.0, gamma=1.4)
    )
    assert energy_results(cycle, cycle.states(), 1.0)["eta_th"] == pytest.approx(closed, rel=1e-12)


def test_variable_heat_capacities_tend_to_constant_ones_in_the_cold():
    """Near 300 K, cp of air is 1.005 kJ/(kg·K) and k is 1.4, so that both models agree there."""
    span = (280.0, 100e3, 1.5, 330.0, 0.85, 0.85)
    cycles = (Brayton(CONSTANT_CP, *span), Brayton(AIR, *span))
    cold, real = (energy_results(each, each.states(), 1.0) for each in cycles)
    for name in ("w_comp", "w_turb", "q_in"):
        assert real[name] == pytest.approx(cold[name], rel=3e-3)


def test_a_boiler_that_cools_the_gas_to_ambient_gives_the_series_efficiency():
    """Only then does all heat that the gas turbine rejects reach the steam: eta = eta_g + eta_s - eta_g eta_s."""
    cycle = replace(COMBINED, stack_temperature=COMBINED.gas.inlet_temperature)
    gas, steam = (energy_results(each, each.states(), 1.0)["eta_th"] for each in (cycle.gas, cycle.steam))
    series = library().get("cycle.combined_cycle_efficiency").value(eta_g=gas, eta_s=steam)
    assert energy_results(cycle, cycle.states(), 1.0)["eta_combined"] == pytest.approx(series, rel=1e-12)


def test_pump_work_is_that_of_a_nearly_incompressible_liquid():
    states = STEAM_PLANT.states()
    work = library().get("cycle.pump_work").value(v_f=states["1"].v, P1=75e3, P2=3e6)
    assert states["2"].h - states["1"].h == pytest.approx(work, rel=2e-3)


def test_an_ideal_refrigerator_comes_near_carnot_and_stays_below():
    """Superheat and throttling are all that part it from a Carnot cycle between its own temperatures."""
    hot, cold = saturation("R134a", T=320.0), saturation("R134a", T=260.0)
    cycle = VaporCompression(cold.T, hot.T)
    carnot = library().get("cycle.carnot_refrigerator").value(T_L=cold.T, T_H=hot.T)
    assert 0.6 * carnot < energy_results(cycle, cycle.states(), 1.0)["COP_R"] < carnot


FEASIBLE = replace(COMBINED, steam=Rankine(5e3, 3e6, 460 + KELVIN, 0.8, 0.85))


@pytest.mark.parametrize(
    ("cycle", "rule"),
    [
        (Rankine(5e3, 15e6, 380 + KELVIN), "exhaust is too wet"),
        (Rankine(10e3, 5e6, 250 + KELVIN), "not superheated"),
        (ReheatRankine(50e3, 6e6, 1e6, 560 + KELVIN, 335 + KELVIN, 0.8, 0.78, 0.8), "hardly heats"),
        (ReheatRankine(10e3, 6e6, 4e6, 500 + KELVIN, 500 + KELVIN), "unusual"),
        (Brayton(CONSTANT_CP, 300.0, 100e3, 18.0, 1000.0, 0.75, 0.75), "takes nearly all"),
        (replace(REGENERATIVE, pressure_ratio=18.0, turbine_inlet_temperature=1250.0), "no heat to recover"),
        (replace(FEASIBLE, stack_temperature=365.0), "pinch"),
        (replace(FEASIBLE, steam=Rankine(5e3, 3e6, 575 + KELVIN, 0.8, 0.85)), "hot end"),
        (replace(FEASIBLE, stack_temperature=318.0), "cold end"),
    ],
)
def test_a_plant_that_could_not_run_is_refused(cycle, rule):
    with pytest.raises(Infeasible, match=rule):
        check_states(cycle, cycle.states())


@pytest.mark.parametrize(
    ("cycle", "surroundings", "rule"),
    [
        (STEAM_PLANT, Surroundings(source=600.0, sink=300.0), "heat of boiler flows from cold to hot"),
        (COLD_AIR, Surroundings(source=1500.0, sink=310.0), "heat of hr flows from cold to hot"),
        (STEAM_PLANT, Surroundings(source=900.0, sink=290.0), "colder than the environment"),
        (STEAM_PLANT, Surroundings(source=400.0, sink=300.0), "boiler destroys entropy"),
        (STEAM_PLANT, Surroundings(source=900.0, sink=370.0), "cond destroys entropy"),
        (REFRIGERATOR, Surroundings(source=254.0, sink=300.0), "evap destroys entropy"),
    ],
)
def test_surroundings_that_heat_could_not_reach_are_refused(cycle, surroundings, rule):
    with pytest.raises(Infeasible, match=rule):
        check_second_law(cycle, cycle.states(), surroundings)


@pytest.mark.parametrize(
    ("cycle", "surroundings"),
    [
        (STEAM_PLANT, Surroundings(source=900.0, sink=350.0)),
        (COLD_AIR, Surroundings(source=1500.0, sink=299.0)),
        (REGENERATIVE, Surroundings(source=1500.0, sink=299.0)),
        (FEASIBLE, Surroundings(source=1500.0, sink=300.0)),
        (REFRIGERATOR, Surroundings(source=260.0, sink=300.0)),
    ],
)
def test_a_feasible_plant_is_let_pass(cycle, surroundings):
    check_states(cycle, cycle.states())
    check_second_law(cycle, cycle.states(), surroundings)
