"""Generated cycles: what every question promises, whatever is drawn."""

import math
import re

import pytest
from hypothesis import given, settings

from ansatz.eval.benchmarks.thermoqa.cycles.givens import mass_flow, surroundings
from tests.eval.thermoqa.cases import PUBLISHED, objects
from tests.eval.thermoqa.cycle_cases import SEEDS, SLOTS, asked, slots, solved


@PUBLISHED
def test_the_same_values_are_asked_with_the_same_weights_and_tolerances():
    """In the published order, but for what no relative rule can judge, and for an efficiency the key forgot."""
    ideal = {"s_gen_pump", "s_gen_comp", "s_gen_turb"}
    combined = {"s_gen_pump", "x_dest_pump", "energy_balance_error_gas"}
    theirs = {(row["cycle_type"], row["depth"]): row for row in objects("tier3-questions.jsonl")}
    for slot, row in theirs.items():
        left_out = {"RNK-I": ideal, "BRY-I": ideal, "CCGT": combined}.get(slot[0], set())
        ours = asked(slot, 0).to_published()
        names = [name for name in row["expected"] if name not in left_out]
        assert names == [name for name in ours["expected"] if name != "eta_II_combined"]
        weights = {step["id"]: step["weight"] for step in row["steps"]}
        for step in ours["steps"]:
            assert step["weight"] == weights.get(step["id"], 6.0)
        for name in names:
            mine, published = ours["expected"][name], row["expected"][name]
            assert mine["abs_tolerance"] == published["abs_tolerance"]
            assert mine["unit"] == published["unit"].replace("·", "*")


@given(slots(), SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_givens_are_all_printed(slot, seed):
    question = asked(slot, seed)
    prose = question.question.split("\n\nReport your answers as:")[0]
    told = prose.split("\n\nConventions:")[0]
    for name, value in question.given.items():
        if isinstance(value, float):
            where = prose if name in ("T0_K", "P0_kPa") else told
            shown = 100 * value if name.startswith(("eta", "epsilon")) else value
            assert re.search(rf"(?<![\d.]){re.escape(f'{shown:g}')}(?![\d.]*\d)", where), (name, value, prose)


def stated(text):
    """Every `symbol = number unit` that a plant is told with, in SI units or as a fraction."""
    factors = {"kPa": 1e3, "MPa": 1e6, "K": 1.0, "kg/s": 1.0, "%": 0.01, "": 1.0}
    found = re.findall(r"(\w+) = (-?[\d.]*\d)(?: (kPa|MPa|K|°C|kg/s|%))?", text)
    return {
        symbol: float(value) + 273.15 if unit == "°C" else float(value) * factors[unit]
        for symbol, value, unit in found
    }


@given(slots("RNK BRY VCR"), SEEDS)
@settings(max_examples=50, deadline=None)
def test_the_text_alone_fixes_the_cycle(slot, seed):
    """Read without the `given` field, by the symbols that the sentences use."""
    question = asked(slot, seed)
    told = stated(question.question.split("\n\nConventions:")[0])
    _, states, _, numbers = solved(question)
    assert told["m_dot"] == mass_flow(numbers)
    for symbol, value in told.items():
        number = re.fullmatch(r"T(\d)", symbol)
        if number:
            assert math.isclose(states[number[1]].T, value, rel_tol=1e-9)
    pressures = {"P_boiler": "3", "P_cond": "1", "P1": "1", "P_reheat": "5"}
    for symbol in told.keys() & pressures.keys():
        assert math.isclose(states[pressures[symbol]].P, told[symbol], rel_tol=1e-9)
    for symbol in told.keys() & {"eta_pump", "eta_turb", "eta_comp", "eta_HPT", "eta_LPT", "r_p", "epsilon"}:
        assert told[symbol] == pytest.approx(numbers.get(symbol, numbers.get("epsilon_regen")), rel=1e-9)
    if slot[1] != "A":
        around = surroundings(numbers)
        source, sink = ("T_L", "T_H") if "T_H" in told else ("T_source", "T_sink")
        assert (told[source], told[sink]) == (around.source, around.sink)


@pytest.mark.parametrize("slot", SLOTS, ids="-".join)
def test_every_convention_that_a_depth_needs_is_stated(slot):
    kind, depth = slot
    text = asked(slot, 1).question
    water, refrigerant = kind.startswith("RNK") or kind == "CCGT", kind == "VCR-A"
    constant, variable = kind in ("BRY-I", "BRY-A", "BRY-RG"), kind in ("BRY-AV", "BRY-RV", "CCGT")
    assert ("steam tables" in text) == water
    assert ("IIR reference state, h = 200 kJ/kg and s = 1 kJ/(kg·K)" in text) == refrigerant
    assert ("c_p = 1.005 kJ/(kg·K), k = 1.4" in text) == constant
    assert ("h = 300.19 kJ/kg at 300 K" in text) == variable
    assert "States: 1 " in text
    if not kind.endswith("-I"):
        assert "(h2s - h1)/(h2 - h1)" in text
    assert ("s_gen_total sums" in text) == (depth != "A")
    assert ("s_gen_total" in text.split("Report your answers as:")[1]) == (depth != "A")
    assert ("T0 = 298.15 K (25 °C), P0 = 100 kPa" in text) == (depth == "C")
    assert ("econd-law efficiency: eta_II" in text) == (depth == "C")
