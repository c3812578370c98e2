"""Generated cycles: what every question promises, whatever is drawn."""

import math
import re
from collections import Counter

import pytest
from hypothesis import given, settings

from ansatz.eval.benchmarks.thermoqa.cycles import questions
from ansatz.eval.benchmarks.thermoqa.cycles.givens import mass_flow, surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.kind_table import kinds
from ansatz.eval.benchmarks.thermoqa.cycles.recompute import recompute_tier3
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, question_score, strict
from ansatz.eval.score import ScoringContext
from tests.eval.thermoqa.cases import PUBLISHED, objects
from tests.eval.thermoqa.cycle_cases import SEEDS, SLOTS, asked, slots, solved
from tests.fakes.transcripts import attempt


def test_there_are_ten_kinds_in_three_depths():
    assert len(kinds()) == 10
    assert set(SLOTS) == {(kind, depth) for kind in kinds() for depth in "ABC"}


def test_the_same_seed_gives_the_same_bytes_and_a_smaller_count_a_prefix():
    first = [one.line() for one in questions(40, 5)]
    assert [one.line() for one in questions(15, 5)] == first[:15]
    assert set(first).isdisjoint(one.line() for one in questions(40, 6))


@PUBLISHED
def test_the_papers_kinds_and_depths_are_asked_as_often_as_published():
    def shape(row):
        return tuple(row[field] for field in ("cycle_type", "depth", "fluid", "difficulty"))

    theirs = objects("tier3-questions.jsonl")
    ours = [one.to_published() for one in questions(82, 0)]
    assert Counter(map(shape, ours)) == Counter(map(shape, theirs))
    assert {str(list(row)) for row in ours} == {str(list(row)) for row in theirs}


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
@settings(max_examples=120, deadline=None)
def test_the_givens_are_all_printed_and_the_key_follows_from_them(slot, seed):
    question = asked(slot, seed)
    prose = question.question.split("\n\nReport your answers as:")[0]
    told = prose.split("\n\nConventions:")[0]
    for name, value in question.given.items():
        if isinstance(value, float):
            where = prose if name in ("T0_K", "P0_kPa") else told
            shown = 100 * value if name.startswith(("eta", "epsilon")) else value
            assert re.search(rf"(?<![\d.]){re.escape(f'{shown:g}')}(?![\d.]*\d)", where), (name, value, prose)
    recomputed = recompute_tier3(question.to_published())
    for one in question.expected:
        assert recomputed[one.name] == pytest.approx(one.value, rel=1e-9, abs=1e-12)


def stated(text):
    """Every `symbol = number unit` that a plant is told with, in SI units or as a fraction."""
    factors = {"kPa": 1e3, "MPa": 1e6, "K": 1.0, "kg/s": 1.0, "%": 0.01, "": 1.0}
    found = re.findall(r"(\w+) = (-?[\d.]*\d)(?: (kPa|MPa|K|°C|kg/s|%))?", text)
    return {
        symbol: float(value) + 273.15 if unit == "°C" else float(value) * factors[unit]
        for symbol, value, unit in found
    }


@given(slots("RNK BRY VCR"), SEEDS)
@settings(max_examples=80, deadline=None)
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


def gold(question):
    """The answer block filled in with the key."""
    blanks = question.question.split("Report your answers as:\n")[1].splitlines()
    values = [f"{one.value:.7g}" for one in question.expected]
    return "\n".join(blank.replace("___", value) for blank, value in zip(blanks, values, strict=True))


@pytest.mark.parametrize("slot", SLOTS, ids="-".join)
async def test_the_key_earns_full_marks_and_zeros_or_blanks_none(slot):
    question = asked(slot, 3)
    problem = question.problem()
    scores = await ThermoQAScore().score(ScoringContext(problem, attempt(gold(question))))
    assert [score.value for score in scores] == [1.0, 1.0]
    zeros = re.sub(r"= \S+", "= 0", gold(question))
    assert question_score(problem, strict(problem, zeros)) == 0.0
    assert question_score(problem, strict(problem, "")) == 0.0


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


@pytest.mark.parametrize("slot", SLOTS, ids="-".join)
def test_each_kind_and_depth_has_at_least_three_phrasings(slot):
    told = (asked(slot, seed).question.split("\n\nConventions:")[0] for seed in range(30))
    wordings = {re.sub(r"-?[\d.]+", "", each) for each in told}
    assert len(wordings) >= 3


def test_no_two_of_a_thousand_are_alike():
    made = list(questions(1000, 2))
    assert len({one.content for one in made}) == len({one.question for one in made}) == 1000


def test_every_value_is_finite_and_told_in_twelve_digits():
    for one in questions(82, 9):
        for name, value in one.to_published()["expected"].items():
            assert math.isfinite(value["value"]), (one.id, name)
