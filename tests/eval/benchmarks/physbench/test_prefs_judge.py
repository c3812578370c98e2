"""P-REFS by a judge: its replies made scores whatever they lack."""

import asyncio

import pytest
from langchain_core.messages import AIMessage

from ansatz.eval.benchmarks.physbench.prefs import PrefsJudge
from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES, PROBLEM_SOLVING
from ansatz.eval.judging.rubric import Rubric
from tests.eval.benchmarks.physbench.prefs_cases import BRAKING, CHOICE, ESSAY, WORKED
from tests.eval.judging.judge_cases import call, context
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.transcripts import attempt

ALL = tuple(each.name for each in PROBLEM_SOLVING)
CONCEPTUAL = ("setup", "concept", "coherence", "final")
PROSE = "With m = 2000 kg, v_0 = 20 m/s and a = 5 m/s^2 we get d = 40 m and F = 10000 N."


def marked(names, errors=(), **points):
    """A reply with full marks but for those given."""
    given = {name: {"justification": f"on {name}", "points": points.get(name, 2)} for name in names}
    return call({"marks": given, "errors": list(errors), "overall": 80})


def judged(answer, *replies, problem=BRAKING):
    """Scores by name, evidence by name, and the requests that the judge saw."""
    models = {"judge1": ScriptedModel(replies=list(replies))}
    judge = PrefsJudge(models=list(models))
    scores = asyncio.run(judge.score(context(models, attempt(answer), problem)))
    assert tuple(score.dimension for score in scores) == tuple(each.name for each in judge.dimensions)
    bare = {score.dimension.replace("prefs.", ""): score for score in scores}
    values = {name: score.value for name, score in bare.items()}
    evidence = {name: score.evidence for name, score in bare.items()} | {"record": bare["score"].details}
    return values, evidence, models["judge1"].seen


def test_an_answer_is_judged_on_all_criteria():
    scores, evidence, [[system, human]] = judged(WORKED, marked(ALL, application=1, final=0))
    assert all(f"## {name}" in system.text for name in ALL) and "- INT: a given" in system.text
    assert "Substitution: d = 20**2/(2*5)" in human.text and "Method: Kinematics" in human.text
    assert scores["score"] == pytest.approx((10 - 0.5 - 2) / 10)
    assert scores["fully_correct"] == scores["final_correct"] == 0.0 and scores["template"] == 1.0
    assert (scores["application"], scores["final"]) == (0.5, 0.0)
    assert evidence["score"].startswith("ok: 7.5 of 10 points")
    assert evidence["record"]["judges"]["judge1"]["points"]["application"] == 1


def test_an_error_is_what_is_tagged_or_costs_points():
    scores, evidence, _ = judged(PROSE, marked(ALL, errors=["COH", "nonsense"], calculation=0))
    assert {code for code in CODES if scores[f"error.{code}"] == 1.0} == {"COH", "CAL"}
    assert scores["coherence"] == 1.0 and evidence["error.COH"].startswith("tagged COH")


def test_what_is_missing_is_asked_for_again_and_else_unscored():
    first = marked(ALL[:-2])
    scores, _, seen = judged(PROSE, first, marked(ALL[-2:]))
    assert len(seen) == 2 and "An earlier reply" in seen[1][1].text
    assert "## coherence" in seen[1][0].text and "## modeling" not in seen[1][0].text
    assert scores["score"] == 1.0
    scores, evidence, _ = judged(PROSE, first, AIMessage("I would rather not."))
    assert scores["final"] is scores["fully_correct"] is scores["final_correct"] is None
    assert scores["score"] == 1.0 and evidence["score"].startswith("ok_partial")
    assert "not judged: coherence, final" in evidence["score"]


def test_the_key_decides_a_choice_that_names_an_option():
    scores, evidence, [[system, _]] = judged("The answer is (A).", marked(CONCEPTUAL), problem=CHOICE)
    assert scores["final"] == scores["final_correct"] == 0.0 and "judge1 gives 2" in evidence["final"]
    assert "## execution" not in system.text
    assert scores["score"] == pytest.approx(3 / 4)
    scores, _, _ = judged("It becomes four times as large.", marked(CONCEPTUAL), problem=CHOICE)
    assert scores["final"] == scores["final_correct"] == 1.0


def test_an_answer_in_words_uses_the_five_point_rubric():
    scores, _, _ = judged("Inertia.", marked(CONCEPTUAL, coherence=1), problem=ESSAY)
    assert scores["score"] == pytest.approx(3.5 / 4)
    assert scores["relevance"] is scores["error.INT"] is None
    scores, _, seen = judged("  ", problem=ESSAY)
    assert scores["score"] == 0.0 and seen == []


def test_the_hash_of_its_prompts_is_of_both_rubrics(monkeypatch):
    before = PrefsJudge().prompt_hash
    loaded = Rubric.load
    changed = loaded("prefs_conceptual").model_copy(update={"task": "Another one."})
    monkeypatch.setattr(Rubric, "load", lambda name: changed if name == "prefs_conceptual" else loaded(name))
    assert PrefsJudge().prompt_hash != before
