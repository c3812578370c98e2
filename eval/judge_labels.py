"""Answers that both people and a judge scored: JSONL, one answer a line.

    {"answer_id": "a17", "human": {"G1": 2, "G4": 1}, "judge": {"G1": 2, "G4": 2}, "family": "couette",
     "tags": {"arm": "protocol"}}

`human` is one rater's scores or a list of several raters'; a score is a number of the scale or null where
that rater could not tell. Answers of one `family` (by default each its own) depend on each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ansatz.eval.benchmarks.validation import InvalidData, explain

Rating = Annotated[float, Field(strict=True, allow_inf_nan=False)] | None
Name = Annotated[str, Field(min_length=1, strict=True)]

THREE_POINTS = (0.0, 1.0, 2.0)


class Label(BaseModel):
    """One answer's scores by dimension: one mapping for each person, and the judge's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer_id: Name
    human: tuple[dict[Name, Rating], ...]
    judge: dict[Name, Rating]
    family: Name | None = None
    tags: dict[Name, Name] = {}

    @field_validator("human", mode="before")
    @classmethod
    def _as_raters(cls, value: Any) -> Any:
        if value == []:
            raise ValueError("needs the scores of one rater at least")
        return (value,) if isinstance(value, dict) else value


def read_labels(path: Path, scale: Sequence[float] = THREE_POINTS) -> tuple[Label, ...]:
    """The labels of a file. Raises InvalidData with a line `file:line: field: what is wrong` per fault."""
    labels: list[Label] = []
    faults: list[str] = []
    first_seen: dict[str, int] = {}
    for number, line in _lines(path):
        label, wrong = _read(line)
        if label:
            wrong = list(_off_scale(label, scale))
            if first_seen.setdefault(label.answer_id, number) != number:
                wrong.append(
                    f"answer_id: {label.answer_id!r} is already on line {first_seen[label.answer_id]}"
                )
            labels.append(label)
        faults += [f"{path}:{number}: {fault}" for fault in wrong]
    if faults:
        raise InvalidData("\n".join(faults))
    if not labels:
        raise InvalidData(f"{path}: there is no label in it")
    return tuple(labels)


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as failure:
        raise InvalidData(f"{path}: {failure.strerror or failure}") from None
    except UnicodeDecodeError as failure:
        raise InvalidData(f"{path}: not UTF-8 text at byte {failure.start}") from None
    # not splitlines: JSON text may hold the other line separators of Unicode
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _read(line: str) -> tuple[Label | None, list[str]]:
    try:
        content = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as failure:
        return None, [f"not JSON: {failure.msg} at column {failure.colno}"]
    except (ValueError, RecursionError) as failure:
        return None, [f"not JSON: {failure}"]
    if not isinstance(content, dict):
        return None, [f"not an object but {type(content).__name__}"]
    try:
        return Label.model_validate(content), []
    except ValidationError as failure:
        lines = explain(failure, Label)
        single = isinstance(content.get("human"), dict)
        return None, [text.replace("human[0].", "human.", 1) if single else text for text in lines]


def _off_scale(label: Label, scale: Sequence[float]) -> Iterator[str]:
    raters: dict[str, Mapping[str, float | None]] = {"judge": label.judge}
    for at, scores in enumerate(label.human):
        raters["human" if len(label.human) == 1 else f"human[{at}]"] = scores
    shown = ", ".join(f"{value:g}" for value in scale)
    for rater, given in raters.items():
        for dimension, score in given.items():
            if score is not None and score not in scale:
                meant = scale[int(np.argmin(np.abs(np.subtract(scale, score))))]
                yield f"{rater}.{dimension}: {score:g} is not on the scale {shown}; the nearest is {meant:g}"


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise ValueError(f"{key!r} is given twice")
        content[key] = value
    return content


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
