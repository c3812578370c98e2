"""Custom criteria scored by a model: requests, replies, rubric files, and use in a study."""

import asyncio

import pytest
from langchain_core.messages import AIMessage

from ansatz.errors import InvalidRubric, PluginError
from ansatz.eval.judging import ModelGraded
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.score import ScoringContext, ask_through
from ansatz.experiments.design.plugins import load
from ansatz.experiments.design.scorers import connect_judges
from tests.eval.judging.judge_cases import ANSWER, PROBLEM, call, scored
from tests.experiments.served_study import answer, run_command
from tests.experiments.test_judged_run import judged_study
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.transcripts import attempt

ASKED = "Are key assumptions stated and justified?"
SHEET = """
scale: [0, 4]
criteria:
  assumptions:
    question: Are the assumptions stated?
    anchors: {0: none, 4: "all, with reasons"}
    examples: [{answer: steady flow, points: 1, why: no reason given}]
    weight: 3
  clarity: {question: "Can it be followed?", scale: [0, 1]}
"""


def mark(points, why="because", **more):
    return call({"justification": why, "points": points, **more})


def both(assumptions, clarity):
    given = {"assumptions": assumptions, "clarity": clarity}
    return call(
        {"marks": {name: {"justification": name, "points": points} for name, points in given.items()}}
    )


def graded(*replies, **settings):
    """Scores by dimension, and the requests to the only judge."""
    scores, models = scored(ModelGraded, {"x:judge": replies}, **settings)
    return scores, models["x:judge"].seen


def test_a_criterion_in_words_is_scored_on_its_scale():
    scores, [[system, human]] = graded(mark(3, "two of three"), criteria=ASKED, scale=(1, 5), name="stated")
    score = scores["stated"]
    assert (score.value, score.evidence) == (0.5, "ok: x:judge gives 3: two of three")
    assert score.details["judges"]["x:judge"]["points"] == {"points": 3}
    assert ASKED in system.text and "from 1 (not at all) to 5 (fully)" in system.text
    assert "q = rho*V**2/2 = 6000 Pa" in human.text and "# Findings" not in human.text
    assert ModelGraded(ASKED, (1, 5)).dimensions[0].scale.show(0.5) == "3.00"


def test_reference_and_findings_are_optional():
    wrong = "q = 0.5*1.2*100^2 = 8400 Pa"
    _, [[_, human]] = graded(mark(1), answer=wrong, criteria=ASKED, reference=False, findings=True)
    assert "# Reference" not in human.text and "comes to 6000, stated 8400" in human.text


@pytest.mark.parametrize(
    ("replies", "status", "asks"),
    [
        ([mark(None, "the figure is missing")], "abstained", 1),
        ([AIMessage("Nice."), AIMessage("Very nice.")], "failed", 2),
        ([mark(7), mark("two")], "failed", 2),
    ],
)
def test_an_unscored_answer_has_the_reason(replies, status, asks):
    scores, seen = graded(*replies, criteria=ASKED)
    score = scores["graded"]
    assert (score.value, score.details["status"], len(seen)) == (None, status, asks)
    assert score.evidence.startswith(f"{status}: ")
    assert ("the figure is missing" in score.evidence) == (status == "abstained")


def test_without_abstention_null_is_requested_again():
    scores, seen = graded(mark(None), mark(2), criteria=ASKED, abstain=False)
    assert scores["graded"].value == 1.0 and "null" not in seen[0][0].text


def test_yaml_rubric_has_scales_anchors_examples_weights(tmp_path):
    file = tmp_path / "sheet.yaml"
    file.write_text(SHEET, encoding="utf-8")
    scores, [[system, _]] = graded(both(2, 1), rubric=str(file), name="sheet")
    assert [score.value for score in scores.values()] == pytest.approx([(3 * 0.5 + 1) / 4, 0.5, 1.0])
    assert "## assumptions\n\nAre the" in system.text and "## clarity\n\nCan it be followed?" in system.text
    assert "- 4: all, with reasons" in system.text and "why: no reason given" in system.text
    scores, [_, [again, _]] = graded(both(None, 7), call({"clarity": 1}), rubric=str(file), name="sheet")
    assert [score.value for score in scores.values()] == [None, None, 1.0]
    assert scores["sheet.assumptions"].details["status"] == "abstained"
    assert "## clarity" in again.text and "## assumptions" not in again.text


def test_markdown_rubric_is_sent_as_written(tmp_path):
    file = tmp_path / "sheet.md"
    text = "---\nscale: [0, 3]\n---\nBe strict.\n\n## depth: How deep\n\nIs it deep?\n"
    file.write_text(text, "utf-8-sig")  # an editor may mark a file with its encoding
    scores, [[system, _]] = graded(call({"justification": "so", "depth": 3}), rubric=str(file))
    assert scores["graded"].value == 1.0 and system.text.startswith("Be strict.")
    assert system.text.endswith("\n\n## depth: How deep\n\nIs it deep?")
    assert "two lines that hold a long code" in system.text
    file.write_text("---\nlabels: {A: 4, B: 1, C: 0}\n---\n## depth\n\nIs it deep?\n", "utf-8")
    scores, _ = graded(call({"justification": "so", "depth": "B"}), rubric=str(file))
    assert (scores["graded"].value, scores["graded"].evidence) == (0.25, "ok: x:judge gives B: so")


def test_a_chat_model_can_judge():
    scorer = ModelGraded(ASKED, model=ScriptedModel(replies=[mark(2)], name="mine"))
    clients = connect_judges([scorer])
    asked = ScoringContext(PROBLEM, attempt(ANSWER), ask_through(clients))
    [score] = asyncio.run(scorer.score(asked))
    assert list(clients) == ["mine"] and score.value == 1.0


def test_shipped_rubrics_are_complete():
    for name, count in {"tps": 8, "prefs": 8, "prefs_conceptual": 5, "tpbench": 1, "apbench": 1}.items():
        rubric = Rubric.load(name)
        assert len(rubric.criteria) == count and "record_" in rubric.instructions
    assert [name for name, each in Rubric.load("prefs").criteria.items() if each.weight == 2] == [
        "correctness",
        "final",
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"criteria": ASKED, "rubric": "tps", "model": "a:b"}, "cannot both be given"),
        ({"model": "a:b"}, "needs criteria"),
        ({"criteria": ASKED}, "needs a model"),
        ({"criteria": ASKED, "model": "a:b", "scale": [2, 2]}, "scale: 2 is not below 2"),
        ({"rubric": "tsp", "model": "a:b"}, "there is no rubric 'tsp'; did you mean 'tps'"),
        ({"rubric": "none.yaml", "model": "a:b"}, "none.yaml: No such file"),
    ],
)
def test_invalid_settings_are_refused(settings, message, tmp_path):
    with pytest.raises((PluginError, ValueError), match=message):
        load("ansatz.scorers", "model_graded", settings, tmp_path).check()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("criteria: {}", "criteria: must have at least 1"),
        ('criteria: {a: {question: "Is it?", wieght: 2}}', "wieght"),
        ('criteria: {a: {question: "Is it?", scale: [3, 1]}}', "a: scale: 3 is not below 1"),
        ("criteria: [", "while parsing"),
        ('criteria: {a: {question: "Is it?", anchors: {3: "yes"}}}', "a: 3 is not on the scale from 0 to 2"),
        ('criteria: {a: "Is it?"}\nweights: {a: -1}', "criteria.a.weight: must be greater than 0"),
        ('criteria: {a: "Is it?"}\nweights: {b: 2}', "weights: there is no criterion 'b'"),
        ('criteria: {a: "Is it?"}\ninstructions_of: tsp', "no rubric 'tsp'; did you mean 'tps'"),
        ("## a: One\nIs it?\n## a: Two\nIs it?", "two criteria are called 'a'"),
        ("# Criteria\nIs it? ##", "it has no criteria"),
        ("---\n- 3\n---\n## a\nIs it?", "must be fields"),
    ],
)
def test_an_invalid_rubric_is_one_line_with_its_file(text, message, tmp_path):
    file = tmp_path / ("sheet.md" if "##" in text else "sheet.yaml")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRubric, match=message) as caught:
        Rubric.load(file)
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_two_in_a_study_file_need_different_names(tmp_path):
    (tmp_path / "sheet.yaml").write_text(SHEET, encoding="utf-8")

    def script(request):
        if "record_marks" not in str(request.body.get("tools")):
            return answer(request)
        [message] = both(4, 1).tool_calls if "assumptions" in request.text else mark(1).tool_calls
        return Answer(calls=(("record_marks", message["args"]),))

    with OpenAIServer(script) as server:
        judge = {"name": "openai:judge", "settings": {"base_url": server.base_url}}
        plain = {"model_graded": {"criteria": "Is it brief?", "model": judge, "name": "brief"}}
        sheet = {"model_graded": {"rubric": "sheet.yaml", "model": judge, "name": "sheet"}}
        study = judged_study(tmp_path, server.base_url, [plain, sheet], problems=2)
        done = run_command(study, tmp_path / "out")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 4 + 2 * 2  # equal answers of both arms are judged once
        same = judged_study(tmp_path, server.base_url, [plain, plain], problems=2)
        refused = run_command(same, tmp_path / "other")
    assert "Judge openai:judge: 4 replies" in done.stdout and "Judgements: 8 ok" in done.stdout
    assert refused.returncode == 2 and "two scorers report 'brief'" in refused.stderr
