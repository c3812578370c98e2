"""Read public files in the paper's format: sets of a `content` and `questions` with solutions and answers.

A file is a JSON list of sets, or an object of sets by name; names of fields can be in any case. A numeric
answer is a number, a list, or text such as `-29.733 km²/s²`. The text after a number is its unit if it can be
read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem, ReferenceSolution, Target
from ansatz.eval.validation import explain, read_json
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_number, read_unit


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)


def _lower(value: Any) -> Any:
    return value.strip().lower() or None if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]


class PublicQuestion(BaseModel):
    """One question of a public file."""

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    answer: Annotated[Text, StringConstraints(min_length=1)]
    solution: Text = ""
    format: Annotated[Literal["numeric", "message"] | None, BeforeValidator(_lower)] = None
    """Without a format, an answer that is a single number without a unit is numeric."""
    source: Text = ""

    @property
    def kind(self) -> Literal["numeric", "message"]:
        text = to_plain_text(self.answer).strip()
        number = read_number(text)
        return self.format or ("numeric" if number and number.end == len(text) else "message")

    @property
    def targets(self) -> tuple[Target, ...]:
        """Each number of a numeric answer; otherwise, or if there is no number, the answer as a message."""
        found = list(_quantities(to_plain_text(self.answer))) if self.kind == "numeric" else []
        if not found:
            return (MessageTarget(name="message", weight=1.0, value=self.answer),)
        last = [unit for _, unit in found if unit != "-"][-1:] or ["-"]
        names = ["answer"] if len(found) == 1 else [f"answer_{index}" for index in range(1, len(found) + 1)]
        return tuple(
            NumberTarget(name=name, unit=last[0] if unit == "-" else unit, weight=1 / len(found), value=value)
            for name, (value, unit) in zip(names, found, strict=True)
        )


class PublicSet(BaseModel):
    """One set of a public file."""

    content: str = ""
    """The shared context."""
    questions: list[PublicQuestion] = Field(min_length=1)

    def problems(self, name: str) -> Iterator[Problem]:
        """Yield the questions as problems."""
        ids = [f"{name}-q{position}" for position in range(1, len(self.questions) + 1)]
        for at, (id, question) in enumerate(zip(ids, self.questions, strict=True)):
            targets = question.targets
            kind = "message" if targets[0].kind == "message" else "list" if len(targets) > 1 else "number"
            tags = {"set": name, "position": str(at + 1), "kind": kind, "format": question.kind}
            yield Problem(
                id=id,
                family=name,
                benchmark="apbench",
                context=self.content,
                question=question.question,
                targets=targets,
                reference=ReferenceSolution(text=question.solution),
                follows=tuple(ids[:at]),
                tags=tags | ({"source": question.source} if question.source else {}),
            )


def read_published(path: Path) -> tuple[Problem, ...]:
    """Return every question of a file, in order. Raises InvalidData with one line for each fault."""
    sets = read_json(path)
    if isinstance(sets, list):
        sets = {f"set-{index}": each for index, each in enumerate(sets, 1)}
    if not isinstance(sets, dict) or not sets:
        raise InvalidData(f"{path}: has no sets of questions")
    problems: list[Problem] = []
    lines: list[str] = []
    for name, one in sets.items():
        try:
            problems += PublicSet.model_validate(_lower_names(one)).problems(name)
        except ValidationError as error:
            lines += [f"{path}: {name}: {line}" for line in explain(error, PublicSet)]
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(problems)


def _lower_names(value: Any) -> Any:
    """Return the value with the names of all fields in lower case."""
    if isinstance(value, dict):
        return {key.lower(): _lower_names(each) for key, each in value.items()}
    return [_lower_names(each) for each in value] if isinstance(value, list) else value


def _quantities(text: str) -> Iterator[tuple[float, str]]:
    """Yield every number of a plain text with the unit after it."""
    at = 0
    while at < len(text):
        number = read_number(text, at) if not at or not re.match(r"[\w.^]", text[at - 1]) else None
        if number is None:
            at += 1
            continue
        unit, at = read_unit(text, number.end)
        yield number.value, unit or "-"
