"""One judge: what it is shown, what is made of its reply, and what becomes of replies that are not as asked."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from ansatz.eval.judging import Judge
from ansatz.eval.judging.reply import read
from ansatz.eval.judging.request import blinded, case, drawn_by, fenced, messages, tool
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.verifier.kpi import SOUND, WEIGHTS
from ansatz.eval.verifier.verifier import findings_of
from tests.eval.judge_cases import (
    ANSWER,
    NAMES,
    PROBLEM,
    attempt,
    call,
    context,
    cut_call,
    marks,
    scripted,
    tool_call,
)

RUBRIC = Rubric.load("tps")


def drawn(seed, judge):
    return drawn_by(seed, judge, PROBLEM, ANSWER).sample([*RUBRIC.criteria], 8)


def scored(*replies, transcript=None, **settings):
    judge, models = scripted({"x:judge": replies}, **settings)
    scores = asyncio.run(judge.score(context(models, transcript)))
    return {score.dimension: score for score in scores}, models["x:judge"]


def values(scores):
    return "".join(
        "-" if scores[f"judge.{n}"].value is None else f"{scores[f'judge.{n}'].value * 2:g}" for n in NAMES
    )


def test_marks_become_scores_with_their_evidence():
    scores, model = scored(call(marks("21022012", errors=["unit", "hallucination", "nonsense"])))
    assert values(scores) == "21022012"
    expected = sum(WEIGHTS[n] * int(p) / 2 for n, p in zip(NAMES, "21022012", strict=True))
    assert scores["judge.kpi_published"].value == pytest.approx(expected)
    core = sum(WEIGHTS[n] * int(p) / 2 for n, p in zip(NAMES, "2102", strict=False))
    assert scores["judge.kpi"].value == pytest.approx(core)
    assert scores["judge.kpi"].evidence.endswith("G5 to G8 count as zero: G2, G3")
    assert scores["judge.G3"].evidence == ("ok: x:judge gives 0: because of G3; errors: unit, hallucination")
    record = scores["judge.kpi"].details
    assert record["status"] == "ok"
    assert record["judges"]["x:judge"]["points"] == dict(zip(NAMES, map(int, "21022012"), strict=True))
    assert sorted(record["judges"]["x:judge"]["order"]) == sorted(NAMES)
    assert len(model.seen) == 1
    assert model.tools == ["record_marks"]


def test_the_schema_is_strict_and_asks_for_reasons_first():
    wanted = tool(RUBRIC.of("G4", "G1")).args_schema
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
def test_marks_written_out_as_text_are_read_too(text):
    scores, _ = scored(AIMessage(text))
    assert values(scores) == "10201020"


def test_a_reply_that_breaks_off_is_asked_again_for_the_rest_only():
    first = cut_call(marks("21212121"), at='of G5", "points": 2}, "G6": {"justif')
    scores, model = scored(first, call(marks("001", names=("G6", "G7", "G8"), errors=["unit"])))
    assert values(scores) == "21212001"
    assert scores["judge.kpi"].details["judges"]["x:judge"]["asks"] == 2
    again = "".join(message.text for message in model.seen[1])
    assert "## G6" in again and "## G7" in again and "## G8" in again and "## G1" not in again
    assert "cut off" in again


def test_what_stays_missing_is_partial_and_never_zero():
    scores, _ = scored(call(marks("21", names=("G1", "G4"))), AIMessage("I would rather not say."))
    assert values(scores) == "2--1----"
    assert scores["judge.G2"].value is None
    assert scores["judge.G2"].evidence.startswith("ok_partial: no judge marked it (x:judge: lacks")
    expected = (WEIGHTS["G1"] + WEIGHTS["G4"] / 2) / (WEIGHTS["G1"] + WEIGHTS["G4"])
    assert scores["judge.kpi_published"].value == pytest.approx(expected)
    assert scores["judge.kpi"].value == pytest.approx(SOUND * expected)
    assert scores["judge.kpi"].evidence.startswith("ok_partial: from G1, G4; x:judge: lacks")


@pytest.mark.parametrize("reply", [call(marks("22222222")), AIMessage('{"overall": 100}')])
def test_full_marks_for_a_value_that_the_key_refutes_buy_no_form(reply):
    right, _ = scored(reply, reply)
    wrong, _ = scored(reply, reply, transcript=attempt("q = 1.2*100^2 = 12000 Pa"))
    assert (right["judge.kpi"].value, right["judge.kpi_published"].value) == (1, 1)
    assert wrong["judge.kpi"].value <= SOUND and wrong["judge.kpi_published"].value == 1
    assert wrong["judge.kpi"].details["is_right"] is False


@pytest.mark.parametrize(
    "reply", [AIMessage(""), AIMessage("Good work!"), AIMessage("[1, 2]"), AIMessage("{")]
)
def test_a_judge_that_says_nothing_leaves_the_answer_unscored(reply):
    scores, model = scored(reply, reply)
    assert {score.value for score in scores.values()} == {None}
    assert scores["judge.kpi"].evidence.startswith("failed: x:judge: the reply holds no marks")
    assert len(model.seen) == 2


@pytest.mark.parametrize("points", [3, -1, 1.5, True, None, "two", [2]])
def test_marks_off_the_scale_are_asked_for_again(points):
    wrong = marks()
    wrong["marks"]["G5"]["points"] = points
    scores, model = scored(call(wrong), call(marks("1", names=("G5",))))
    assert values(scores) == "22221222"
    assert "## G5" in model.seen[1][0].text and "## G4" not in model.seen[1][0].text


def test_no_answer_earns_nothing_and_costs_nothing():
    scores, model = scored(transcript=attempt("  ", stop="empty"))
    assert {score.value for score in scores.values()} == {0.0}
    assert model.seen == []


# What the judge sees


def test_the_judge_sees_problem_key_and_answer_and_nothing_of_the_arm():
    bare = attempt(f"By evaluate_formula: {ANSWER}")
    seen = [
        {"role": "system", "content": "HINT OF THE ARM"},
        {"role": "tool", "content": "SECRET OF THE ARM"},
    ]
    armed = attempt(bare.answer, tools=(tool_call(),), messages=tuple(seen))
    texts = []
    for transcript in (attempt(bare.answer.replace("evaluate_formula", "tool")), armed):
        for grounded in (False, True):
            blind = blinded(transcript)
            findings = findings_of(PROBLEM, blind) if grounded else ()
            parts = case(PROBLEM, blind.answer, key=True, findings=findings)
            texts.append("".join(each.text for each in messages(RUBRIC, parts)))
    assert texts[0] == texts[2] and texts[1] == texts[3]
    assert PROBLEM.question in texts[0] and "q = rho*V**2/2 = 6000 Pa" in texts[0] and ANSWER in texts[0]
    assert "Half the density" in texts[0]
    for text in texts:
        assert "OF THE ARM" not in text and "evaluate_formula" not in text


def test_a_grounded_judge_gets_what_was_recomputed():
    _, model = scored(call(marks()), grounded=True, transcript=attempt("q = 0.5*1.2*100^2 = 8400 Pa"))
    assert "comes to 6000, stated 8400" in model.seen[0][1].text


def test_the_order_of_dimensions_is_drawn_by_seed_answer_and_judge():
    orders = {tuple(drawn(seed, judge)) for seed in range(20) for judge in ("a", "b")}
    assert len(orders) > 30
    assert all(sorted(order) == sorted(NAMES) for order in orders)
    assert drawn(3, "a") == drawn(3, "a")
    first = [drawn(seed, "a")[0] for seed in range(4000)]
    assert all(400 < first.count(name) < 600 for name in NAMES)  # 500 expected, standard deviation 21
    _, model = scored(call(marks()), seed=5)
    order, text = drawn(5, "x:judge"), model.seen[0][0].text
    assert [text.index(f"## {name}:") for name in order] == sorted(
        text.index(f"## {name}:") for name in order
    )


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_back_whole_from_its_fence(text):
    shown = fenced(text, "ANSWER")
    code = shown.split("\n", 1)[0].removeprefix("ANSWER BEGINS ")
    assert code not in text
    assert shown.split(code) == ["ANSWER BEGINS ", f"\n{text}\nANSWER ENDS ", ""]


@given(st.integers(0, 700))
def test_a_reply_cut_anywhere_gives_only_marks_it_made(at):
    whole = marks("21021021", errors=["formula"], overall=85)
    text = json.dumps(whole)
    cut = AIMessage(text[:at], response_metadata={"finish_reason": "length"})
    opinion = read(cut, RUBRIC)
    for name, points in opinion.points.items():
        assert whole["marks"][name] == {"justification": opinion.justifications[name], "points": points}
    assert opinion.overall in (None, 85)
    assert set(opinion.errors) <= {"formula"}
    assert len(opinion.points) >= text[:at].count("},") - text[:at].count("}},")


# Settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "judge needs a model"),
        ({"models": ["a:b", "a:b"]}, "two judges are called 'a:b'"),
        (
            {"models": [{"name": "a:b", "heat": 0}]},
            r"no field 'heat' \(valid: name, label, input_price, output_price, cached_price, cache_write_price, settings\)",
        ),
        ({"models": ["offline:slide-rule"]}, "no language model"),
        ({"models": ["a:b"], "asks": 0}, "asks must be greater"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        Judge(**settings).check()
