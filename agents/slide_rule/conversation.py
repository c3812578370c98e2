"""What a chat says to the one who answers: the question, notes before it, instructions, tool results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ansatz.agents.slide_rule.formulation import Formulation, read_formulation
from ansatz.agents.slide_rule.givens import Given, holds_quantity, quantities
from ansatz.agents.slide_rule.sheet import Sheet, holds_sheet, read_sheet
from ansatz.agents.slide_rule.units import plain_text

_REPORT = re.compile(r"^\s*report your answers? as\b", re.IGNORECASE)
_FORMULATION_LINE = re.compile(
    r"^[ \t*#-]*(Given|Find|Approach|Assumptions)[ \t*]*:", re.IGNORECASE | re.MULTILINE
)
_HEADING = re.compile(r"^\s*(?:#+|\d+[.):]|\*\*|[-*]|step\s+\d+)(.*)$", re.IGNORECASE | re.MULTILINE)
_OWN_ANSWER = "Your answer:"
_RESULT_LINE = re.compile(r"^[^\W\d][\w ']*(?: = [-+.\de]+(?: \S+)?|: \w+)$")
_SOLUTION_HEADINGS = (r"^\W*problem formulation\W*$", r"^\W*step-by-step\b.*$", r"^\W*final answer\W*$")
_PROTOCOL_STEPS = (
    "regime|classif", "given|parameter|extract", "dimension|unit", "formula|equation|model|select",
    "calculat|comput|substitut", "plausib|sanity|check|verif", "interpret|meaning|physical context",
)  # fmt: skip


@dataclass(frozen=True)
class ToolResult:
    name: str
    arguments: dict[str, object]
    text: str


@dataclass(frozen=True)
class Conversation:
    """`instructions` are system texts; `notes` stand before the question; results are in order.

    `asked` is all of the question's text, also paragraphs without a quantity.
    """

    question: str
    instructions: str
    notes: str
    results: tuple[ToolResult, ...]
    tools: frozenset[str]
    asked: str = ""

    @classmethod
    def of(cls, messages: Sequence[BaseMessage], tools: Sequence[str]) -> Conversation:
        """Read a chat. The question is the human message that lists answers to report, else the first."""
        systems = [message.text for message in messages if isinstance(message, SystemMessage)]
        humans = [message.text for message in messages if isinstance(message, HumanMessage)]
        asked = next((text for text in humans if _asks(text)), humans[0] if humans else "")
        notes, question = split_notes(asked)
        others = [text for text in humans if text is not asked]
        results = _tool_results(messages)
        notes = "\n\n".join([notes, *others])
        whole = "\n\n".join(part for part in _paragraphs(asked) if not _is_note(part))
        return cls(question, "\n\n".join(systems), notes, results, frozenset(tools), whole)

    def results_of(self, name: str) -> list[ToolResult]:
        return [result for result in self.results if result.name == name]

    @cached_property
    def sheet(self) -> Sheet:
        """Everything that reference sheets say, wherever they stand."""
        return read_sheet(
            "\n\n".join([self.instructions, self.notes, *(result.text for result in self.results)])
        )

    @cached_property
    def formulation(self) -> Formulation | None:
        return read_formulation(self.notes) or read_formulation(self.instructions)

    @property
    def earlier_results(self) -> tuple[Given, ...]:
        """`symbol = value unit` lines of one's own answers to earlier questions, where the notes show any."""
        _, _, answers = self.notes.partition(_OWN_ANSWER)
        lines = (line for line in answers.splitlines() if _RESULT_LINE.match(line.strip()))
        return tuple(given for line in lines for given in quantities(plain_text(line)) if given.symbol)

    @property
    def wants_formulation_only(self) -> bool:
        text = f"{self.instructions}\n{self.notes}".lower()
        return bool(re.search(r"\b(?:do not|don't|without) solv", text)) and "given" in text

    @cached_property
    def wants_worked_solution(self) -> bool:
        """Whether headings for a formulation, for steps and for the final answer are asked for."""
        return all(re.search(heading, self.instructions, re.I | re.M) for heading in _SOLUTION_HEADINGS)

    @cached_property
    def wants_protocol(self) -> bool:
        return _is_protocol(self.instructions) or _is_protocol(self.notes)


@lru_cache(maxsize=256)
def _is_protocol(text: str) -> bool:
    """At least four of an engineering calculation's steps stand in headings or list items."""
    headings = " ".join(_HEADING.findall(text)).lower()
    return sum(bool(re.search(words, headings)) for words in _PROTOCOL_STEPS) >= 4


def _asks(text: str) -> bool:
    return any(_REPORT.match(line) for line in text.splitlines())


def split_notes(text: str) -> tuple[str, str]:
    """Notes and question of a human message.

    The question is its last paragraphs, back from the list of answers as far as they hold quantities;
    sheets and formulations are notes.
    """
    paragraphs = _paragraphs(text)
    last = next((i for i in reversed(range(len(paragraphs))) if _asks(paragraphs[i])), len(paragraphs))
    first = last - 1 if last else 0
    answered = _OWN_ANSWER in text
    while first > 0 and _is_question(paragraphs[first - 1]):
        if answered and _is_of_an_earlier_question(paragraphs[first - 1]):
            break
        first -= 1
    first = max(first, 0)
    return "\n\n".join(paragraphs[:first]), "\n\n".join(paragraphs[first:])


def _is_question(paragraph: str) -> bool:
    return not _is_note(paragraph) and holds_quantity(paragraph)


def _is_of_an_earlier_question(paragraph: str) -> bool:
    """An earlier question, the answer to it or the results at its end."""
    lines = paragraph.strip().splitlines()
    return paragraph.startswith(("Question:", _OWN_ANSWER)) or all(
        _RESULT_LINE.match(line.strip()) for line in lines
    )


def _is_note(paragraph: str) -> bool:
    """A reference sheet or a formulation."""
    return holds_sheet(paragraph) or len(_FORMULATION_LINE.findall(paragraph)) >= 2


def _paragraphs(text: str) -> list[str]:
    return [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def _tool_results(messages: Sequence[BaseMessage]) -> tuple[ToolResult, ...]:
    calls = {
        call["id"]: call
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    results = []
    for message in messages:
        if isinstance(message, ToolMessage):
            call = calls.get(message.tool_call_id)
            name = call["name"] if call else message.name or ""
            results.append(ToolResult(name, call["args"] if call else {}, message.text))
    return tuple(results)
