"""The requests of an attempt, without a model: what an arm sends if every reply is a question mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, convert_to_openai_messages

from ansatz.agents import Agent, Reply
from ansatz.agents.client import NO_CONTEXT, RequestContext, describe_tool
from ansatz.eval import Problem
from ansatz.eval.follow_up_questions import format_earlier, list_earlier
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger.record import canonical_json
from ansatz.experiments.running.earlier_answers import make_question

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_LIKELY_REPLY = "? " * 1600  # as many bytes as 800 tokens


class Requests(NamedTuple):
    """The requests of one rehearsed attempt, as JSON of messages and tools."""

    answering: list[bytes]
    consulted: Mapping[str, list[bytes]]
    """By the model that a step asks."""


class _Client:
    """A client without a model: it stores each request, and replies with a question mark."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": "rehearsal"}

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        described = [describe_tool(tool) for tool in tools]
        self.requests.append(canonical_json([convert_to_openai_messages(list(messages)), described]))
        return Reply(AIMessage("?"), seconds=0.0)

    async def aclose(self) -> None: ...


async def rehearse(design: Design, arm: Arm, problem: Problem) -> Requests:
    """Return the requests that an attempt sends.

    The question is made as a run makes it. Earlier answers that an arm shows are taken to be right, and as
    long as a likely reply. An arm that cannot continue without an answer has sent its requests by then.
    """
    ids = list_earlier(problem, design.problems) if arm.builds_on else ()
    earlier = [format_earlier(design.problems[id], _LIKELY_REPLY, "solution") for id in ids]
    question, client = make_question(problem, arm, earlier=earlier), _Client()
    consulted = {name: _Client() for name in arm.plan.consulted}
    with suppress(Exception):
        await Agent(arm.plan).run(question, client, consulted)
    answering = client.requests or [question.text.encode()]
    return Requests(answering, {name: each.requests for name, each in consulted.items()})
