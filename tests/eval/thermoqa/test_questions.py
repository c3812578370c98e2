"""ThermoQA: the published files load, the published rule is exact, and the strict one gives nothing away."""

from statistics import mean

import pytest

from ansatz.eval.benchmarks.thermoqa import load, published_reading
from ansatz.eval.benchmarks.thermoqa.score import (
    ThermoQAScore,
    problem_score,
    published,
)
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import LabelTarget, MessageTarget, NumberTarget, Tolerance
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.properties import describe_saturation, describe_state
from tests.eval.thermoqa.cases import (
    DATA,
    PUBLISHED,
    QUESTION,
    changed,
    number,
    problem,
    published_runs,
    strictly,
    write,
)
from tests.fakes.transcripts import attempt


def test_a_question_becomes_a_problem(tmp_path):
    [loaded] = load(str(write(tmp_path, QUESTION)))
    assert (loaded.id, loaded.family, loaded.benchmark) == ("Q-1", "WS-1", "thermoqa")
    assert loaded.tags == {
        "tier": "1",
        "difficulty": "easy",
        "category": "wet_steam",
        "subcategory": "given_P_x",
    }
    enthalpy, phase = loaded.targets
    assert (enthalpy.name, enthalpy.unit, enthalpy.value, enthalpy.tolerance) == (
        "h_f",
        "kJ/kg",
        417.5,
        Tolerance(relative=0.02, absolute=0.5),
    )
    assert (phase.name, phase.value, phase.accepted) == ("phase", "wet_steam", ("two-phase",))
    assert [(each.name, each.value, each.unit) for each in loaded.givens] == [
        ("fluid", "Water", "-"),
        ("P", 100.0, "kPa"),
    ]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (changed("expected.h_f_kJ_kg.value", "hot"), r"questions\.jsonl:1: expected\.h_f_kJ_kg\.value"),
        (changed("metadata.template_id", None), r":1: metadata\.template_id: is missing"),
        (changed("tier", 4), r":1: tier: '4' is not valid.*1, 2, 3"),
        (changed("expected", {}), r":1: expected: "),
        (changed("question", None), r":1: question: is missing"),
    ],
)
def test_a_faulty_question_names_file_line_and_field(tmp_path, question, message):
    with pytest.raises(InvalidData, match=message):
        load(str(write(tmp_path, question)))


def test_other_faults_of_a_file_are_named_too(tmp_path):
    with pytest.raises(InvalidData, match=r":2: id: 'Q-1' is already .*:1"):
        load(str(write(tmp_path, QUESTION, QUESTION)))
    (tmp_path / "tier1-questions.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidData, match=r":1: not JSON"):
        load(str(tmp_path))
    with pytest.raises(InvalidData, match="No such file"):
        load(str(tmp_path / "absent"))
    with pytest.raises(InvalidData, match="there is no tier 7"):
        load(str(tmp_path), tiers=[7])


@PUBLISHED
def test_all_published_questions_load():
    problems = load(str(DATA))
    assert [sum(each.tags["tier"] == tier for each in problems) for tier in "123"] == [110, 101, 82]
    assert len({each.id for each in problems}) == 293
    assert len(load(str(DATA), tiers=(2,))) == 101
    assert {each.tags["category"] for each in problems if each.tags["tier"] == "1"} >= {"inverse_lookups"}


@PUBLISHED
@pytest.mark.parametrize(("tier", "score", "differing"), [(1, 0.9689, 0), (2, 0.9104, 0), (3, 0.8988, 1)])
def test_the_published_rule_and_reading_reproduce_the_publishers(tier, score, differing):
    scores, differences = [], 0
    for asked, response, names, extracted in published_runs(tier):
        judged = published(asked, extracted)
        theirs = {names[each["key"]]: each["passed"] for each in response["scores"]}
        assert {name: one.passed for name, one in judged.items()} == theirs, asked.id
        scores.append(problem_score(asked, judged))
        differences += published_reading.read(response["response_text"], asked) != extracted
        assert scores[-1] == pytest.approx(response["question_score"], abs=1e-12)
    assert mean(scores) == pytest.approx(score, abs=5e-5)
    assert differences == differing


@PUBLISHED
@pytest.mark.parametrize(("tier", "low", "high"), [(1, 0.93, 0.95), (2, 0.86, 0.89), (3, 0.80, 0.84)])
def test_the_strict_rule_reads_real_answers(tier, low, high):
    scores, unread = [], []
    for asked, response, _, extracted in published_runs(tier):
        for blank in ("", "{}", "Final answers:\n\n{}\n"):  # nothing, or the question's own empty form
            assert not any(each.passed for each in strictly(asked, blank.format(asked.question)).values())
        judged = strictly(asked, response["response_text"])
        scores.append(problem_score(asked, judged))
        unread += [name for name, one in judged.items() if one.evidence == "not stated" and name in extracted]
    assert unread == []
    assert low < mean(scores) < high


@PUBLISHED
def test_the_property_tools_answer_tier_1_from_its_given_data():
    scores = {"published": [], "strict": []}
    for asked in load(str(DATA), tiers=(1,)):
        answer = told_by_tools(asked)
        read = published_reading.read(answer, asked)
        scores["published"].append(problem_score(asked, published(asked, read)))
        scores["strict"].append(problem_score(asked, strictly(asked, answer)))
    assert {name: mean(values) for name, values in scores.items()} == {"published": 1.0, "strict": 1.0}


def told_by_tools(asked):
    """What the two property tools say about a question's own given data."""
    inputs = [
        f"{given.name} = {given.value} {given.unit.replace('-', '')}"
        for given in asked.givens
        if given.name != "fluid"
    ]
    if len(inputs) == 1:
        return describe_saturation("water", inputs[0])
    return describe_state("water", inputs, [target.name for target in asked.targets])


async def test_both_columns_are_scored_with_evidence():
    asked = problem(number("h", 2800.0), number("v", 0.0012, unit="m^3/kg", weight=3.0))
    ours, strict = await ThermoQAScore().score(
        ScoringContext(asked, attempt("h = 2800 kJ/kg\nv = 0.4 m^3/kg"))
    )
    assert (ours.dimension, ours.value) == ("published", 1.0)
    assert (strict.dimension, strict.value) == ("strict", 0.25)
    assert "v: fail (0.4 for 0.0012 m^3/kg)" in strict.evidence


async def test_no_answer_is_wrong_but_a_foreign_target_is_unscored():
    asked = problem(number("h", 2800.0))
    assert [each.value for each in await ThermoQAScore().score(ScoringContext(asked, attempt("")))] == [
        0.0,
        0.0,
    ]
    foreign = {
        "message": MessageTarget(name="why", weight=1.0, value="because"),
        "label": LabelTarget(name="regime", weight=1.0, value="laminar"),
        "no value": NumberTarget(name="h", unit="kJ/kg", weight=1.0),
    }
    for reason, target in foreign.items():
        scores = await ThermoQAScore().score(ScoringContext(problem(target), attempt("because")))
        assert [each.value for each in scores] == [None, None]
        assert reason in scores[0].evidence
