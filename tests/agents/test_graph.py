"""Plans become graphs, and attempts become transcripts."""

import asyncio
import contextlib
from dataclasses import dataclass

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool

from ansatz.agents import (
    Accept,
    AgentPlan,
    Limits,
    Question,
    Reply,
    SendBack,
    build_graph,
    run_agent,
)
from ansatz.agents.attempt import LimitReached
from ansatz.errors import InfrastructureError, PlanError
from ansatz.eval.answer_files import BareAnswer
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
        return Accept() if "kJ" in state["messages"][-1].text else SendBack("State the unit.")


def call(number, name="double", id="1"):
    return AIMessage("", tool_calls=[{"name": name, "args": {"number": number}, "id": id}])


BASE = AgentPlan().instruct("Solve.")
QUESTION = Question("How much heat?")


@pytest.mark.parametrize(("text", "stop"), [("42 kJ", "answered"), ("  ", "empty")])
async def test_the_bare_plan_is_one_model_call(text, stop):
    model = ScriptedModel(replies=[AIMessage(text)])
    transcript = await run_agent(BASE, QUESTION, model)
    assert (transcript.answer, transcript.stop, len(transcript.model_calls)) == (text.strip(), stop, 1)
    assert [message.text for message in model.seen[0]] == ["Solve.", "How much heat?"]
    assert [message["role"] for message in transcript.messages] == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (call(-1.0), "Error: number must not be negative; give its magnitude"),
        (call("many"), "Error: bad arguments: number"),
        (call(1.0, name="triple"), "Error: there is no tool 'triple'; the tools are: double"),
    ],
)
async def test_a_failed_tool_call_is_a_message_to_the_model(request_, expected):
    model = ScriptedModel(replies=[request_, AIMessage("42 kJ")])
    transcript = await run_agent(BASE.equip(double), QUESTION, model)
    assert model.seen[1][-1].text.startswith(expected)
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


async def test_a_review_has_to_return_a_verdict():
    @dataclass(frozen=True)
    class Silent(WantsUnits):
        async def __call__(self, state, runtime):
            return {}

    with pytest.raises(PlanError, match="wants_units"):
        await run_agent(BASE.review(Silent()), QUESTION, ScriptedModel(replies=[AIMessage("42")]))


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
    plan = BASE.precede(Note(wait=30 if limits.seconds < 1 else 0)).equip(double).set_limits(limits)
    transcript = await run_agent(plan, QUESTION, ScriptedModel(replies=replies))
    assert (transcript.stop, transcript.answer) == (stop, "")


def test_every_slot_is_a_node_of_the_graph():
    plan = BASE.precede(Note()).equip(double).review(WantsUnits())
    nodes = {"__start__", "note", "model", "tools", "wants_units", "__end__"}
    assert set(build_graph(plan).get_graph().nodes) == nodes


def test_a_changed_plan_is_a_copy_with_another_description():
    changed = BASE.equip(double)
    assert BASE.tools == ()
    assert changed.describe() != BASE.describe()
    assert changed.describe() == BASE.equip(double).describe()
    assert BASE.precede(Note()).describe() != BASE.precede(Note(text="other")).describe()


@dataclass
class Together:
    """A client that works `seconds` on each call, and counts its requests and those in flight at once."""

    calls: int = 0
    seconds: float = 50.0
    requests: int = 0
    most: int = 0
    identity = {"model": "together"}  # noqa: RUF012

    def __post_init__(self):
        self.in_flight = 0

    async def reply(self, messages, tools, context):
        self.requests += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.sleep(0.01)
        self.in_flight -= 1
        called = [{"name": "double", "args": {"number": 1}, "id": str(n)} for n in range(self.calls)]
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        return Reply(AIMessage("42", tool_calls=called, usage_metadata=usage), self.seconds)

    async def aclose(self):
        pass


def parallel_agent(model):
    """An agent that asks its model six times at once."""

    async def work(state):
        found = await asyncio.gather(*(model.ainvoke([HumanMessage(f"Question {n}")]) for n in range(6)))
        return {"messages": [*state["messages"], *found]}

    return RunnableLambda(work)


@pytest.mark.parametrize(
    ("limits", "calls", "requests", "stop"),
    [
        (Limits(model_calls=2), 0, 2, "model_calls"),
        (Limits(tokens=25), 0, 2, "tokens"),
        (Limits(tool_calls=2), 1, 6, "tool_calls"),
        (Limits(seconds=60), 0, 6, "answered"),
        (Limits(seconds=40), 0, 6, "seconds"),
    ],
)
async def test_limits_hold_for_parallel_calls(limits, calls, requests, stop):
    """Six calls at once that work 50 s each."""
    client = Together(calls)
    transcript = await run_agent(AgentPlan(agent=parallel_agent, limits=limits), QUESTION, client)
    assert (transcript.stop, client.requests) == (stop, requests)


async def test_parallel_calls_without_token_limit_overlap():
    client = Together(seconds=1.0)
    transcript = await run_agent(AgentPlan(agent=parallel_agent), QUESTION, client)
    assert (client.most, len(transcript.model_calls), transcript.stop) == (6, 6, "answered")


async def test_no_call_follows_the_end_of_the_time():
    """Also where an agent goes on after the limit."""

    def make(model):
        async def work(state):
            for _ in range(3):
                with contextlib.suppress(LimitReached):
                    await model.ainvoke([HumanMessage("Again")])
            return state

        return RunnableLambda(work)

    client = Together()
    await run_agent(AgentPlan(agent=make, limits=Limits(seconds=40)), QUESTION, client)
    assert client.requests == 1


REFUSALS = [
    "I'm sorry, but I can't assist with that.",
    "I’m sorry, but I can’t help with this request.",
    "Sorry, I cannot comply with that.",
    "I am unable to assist with this.",
    "I can't provide that information.",
    "I'm sorry, but I won't be able to discuss this topic. Is there anything else?",
    "I cannot answer this question, because the temperature is missing.",
    "I can't be sure of this. The flow is laminar.",
    "Unfortunately, I will not be able to answer. P = 3 kW",
    "I cannot determine the pressure: the temperature is missing.",
    "I can't help but notice that the flow is laminar.",
    "I'm sorry for the confusion; the flow is laminar.",
    "I'm sorry, but I can't assist with that. P = 3 kW",
    "I'm sorry, but I can't assist with the design. " + "Take the energy balance instead. " * 9,
]


@pytest.mark.parametrize(
    ("text", "stop"), [(t, ("answered", "refused")[i < 6]) for i, t in enumerate(REFUSALS)]
)
async def test_only_a_short_whole_refusal_counts_as_refused(text, stop):
    transcript = await run_agent(AgentPlan(), Question("?"), ScriptedModel(replies=[AIMessage(text)]))
    assert (transcript.stop, transcript.answer) == (stop, text.strip())
    assert BareAnswer(answer_id="a", problem_id="p", text=text).to_transcript().stop == stop
