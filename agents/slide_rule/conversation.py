"""What a chat says to the one who answers: the question, the notes before it, instructions, tool results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ansatz.agents.answer_form import SUBMIT
from ansatz.agents.slide_rule.arithmetic import Eye, read_off
from ansatz.agents.slide_rule.comprehension import Comprehension, Known, formulation_parts, quantities, read
from ansatz.agents.slide_rule.formulas import KnownFormula, is_entry, on_sheet
from ansatz.quantities.markup import to_plain_text

_HEADING = re.compile(r"^\s*(?:#+|\d+[.)]|\*\*)(.*)$", re.MULTILINE)
_PROTOCOL_STEPS = ("regime", "formula", "parameter", "dimension", "calculat", "check", "interpret")
_EARLIER = ("Question:", "Your answer:")
_END_OF_EXAMPLES = "End of the examples"
_RECOMPUTED = re.compile(r"^- “(?P<term>[^”\n]+) = [^=”\n]*”: comes to (?P<value>[-+.\de]+)", re.MULTILINE)


@dataclass(frozen=True)
class ToolResult:
    name: str
    arguments: Mapping[str, object]
    text: str

    @property
    def failed(self) -> bool:
        return self.text.lstrip().lower().startswith("error")


@dataclass(frozen=True)
class Conversation:
    """`instructions` are system texts; `notes` stand before the question; results are in order."""

    question: str
    notes: str
    instructions: str
    results: tuple[ToolResult, ...]
    tools: frozenset[str]
    eye: Eye = read_off

    @classmethod
    def of(cls, messages: Sequence[BaseMessage], tools: Sequence[str], eye: Eye = read_off) -> Conversation:
        systems = [message.text for message in messages if isinstance(message, SystemMessage)]
        humans = [message.text for message in messages if isinstance(message, HumanMessage)]
        notes, question = split_notes(humans[0] if humans else "")
        notes = "\n\n".join([notes, *humans[1:]])
        return cls(question, notes, "\n\n".join(systems), _results(messages), frozenset(tools), eye)

    def results_of(self, name: str) -> list[ToolResult]:
        return [result for result in self.results if result.name == name]

    @cached_property
    def reading(self) -> Comprehension:
        return read(self.question, self.notes, self._earlier_results)

    @cached_property
    def sheet(self) -> tuple[KnownFormula, ...]:
        """The formulas of all reference sheets, wherever they stand."""
        return on_sheet("\n\n".join([self.notes, *(result.text for result in self.results)]))

    @property
    def _earlier_results(self) -> tuple[Known, ...]:
        """Results at the end of one's own answers to earlier questions, where the notes show any."""
        answers = self.notes.partition(_EARLIER[1])[2]
        lines = [
            line
            for line in to_plain_text(answers).splitlines()
            if re.match(r"\w+ = [-\d]\S*(?: \S+)?$", line)
        ]
        return tuple(given for line in lines for given in quantities(line))

    @cached_property
    def recomputed(self) -> dict[str, float]:
        """What the value of a substitution comes to, where somebody who did it again says so."""
        return {as_written(each["term"]): float(each["value"]) for each in _RECOMPUTED.finditer(self.notes)}

    @property
    def form(self) -> Literal["block", "json", "tool"]:
        """How the answer is to be stated."""
        if SUBMIT in self.tools:
            return "tool"
        return "json" if "```json" in self.instructions else "block"

    @property
    def wants_formulation_only(self) -> bool:
        return bool(re.search(r"\bdo not solve\b", self.question + self.notes, re.IGNORECASE))

    @property
    def wants_protocol(self) -> bool:
        """Whether at least four of an engineering calculation's steps are asked for under headings."""
        headings = " ".join(_HEADING.findall(self.instructions)).lower()
        return sum(step in headings for step in _PROTOCOL_STEPS) >= 4

    @property
    def wants_worked_solution(self) -> bool:
        """Whether headings for a formulation, for steps and for the final answer are asked for."""
        return all(
            f"**{part}**" in self.instructions
            for part in ("Problem Formulation", "Step-by-step Solution", "Final Answer")
        )


def split_notes(text: str) -> tuple[str, str]:
    """Notes and question of a human message: the question is all that follows the last note."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    last = max((place for place, part in enumerate(paragraphs) if _is_note(part)), default=-1)
    if paragraphs and _EARLIER[1] in text:  # the results of an earlier answer belong to it
        last = max(last, len(paragraphs) - 3)
    return "\n\n".join(paragraphs[: last + 1]), "\n\n".join(paragraphs[last + 1 :])


def _is_note(paragraph: str) -> bool:
    """An entry of a sheet, a formulation, an earlier question with its answer, or the end of examples."""
    told = is_entry(paragraph) or bool(formulation_parts(paragraph))
    return told or paragraph.startswith((*_EARLIER, _END_OF_EXAMPLES))


def as_written(term: str) -> str:
    """A substitution without what typesetting adds to it."""
    return to_plain_text(term).replace(" ", "")


def _results(messages: Sequence[BaseMessage]) -> tuple[ToolResult, ...]:
    calls = {call["id"]: call for each in messages if isinstance(each, AIMessage) for call in each.tool_calls}
    answered = [each for each in messages if isinstance(each, ToolMessage) and each.tool_call_id in calls]
    return tuple(
        ToolResult(calls[each.tool_call_id]["name"], calls[each.tool_call_id]["args"], each.text)
        for each in answered
    )
