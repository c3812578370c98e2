"""The record of one attempt: every request and tool call goes through it, within the plan's limits."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, InvalidToolCall, ToolMessage
from langchain_core.messages.tool import ToolCall as RequestedCall
from pydantic import Field, ValidationError

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.client import ModelClient, Reply, RequestContext, finish_reason, read_usage
from ansatz.agents.daemon_thread import run_in_daemon_thread
from ansatz.agents.transcript import ModelCall, Review, StopReason, ToolCall, Usage
from ansatz.errors import InfrastructureError
from ansatz.sandbox import Execution
from ansatz.settings import Count, PositiveNumber, settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings()
class Limits:
    """Bounds of one attempt. None means no bound; reaching a bound is a recorded stop reason.

    Example: `Limits(model_calls=4, seconds=60)`.
    """

    model_calls: Count = 12
    """The most requests to models."""
    tool_calls: Annotated[int, Field(ge=0, strict=True)] = 24
    """The most tool calls."""
    tokens: Count | None = None
    """The most tokens of all prompts and answers together."""
    seconds: PositiveNumber | None = 300.0
    """The longest working time of the model and its tools, in seconds."""


class LimitReached(Exception):
    """A limit of the plan was reached."""

    def __init__(self, stop: StopReason) -> None:
        super().__init__(stop)
        self.stop: StopReason = stop
        """The name of the limit."""


@dataclass(frozen=True)
class Prefix:
    """The start of a conversation that an attempt continues."""

    notes: tuple[str, ...] = ()
    """Texts before the question."""
    messages: tuple[AnyMessage, ...] = ()
    """The messages after the question."""
    calls: tuple[ToolCall, ...] = ()
    """The records of the tool calls in the messages."""

    @property
    def model_calls(self) -> int:
        """The replies of the model, which count towards the limits."""
        return sum(isinstance(message, AIMessage) for message in self.messages)

    @property
    def tool_calls(self) -> int:
        """The tool calls, which count towards the limits."""
        replies = (message for message in self.messages if isinstance(message, AIMessage))
        return sum(len(reply.tool_calls) for reply in replies)


@dataclass(frozen=True)
class Draft:
    """One of several independent answers of an attempt."""

    answer: str
    """The text of the answer."""
    messages: tuple[AnyMessage, ...]
    """The conversation after the question."""
    request: tuple[BaseMessage, ...]
    """All messages of the last request, and its reply."""
    submission: dict[str, Any] | None
    """The arguments of `submit_answer`, if the answer was submitted by that tool."""


class WorkingTime:
    """Stops the clock of an attempt during requests, and afterwards deducts the time that the models worked.

    Waits between retries do not count. Where requests overlap, the time in which several worked counts once.
    """

    def __init__(self, clock: asyncio.Timeout) -> None:
        self._clock = clock
        self._deadline: float | None = None  # of the clock, during requests
        self._since = 0.0  # when the first of the overlapping requests began
        self._running = 0
        self._worked: list[tuple[float, float]] = []  # intervals, of the overlapping requests
        self.is_over = False
        """Whether the time limit was reached."""

    async def measure(self, request: Awaitable[Reply]) -> Reply:
        """Await a reply. Raises LimitReached if the time limit ends while the model works."""
        started = asyncio.get_running_loop().time()
        if not self._running and not self.is_over:
            self._since, self._deadline, self._worked = started, self._clock.when(), []
            self._reschedule(None)
        self._running += 1
        try:
            reply = await request
            self._worked.append((started, started + reply.seconds))
        finally:
            self._running -= 1
            if self._deadline is not None:
                left = self._deadline - self._since - _union_length(self._worked)
                self.is_over = left <= 0
                if not self._running and not self.is_over:
                    self._reschedule(asyncio.get_running_loop().time() + left)
        if self.is_over:
            raise LimitReached("seconds")
        return reply

    def _reschedule(self, deadline: float | None) -> None:
        with suppress(RuntimeError):  # a parallel request may outlive its attempt
            self._clock.reschedule(deadline)


def _union_length(intervals: Sequence[tuple[float, float]]) -> float:
    """Return the length of the union of intervals."""
    total, end = 0.0, -math.inf
    for start, stop in sorted(intervals):
        total += max(stop - max(start, end), 0.0)
        end = max(end, stop)
    return total


class Attempt:
    """Sends requests and runs tools within the plan's limits, and records them.

    Parameters:
        client: The model that answers.
        limits: The limits of the plan.
        clock: The clock of the time limit, which runs.
        consulted: Clients of further models that the plan consults, by name.
        prefix: The conversation that it continues, whose calls count towards the limits.
    """

    def __init__(
        self,
        client: ModelClient,
        limits: Limits,
        clock: asyncio.Timeout,
        consulted: Mapping[str, ModelClient] | None = None,
        prefix: Prefix = Prefix(),
    ) -> None:
        self._client = client
        self._consulted = consulted or {}
        self._limits = limits
        self._clock = clock
        self.model_calls: list[ModelCall] = []
        self.tool_calls: list[ToolCall] = [*prefix.calls]
        self.reviews: list[Review] = []
        self.messages: list[BaseMessage] = []
        """The messages of the last request of the conversation, and its reply."""
        self.submission: dict[str, Any] | None = None
        """The arguments of an accepted call of `submit_answer`."""
        self.drafts: list[Draft] = []
        self.draw = 0
        """The number of the draft that requests belong to."""
        self.check_seconds = 0.0
        """Working time of checks that are no tools."""
        self._started_calls = prefix.model_calls
        self._requested_tools = prefix.tool_calls
        self._token_lock = asyncio.Lock()
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
        """Send one request and return the answer.

        Limits hold for parallel requests, too: a request counts when it starts. The tokens of a request are
        known only when it ends, so requests run one at a time under a limit of tokens.

        Parameters:
            messages: The whole conversation, from the system message on.
            tools: The tools that the model may call.
            node: The name of the graph node, for the transcript.
            aside: Whether the request is outside the conversation that answers the question.
            model: The name of a consulted model; None for the model of the attempt.

        Raises:
            LimitReached: A limit forbids the request, or the time limit was reached.
        """
        async with nullcontext() if self._limits.tokens is None else self._token_lock:
            self._check_limits()
            self._started_calls += 1
            client = self._client if model is None else self._consulted[model]
            if not aside:
                self.messages, self.submission = list(messages), None
            context = RequestContext(draw=self.draw)
            reply = await self._working.measure(client.reply(messages, tools, context))
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

    def _check_limits(self) -> None:
        """Raise LimitReached if no further request may start."""
        if self._limits.tokens is not None and self.tokens >= self._limits.tokens:
            raise LimitReached("tokens")
        if self._working.is_over:
            raise LimitReached("seconds")
        if self._started_calls >= self._limits.model_calls:
            raise LimitReached("model_calls")

    def save_draft(self, answer: str, messages: Sequence[AnyMessage]) -> None:
        """Save an answer with its conversation; the next answer is independent of it."""
        self.drafts.append(Draft(answer, tuple(messages), tuple(self.messages), self.submission))
        self.draw = len(self.drafts)

    def select_draft(self, place: int, replacement: str = "") -> list[AnyMessage]:
        """Continue with a draft and return its conversation. A `replacement` replaces its answer.

        Later requests belong to this draft, so a model that has to correct the answer continues it.
        """
        draft = self.drafts[place]
        self.draw, self.messages, self.submission = place, list(draft.request), draft.submission
        messages = list(draft.messages)
        if replacement:
            last = AIMessage(replacement, response_metadata=self.messages[-1].response_metadata)
            messages = [*(messages if draft.submission is not None else messages[:-1]), last]
            self.messages, self.submission = [*self.messages[:-1], last], None
        return messages

    def record_foreign_run(self, messages: Sequence[BaseMessage], seconds: float | None) -> None:
        """Record the final messages of a foreign agent, and the tool calls in them.

        If its requests did not go through this attempt, `seconds` is the time of the whole run. It is then
        divided equally among the replies.
        """
        self.messages = list(messages)
        self.record_tools(messages)
        if seconds is None:
            return
        replies = [message for message in messages if isinstance(message, AIMessage)]
        for reply in replies:
            usage, finish = read_usage(reply) or Usage(), finish_reason(reply)
            share = seconds / len(replies)
            self.model_calls.append(ModelCall(node="agent", seconds=share, usage=usage, finish=finish))

    def record_tools(self, messages: Sequence[BaseMessage]) -> None:
        """Record the tool calls of a foreign agent, whose times are unknown."""
        results = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
        for reply in messages:
            for call in reply.tool_calls if isinstance(reply, AIMessage) else ():
                result = results.get(call["id"] or "")
                text, ok = (result.text, result.status == "success") if result else ("", False)
                record = ToolCall(name=call["name"], arguments=call["args"], result=text, ok=ok, seconds=0.0)
                self.tool_calls.append(record)

    def count_tool_calls(self, request: AIMessage) -> None:
        """Count the tool calls of a reply before they run. Raises LimitReached if they are too many."""
        submissions = [call["name"] for call in request.tool_calls].count(SUBMIT)
        self._requested_tools += len(request.tool_calls) + len(request.invalid_tool_calls) - submissions
        if self._requested_tools > self._limits.tool_calls:
            raise LimitReached("tool_calls")

    async def run_tools(self, request: AIMessage, tools: Sequence[BaseTool]) -> list[ToolMessage]:
        """Run the requested calls in parallel. A failure of a tool becomes a message to the model.

        A submission of the answer does not count as a tool call.
        """
        self.count_tool_calls(request)
        by_name = {tool.name: tool for tool in tools}
        deadline, started = self._clock.when(), time.perf_counter()
        outcomes = [
            *await asyncio.gather(*(_run_tool(call, by_name) for call in request.tool_calls)),
            *(_reject_call(call) for call in request.invalid_tool_calls),
        ]
        if deadline is not None:  # the wait for a worker is not working time
            worked = max((record.seconds for _, record in outcomes), default=0.0)
            self._clock.reschedule(deadline + max(time.perf_counter() - started - worked, 0.0))
        self.tool_calls.extend(record for _, record in outcomes)
        accepted = (record.arguments for _, record in outcomes if record.name == SUBMIT and record.ok)
        self.submission = next(accepted, None)
        return [message for message, _ in outcomes]

    @property
    def seconds(self) -> float:
        """Working time of the model, its tools and checks. Of parallel calls, each counts in full."""
        requests = sum(call.seconds for call in self.model_calls)
        return requests + sum(call.seconds for call in self.tool_calls) + self.check_seconds

    @property
    def tokens(self) -> int:
        """Input and output tokens of all requests so far."""
        return sum(call.usage.input + call.usage.output for call in self.model_calls)


async def _run_tool(call: RequestedCall, tools: dict[str, BaseTool]) -> tuple[ToolMessage, ToolCall]:
    """Run one call. Its seconds exclude the wait for a thread or a worker of the sandbox."""
    from ansatz.agents.models.fast_path import runs_in_thread  # slow to import

    # LangChain returns a message only for a call with an id, which some servers omit.
    call = {**call, "id": call["id"] or "", "type": "tool_call"}
    tool, started = tools.get(call["name"]), time.perf_counter()
    seconds: float | None = None
    try:
        if tool is None:
            raise LookupError(f"there is no tool {call['name']!r}; the tools are: {', '.join(sorted(tools))}")
        if runs_in_thread(tool):
            message, seconds = await run_in_daemon_thread(_invoke, tool, call)
        else:
            message = await tool.ainvoke(call)
    except (InfrastructureError, asyncio.CancelledError):
        raise
    except Exception as failure:
        message = _error_message(call, failure)
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
    """Run a call in a thread, and return its message with the seconds since the thread began."""
    started = time.perf_counter()
    try:
        message: ToolMessage = tool.invoke(call)
    except InfrastructureError:
        raise
    except (Exception, SystemExit) as failure:  # a tool must not end the run
        message = _error_message(call, failure)
    return message, time.perf_counter() - started


def _as_text(content: str | list[str | dict[str, Any]]) -> str | list[str | dict[str, Any]]:
    """Convert the result of a tool to one text: many servers reject a list, and all a list of texts."""
    if isinstance(content, str):
        return content.encode("utf-8", "replace").decode()  # lone surrogates cannot be stored
    texts = [part["text"] for part in content if isinstance(part, dict) and part.get("type") == "text"]
    if content and len(texts) == len(content):
        return "\n".join(texts)
    return content if any(isinstance(part, dict) for part in content) else json.dumps(content)


def _error_message(call: RequestedCall | InvalidToolCall, failure: BaseException | str) -> ToolMessage:
    """Describe a failure in one line that the model can act on."""
    if isinstance(failure, ValidationError):
        problems = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in failure.errors())
        reason = f"bad arguments: {'; '.join(problems)}"
    else:
        reason = "" if isinstance(failure, KeyError | SystemExit) else str(failure)
    text = f"Error: {reason or repr(failure)}"
    return ToolMessage(text, tool_call_id=call["id"] or "", name=call["name"] or "", status="error")


def _reject_call(call: InvalidToolCall) -> tuple[ToolMessage, ToolCall]:
    """Return the error message and the record of a call whose arguments are not a JSON object."""
    message = _error_message(call, "the arguments are no JSON object; write them again")
    arguments = {"unreadable": call["args"]}
    record = ToolCall(
        name=message.name or "", arguments=arguments, result=message.text, ok=False, seconds=0.0
    )
    return message, record
