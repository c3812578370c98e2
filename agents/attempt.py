"""The account of one attempt: every model and tool call goes through it, is limited and recorded."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, InvalidToolCall, ToolMessage
from langchain_core.messages.tool import ToolCall as RequestedCall
from pydantic import Field, ValidationError

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.client import ModelClient, Reply, finish_reason, read_usage
from ansatz.agents.draws import drawing
from ansatz.agents.transcript import ModelCall, Review, StopReason, ToolCall, Usage
from ansatz.errors import InfrastructureError
from ansatz.sandbox import Execution
from ansatz.settings import Count, PositiveNumber, settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings()
class Limits:
    """Bounds of one attempt; None is unbounded. Reaching one is a recorded stop reason.

    Example: `Limits(model_calls=4, seconds=60)`.
    """

    model_calls: Count = 12
    """How many requests to models an attempt may make."""
    tool_calls: Annotated[int, Field(ge=0, strict=True)] = 24
    """How many tools it may call."""
    tokens: Count | None = None
    """How many tokens its prompts and answers may have in all."""
    seconds: PositiveNumber | None = 300.0
    """How long it may take."""


class LimitReached(Exception):
    """A limit of the plan was reached; `stop` says which."""

    def __init__(self, stop: StopReason) -> None:
        super().__init__(stop)
        self.stop: StopReason = stop


@dataclass(frozen=True)
class Draft:
    """One of several answers of an attempt: its text, its conversation, and that as the model saw it."""

    answer: str
    messages: tuple[AnyMessage, ...]
    seen: tuple[BaseMessage, ...]
    handed_in: dict[str, Any] | None


class WorkingTime:
    """Stops an attempt's clock while models are asked, and then deducts the time that they worked.

    Waiting between retries does not count. Where calls overlap, the time in which several worked counts once.
    """

    def __init__(self, clock: asyncio.Timeout) -> None:
        self._clock = clock
        self._deadline: float | None = None  # of the clock, while calls are running
        self._since = 0.0  # when the first of the calls that overlap began
        self._running = 0
        self._worked: list[tuple[float, float]] = []  # intervals, of the calls that overlap
        self.is_over = False

    async def of(self, asking: Awaitable[Reply]) -> Reply:
        """The reply. Raises LimitReached if the time limit ended while it was made."""
        started = asyncio.get_running_loop().time()
        if not self._running and not self.is_over:
            self._since, self._deadline, self._worked = started, self._clock.when(), []
            self._set(None)
        self._running += 1
        try:
            reply = await asking
            self._worked.append((started, started + reply.seconds))
        finally:
            self._running -= 1
            if self._deadline is not None:
                left = self._deadline - self._since - _length(self._worked)
                self.is_over = left <= 0
                if not self._running and not self.is_over:
                    self._set(asyncio.get_running_loop().time() + left)
        if self.is_over:
            raise LimitReached("seconds")
        return reply

    def _set(self, deadline: float | None) -> None:
        with suppress(RuntimeError):  # a parallel call may outlive its attempt
            self._clock.reschedule(deadline)


def _length(intervals: Sequence[tuple[float, float]]) -> float:
    """The length of the union of intervals."""
    total, end = 0.0, -math.inf
    for start, stop in sorted(intervals):
        total += max(stop - max(start, end), 0.0)
        end = max(end, stop)
    return total


class Attempt:
    """Asks the model and runs its tools within the plan's limits, and remembers what happened."""

    def __init__(
        self,
        client: ModelClient,
        limits: Limits,
        clock: asyncio.Timeout,
        others: Mapping[str, ModelClient] | None = None,
    ) -> None:
        self._client = client
        self._others = others or {}
        self._limits = limits
        self._clock = clock
        self.model_calls: list[ModelCall] = []
        self.tool_calls: list[ToolCall] = []
        self.reviews: list[Review] = []
        self.messages: list[BaseMessage] = []
        self.handed_in: dict[str, Any] | None = None
        self.drafts: list[Draft] = []
        self.draw = 0
        self.checked = 0.0  # seconds of work of something that is no tool, such as a check of a step
        self._asked = 0  # model calls that were begun
        self._requested = 0  # calls of tools
        self._one_at_a_time = asyncio.Lock()
        self._working = WorkingTime(clock)

    async def ask(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool] = (),
        *,
        node: str,
        aside: bool = False,
        model: str | None = None,
    ) -> AIMessage:
        """One model call, of another `model` that the plan consults if one is named.

        A call made `aside` is not part of the conversation that answers. Raises LimitReached before a call
        that a limit forbids, also if calls run in parallel. Under a limit of tokens they run one at a time,
        because the tokens of a call are known only when it ends.
        """
        if self._limits.tokens is None:
            return await self._ask(messages, tools, node, aside, model)
        async with self._one_at_a_time:
            if self.tokens >= self._limits.tokens:
                raise LimitReached("tokens")
            return await self._ask(messages, tools, node, aside, model)

    async def _ask(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        node: str,
        aside: bool,
        model: str | None,
    ) -> AIMessage:
        """One model call within the limit of calls, which counts a call as soon as it begins."""
        if self._working.is_over:
            raise LimitReached("seconds")
        if self._asked >= self._limits.model_calls:
            raise LimitReached("model_calls")
        self._asked += 1
        asked = self._client if model is None else self._others[model]
        if not aside:
            self.messages, self.handed_in = list(messages), None
        with drawing(self.draw):
            reply = await self._working.of(asked.reply(messages, tools))
        if not aside:
            self.messages = [*messages, reply.message]
        self.model_calls.append(
            ModelCall(
                node=node,
                seconds=reply.seconds,
                usage=read_usage(reply.message) or Usage(),
                retries=reply.retries,
                remembered=reply.remembered,
                finish=finish_reason(reply.message),
                model=model,
            )
        )
        return reply.message

    def save_draft(self, answer: str, messages: Sequence[AnyMessage]) -> None:
        """Save an answer with its conversation; the next answer is independent of it."""
        self.drafts.append(Draft(answer, tuple(messages), tuple(self.messages), self.handed_in))
        self.draw = len(self.drafts)

    def select_draft(self, place: int, restated: str = "") -> list[AnyMessage]:
        """Continue with a draft and return its conversation; `restated` replaces its answer.

        Later requests belong to this draft, so that a model that is asked to correct it continues it.
        """
        draft = self.drafts[place]
        self.draw, self.messages, self.handed_in = place, list(draft.seen), draft.handed_in
        messages = list(draft.messages)
        if restated:
            last = AIMessage(restated, response_metadata=self.messages[-1].response_metadata)
            messages = [*(messages if draft.handed_in is not None else messages[:-1]), last]
            self.messages, self.handed_in = [*self.messages[:-1], last], None
        return messages

    def account(self, messages: Sequence[BaseMessage], seconds: float | None) -> None:
        """Record what a foreign agent did, by the messages it left.

        With `seconds`, also its model calls, which did not go through this account; they share that time.
        """
        self.messages = list(messages)
        self.record_tools(messages)
        replies = [each for each in messages if isinstance(each, AIMessage) and seconds is not None]
        for reply in replies:
            share, usage = (seconds or 0.0) / len(replies), read_usage(reply) or Usage()
            finish = finish_reason(reply)
            self.model_calls.append(ModelCall(node="agent", seconds=share, usage=usage, finish=finish))

    def record_tools(self, messages: Sequence[BaseMessage]) -> None:
        """Record the tool calls of a foreign agent, whose time is not known."""
        results = {each.tool_call_id: each for each in messages if isinstance(each, ToolMessage)}
        for reply in messages:
            for call in reply.tool_calls if isinstance(reply, AIMessage) else ():
                result = results.get(call["id"] or "")
                text, ok = (result.text, result.status == "success") if result else ("", False)
                record = ToolCall(name=call["name"], arguments=call["args"], result=text, ok=ok, seconds=0.0)
                self.tool_calls.append(record)

    def count_tool_calls(self, request: AIMessage) -> None:
        """Raises LimitReached before more calls are made than the plan allows."""
        handing_in = [each["name"] for each in request.tool_calls].count(SUBMIT)
        self._requested += len(request.tool_calls) + len(request.invalid_tool_calls) - handing_in
        if self._requested > self._limits.tool_calls:
            raise LimitReached("tool_calls")

    async def run_tools(self, request: AIMessage, tools: Sequence[BaseTool]) -> list[ToolMessage]:
        """Run the requested calls side by side; a tool's own failure becomes a message to the model.

        Handing in the answer is no use of a tool: it is always allowed.
        """
        self.count_tool_calls(request)
        by_name = {tool.name: tool for tool in tools}
        deadline, started = self._clock.when(), time.perf_counter()
        outcomes = [
            *await asyncio.gather(*(_run_tool(call, by_name) for call in request.tool_calls)),
            *(_unreadable(call) for call in request.invalid_tool_calls),
        ]
        if deadline is not None:  # waiting for a worker is not the attempt's time
            worked = max((record.seconds for _, record in outcomes), default=0.0)
            self._clock.reschedule(deadline + max(time.perf_counter() - started - worked, 0.0))
        self.tool_calls.extend(record for _, record in outcomes)
        accepted = (record.arguments for _, record in outcomes if record.name == SUBMIT and record.ok)
        self.handed_in = next(accepted, None)
        return [message for message, _ in outcomes]

    @property
    def seconds(self) -> float:
        """Working time of the model, its tools and checks; calls that ran side by side count each."""
        asked = sum(call.seconds for call in self.model_calls)
        return asked + sum(call.seconds for call in self.tool_calls) + self.checked

    @property
    def tokens(self) -> int:
        return sum(call.usage.input + call.usage.output for call in self.model_calls)


async def _run_tool(call: RequestedCall, tools: dict[str, BaseTool]) -> tuple[ToolMessage, ToolCall]:
    """Run one call. Its seconds are the tool's own, without waiting for a thread or a sandbox's worker."""
    from ansatz.agents.models.fast_path import runs_in_thread  # loads what reading transcripts does not need

    # LangChain answers a call by a message if it has an id, which some servers leave out.
    call = {**call, "id": call["id"] or "", "type": "tool_call"}
    tool, started = tools.get(call["name"]), time.perf_counter()
    seconds: float | None = None
    try:
        if tool is None:
            raise LookupError(f"there is no tool {call['name']!r}; the tools are: {', '.join(sorted(tools))}")
        if runs_in_thread(tool):
            message, seconds = await asyncio.to_thread(_invoke, tool, call)
        else:
            message = await tool.ainvoke(call)
    except (InfrastructureError, asyncio.CancelledError):
        raise
    except Exception as failure:
        message = _failed(call, failure)
    message.content = _as_text(message.content)
    if isinstance(message.artifact, Execution):
        seconds = message.artifact.wall
    record = ToolCall(
        name=call["name"],
        arguments=call["args"],
        result=message.text,
        ok=message.status == "success",
        seconds=time.perf_counter() - started if seconds is None else seconds,
    )
    return message, record


def _invoke(tool: BaseTool, call: RequestedCall) -> tuple[ToolMessage, float]:
    """In the thread: the time begins when there is one."""
    started = time.perf_counter()
    try:
        message: ToolMessage = tool.invoke(call)
    except InfrastructureError:
        raise
    except (Exception, SystemExit) as failure:  # no tool ends the run
        message = _failed(call, failure)
    return message, time.perf_counter() - started


def _as_text(content: str | list[str | dict[str, Any]]) -> str | list[str | dict[str, Any]]:
    """What a tool returned as one text: many servers take no list, and none takes a list of texts."""
    if isinstance(content, str):
        return content.encode("utf-8", "replace").decode()  # half a character could not be kept
    texts = [each["text"] for each in content if isinstance(each, dict) and each.get("type") == "text"]
    if content and len(texts) == len(content):
        return "\n".join(texts)
    return content if any(isinstance(each, dict) for each in content) else json.dumps(content)


def _failed(call: RequestedCall | InvalidToolCall, failure: BaseException | str) -> ToolMessage:
    """One line that the model can act on."""
    if isinstance(failure, ValidationError):
        problems = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in failure.errors())
        said = f"bad arguments: {'; '.join(problems)}"
    else:
        said = "" if isinstance(failure, KeyError | SystemExit) else str(failure)
    told = f"Error: {said or repr(failure)}"
    return ToolMessage(told, tool_call_id=call["id"] or "", name=call["name"] or "", status="error")


def _unreadable(call: InvalidToolCall) -> tuple[ToolMessage, ToolCall]:
    """What a model is told whose arguments are no JSON object."""
    message = _failed(call, "the arguments are no JSON object; write them again")
    given = {"unreadable": call["args"]}
    record = ToolCall(name=message.name or "", arguments=given, result=message.text, ok=False, seconds=0.0)
    return message, record
