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
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import BaseModel, ConfigDict

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.slide_rule.arithmetic import Eye
from ansatz.agents.slide_rule.chaining import SolutionPath, plan
from ansatz.agents.slide_rule.comprehension import Known, quantities
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.formulas import KnownFormula, remembered
from ansatz.agents.slide_rule.naming import content_words
from ansatz.agents.slide_rule.property_lookup import ask_tools, property_question, recall
from ansatz.agents.slide_rule.prose import WrittenSolution, formulation, protocol, terse, worked_solution
from ansatz.agents.slide_rule.solving import Call, work_out
from ansatz.quantities.notation import read_number

_DRAWS = 1000  # answers of one seed
_FUNCTION = re.compile(r"^[ \t]*def (?P<name>\w+)\((?P<parameters>[^()]*)\)[^:\n]*:", re.MULTILINE)
TOKENS_PER_WORD = 1.3  # an estimate: English text in common tokenizers


class SlideRule(BaseModel):
    """Deterministic: the same messages and tool names give the same reply, for the same draw and `seed`.

    With `reasoning_effort` high it reads its rule more finely, and thinks as long as it writes. Tokens in
    `usage_metadata` are estimated as words * 1.3.
    """

    model_config = ConfigDict(frozen=True)

    seed: int | None = None
    reasoning_effort: Literal["medium", "high"] | None = None

    def reply(self, messages: Sequence[BaseMessage], tools: Mapping[str, Any], draw: int = 0) -> AIMessage:
        """One answer. `tools` are JSON schemas of what each takes, by its name."""
        thorough = self.reasoning_effort == "high"
        eye = Eye((self.seed or 0) * _DRAWS + draw, thorough)
        said = respond(Conversation.of(messages, [*tools], eye), tools)
        call = said if isinstance(said, Call) else Call("", {}, said)
        calls = (
            [{"name": call.name, "args": call.arguments, "id": f"call_{len(messages)}"}] if call.name else []
        )
        asked = sum(_tokens(message.text) for message in messages)
        written = _tokens(f"{call.text} {calls or ''}")
        thought = written if thorough else 0
        usage = UsageMetadata(
            input_tokens=asked, output_tokens=written + thought, total_tokens=asked + written + thought
        )
        if thorough:
            usage["output_token_details"] = {"reasoning": thought}
        finish = {"finish_reason": "tool_calls" if calls else "stop", "model_name": "slide-rule"}
        return AIMessage(call.text, tool_calls=calls, usage_metadata=usage, response_metadata=finish)


def _tokens(text: str) -> int:
    return math.ceil(TOKENS_PER_WORD * len(text.split()))


def respond(talk: Conversation, schemas: Mapping[str, Mapping[str, Any]]) -> str | Call:
    """The answer's text, empty where no answer block is read, or the tool call that has to come first."""
    reading = talk.reading
    if talk.wants_formulation_only:
        return formulation(reading, plan(reading, (), remembered(), False))
    if "search_equations" in talk.tools and not talk.results_of("search_equations"):
        return Call("search_equations", {"query": talk.question})
    function = _written_function(talk.question, (*talk.sheet, *remembered()))
    if function is not None or not reading.targets:
        return function or ""
    planned = _by_own_tool(talk, schemas)
    if planned is None and (question := property_question(reading)):
        planned = ask_tools(question, talk) or recall(question)
    if planned is None:
        planned = plan(reading, talk.sheet, remembered(), "evaluate_equation" in talk.tools)
    if isinstance(planned, Call):
        return planned
    worked = work_out(planned.steps, talk)
    if isinstance(worked, Call):
        return worked
    solution = WrittenSolution(reading, planned, *worked, talk.form)
    write = worked_solution if talk.wants_worked_solution else protocol if talk.wants_protocol else terse
    text = write(solution)
    if talk.form == "tool" and solution.answers:
        return Call(SUBMIT, solution.submission(), text)
    return text


def _by_own_tool(talk: Conversation, schemas: Mapping[str, Mapping[str, Any]]) -> SolutionPath | Call | None:
    """A tool that nobody here knows: called once, where the question states all that it takes, by name.

    The call, or the answer read off its result; None where no such tool is bound, or it failed. A number
    without unit is in the unit asked for.
    """
    givens = {each.symbol: each for each in talk.reading.givens}
    for name, schema in schemas.items() if len(talk.reading.targets) == 1 else ():
        arguments, needed = schema.get("properties", {}), set(schema.get("required", ()))
        if not needed or not needed <= givens.keys():
            continue
        results = talk.results_of(name)
        if not results:
            stated: dict[str, object] = {}
            for each in (key for key in arguments if key in givens):
                kind, given = arguments[each].get("type"), givens[each]
                number = int(given.value) if kind == "integer" else given.value
                stated[each] = given.text if kind == "string" else number
            return Call(name, stated)
        if not results[0].failed:
            [target], text = talk.reading.targets, results[0].text
            alike = [each for each in quantities(text) if each.kind == target.kind]
            bare = read_number(text.strip())
            found = [Known(target.name, bare.value, target.unit or "-")] if bare else []
            found = [each for each in alike if each.symbol == target.name] or alike or found
            return SolutionPath((), ((target, found[-1]),), (f"Value from {name}.",)) if found else None
    return None


def _written_function(text: str, formulas: Sequence[KnownFormula]) -> str | None:
    """The answer to a question that asks for a Python function; None for any other question.

    Nothing is derived. A formula that comes to mind is taken if its symbols are parameters of the function
    and its name shares words with the question: the first of those that share most. Without one, it says so.
    """
    header = _FUNCTION.search(text)
    if header is None:
        return None
    parameters = [re.split("[:=]", part)[0].strip() for part in header["parameters"].split(",")]
    words = content_words(text[: header.start()])
    usable = [
        each
        for each in formulas
        if each.tree is not None
        and each.inputs
        and {symbol.name for symbol in each.inputs} <= set(parameters)
    ]
    formula = max(usable, key=lambda each: len(each.words & words) / len(each.words), default=None)
    if formula is None or not formula.words & words:
        given = ", ".join(parameters)
        return f"I know no formula that gives {header['name']} from {given}, and I cannot derive one."
    constants = "".join(
        f"    {name} = {each.value!r}\n" for name, each in formula.constants.items() if name not in parameters
    )
    return (
        f"This looks like the {formula.title}.\n\nFinal answer: {formula.output.name} = {formula.text}\n\n"
        f"```python\nfrom math import *\n\n\ndef {header['name']}({', '.join(parameters)}):\n"
        f"{constants}    return {formula.text}\n```"
    )
