"""Cycle physics against textbooks, closed forms and the equations of the knowledge base."""

from pathlib import Path

import pytest
import yaml

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.pages import pages
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.properties import saturation, substance

CASES = yaml.load(Path(__file__).with_name("cycle_cases.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)


def cycle(of="", /, main=None, **changed):
    """A plant of tier 3 from what is given in SI units; `main` stands in for the page's own main fluid."""
    given = {}
    while of:
        own = {**CASES[of]}
        given, of = own | given, own.pop("of", "")
    given = {name: value for name, value in (given | changed).items() if name != "of"}
    kind = given.pop("kind")
    if kind == "VCR-A" and "P_evap" in given:
        given["T_evap"], given["T_cond"] = (
            saturation("R134a", P=given.pop(each)).T for each in ("P_evap", "P_cond")
        )
    if "T8" in given:
        given["T8_superheat"] = given.pop("T8") - saturation("water", P=given["P_steam"]).T
    fluids = {role: substance(name) for role, name in pages(3)[kind].media.items()}
    return Plant(pages(3)[kind], given, fluids | ({"main": main} if main else {}))


def law(name, **given):
    return library().get(f"cycle.{name}").value(**given)


def cases(name, *apart):
    """Each case of a list as the cycle it starts from, what it changes, and the fields apart."""
    return [
        (
            case["of"],
            {key: value for key, value in case.items() if key not in ("of", *apart)},
            *(case[field] for field in apart),
        )
        for case in CASES[name]
    ]


@pytest.mark.parametrize(("of", "changed", "example", "values"), cases("printed", "example", "values"))
def test_textbook_examples(of, changed, example, values):
    found = cycle(of, **changed)
    assert {name: found[name] for name in values} == pytest.approx(values, rel=4e-3), example


@pytest.mark.parametrize("pressure_ratio", [5, 20])
def test_the_ideal_cold_air_cycle_has_its_closed_form(pressure_ratio):
    found = cycle(kind="BRY-I", T1=300.0, P1=100e3, r_p=pressure_ratio, T3=1400.0)
    given = {"r_p": pressure_ratio, "gamma": 1.4}
    net = law("brayton_net_work", cp=1005.0, T1=300.0, T3=1400.0, **given)
    expected = (law("brayton_efficiency", **given), net)
    assert (found["eta_th"], found["w_net"]) == pytest.approx(expected, rel=1e-12)


def test_the_ideal_regenerator_has_its_closed_form():
    ideal = {"kind": "BRY-RG", "r_p": 6.0, "T4": 1350.0, "eta_comp": 1, "eta_turb": 1, "epsilon_regen": 1}
    expected = law("brayton_regenerative_efficiency", T1=300.0, T3=1350.0, r_p=6.0, gamma=1.4)
    assert cycle("REGENERATIVE", **ideal)["eta_th"] == pytest.approx(expected, rel=1e-12)


def test_variable_heat_capacities_tend_to_constant_ones_in_the_cold():
    """Near 300 K, cp of air is 1.005 kJ/(kg·K) and k is 1.4, so that both models agree there."""
    given = {"T1": 280.0, "r_p": 1.5, "T3": 330.0, "eta_comp": 0.85}
    cold, real = cycle("COLD_AIR", **given), cycle("REAL_AIR", **given)
    for name in ("w_comp", "w_turb", "q_in"):
        assert real[name] == pytest.approx(cold[name], rel=3e-3)


def test_a_boiler_that_cools_the_gas_to_ambient_gives_the_series_efficiency():
    """Only then does all heat that the gas turbine rejects reach the steam: eta = eta_g + eta_s - eta_g eta_s."""
    gas = cycle("REAL_AIR")["eta_th"]
    steam = cycle("STEAM", P_cond=5e3, P_boiler=7e6, T3=773.15)["eta_th"]
    series = law("combined_cycle_efficiency", eta_g=gas, eta_s=steam)
    assert cycle("COMBINED", T5_stack=300.0)["eta_combined"] == pytest.approx(series, rel=1e-12)


def test_pump_work_is_that_of_a_nearly_incompressible_liquid():
    found = cycle("STEAM")
    work = law("pump_work", v_f=found.state("1").v, P1=75e3, P2=3e6)
    assert found["w_pump"] == pytest.approx(work, rel=2e-3)
    other = cycle("STEAM", main=substance("water (IF97)"))  # another fluid in place of the page's own
    assert other["q_in"] == pytest.approx(found["q_in"], rel=1e-3)


def test_an_ideal_refrigerator_comes_near_carnot_and_stays_below():
    """Superheat and throttling are all that part it from a Carnot cycle between its own temperatures."""
    carnot = law("carnot_refrigerator", T_L=260.0, T_H=320.0)
    found = cycle(kind="VCR-A", T_evap=260.0, T_cond=320.0, eta_comp=1)
    assert 0.6 * carnot < found["COP_R"] < carnot


@pytest.mark.parametrize(("of", "changed", "rule"), cases("refused", "rule"))
def test_a_plant_that_could_not_run_is_refused(of, changed, rule):
    with pytest.raises(Infeasible, match=rule):
        cycle(of, **changed).check("A", "")


def second_law(of, changed):
    plant = cycle(of, **changed)
    plant.check("B", "")
    plant.check_second_law()
    return plant


@pytest.mark.parametrize(("of", "changed", "rule"), cases("unreachable", "rule"))
def test_reservoirs_that_heat_could_not_reach_are_refused(of, changed, rule):
    with pytest.raises(Infeasible, match=rule):
        second_law(of, changed)


@pytest.mark.parametrize(("of", "changed"), cases("feasible"))
def test_a_feasible_plant_is_let_pass(of, changed):
    second_law(of, changed).check("A", "")
