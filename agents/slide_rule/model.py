"""The offline model: a rule-based solver with human-like limits, which needs no network, key or weights.

It is not a language model, and its scores say nothing about language models. It knows a question only from
the messages and tools of the conversation. Each limit has a mechanism that removes it:

- arithmetic with three digits: a Python tool or equation tools, which it really calls;
- a small memory of formulas without their conditions: reference sheets and equation tools;
- coarse property tables: property tools;
- calculations that it does not know: your own tool, if the question states all its arguments by name;
- brief answers: a protocol that asks for more;
- slips in reading a question: a formulation of the question.

If a check reports a recomputed value for one of its lines, it uses that value. Several answers to one
question differ in how the scale of the slide rule is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import BaseModel, ConfigDict

from ansatz.agents.answer_form import CHOOSE_SYMBOLS, SUBMIT
from ansatz.agents.slide_rule.arithmetic import ScaleReader
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.formulas import KnownFormula, load_remembered
from ansatz.agents.slide_rule.plain_answer import answer_plain_question
from ansatz.agents.slide_rule.property_lookup import ask_tools, parse_property_question, recall_properties
from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, find_quantities
from ansatz.agents.slide_rule.rewording import reword_question
from ansatz.agents.slide_rule.solution_path import SolutionPath, find_solution_path
from ansatz.agents.slide_rule.solution_text import (
    EvaluatedSolution,
    write_brief_solution,
    write_formulation,
    write_protocol,
    write_worked_solution,
)
from ansatz.agents.slide_rule.step_evaluation import NextCall, evaluate_steps
from ansatz.quantities.notation import read_number

_MAX_DRAWS = 1000  # answers of one seed
_FUNCTION = re.compile(r"^[ \t]*def (?P<name>\w+)\((?P<parameters>[^()]*)\)[^:\n]*:", re.MULTILINE)
TOKENS_PER_WORD = 1.3  # an estimate: English text in common tokenizers


class SlideRule(BaseModel):
    """The offline model. The same messages, tools, draw and seed give the same reply.

    Tokens in `usage_metadata` are estimated as words * 1.3.
    """

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    seed: int | None = None
    """Selects other reading errors of the slide rule."""
    reasoning_effort: Literal["medium", "high"] | None = None
    """With "high", the model reads fifths of a division, and counts as many reasoning tokens as it writes."""

    def reply(self, messages: Sequence[BaseMessage], tools: Mapping[str, Any], draw: int = 0) -> AIMessage:
        """Return one reply.

        Parameters
        ----------
        messages
            The conversation.
        tools
            The JSON schema of each tool's arguments, by name.
        draw
            The number of the answer to the same question, from 0; each has other reading errors.
        """
        is_thorough = self.reasoning_effort == "high"
        reader = ScaleReader((self.seed or 0) * _MAX_DRAWS + draw, is_thorough)
        response = respond(Conversation.from_messages(messages, [*tools], reader), tools)
        call = response if isinstance(response, NextCall) else NextCall("", {}, response)
        calls = (
            [{"name": call.name, "args": call.arguments, "id": f"call_{len(messages)}"}] if call.name else []
        )
        prompt = sum(_estimate_tokens(message.text) for message in messages)
        written = _estimate_tokens(f"{call.text} {calls or ''}")
        reasoning = written if is_thorough else 0
        output = written + reasoning
        usage = UsageMetadata(input_tokens=prompt, output_tokens=output, total_tokens=prompt + output)
        if is_thorough:
            usage["output_token_details"] = {"reasoning": reasoning}
        finish = {"finish_reason": "tool_calls" if calls else "stop", "model_name": "slide-rule"}
        return AIMessage(call.text, tool_calls=calls, usage_metadata=usage, response_metadata=finish)


def _estimate_tokens(text: str) -> int:
    return math.ceil(TOKENS_PER_WORD * len(text.split()))


def respond(conversation: Conversation, schemas: Mapping[str, Mapping[str, Any]]) -> str | NextCall:
    """Return the answer, or the tool call that has to come first; empty if it reads no target."""
    if conversation.wants_rewording:
        return reword_question(conversation.question)
    question = conversation.parsed_question
    if conversation.wants_formulation_only:
        return write_formulation(question, find_solution_path(question, (), load_remembered(), False))
    if "search_equations" in conversation.tools and not conversation.get_results("search_equations"):
        return NextCall("search_equations", {"query": conversation.question})
    function = _write_function(conversation.question, (*conversation.sheet, *load_remembered()))
    path: SolutionPath | NextCall | None
    if function is None and not question.targets and CHOOSE_SYMBOLS in conversation.instructions:
        answered = answer_plain_question(conversation)
        if answered is None or isinstance(answered, NextCall):
            return answered or ""
        question, path = answered
    elif function is not None or not question.targets:
        return function or ""
    else:
        path = _find_path(question, conversation, schemas)
    if isinstance(path, NextCall):
        return path
    evaluated = evaluate_steps(path.steps, conversation)
    if isinstance(evaluated, NextCall):
        return evaluated
    solution = EvaluatedSolution(question, path, *evaluated, conversation.form)
    text = _write_solution(solution, conversation)
    if conversation.form == "tool" and solution.answers:
        return NextCall(SUBMIT, solution.build_submission(), text)
    return text


def _find_path(
    question: ParsedQuestion, conversation: Conversation, schemas: Mapping[str, Mapping[str, Any]]
) -> SolutionPath | NextCall:
    """Find the solution of a question with blanks, or the tool call that has to come first."""
    path = _use_custom_tool(conversation, schemas)
    if path is None and (property_question := parse_property_question(question)):
        path = ask_tools(property_question, conversation) or recall_properties(property_question)
    if path is None:
        can_solve = "evaluate_equation" in conversation.tools
        path = find_solution_path(question, conversation.sheet, load_remembered(), can_solve)
    return path


def _write_solution(solution: EvaluatedSolution, conversation: Conversation) -> str:
    if conversation.wants_worked_solution:
        return write_worked_solution(solution)
    return write_protocol(solution) if conversation.wants_protocol else write_brief_solution(solution)


def _use_custom_tool(
    conversation: Conversation, schemas: Mapping[str, Mapping[str, Any]]
) -> SolutionPath | NextCall | None:
    """Call a tool once if the question states all its arguments by name, or read the answer off its result.

    Returns None if there is no such tool, or it failed. A number without unit is in the target's unit.
    """
    givens = {given.symbol: given for given in conversation.parsed_question.givens}
    targets = conversation.parsed_question.targets
    for name, schema in schemas.items() if len(targets) == 1 else ():
        parameters, required = schema.get("properties", {}), set(schema.get("required", ()))
        if not required or not required <= givens.keys():
            continue
        results = conversation.get_results(name)
        if not results:
            arguments: dict[str, object] = {}
            for key in (key for key in parameters if key in givens):
                kind, given = parameters[key].get("type"), givens[key]
                number = int(given.value) if kind == "integer" else given.value
                arguments[key] = given.text if kind == "string" else number
            return NextCall(name, arguments)
        if not results[0].failed:
            [target], text = targets, results[0].text
            same_kind = [quantity for quantity in find_quantities(text) if quantity.kind == target.kind]
            number_only = read_number(text.strip())
            found = [KnownQuantity(target.name, number_only.value, target.unit or "-")] if number_only else []
            found = (
                [quantity for quantity in same_kind if quantity.symbol == target.name] or same_kind or found
            )
            return SolutionPath((), ((target, found[-1]),), (f"Value from {name}.",)) if found else None
    return None


def _write_function(text: str, formulas: Sequence[KnownFormula]) -> str | None:
    """Answer a question that asks for a Python function; return None for any other question.

    The model derives nothing. It uses a formula whose symbols are parameters of the function and whose name
    shares words with the question: the first of those that share most. Without one, it states so.
    """
    header = _FUNCTION.search(text)
    if header is None:
        return None
    parameters = [re.split("[:=]", part)[0].strip() for part in header["parameters"].split(",")]
    words = stem_words(text[: header.start()])
    usable = [
        formula
        for formula in formulas
        if formula.tree is not None
        and formula.inputs
        and {symbol.name for symbol in formula.inputs} <= set(parameters)
    ]
    best = max(usable, key=lambda formula: len(formula.words & words) / len(formula.words), default=None)
    if best is None or not best.words & words:
        given = ", ".join(parameters)
        return f"I know no formula that gives {header['name']} from {given}, and I cannot derive one."
    constants = "".join(
        f"    {name} = {constant.value!r}\n"
        for name, constant in best.constants.items()
        if name not in parameters
    )
    return (
        f"This looks like the {best.title}.\n\nFinal answer: {best.output.name} = {best.text}\n\n"
        f"```python\nfrom math import *\n\n\ndef {header['name']}({', '.join(parameters)}):\n"
        f"{constants}    return {best.text}\n```"
    )
