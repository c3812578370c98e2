"""The published format is read, faults are named, and the two rules judge answers made to tell them apart."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa import load, published_reading
from ansatz.eval.benchmarks.thermoqa.chapter_run import step_kind
from ansatz.eval.benchmarks.thermoqa.published_reading import energy_balance_error
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, published, score_of
from ansatz.eval.problem import LabelTarget, MessageTarget, NumberTarget, Tolerance
from ansatz.eval.score import ScoringContext
from ansatz.eval.validation import InvalidData
from tests.eval.thermoqa.cases import QUESTION, as_scored, changed, number, problem, strictly, write
from tests.fakes.transcripts import attempt

CASES = yaml.load(Path(__file__).with_name("rule_cases.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)


def test_a_question_becomes_a_problem(tmp_path):
    [loaded] = load(str(write(tmp_path, QUESTION)))
    assert (loaded.id, loaded.family, loaded.benchmark) == ("Q-1", "WS-1", "thermoqa")
    kind = {"category": "wet_steam", "subcategory": "given_P_x"}
    assert loaded.tags == {"tier": "1", "difficulty": "easy", **kind}
    enthalpy, phase = loaded.targets
    assert (enthalpy.name, enthalpy.unit, enthalpy.value) == ("h_f", "kJ/kg", 417.5)
    assert enthalpy.tolerance == Tolerance(relative=0.02, absolute=0.5)
    assert (phase.name, phase.value, phase.accepted) == ("phase", "wet_steam", ("two-phase",))
    givens = [(each.name, each.value, each.unit) for each in loaded.givens]
    assert givens == [("fluid", "Water", "-"), ("P", 100.0, "kPa")]


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([changed("expected.h_f_kJ_kg.value", "hot")], r"questions\.jsonl:1: expected\.h_f_kJ_kg\.value"),
        ([changed("metadata.template_id", None)], r":1: metadata\.template_id: is missing"),
        ([changed("tier", 4)], r":1: tier: '4' is not valid.*1, 2, 3"),
        ([changed("expected", {})], r":1: expected: "),
        ([QUESTION, QUESTION], r":2: id: 'Q-1' is already .*:1"),
        ([5], r":1: not an object"),
    ],
)
def test_a_faulty_question_names_file_line_and_field(tmp_path, questions, message):
    with pytest.raises(InvalidData, match=message):
        load(str(write(tmp_path, *questions)))


def test_files_that_are_not_there_are_named(tmp_path):
    with pytest.raises(InvalidData, match="No such file"):
        load(str(tmp_path / "absent"))
    with pytest.raises(InvalidData, match="tiers: '7' is not valid"):
        load(str(tmp_path), tiers=[7])
    with pytest.raises(InvalidData, match="say in which file or folder they lie"):
        load()


@pytest.mark.parametrize(
    ("answer", "published", "strict"),
    [
        ("h_f = 417.5 kJ/kg\nPhase: wet steam", 1.0, 1.0),
        ("h_f = 417.5 kJ/kg", 0.5, 0.5),
        ("h_f = 417.5 kPa\nPhase: wet steam", 1.0, 0.5),
        ("I do not know.", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
async def test_an_answer_has_a_score_by_each_rule(tmp_path, answer, published, strict):
    [asked] = load(str(write(tmp_path, QUESTION)))
    scores = await ThermoQAScore().score(ScoringContext(asked, attempt(answer)))
    assert {each.dimension: each.value for each in scores} == {"published": published, "strict": strict}


async def test_both_columns_are_scored_with_evidence():
    asked = problem(number("h", 2800.0), number("v", 0.0012, unit="m^3/kg", weight=3.0))
    answer = attempt("h = 2800 kJ/kg\nv = 0.4 m^3/kg")
    ours, strict = await ThermoQAScore().score(ScoringContext(asked, answer))
    assert (ours.value, strict.value) == (1.0, 0.25)
    assert "v: fail (0.4 for 0.0012 m^3/kg)" in strict.evidence


@pytest.mark.parametrize(
    ("reason", "target"),
    [
        ("message", MessageTarget(name="why", weight=1.0, value="because")),
        ("label", LabelTarget(name="regime", weight=1.0, value="laminar")),
        ("no value", NumberTarget(name="h", unit="kJ/kg", weight=1.0)),
    ],
)
async def test_a_foreign_target_is_unscored(reason, target):
    scores = await ThermoQAScore().score(ScoringContext(problem(target), attempt("because")))
    assert [each.value for each in scores] == [None, None]
    assert reason in scores[0].evidence


@pytest.mark.parametrize(("text", "name", "tier", "value"), CASES["published_reading"])
def test_the_published_reading_with_its_faults(text, name, tier, value):
    assert published_reading.read(text, problem(number(name, 1.0), tier=tier)).get(name) == value


@pytest.mark.parametrize(("text", "phase"), CASES["published_phase"])
def test_the_longest_phase_name_in_the_text_wins(text, phase):
    assert published_reading.phase(text) == phase


@pytest.mark.parametrize(("expected", "absolute", "passing", "failing"), CASES["published_test"])
def test_the_published_test_is_relative_or_absolute(expected, absolute, passing, failing):
    asked = problem(number("h", expected, absolute=absolute))
    assert [published(asked, {"h": value})["h"].passed for value in (passing, failing)] == [True, False]


@pytest.mark.parametrize(("which", "values", "error"), CASES["balances"])
def test_an_energy_balance_is_recomputed_from_the_answers_own_values(which, values, error):
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
    assert published(asked, {"v": stated})["v"].passed
    assert strictly(asked, f"v = {stated:.12f} m^3/kg")["v"].passed or stated < 1e-9


PROPERTIES = "h s u v rho T P x phase h1 h2s h_f s_g T_sat P_sat h_c_in s_h_out T_c_out s_in T2 ef9 x4 h10s"
REASONED = (
    "w_in q_H Q_dot W_dot_net V2 m3 m_dot_steam eta_th COP_R s_gen s_gen_pump S_gen_dot x_dest"
    " x_dest_total X_dest_dot energy_balance_error_gas"
)


@pytest.mark.parametrize(("kind", "names"), [("property", PROPERTIES), ("reasoning", REASONED)])
def test_the_symbol_tells_states_from_what_follows_from_them(kind, names):
    assert {step_kind(name) for name in names.split()} == {kind}


def test_an_answer_is_judged_step_by_step():
    """The publisher's reading takes a number for the unit asked for, ours converts."""
    asked = problem(number("h1", 3000.0), number("s1", 6.5), number("w_out", 500.0, weight=3.0), tier="2")
    judged = as_scored(asked, "h1 = 3.001 MJ/kg\ns1 = 6.9 kJ/(kg·K)")
    fates = {rule: [one.status for one in each.values()] for rule, each in judged.items()}
    assert fates["strict"] == ["pass", "out_of_tolerance", "missing"]
    assert fates["published"] == ["out_of_tolerance", "pass", "missing"]
    assert score_of(judged["strict"].values()) == pytest.approx(0.2)
    closed = as_scored(problem(number("s_gen_turb", 0.0, unit="kJ/(kg*K)"), tier="3"), "s_gen_turb = 0")
    assert closed["published"]["s_gen_turb"].passed and closed["strict"]["s_gen_turb"].status is None
