"""Several judges: their marks combined, their disputes decided and counted."""

import asyncio

import pytest

from ansatz.agents import InfrastructureError
from ansatz.eval.judging import Judge
from ansatz.eval.judging.panel import disagreement_rate
from ansatz.eval.score import ScoringContext, asking
from tests.eval.judge_cases import NAMES, PROBLEM, attempt, call, context, marks, scripted
from tests.experiments.studies import CountingClient


def judged(scripts, **settings):
    judge, models = scripted(
        {name: [call(marks(each))] if isinstance(each, str) else each for name, each in scripts.items()},
        **settings,
    )
    scores = asyncio.run(judge.score(context(models)))
    return {score.dimension.removeprefix("judge."): score for score in scores}, models


@pytest.mark.parametrize(
    ("combine", "expected"),
    [("median", [1.0, 1.0, 0.0, 0.5]), ("mean", [5 / 6, 2 / 3, 1 / 6, 0.5])],
)
def test_marks_of_a_panel_are_combined(combine, expected):
    scores, _ = judged({"a": "22011111", "b": "22111111", "c": "10" + "0" + "11111"}, combine=combine)
    assert [scores[name].value for name in NAMES[:4]] == pytest.approx(expected)


def test_a_dispute_is_decided_by_the_adjudicator_on_these_dimensions_alone():
    third = [call(marks("10", names=("G2", "G7"), errors=["unit"]))]
    scores, models = judged({"a": "22222222", "b": "20222202", "c": third}, adjudicator="c")
    assert [scores[name].value * 2 for name in NAMES] == [2, 1, 2, 2, 2, 2, 0, 2]
    assert (
        "a gives 2: because of G2; b gives 0: because of G2; adjudicated by c gives 1"
        in scores["G2"].evidence
    )
    record = scores["kpi"].details
    assert record["disputed"] == ["G2", "G7"]
    assert record["adjudication"]["c"]["points"] == {"G2": 1, "G7": 0}
    seen = "".join(message.text for message in models["c"].seen[0])
    assert "## G2" in seen and "## G7" in seen and "## G1" not in seen
    assert "because of" not in seen  # it does not see what the others said


def test_without_an_adjudicator_a_dispute_is_recorded():
    scores, _ = judged({"a": "22222222", "b": "02222222"})
    assert scores["G1"].value == 0.5
    assert scores["G1"].evidence.endswith("; disputed")


def test_a_judge_that_fails_leaves_the_word_to_the_others():
    mute = [call({}), call({})]
    scores, _ = judged({"a": "22222222", "b": mute})
    assert scores["G1"].value == 1.0
    assert "b gives no mark" in scores["G1"].evidence
    assert scores["kpi"].details["judges"]["b"]["status"] == "failed"


def test_a_judge_that_is_down_leaves_the_others_time_to_answer():
    down = CountingClient(faults={1: InfrastructureError("503")})
    slow = CountingClient(delay=0.05)
    judge = Judge(models=["x:down", "x:slow"], asks=1)
    ask_both = asking({"x:down": down, "x:slow": slow})

    async def ask():
        task = asyncio.create_task(judge.score(ScoringContext(PROBLEM, attempt(), ask_both)))
        started = asyncio.get_running_loop().time()
        with pytest.raises(InfrastructureError, match="503"):
            await task
        return asyncio.get_running_loop().time() - started

    assert asyncio.run(ask()) >= 0.05


def test_the_disagreement_rate_counts_dimensions_with_two_marks():
    records = [
        judged({"a": "22222222", "b": b})[0]["kpi"].details
        for b in ("02222222", "22222222", [call(marks("00", names=("G1", "G2"))), call({})])
    ]
    assert disagreement_rate(records) == pytest.approx((1 + 0 + 2) / (8 + 8 + 2))
    assert disagreement_rate([]) is None
