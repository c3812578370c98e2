"""The published format is read, faults are named, and the two rules differ where they should."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.chapter import step_kind
from ansatz.eval.benchmarks.thermoqa.reading import (
    energy_balance_error,
    find_published_phase,
    read_by_publisher,
)
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, judge_published
from ansatz.eval.problem import LabelTarget, MessageTarget, NumberTarget, Tolerance
from ansatz.eval.score import ScoringContext
from tests.eval.benchmarks.thermoqa.cases import number, problem, strictly
from tests.fakes.transcripts import attempt

CASES = yaml.load(Path(__file__).with_name("rule_cases.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)
ENTHALPY = {"value": 417.5, "unit": "kJ/kg", "tolerance_pct": 2.0, "abs_tolerance": 0.5}
PHASE = {"value": "wet_steam", "type": "exact_match", "acceptable_aliases": ["two-phase"]}
QUESTION = {
    "id": "Q-1",
    "tier": 1,
    "category": "wet_steam",
    "subcategory": "given_P_x",
    "difficulty": "easy",
    "question": "Steam at 100 kPa?\n\nReport your answers as:\nh_f = ___ kJ/kg\nPhase: ___",
    "given": {"fluid": "Water", "P_kPa": 100.0},
    "expected": {"h_f_kJ_kg": ENTHALPY, "phase_name": PHASE},
    "metadata": {"template_id": "WS-1"},
}


def loaded(folder, *questions):
    file = folder / "tier1-questions.jsonl"
    file.write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    return load(str(file))


async def scores(problem, answer):
    return {
        each.dimension: each for each in await ThermoQAScore().score(ScoringContext(problem, attempt(answer)))
    }


def test_a_question_becomes_a_problem(tmp_path):
    [found] = loaded(tmp_path, QUESTION)
    assert (found.id, found.family, found.benchmark) == ("Q-1", "WS-1", "thermoqa")
    kind = {"category": "wet_steam", "subcategory": "given_P_x"}
    assert found.tags == {"tier": "1", "difficulty": "easy", **kind}
    enthalpy, phase = found.targets
    assert (enthalpy.name, enthalpy.unit, enthalpy.value) == ("h_f", "kJ/kg", 417.5)
    assert enthalpy.published_tolerance == Tolerance(relative=0.02, absolute=0.5)
    assert (phase.name, phase.value, phase.accepted) == ("phase", "wet_steam", ("two-phase",))
    assert load(str(tmp_path), tiers=[1]) == (found,) and load(str(tmp_path), tiers=[2]) == ()
    givens = [(each.name, each.value, each.unit) for each in found.givens]
    assert givens == [("fluid", "Water", "-"), ("P", 100.0, "kPa")]


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([{**QUESTION, "expected": {"h_f_kJ_kg": {**ENTHALPY, "value": "hot"}}}], r"questions\.jsonl:1: expected\.h_f_kJ_kg\.value"),
        ([{**QUESTION, "metadata": {}}], r":1: metadata\.template_id: is missing"),
        ([{**QUESTION, "tier": 4}], r":1: tier: '4' is not valid.*1, 2, 3"),
        ([{**QUESTION, "expected": {}}], r":1: expected: "),
        ([QUESTION, QUESTION], r":2: id: 'Q-1' is already .*:1"),
        ([5], r":1: not an object"),
    ],
)  # fmt: skip
def test_a_faulty_question_names_file_line_and_field(tmp_path, questions, message):
    with pytest.raises(InvalidData, match=message):
        loaded(tmp_path, *questions)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"questions": "absent.jsonl"}, "No such file"),
        ({"questions": ".", "tiers": [7]}, "tiers: '7' is not valid"),
        ({}, "name their file or folder"),
    ],
)
def test_files_that_are_not_there_are_named(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


@pytest.mark.parametrize(
    ("answer", "published", "strict"),
    [
        ("h_f = 417.5 kJ/kg\nPhase: wet steam", 1.0, 1.0),
        ("h_f = 417.5 kJ/kg", 0.5, 0.5),
        ("h_f = 417.5 kPa\nPhase: wet steam", 1.0, 0.5),
        ("", 0.0, 0.0),
    ],
)
async def test_an_answer_has_a_score_by_each_rule(tmp_path, answer, published, strict):
    [asked] = loaded(tmp_path, QUESTION)
    found = await scores(asked, answer)
    assert {name: each.value for name, each in found.items()} == {"published": published, "strict": strict}


async def test_targets_are_judged_one_by_one_with_weights_and_evidence():
    """The publisher's reading takes a number for the unit asked for, Ansatz's converts; a zero key is not scored."""
    asked = problem(
        *(number("h1", 3000.0), number("s1", 6.5, "kJ/(kg*K)"), number("w_out", 500.0, weight=3.0)),
        number("s_gen_turb", 0.0, "kJ/(kg*K)"),
        tier="3",
    )
    found = await scores(asked, "h1 = 3.001 MJ/kg\ns1 = 6.9 kJ/(kg·K)\ns_gen_turb = 0")
    targets = {rule: each.details["targets"] for rule, each in found.items()}
    fates = {rule: [each["status"] for each in judged.values()] for rule, judged in targets.items()}
    assert fates["published"] == ["out_of_tolerance", "pass", "missing", "pass"]
    assert fates["strict"] == ["pass", "out_of_tolerance", "missing", None]
    assert targets["strict"]["h1"] == {"weight": 1.0, "status": "pass", "value": 3001.0, "unit": "kJ/kg"}
    assert (found["published"].value, found["strict"].value) == pytest.approx((1 / 3, 0.2))
    assert found["strict"].evidence.startswith("h1: pass (3001 for 3000 kJ/kg); s1: fail (6.9 for 6.5")
    assert "s_gen_turb" not in found["strict"].evidence


@pytest.mark.parametrize(
    ("reason", "target"),
    [
        ("message", MessageTarget(name="why", weight=1.0, value="because")),
        ("label", LabelTarget(name="regime", weight=1.0, value="laminar")),
        ("no value", NumberTarget(name="h", unit="kJ/kg", weight=1.0)),
        ("every target is left out", number("s_gen", 0.0, "kJ/(kg*K)")),
    ],
)
async def test_a_target_without_a_test_is_unscored(reason, target):
    found = await scores(problem(target), "because")
    assert all(each.value is None and reason in each.evidence for each in found.values())


@pytest.mark.parametrize(("text", "name", "tier", "value"), CASES["published_reading"])
def test_the_published_reading_with_its_faults(text, name, tier, value):
    assert read_by_publisher(text, problem(number(name, 1.0), tier=tier)).get(name) == value


@pytest.mark.parametrize(("text", "phase"), CASES["published_phase"])
def test_the_longest_phase_name_in_the_text_wins(text, phase):
    assert find_published_phase(text) == phase


@pytest.mark.parametrize(("expected", "absolute", "passing", "failing"), CASES["published_test"])
def test_the_published_test_is_relative_or_absolute(expected, absolute, passing, failing):
    asked = problem(number("h", expected, absolute=absolute))
    assert [judge_published(asked, {"h": value})["h"].passed for value in (passing, failing)] == [True, False]


@pytest.mark.parametrize(("which", "values", "error"), CASES["balances"])
def test_an_energy_balance_is_recomputed_from_the_answer(which, values, error):
    found = energy_balance_error(f"energy_balance_error{which}", values)
    assert found == (None if error is None else pytest.approx(error))


@pytest.mark.parametrize(("name", "unit", "key", "passing", "failing"), CASES["strict"])
def test_the_strict_rule_counts_units_and_the_last_word(name, unit, key, passing, failing):
    asked = problem(number(name, key, unit=unit))
    judged = [strictly(asked, answer)[name].status for answer in (passing, failing, "")]
    assert judged == ["pass", "out_of_tolerance", "missing"]


@given(st.floats(1e-6, 1e6), st.floats(-0.019, 0.019))
def test_whatever_passes_strictly_passes_as_published(value, deviation):
    asked = problem(number("v", value, unit="m^3/kg"))
    stated = float(f"{value * (1 + deviation):.10g}")
    assert judge_published(asked, {"v": stated})["v"].passed
    assert strictly(asked, f"v = {stated:.12f} m^3/kg")["v"].passed or stated < 1e-9


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("property", "h s u v rho T P x phase h1 h2s h_f s_g T_sat h_c_in T_c_out s_in ef9 x4 h10s"),
        (
            "reasoning",
            "w_in q_H Q_dot W_dot_net V2 m3 m_dot_steam eta_th COP_R s_gen s_gen_pump x_dest_total",
        ),
    ],
)
def test_the_symbol_tells_states_from_what_follows_from_them(kind, names):
    assert {step_kind(name) for name in names.split()} == {kind}


def test_the_legend_names_how_the_publisher_reads():
    [about] = [each for each in ThermoQAScore.dimensions if each.name == "published"]
    assert "regular expressions" in about.summary and "verdict" in about.summary
