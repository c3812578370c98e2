"""Judges: their requests, the parsing of their replies, and the scores of a panel."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from ansatz.agents import ToolCall
from ansatz.errors import InfrastructureError
from ansatz.eval.judging import Judge
from ansatz.eval.judging.opinion import parse_reply
from ansatz.eval.judging.panel import compute_disagreement_rate
from ansatz.eval.judging.request import (
    blind_transcript,
    build_messages,
    build_parts,
    build_tool,
    fence,
    make_order_generator,
)
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.score import ScoringContext, ask_through
from ansatz.eval.verifier.kpi import SOUND, WEIGHTS
from ansatz.eval.verifier.verifier import format_findings
from tests.eval.judging.judge_cases import ANSWER, NAMES, PROBLEM, call, marks, scored
from tests.experiments.studies import CountingClient
from tests.fakes.transcripts import attempt

RUBRIC = Rubric.load("tps")


def judged(*replies, answer=ANSWER, **settings):
    """Scores by name, and the requests to the only judge."""
    scores, models = scored(Judge, {"x:judge": replies}, answer, **settings)
    return {name.removeprefix("judge."): score for name, score in scores.items()}, models["x:judge"].seen


def by_panel(points, **settings):
    """Scores by name, and models by name, of several judges that score everything in one reply."""
    replies = {name: [call(marks(each))] if isinstance(each, str) else each for name, each in points.items()}
    scores, models = scored(Judge, replies, **settings)
    return {name.removeprefix("judge."): score for name, score in scores.items()}, models


def points(scores):
    return "".join("-" if scores[n].value is None else f"{scores[n].value * 2:g}" for n in NAMES)


def text_of(request):
    return "".join(message.text for message in request)


def test_points_become_scores_with_evidence():
    scores, seen = judged(call(marks("21022012", errors=["unit", "hallucination", "nonsense"])))
    assert (points(scores), len(seen)) == ("21022012", 1)
    worth = [WEIGHTS[name] * int(digit) / 2 for name, digit in zip(NAMES, "21022012", strict=True)]
    assert scores["kpi_published"].value == pytest.approx(sum(worth))
    assert scores["kpi"].value == pytest.approx(sum(worth[:4]))
    assert scores["kpi"].evidence.endswith("G5 to G8 count as zero: G2, G3")
    assert scores["G3"].evidence == "ok: x:judge gives 0: because of G3; errors: unit, hallucination"
    assert scores["kpi"].details["status"] == "ok"
    record = scores["kpi"].details["judges"]["x:judge"]
    assert record["points"] == dict(zip(NAMES, map(int, "21022012"), strict=True))


def test_the_schema_is_strict_with_reasons_first():
    wanted = build_tool(RUBRIC.select("G4", "G1")).args_schema
    assert wanted["additionalProperties"] is False
    assert wanted["required"] == ["marks", "errors", "overall"]
    table = wanted["properties"]["marks"]
    assert table["required"] == ["G4", "G1"] and table["additionalProperties"] is False
    assert table["properties"]["G1"]["required"] == ["justification", "points"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(marks("10201020")),
        f"My marks:\n```json\n{json.dumps(marks('10201020'), indent=1)}\n```\nThat is all {{really}}.",
        json.dumps({name: int(digit) for name, digit in zip(NAMES, "10201020", strict=True)}),
        json.dumps({n: {"score": d, "justification": "x"} for n, d in zip(NAMES, "10201020", strict=True)}),
        json.dumps(marks("10201020")).replace("because of G1", r"\(q = \rho V^2\) and \sigma"),
        json.dumps(marks("10201020")).replace("because of G1", r"\\(\\mu\\), \\beta escaped"),
        "The case of \\rho { and } first. " + json.dumps(marks("10201020")),
    ],
    ids=["bare", "fenced", "flat", "other words", "latex", "latex escaped", "after braces"],
)
def test_points_are_parsed_from_json_in_text(text):
    assert points(judged(AIMessage(text))[0]) == "10201020"


@given(st.integers(0, 700))
def test_a_truncated_reply_gives_only_the_points_it_contains(at):
    whole = marks("21021021", errors=["formula"], overall=85)
    text = json.dumps(whole)
    opinion = parse_reply(AIMessage(text[:at], response_metadata={"finish_reason": "length"}), RUBRIC)
    for name, given_points in opinion.points.items():
        assert whole["marks"][name] == {"justification": opinion.justifications[name], "points": given_points}
    assert opinion.overall in (None, 85)
    assert set(opinion.errors) <= {"formula"}
    assert len(opinion.points) >= text[:at].count("},") - text[:at].count("}},")


def test_only_missing_criteria_are_requested_again():
    written = json.dumps(marks("21212121"))
    broken = {"name": "record_marks", "args": written[: written.index('"G6": {"justif') + 9], "id": "1"}
    cut = AIMessage("", invalid_tool_calls=[broken | {"error": "bad"}])
    cut.response_metadata["finish_reason"] = "length"
    scores, seen = judged(cut, call(marks("001", names=NAMES[5:], errors=["unit"])))
    assert points(scores) == "21212001"
    assert scores["kpi"].details["judges"]["x:judge"]["asks"] == 2
    assert [f"## {name}" in text_of(seen[1]) for name in NAMES] == [False] * 5 + [True] * 3
    assert "cut off" in text_of(seen[1])


@pytest.mark.parametrize("wrong", [3, -1, 1.5, True, None, "two", [2]])
def test_points_off_the_scale_are_requested_again(wrong):
    reply = marks()
    reply["marks"]["G5"]["points"] = wrong
    scores, seen = judged(call(reply), call(marks("1", names=("G5",))))
    assert points(scores) == "22221222"
    assert "## G5" in text_of(seen[1]) and "## G4" not in text_of(seen[1])


def test_missing_criteria_are_unscored():
    scores, _ = judged(call(marks("21", names=("G1", "G4"))), AIMessage("I would rather not say."))
    assert points(scores) == "2--1----"
    assert scores["G2"].evidence.startswith("ok_partial: no judge scored it (x:judge: lacks")
    expected = (WEIGHTS["G1"] + WEIGHTS["G4"] / 2) / (WEIGHTS["G1"] + WEIGHTS["G4"])
    assert scores["kpi_published"].value == pytest.approx(expected)
    assert scores["kpi"].value == pytest.approx(SOUND * expected)
    assert scores["kpi"].evidence.startswith("ok_partial: from G1, G4; x:judge: lacks")


@pytest.mark.parametrize("reply", [call(marks("22222222")), AIMessage('{"overall": 100}')])
def test_a_wrong_value_limits_the_kpi_despite_full_points(reply):
    right, _ = judged(reply, reply)
    wrong, _ = judged(reply, reply, answer="q = 1.2*100^2 = 12000 Pa")
    assert (right["kpi"].value, right["kpi_published"].value) == (1, 1)
    assert wrong["kpi"].value <= SOUND and wrong["kpi_published"].value == 1
    assert wrong["kpi"].details["is_right"] is False


@pytest.mark.parametrize("reply", [AIMessage(""), AIMessage("[1, 2]"), AIMessage("{")])
def test_a_reply_without_scores_leaves_the_answer_unscored(reply):
    scores, seen = judged(reply, reply)
    assert {score.value for score in scores.values()} == {None} and len(seen) == 2
    assert scores["kpi"].evidence.startswith("failed: x:judge: the reply contains no readable scores")


def test_an_empty_answer_scores_zero_without_a_request():
    scores, seen = judged(answer="  ")
    assert {score.value for score in scores.values()} == {0.0} and seen == []


# Requests


def test_a_request_contains_the_key_but_not_the_arm():
    used = ToolCall(name="evaluate_formula", arguments={}, result="SECRET OF THE ARM", ok=True, seconds=0.1)
    hint = ({"role": "system", "content": "HINT OF THE ARM"},)
    armed = attempt(f"By evaluate_formula: {ANSWER}")
    armed = armed.model_copy(update={"tool_calls": (used,), "messages": hint})
    for grounded in (False, True):
        texts = []
        for transcript in (attempt(f"By tool: {ANSWER}"), armed):
            blind = blind_transcript(transcript)
            findings = format_findings(PROBLEM, blind) if grounded else ()
            parts = build_parts(PROBLEM, blind.answer, with_reference=True, findings=findings)
            texts.append(text_of(build_messages(RUBRIC, parts)))
        assert texts[0] == texts[1]
        for shown in (PROBLEM.question, "q = rho*V**2/2 = 6000 Pa", "Half the density", ANSWER):
            assert shown in texts[0]
        assert "OF THE ARM" not in texts[0] and "evaluate_formula" not in texts[0]


def test_a_grounded_judge_sees_recomputed_values():
    _, [request] = judged(call(marks()), grounded=True, answer="q = 0.5*1.2*100^2 = 8400 Pa")
    assert "comes to 6000, stated 8400" in text_of(request)


def test_the_order_depends_on_seed_answer_and_judge():
    def shuffle(seed, judge):
        return make_order_generator(seed, judge, PROBLEM, ANSWER).sample(NAMES, 8)

    assert len({tuple(shuffle(seed, judge)) for seed in range(20) for judge in "ab"}) > 30
    first = [shuffle(seed, "a")[0] for seed in range(4000)]
    assert all(400 < first.count(name) < 600 for name in NAMES)  # 500 expected, standard deviation 21
    _, [[system, _]] = judged(call(marks()), seed=5)
    assert sorted(NAMES, key=lambda name: system.text.index(f"## {name}:")) == shuffle(5, "x:judge")


@given(st.text(st.characters(exclude_categories=())))
def test_a_fence_contains_any_text_unchanged(text):
    shown = fence(text, "ANSWER")
    code = shown.split("\n", 1)[0].removeprefix("ANSWER BEGINS ")
    assert code not in text
    assert shown.split(code) == ["ANSWER BEGINS ", f"\n{text}\nANSWER ENDS ", ""]


# A panel


@pytest.mark.parametrize(
    ("combine", "expected"),
    [("median", [1.0, 1.0, 0.0, 0.5]), ("mean", [5 / 6, 2 / 3, 1 / 6, 0.5])],
)
def test_points_of_a_panel_are_combined(combine, expected):
    scores, _ = by_panel({"a": "22011111", "b": "22111111", "c": "10011111"}, combine=combine)
    assert [scores[name].value for name in NAMES[:4]] == pytest.approx(expected)
    assert scores["G2"].evidence.endswith("; disputed") and not scores["G1"].details["disputed"]


def test_the_adjudicator_decides_disputed_dimensions_only():
    third = [call(marks("10", names=("G2", "G7"), errors=["unit"]))]
    scores, models = by_panel({"a": "22222222", "b": "20222202", "c": third}, adjudicator="c")
    assert points(scores) == "21222202"
    evidence = "a gives 2: because of G2; b gives 0: because of G2; adjudicated by c gives 1"
    assert evidence in scores["G2"].evidence
    record = scores["kpi"].details
    assert record["disputed"] == ["G2", "G7"]
    assert record["adjudication"]["c"]["points"] == {"G2": 1, "G7": 0}
    seen = text_of(models["c"].seen[0])
    assert [f"## {name}" in seen for name in ("G1", "G2", "G7")] == [False, True, True]
    assert "because of" not in seen  # it does not see the other judges' reasons


def test_the_other_judges_count_if_one_fails():
    scores, _ = by_panel({"a": "22222222", "b": [call({}), call({})]})
    assert scores["G1"].value == 1.0 and "b gives no score" in scores["G1"].evidence
    assert scores["kpi"].details["judges"]["b"]["status"] == "failed"


def test_an_error_of_one_judge_waits_for_the_others():
    down = CountingClient(faults={1: InfrastructureError("503")})
    slow = CountingClient(delay=0.05)
    judge = Judge(models=["x:down", "x:slow"], asks=1)

    async def ask():
        started = asyncio.get_running_loop().time()
        asked = ScoringContext(PROBLEM, attempt(ANSWER), ask_through({"x:down": down, "x:slow": slow}))
        with pytest.raises(InfrastructureError, match="503"):
            await judge.score(asked)
        return asyncio.get_running_loop().time() - started

    assert asyncio.run(ask()) >= 0.05


def test_disagreement_rate_counts_criteria_with_two_scores():
    few = [call(marks("00", names=("G1", "G2"))), call({})]
    records = [by_panel({"a": "22222222", "b": b})[0]["kpi"].details for b in ("02222222", "22222222", few)]
    assert compute_disagreement_rate(records) == pytest.approx((1 + 0 + 2) / (8 + 8 + 2))
    assert compute_disagreement_rate([]) is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "judge needs a model"),
        ({"models": ["a:b", "a:b"]}, "two judges are called 'a:b'"),
        ({"models": [{"name": "a:b", "heat": 0}]}, r"no field 'heat' \(valid: .*name, label"),
        ({"models": ["offline:slide-rule"]}, "not a language model"),
        ({"models": ["a:b"], "asks": 0}, "asks must be greater than or equal to 1"),
    ],
)
def test_invalid_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Judge(**settings).check()
