"""Answers in a JSONL file: `answer_id`, `problem_id` and `text` on each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ansatz.agents import Transcript
from ansatz.eval.problem import Problem
from ansatz.eval.submitted.lines import objects
from ansatz.quantities.did_you_mean import nearest

_FIELDS = ("answer_id", "problem_id", "text")
_HINTS = 20  # unknown problems for which the nearest known one is sought


@dataclass(frozen=True)
class Answer:
    """One answer, to one problem; a problem may have many."""

    answer_id: str
    problem_id: str
    text: str

    def transcript(self) -> Transcript:
        """The answer as an attempt of which nothing but the text is known."""
        stop = "answered" if self.text.strip() else "empty"
        return Transcript(
            answer=self.text, stop=stop, messages=(), model_calls=(), tool_calls=(), seconds=0.0
        )


@dataclass(frozen=True)
class Answers:
    """The answers that can be scored, and a line on each that cannot.

    `unknown` are answers to no known problem, `faults` lines that are no answers, `warnings` on what is odd.
    """

    found: tuple[Answer, ...]
    unknown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_answers(
    file: Path, problems: Mapping[str, Problem], unread: Mapping[str, str] = MappingProxyType({})
) -> Answers:
    """Every answer of a file; `unread` are the places of problems that could not be read, by id.

    Raises InvalidData where the file cannot be read at all.
    """
    found: dict[str, Answer] = {}
    places: dict[str, str] = {}
    unknown: list[str] = []
    faults: list[str] = []
    extra: dict[str, str] = {}
    for place, content in objects(file):
        answer = _answer(content) if isinstance(content, dict) else [content]
        if isinstance(answer, list):
            faults += [f"{place}: {fault}" for fault in answer]
            continue
        if answer.answer_id in found:
            first = places[answer.answer_id]
            faults.append(f"{place}: answer_id: {answer.answer_id!r} already stands at {first}")
        elif answer.problem_id not in problems:
            hint = nearest(answer.problem_id, problems, shown=0) if len(unknown) < _HINTS else ""
            told = f"{answer.problem_id!r} is not among the problems{hint}"
            if answer.problem_id in unread:
                told = f"the problem {answer.problem_id!r} could not be read at {unread[answer.problem_id]}"
            unknown.append(f"{place}: problem_id: {told}; answer {answer.answer_id!r} is not scored")
        else:
            found[answer.answer_id], places[answer.answer_id] = answer, place
        for field in set(content) - set(_FIELDS):
            extra.setdefault(
                field, f"{place}: {field}: not a field of answers; it is left out, here and below"
            )
    return Answers(tuple(found.values()), tuple(unknown), tuple(faults), tuple(extra.values()))


def _answer(content: dict[str, Any]) -> Answer | list[str]:
    """An answer, or what is wrong with each field. Ids may be numbers, and a text may be null."""
    faults = []
    values = {}
    for field in _FIELDS:
        value = content.get(field)
        if field not in content:
            close = nearest(field, [name for name in content if name not in _FIELDS], shown=0)
            faults.append(f"{field}: is missing{close}")
        elif field == "text":
            values[field] = "" if value is None else value
        else:
            values[field] = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if field in values and not isinstance(values[field], str):
            faults.append(f"{field}: must be text, not {value!r}")
        elif field != "text" and values.get(field) == "":
            faults.append(f"{field}: must not be empty")
    return faults or Answer(**values)
