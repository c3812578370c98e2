"""APBench's answers in words: half a judge's mark, half the likeness of sentence vectors."""

import pytest

from ansatz.agents.models import connect
from ansatz.eval.benchmarks.apbench.scoring import APBenchScore, Likeness
from ansatz.eval.judging import JudgeModel, UsesJudges
from ansatz.eval.problem import MessageTarget, Problem
from ansatz.eval.score import NoModelToAsk, ScoringContext, asking
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.transcripts import attempt


def problem(*targets):
    return Problem(id="p", family="p", benchmark="apbench", question="How fast?", targets=targets)


KEY = "The areal velocity is constant, so the satellite moves slowest at apogee and spends most time there."
ALIKE = "By Kepler's second law the areal velocity is conserved: far away, at apogee, the motion is slow and takes most of the time."
UNLIKE = "Bananas are rich in potassium."
ASKED = problem(MessageTarget(name="message", weight=1.0, value=KEY))


async def test_without_a_judge_the_embedding_stands_alone_and_says_so():
    alike = {
        each.dimension: each for each in await APBenchScore().score(ScoringContext(ASKED, attempt(ALIKE)))
    }
    unlike = {
        each.dimension: each for each in await APBenchScore().score(ScoringContext(ASKED, attempt(UNLIKE)))
    }
    assert alike["published"].value == 1.0 and unlike["published"].value == 0.0
    assert alike["message"].value > 0.6 > 0.3 > unlike["message"].value
    assert alike["published"].evidence.startswith("embedding alone, no judge: cosine 0.")
    assert alike["strict"].value is None
    same = await APBenchScore().score(ScoringContext(ASKED, attempt(KEY)))
    assert same[2].value == pytest.approx(1.0, abs=1e-5)


async def test_an_empty_message_is_wrong_without_a_request():
    assert [each.value for each in await APBenchScore().score(ScoringContext(ASKED, attempt(" ")))] == [
        0.0,
        None,
        0.0,
        0.0,
    ]


@pytest.mark.parametrize(
    ("cosine", "mark", "value", "right"),
    [
        (0.7, 0.5, 0.6, False),
        (0.7, 0.6, 0.65, True),
        (0.1, 1.0, 0.55, False),
        (0.61, None, 0.61, True),
        (0.6, None, 0.6, False),
    ],
)
def test_a_message_is_right_above_the_threshold(cosine, mark, value, right):
    likeness = Likeness(cosine, mark)
    assert likeness.value == pytest.approx(value)
    assert likeness.is_right is right


def judge(server):
    return APBenchScore(
        judge=JudgeModel(name="openai:fake", settings={"base_url": server.base_url, "max_tokens": 100})
    )


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        (Answer(calls=(("record_likeness", {"reason": "same", "likeness": 9}),)), 0.9),
        (Answer('Here: {"reason": "uses \\mu", "likeness": 4}'), 0.4),
        (Answer("7"), 0.7),
        (Answer("10"), 1.0),
    ],
)
async def test_a_judges_mark_and_the_cosine_are_averaged(reply, mark, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer([reply]) as server:
        scorer = judge(server)
        assert isinstance(scorer, UsesJudges)
        client = connect("openai:fake", scorer.judge.settings)
        alone = await APBenchScore().score(ScoringContext(ASKED, attempt(ALIKE)))
        scores = await scorer.score(ScoringContext(ASKED, attempt(ALIKE), asking({"openai:fake": client})))
        await client.aclose()
        sent = server.requests[0].text
    assert scores[2].value == pytest.approx(0.5 * (mark + alone[2].value))
    assert "0.5 (judge" in scores[0].evidence
    assert "ANSWER BEGINS" in sent and "areal velocity is conserved" in sent


async def test_a_judge_that_cannot_be_read_leaves_the_answer_unscored(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer([Answer("I like it"), Answer("very much, 11 of 10")]) as server:
        scorer = judge(server)
        client = connect("openai:fake", scorer.judge.settings)
        scores = await scorer.score(ScoringContext(ASKED, attempt(ALIKE), asking({"openai:fake": client})))
        await client.aclose()
    assert [each.value for each in scores][:3] == [None, None, None]
    assert "no mark that can be read" in scores[0].evidence


async def test_a_judge_has_to_be_reached():
    with pytest.raises(NoModelToAsk, match="openai:fake cannot be asked here"):
        await APBenchScore(judge="openai:fake").score(ScoringContext(ASKED, attempt(ALIKE)))
