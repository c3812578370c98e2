"""Answers that both people and a judge scored: JSONL, one answer a line.

    {"answer_id": "a17", "human": {"G1": 2, "G4": 1}, "judge": {"G1": 2, "G4": 2}, "family": "couette",
     "tags": {"arm": "protocol"}}

`human` is one rater's scores or a list of several raters'; a score is a number of the scale or null where
that rater could not tell. Answers of one `family` (by default each its own) depend on each other. Several
files are joined by `answer_id`, so that each rater may keep one and the judge's scores may come from another,
also as the JSON that `ansatz score --json` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import InvalidData, explain, read_json

Rating = Annotated[float, Field(strict=True, allow_inf_nan=False)] | None
Name = Annotated[str, Field(min_length=1, strict=True)]

THREE_POINTS = (0.0, 1.0, 2.0)


class Label(BaseModel):
    """One answer's scores by dimension: one mapping for each person, and the judge's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer_id: Name
    human: tuple[dict[Name, Rating], ...] = ()
    judge: dict[Name, Rating] = {}
    family: Name | None = None
    tags: dict[Name, Name] = {}

    @field_validator("human", mode="before")
    @classmethod
    def _as_raters(cls, value: Any) -> Any:
        if value == []:
            raise ValueError("needs the scores of one rater at least")
        return (value,) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _has_scores(self) -> Self:
        if not self.human and not self.judge:
            raise ValueError("neither human nor judge has a score")
        return self


def read_labels(files: Sequence[Path], scale: Sequence[float] = THREE_POINTS) -> tuple[Label, ...]:
    """The labels of all files, joined by answer, in the order of their first mention.

    Raises InvalidData with a line `file:line: field: what is wrong` per fault.
    """
    joined: dict[str, Label] = {}
    faults: list[str] = []
    for file in files:
        in_file: dict[str, str] = {}
        for place, content in _scored(file) if file.suffix == ".json" else read_objects(file):
            label, wrong = _read(content)
            if label:
                id = label.answer_id
                wrong = list(_off_scale(label, scale))
                if id in in_file:
                    wrong.append(f"answer_id: {id!r} is already on {in_file[id]}")
                elif id in joined:
                    wrong += _clashes(joined[id], label)
                in_file.setdefault(id, f"line {place.rpartition(':')[2]}")
                joined[id] = _joined(joined[id], label) if id in joined and not wrong else label
            faults += [f"{place}: {fault}" for fault in wrong]
    if faults:
        raise InvalidData("\n".join(faults))
    if not joined:
        raise InvalidData(f"{', '.join(map(str, files))}: there is no label in it")
    return tuple(joined.values())


def _scored(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The judge's scores from what `ansatz score --json` prints; answers to one problem are a family."""
    try:
        for number, answer in enumerate(read_json(file)["answers"], start=1):
            fields = {"answer_id": "answer_id", "judge": "dimensions", "family": "problem_id"}
            yield f"{file}:answer {number}", {field: answer[name] for field, name in fields.items()}
    except (KeyError, TypeError) as failure:
        raise InvalidData(f"{file}: not the JSON of `ansatz score --json` ({failure!r})") from None


def _read(content: dict[str, Any] | str) -> tuple[Label | None, list[str]]:
    """The label of a line, or what is wrong with it."""
    if isinstance(content, str):
        return None, [content]
    try:
        return Label.model_validate(content), []
    except ValidationError as failure:
        single = isinstance(content.get("human"), dict)
        lines = explain(failure, Label)
        return None, [text.replace("human[0].", "human.", 1) if single else text for text in lines]


def _clashes(first: Label, second: Label) -> Iterator[str]:
    """What two files say differently of one answer."""
    if first.judge and second.judge:
        yield f"judge: {first.answer_id!r} has scores of a judge in an earlier file"
    for tag in first.tags.keys() & second.tags.keys():
        if first.tags[tag] != second.tags[tag]:
            yield f"tags.{tag}: {second.tags[tag]!r} here, {first.tags[tag]!r} in an earlier file"


def _joined(first: Label, second: Label) -> Label:
    return Label(
        answer_id=first.answer_id,
        human=first.human + second.human,
        judge=first.judge or second.judge,
        family=first.family or second.family,
        tags={**first.tags, **second.tags},
    )


def _off_scale(label: Label, scale: Sequence[float]) -> Iterator[str]:
    raters: dict[str, Mapping[str, float | None]] = {"judge": label.judge}
    for at, scores in enumerate(label.human):
        raters["human" if len(label.human) == 1 else f"human[{at}]"] = scores
    shown = ", ".join(f"{value:g}" for value in scale)
    for rater, given in raters.items():
        for dimension, score in given.items():
            if score is not None and score not in scale:
                meant = min(scale, key=lambda point: abs(point - score))
                yield f"{rater}.{dimension}: {score:g} is not on the scale {shown}; the nearest is {meant:g}"
