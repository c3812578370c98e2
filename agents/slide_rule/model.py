"""A model that needs no network, key or weights: a rule-based solver with a person's limits.

It is not a language model, and its scores say nothing about language models. It knows a question only from
the messages and the tools that it is given. Each limit is lifted by a mechanism:

- arithmetic good for three digits, by a Python tool or equation tools, which it really calls;
- a small memory of formulas without a sense of when they hold, by reference sheets and equation tools;
- coarse property tables, by property tools;
- anything that a tool of one's own works out from what the question states by the names of its arguments;
- terse answers, by a protocol that asks for more;
- slips in reading a question, by a formulation of it.

A recomputed value that it is shown for a line of its own it takes. Several answers to one question differ by
how the rule is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import BaseModel, ConfigDict

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.draws import draw
from ansatz.agents.slide_rule.arithmetic import Eye
from ansatz.agents.slide_rule.chaining import SolutionPath, plan
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.formulas import remembered
from ansatz.agents.slide_rule.function import written_function
from ansatz.agents.slide_rule.own_tool import ask_own_tool
from ansatz.agents.slide_rule.property_lookup import ask_tools, property_question, recall
from ansatz.agents.slide_rule.prose import WrittenSolution, formulation, protocol, terse, worked_solution
from ansatz.agents.slide_rule.solving import Call, work_out

_DRAWS = 1000  # answers of one seed
TOKENS_PER_WORD = 1.3  # an estimate: English text in common tokenizers


class SlideRule(BaseModel):
    """Deterministic: the same messages and tool names give the same reply, for the same draw and `seed`.

    With `reasoning_effort` high it reads its rule more finely, and thinks as long as it writes. Tokens in
    `usage_metadata` are estimated as words * 1.3.
    """

    model_config = ConfigDict(frozen=True)

    seed: int | None = None
    reasoning_effort: Literal["medium", "high"] | None = None

    def reply(self, messages: Sequence[BaseMessage], tools: Mapping[str, Any]) -> AIMessage:
        """One answer. `tools` are JSON schemas of what each takes, by its name."""
        thorough = self.reasoning_effort == "high"
        eye = Eye((self.seed or 0) * _DRAWS + draw(), thorough)
        said = respond(Conversation.of(messages, [*tools], eye), tools)
        asked = sum(_tokens(message.text) for message in messages)
        return _message(said, asked, len(messages), thorough)


def respond(talk: Conversation, schemas: Mapping[str, Any]) -> str | Call:
    """The answer's text, empty where no answer block is read, or the tool call that has to come first."""
    if talk.wants_formulation_only:
        return formulation(talk.reading, plan(talk.reading, (), remembered(), False))
    if "search_equations" in talk.tools and not talk.results_of("search_equations"):
        return Call("search_equations", {"query": talk.question})
    function = written_function(talk.question, (*talk.sheet, *remembered()))
    if function is not None or not talk.reading.targets:
        return function or ""
    planned = ask_own_tool(talk, schemas) or _planned(talk)
    if isinstance(planned, Call):
        return planned
    worked = work_out(planned.steps, talk)
    if isinstance(worked, Call):
        return worked
    solution = WrittenSolution(talk.reading, planned, worked, talk.form)
    write = worked_solution if talk.wants_worked_solution else protocol if talk.wants_protocol else terse
    text = write(solution)
    if talk.form == "tool" and solution.answers:
        return Call(SUBMIT, solution.submission(), text)
    return text


def _planned(talk: Conversation) -> SolutionPath | Call:
    question = property_question(talk.reading)
    if question is not None:
        return ask_tools(question, talk) or recall(question)
    return plan(talk.reading, talk.sheet, remembered(), "evaluate_equation" in talk.tools)


def _message(reply: str | Call, asked: int, place: int, thorough: bool) -> AIMessage:
    text = reply if isinstance(reply, str) else reply.text
    calls = (
        [{"name": reply.name, "args": reply.arguments, "id": f"call_{place}"}]
        if isinstance(reply, Call)
        else []
    )
    written = _tokens(f"{text} {calls or ''}")
    thought = written if thorough else 0
    usage = UsageMetadata(
        input_tokens=asked, output_tokens=written + thought, total_tokens=asked + written + thought
    )
    if thorough:
        usage["output_token_details"] = {"reasoning": thought}
    return AIMessage(
        text,
        tool_calls=calls,
        usage_metadata=usage,
        response_metadata={"finish_reason": "tool_calls" if calls else "stop", "model_name": "slide-rule"},
    )


def _tokens(text: str) -> int:
    return math.ceil(TOKENS_PER_WORD * len(text.split()))
