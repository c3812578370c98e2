"""A vote among stated values: groups within a tolerance, in whatever units."""

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Asked, Question, run_agent
from ansatz.agents.plan import BASE_PLAN
from ansatz.interventions.self_consistency import SelfConsistency, vote
from ansatz.quantities.statements import find
from tests.fakes.scripted_model import ScriptedModel


def ballot(*said, tolerance=0.01):
    """Quantities as somebody states them; None where nobody does, words as they are."""
    return vote([text and (find(f"P = {text}", "P") or text) for text in said], tolerance)


@pytest.mark.parametrize(
    ("said", "members", "share", "tie"),
    [
        (("2 kW", "3 kW", "2000 W", "7 kW", "2.01 kW"), (0, 2, 4), 0.6, False),
        (("300 K", "26.85 °C", "600 K"), (0, 1), 2 / 3, False),
        (("2 kW", "2 kg"), (0,), 0.5, True),
        (("liquid", "Liquid", "vapour"), (0, 1), 2 / 3, False),
        ((None, "4 K", None), (1,), 1 / 3, False),
        (("-3 K", "-3.01 K", "0 K"), (0, 1), 2 / 3, False),
    ],
)
def test_the_largest_group_wins(said, members, share, tie):
    found = ballot(*said)
    assert (found.members, found.tie) == (members, tie)
    assert found.chosen in found.members or not members
    assert found.share == pytest.approx(share)


def test_the_spread_is_that_of_all_values():
    assert ballot("2 kW", "2.5 kW", "2 kW").spread == pytest.approx(0.25)
    assert ballot("2 kW", None).spread is None


def test_values_that_touch_in_a_chain_are_not_one_group():
    assert len(ballot("100 K", "100.9 K", "101.8 K", "102.7 K").members) == 2


async def test_an_outvoted_value_is_stated_anew():
    """No draft wins both quantities: the one given says what the others agree on."""
    drafts = ["a = 1 m\nb = 9 s", "a = 1 m\nb = 3 s", "a = 8 m\nb = 2 s", "a = 7 m\nb = 2 s"]
    model = ScriptedModel(replies=[AIMessage(text) for text in drafts])
    question = Question("a and b?", asked=(Asked("a"), Asked("b")))
    transcript = await run_agent(SelfConsistency(samples=4).apply(BASE_PLAN), question, model)
    assert transcript.answer == "a = 1 m\nb = 9 s\n\na = 1.0 m\nb = 2.0 s"
    assert all(len(seen) == 2 for seen in model.seen)  # each was asked from the start
