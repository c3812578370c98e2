"""Plans become graphs, and attempts become transcripts."""

import asyncio
from dataclasses import dataclass

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

from ansatz.agents import AgentPlan, InfrastructureError, Limits, Question, build_graph, run_agent
from tests.fakes.scripted_model import ScriptedModel


@tool
def double(number: float) -> str:
    """Double a number."""
    if number < 0:
        raise ValueError("number must not be negative; give its magnitude")
    return str(2 * number)


@tool
def broken(number: float) -> str:
    """A tool whose machinery fails."""
    raise InfrastructureError("the tool's process died")


@dataclass(frozen=True)
class Note:
    name: str = "note"
    text: str = "Air is mostly nitrogen."
    wait: float = 0.0

    async def __call__(self, state, runtime):
        await asyncio.sleep(self.wait)
        return {"notes": [self.text]}


@dataclass(frozen=True)
class WantsUnits:
    name: str = "wants_units"

    async def __call__(self, state, runtime):
        return {} if "kJ" in state["messages"][-1].text else {"messages": [HumanMessage("State the unit.")]}


def call(number, name="double", id="1"):
    return AIMessage("", tool_calls=[{"name": name, "args": {"number": number}, "id": id}])


BASE = AgentPlan().instruct("Solve.")
QUESTION = Question("How much heat?")


@pytest.mark.parametrize(("said", "stop"), [("42 kJ", "answered"), ("  ", "empty")])
async def test_the_bare_plan_is_one_model_call(said, stop):
    model = ScriptedModel(replies=[AIMessage(said)])
    transcript = await run_agent(BASE, QUESTION, model)
    assert (transcript.answer, transcript.stop, len(transcript.model_calls)) == (said.strip(), stop, 1)
    assert [message.text for message in model.seen[0]] == ["Solve.", "How much heat?"]
    assert [message["role"] for message in transcript.messages] == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (call(-1.0), "Error: number must not be negative; give its magnitude"),
        (call("many"), "Error: bad arguments: number"),
        (call(1.0, name="triple"), "Error: there is no tool 'triple'; the tools are: double"),
    ],
)
async def test_a_failing_tool_call_tells_the_model_what_to_do(request_, said):
    model = ScriptedModel(replies=[request_, AIMessage("42 kJ")])
    transcript = await run_agent(BASE.equip(double), QUESTION, model)
    assert model.seen[1][-1].text.startswith(said)
    assert transcript.tool_calls[0].ok is False
    assert transcript.stop == "answered"


async def test_an_infrastructure_failure_is_raised_not_answered():
    with pytest.raises(InfrastructureError, match="died"):
        await run_agent(BASE.equip(broken), QUESTION, ScriptedModel(replies=[call(1.0, name="broken")]))


async def test_a_review_can_send_an_answer_back():
    model = ScriptedModel(replies=[AIMessage("42"), AIMessage("42 kJ")])
    transcript = await run_agent(BASE.review(WantsUnits()), QUESTION, model)
    assert model.seen[1][-1].text == "State the unit."
    assert (transcript.answer, len(transcript.model_calls)) == ("42 kJ", 2)


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        (Limits(model_calls=2), "model_calls"),
        (Limits(tool_calls=1), "tool_calls"),
        (Limits(tokens=25), "tokens"),
        (Limits(seconds=0.05), "seconds"),
    ],
)
async def test_a_limit_is_a_stop_reason(limits, stop):
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    replies = [call(1.0).model_copy(update={"usage_metadata": usage, "id": str(i)}) for i in range(4)]
    plan = BASE.precede(Note(wait=30 if limits.seconds < 1 else 0)).equip(double).limited(limits)
    transcript = await run_agent(plan, QUESTION, ScriptedModel(replies=replies))
    assert (transcript.stop, transcript.answer) == (stop, "")


def test_every_slot_is_a_node_of_the_graph():
    plan = BASE.precede(Note()).equip(double).review(WantsUnits())
    nodes = {"__start__", "note", "model", "tools", "wants_units", "__end__"}
    assert set(build_graph(plan).get_graph().nodes) == nodes


def test_changing_a_plan_leaves_the_original_alone_and_changes_its_fingerprint():
    changed = BASE.equip(double)
    assert BASE.tools == ()
    assert changed.fingerprint() != BASE.fingerprint()
    assert changed.fingerprint() == BASE.equip(double).fingerprint()
    assert BASE.precede(Note()).fingerprint() != BASE.precede(Note(text="other")).fingerprint()
