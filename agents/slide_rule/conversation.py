"""The parts of a conversation: question, notes before it, instructions and tool results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.slide_rule.arithmetic import DEFAULT_READER, ScaleReader
from ansatz.agents.slide_rule.formulas import KnownFormula, is_sheet_entry, parse_sheets
from ansatz.agents.slide_rule.question import (
    KnownQuantity,
    ParsedQuestion,
    find_quantities,
    parse_question,
    split_formulation,
)
from ansatz.quantities.markup import to_plain_text

_HEADING = re.compile(r"^\s*(?:#+|\d+[.)]|\*\*)(.*)$", re.MULTILINE)
_PROTOCOL_STEPS = ("regime", "formula", "parameter", "dimension", "calculat", "check", "interpret")
_SOURCE = re.compile(r"\[[^\[\]\n]+\]\n")
_EARLIER = ("Question:", "Your answer:")
_END_OF_EXAMPLES = "End of the examples"
_CORRECTION = re.compile(r"^- “(?P<term>[^”\n]+) = [^=”\n]*”: comes to (?P<value>[-+.\de]+)", re.MULTILINE)


@dataclass(frozen=True)
class ToolResult:
    """A tool call and its result."""

    name: str
    arguments: Mapping[str, object]
    text: str

    @property
    def failed(self) -> bool:
        return self.text.lstrip().lower().startswith("error")


@dataclass(frozen=True)
class Conversation:
    """The parts of a conversation that the offline model uses."""

    question: str
    notes: str
    """The notes before the question, and all later human messages."""
    instructions: str
    """The system messages."""
    results: tuple[ToolResult, ...]
    """The results of all tool calls, in order."""
    tools: frozenset[str]
    """The names of the bound tools."""
    reader: ScaleReader = DEFAULT_READER
    """Reads the slide rule."""

    @classmethod
    def from_messages(
        cls, messages: Sequence[BaseMessage], tools: Sequence[str], reader: ScaleReader = DEFAULT_READER
    ) -> Conversation:
        systems = [message.text for message in messages if isinstance(message, SystemMessage)]
        humans = [message.text for message in messages if isinstance(message, HumanMessage)]
        notes, question = split_notes(humans[0] if humans else "")
        notes = "\n\n".join([notes, *humans[1:]])
        results = _collect_results(messages)
        return cls(question, notes, "\n\n".join(systems), results, frozenset(tools), reader)

    def get_results(self, name: str) -> list[ToolResult]:
        """Return the results of one tool."""
        return [result for result in self.results if result.name == name]

    @cached_property
    def parsed_question(self) -> ParsedQuestion:
        return parse_question(self.question, self.notes, self._earlier_results)

    @cached_property
    def sheet(self) -> tuple[KnownFormula, ...]:
        """The formulas of all reference sheets in notes and tool results."""
        return parse_sheets("\n\n".join([self.notes, *(result.text for result in self.results)]))

    @property
    def _earlier_results(self) -> tuple[KnownQuantity, ...]:
        """The results of the model's answers to earlier questions, if the notes show any."""
        answers = self.notes.partition(_EARLIER[1])[2]
        lines = [
            line
            for line in to_plain_text(answers).splitlines()
            if re.match(r"\w+ = [-\d]\S*(?: \S+)?$", line)
        ]
        return tuple(given for line in lines for given in find_quantities(line))

    @cached_property
    def corrections(self) -> dict[str, float]:
        """The values of substitutions that a check in the notes recomputed."""
        matches = _CORRECTION.finditer(self.notes)
        return {strip_typesetting(match["term"]): float(match["value"]) for match in matches}

    @property
    def form(self) -> Literal["block", "json", "tool"]:
        """The form in which the answer has to be stated."""
        if SUBMIT in self.tools:
            return "tool"
        return "json" if "```json" in self.instructions else "block"

    @property
    def wants_formulation_only(self) -> bool:
        return bool(re.search(r"\bdo not solve\b", self.question + self.notes, re.IGNORECASE))

    @property
    def wants_rewording(self) -> bool:
        """Whether the instructions ask for the question in other words instead of an answer."""
        return bool(re.match(r"rewrite the question\b", self.instructions, re.IGNORECASE))

    @property
    def wants_protocol(self) -> bool:
        """Whether the instructions have headings for at least four steps of an engineering calculation."""
        headings = " ".join(_HEADING.findall(self.instructions)).lower()
        return sum(step in headings for step in _PROTOCOL_STEPS) >= 4

    @property
    def wants_worked_solution(self) -> bool:
        """Whether the instructions have headings for a formulation, for steps and for the final answer."""
        return all(
            f"**{part}**" in self.instructions
            for part in ("Problem Formulation", "Step-by-step Solution", "Final Answer")
        )


def split_notes(text: str) -> tuple[str, str]:
    """Split a human message into notes and question, which is the text after the last note."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    last = max((place for place, part in enumerate(paragraphs) if _is_note(part)), default=-1)
    if paragraphs and _EARLIER[1] in text:  # an earlier answer ends with its results
        last = max(last, len(paragraphs) - 3)
    return "\n\n".join(paragraphs[: last + 1]), "\n\n".join(paragraphs[last + 1 :])


def _is_note(paragraph: str) -> bool:
    """Whether it is reference text, a formulation, an earlier question or answer, or the end of examples.

    Reference text is a sheet entry, or a passage under its source in brackets.
    """
    is_reference = is_sheet_entry(paragraph) or bool(split_formulation(paragraph))
    is_reference = is_reference or bool(_SOURCE.match(paragraph))
    return is_reference or paragraph.startswith((*_EARLIER, _END_OF_EXAMPLES))


def strip_typesetting(term: str) -> str:
    """Return a substitution as plain text without spaces."""
    return to_plain_text(term).replace(" ", "")


def _collect_results(messages: Sequence[BaseMessage]) -> tuple[ToolResult, ...]:
    calls = {
        call["id"]: call
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    return tuple(
        ToolResult(calls[message.tool_call_id]["name"], calls[message.tool_call_id]["args"], message.text)
        for message in messages
        if isinstance(message, ToolMessage) and message.tool_call_id in calls
    )
