"""A vote among stated values: groups within a tolerance, in any units."""

from typing import ClassVar

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import AnswerField, Question, Reply, run_agent
from ansatz.agents.answer_form import read_answer_field
from ansatz.agents.plan import base_plan
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.interventions.checked import Checked
from ansatz.interventions.self_consistency import SelfConsistency, vote
from ansatz.quantities.statements import find_statement
from tests.fakes.scripted_model import ScriptedModel


def ballot(*texts, tolerance=0.01, difference=False):
    """Vote among texts, read as values or, without a number, as words; None is an answer without a value."""
    stated = [text and (find_statement(f"P = {text}", "P") or text) for text in texts]
    return vote(stated, tolerance, difference=difference)


@pytest.mark.parametrize(
    "answer",
    [
        "P = 5 to 6 kW",
        "P is at most 5 kW",
        "P < 5 kW",
        "P = 4 kW\nP = 5 kW or 6 kW",
        "P = 4 kW\nP = between 5 and 6 kW",
        "P = 5 kW is wrong",
    ],
)
def test_a_hedged_value_has_no_vote(answer):
    assert read_answer_field(answer, AnswerField("P")) is None


def test_a_denial_leaves_the_other_value_its_vote():
    assert read_answer_field("P = 4 kW. P is not 5 kW", AnswerField("P")).value == 4


@pytest.mark.parametrize(
    ("texts", "members", "share", "tie"),
    [
        (("2 kW", "3 kW", "2000 W", "7 kW", "2.01 kW"), (0, 2, 4), 0.6, False),
        (("300 K", "26.85 °C", "600 K"), (0, 1), 2 / 3, False),
        (("2 kW", "2 kg"), (0,), 0.5, True),
        (("liquid", "Liquid", "vapour"), (0, 1), 2 / 3, False),
        ((None, "4 K", None), (1,), 1 / 3, False),
        (("-3 K", "-3.01 K", "0 K"), (0, 1), 2 / 3, False),
        # 1 % of 20 °C is 0.2 °C, regardless of the absolute temperature
        (("20 °C", "21.5 °C", "293.2 K", "22 °C"), (0, 2), 0.5, False),
        (("1 bar(g)", "1.05 bar(g)"), (0,), 0.5, True),
        # 3000 turns in a minute are 50 in a second; hertz and rad/s do not convert
        (("50 Hz", "3000 rpm", "50 rad/s"), (0, 1), 2 / 3, False),
    ],
)
def test_the_largest_group_wins(texts, members, share, tie):
    found = ballot(*texts)
    assert (found.members, found.tie) == (members, tie)
    assert found.chosen in found.members or not members
    assert found.share == pytest.approx(share)


@pytest.mark.parametrize(
    ("texts", "spread"),
    [
        (("2 kW", "2.5 kW", "2 kW"), 0.25),
        # of the chosen value: the lower of two, the middle of three
        (("100 K", "150 K", "101 K"), 0.5),
        (("101 K", "150 K", "100 K", "100.5 K"), 50 / 100.5),
        (("5 °C", "5 °C", "7 °C"), 0.4),
        (("2 kW", None), None),
        (("0 K", "0 K", "1 K"), None),
    ],
)
def test_spread_is_relative_to_the_chosen_value(texts, spread):
    assert ballot(*texts, difference=True).spread == (spread and pytest.approx(spread))


async def test_differences_of_temperature_are_voted_as_such():
    """Differences of 5 °C and 7 °C differ by 40 %, and 5 °C is 5 K."""
    target = NumberTarget(name="dT", unit="K", value=5.0, difference=True)
    problem = Problem(id="p", family="f", benchmark="b", question="dT?", targets=(target,))
    model = ScriptedModel(replies=[AIMessage(f"dT = {text}") for text in ("7 °C", "5 °C", "5 K")])
    transcript = await run_agent(SelfConsistency(samples=3).apply(base_plan()), problem.ask(), model)
    [review] = [each for each in transcript.reviews if not each.sent_back]
    found = review.details["targets"]["dT"]
    assert (found["members"], found["share"]) == ([1, 2], pytest.approx(2 / 3))
    assert found["spread"] == pytest.approx(0.4)


async def test_the_chosen_draft_is_the_one_continued():
    """A later review sends the winner back; its correction is a request of the same draft."""
    draws = []

    class Scripted:
        identity: ClassVar = {"model": "scripted"}

        async def reply(self, messages, tools, context):
            draws.append(context.draw)
            return Reply(AIMessage(replies[len(draws) - 1]), 0.0)

    replies = ["q = 9 W", "q = 2*3.5*11 = 78 W", "q = 2*3.5*11 = 78 W", "q = 77 W"]
    plan = Checked(rounds=1).apply(SelfConsistency(samples=3).apply(base_plan()))
    await run_agent(plan, Question("q?", answer_fields=(AnswerField("q"),)), Scripted())
    assert draws == [0, 1, 2, 1]


def test_values_that_touch_in_a_chain_are_not_one_group():
    assert len(ballot("100 K", "100.9 K", "101.8 K", "102.7 K").members) == 2


async def test_an_outvoted_value_is_stated_again():
    """No draft wins both quantities, so the chosen draft ends with the values of the majority."""
    drafts = ["a = 1 m\nb = 9 s", "a = 1 m\nb = 3 s", "a = 8 m\nb = 2 s", "a = 7 m\nb = 2 s"]
    model = ScriptedModel(replies=[AIMessage(text) for text in drafts])
    question = Question("a and b?", answer_fields=(AnswerField("a"), AnswerField("b")))
    transcript = await run_agent(SelfConsistency(samples=4).apply(base_plan()), question, model)
    assert transcript.answer == "a = 1 m\nb = 9 s\n\na = 1.0 m\nb = 2.0 s"
    assert all(len(seen) == 2 for seen in model.seen)  # each answer starts from the question alone
