"""Cycle physics against textbooks, closed forms and the equations of the knowledge base."""

from pathlib import Path

import pytest
import yaml

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.plant_questions import find_media
from ansatz.eval.benchmarks.thermoqa.plant_templates import plant_templates
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.properties import saturation

CASES = yaml.load(Path(__file__).with_name("cycle_cases.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)


def cycle(of="", /, **changed):
    """A plant of tier 3 from what is given in SI units."""
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
    return Plant(plant_templates(3)[kind], given, find_media(3, plant_templates(3)[kind], ""))


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


def test_cooling_the_gas_to_ambient_gives_series_efficiency():
    """Only then does all heat that the gas turbine rejects reach the steam: eta = eta_g + eta_s - eta_g eta_s."""
    gas = cycle("REAL_AIR")["eta_th"]
    steam = cycle("STEAM", P_cond=5e3, P_boiler=7e6, T3=773.15)["eta_th"]
    series = law("combined_cycle_efficiency", eta_g=gas, eta_s=steam)
    assert cycle("COMBINED", T5_stack=300.0)["eta_combined"] == pytest.approx(series, rel=1e-12)


def run(of, changed):
    """Check a cycle, and its reservoirs where it has any."""
    plant = cycle(of, **changed)
    plant.check("A", "")
    if {"T_source", "T_L"} & changed.keys():
        plant.check("B", "")
        plant.check_second_law()


@pytest.mark.parametrize(
    ("of", "changed", "rule"), [*cases("refused", "rule"), *cases("unreachable", "rule")]
)
def test_an_impossible_plant_is_refused(of, changed, rule):
    with pytest.raises(Infeasible, match=rule):
        run(of, changed)


@pytest.mark.parametrize(("of", "changed"), cases("feasible"))
def test_a_feasible_plant_is_let_pass(of, changed):
    refused = None
    try:
        run(of, changed)
    except Infeasible as failure:
        refused = str(failure)
    assert refused is None
