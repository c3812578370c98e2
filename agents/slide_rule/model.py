"""A chat model that needs no network, key or weights: a rule-based solver with a person's limits.

It is not a language model, and its scores say nothing about language models. It knows a question only from
the messages and the tools bound to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from ansatz.agents.slide_rule.chain import Plan, plan
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.execution import Call, work_out
from ansatz.agents.slide_rule.function import written_function
from ansatz.agents.slide_rule.procedures import solve_process
from ansatz.agents.slide_rule.properties import property_question
from ansatz.agents.slide_rule.property_tools import ask_tools
from ansatz.agents.slide_rule.prose import Solution, formulation, terse
from ansatz.agents.slide_rule.protocol import protocol
from ansatz.agents.slide_rule.reading import Reading, read
from ansatz.agents.slide_rule.recall import recall
from ansatz.agents.slide_rule.sheet import Sheet
from ansatz.agents.slide_rule.worked_solution import worked_solution

TOKENS_PER_WORD = 1.3  # an estimate: English text in common tokenizers


class SlideRule(BaseChatModel):
    """Deterministic: the same messages and tool names give the same reply.

    Tokens in `usage_metadata` are estimated as words * 1.3.
    """

    @property
    def _llm_type(self) -> str:
        return "slide-rule"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": "slide-rule"}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind by name: it recognises the tools it can use and passes over the rest."""
        return self.bind(tools=[_name(tool) for tool in tools])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = respond(Conversation.of(messages, kwargs.get("tools") or ()))
        asked = sum(_tokens(message.text) for message in messages)
        return ChatResult(generations=[ChatGeneration(message=_message(reply, asked, len(messages)))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, **kwargs)


def respond(talk: Conversation) -> str | tuple[Call, ...]:
    """The answer's text, or the tool calls that have to come first."""
    if talk.wants_formulation_only:
        reading = read(talk.question)
        return formulation(reading, plan(reading, Sheet()))
    if "search_equations" in talk.tools and not talk.results_of("search_equations"):
        return (Call("search_equations", {"query": talk.question}),)
    function = written_function(talk)
    if function is not None:
        return function
    solution = solve_process(talk) or _solve(talk)
    if isinstance(solution, tuple):
        return solution
    if talk.wants_worked_solution:
        return worked_solution(solution)
    return protocol(solution) if talk.wants_protocol else terse(solution)


def _solve(talk: Conversation) -> Solution | tuple[Call, ...]:
    """A matter of a state or of a few formulas."""
    reading = read(talk.question, talk.formulation, talk.earlier_results)
    planned = _planned(reading, talk)
    if isinstance(planned, Call):
        return (planned,)
    worked = work_out(planned.steps, talk)
    return (worked,) if isinstance(worked, Call) else Solution(reading, planned, worked)


def _planned(reading: Reading, talk: Conversation) -> Plan | Call:
    question = property_question(reading)
    if question is None:
        return plan(reading, talk.sheet)
    return ask_tools(question, talk) or recall(question)


def _name(tool: dict[str, Any] | type | Callable[..., Any] | BaseTool) -> str:
    if isinstance(tool, dict):
        return str(tool.get("name") or tool.get("function", {}).get("name", ""))
    return str(getattr(tool, "name", None) or getattr(tool, "__name__", ""))


def _message(reply: str | tuple[Call, ...], asked: int, place: int) -> AIMessage:
    text = reply if isinstance(reply, str) else ""
    wanted = () if isinstance(reply, str) else reply
    calls = [
        {"name": call.name, "args": call.arguments, "id": f"call_{place}" + (f"_{number}" if number else "")}
        for number, call in enumerate(wanted)
    ]
    written = _tokens(text or str(calls))
    return AIMessage(
        text,
        tool_calls=calls,
        usage_metadata=UsageMetadata(input_tokens=asked, output_tokens=written, total_tokens=asked + written),
        response_metadata={"finish_reason": "tool_calls" if calls else "stop", "model_name": "slide-rule"},
    )


def _tokens(text: str) -> int:
    return math.ceil(TOKENS_PER_WORD * len(text.split()))
