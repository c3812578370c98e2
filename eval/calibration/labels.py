"""Labels: answers that annotators and a judge scored, as JSONL with one answer per line.

    {"answer_id": "a17", "human": {"G1": 2, "G4": 1}, "judge": {"G1": 2, "G4": 2}, "family": "couette",
     "tags": {"arm": "protocol"}}

`human` holds the scores of one annotator, or a list with the scores of several. A score is a point of the
scale, or null if the annotator could not decide. Answers of one `family` depend on each other; by default
each answer is its own family. Several files are joined by `answer_id`, so each annotator may have a separate
file. The judge's scores may also come from the output of `ansatz score --json`. The page that `ansatz label`
writes exports such lines, with the fields from `annotator` on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.errors import InvalidData
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import explain, read_json

Rating = Annotated[float, Field(strict=True, allow_inf_nan=False)] | None
Name = Annotated[str, Field(min_length=1, strict=True)]

THREE_POINTS = (0.0, 1.0, 2.0)


class Label(BaseModel):
    """The scores of one answer by dimension."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer_id: Name
    """Unique within a file."""
    human: tuple[dict[Name, Rating], ...] = ()
    """One mapping of scores per annotator."""
    judge: dict[Name, Rating] = {}
    """The judge's scores."""
    family: Name | None = None
    """The family of answers that depend on each other."""
    tags: dict[Name, Name] = {}
    """What to compare by, such as the arm or the model."""
    annotator: Name | None = None
    """Who gave the human scores."""
    rubric: Name | None = None
    """Hash of the criteria that the annotator saw."""
    scales: dict[Name, tuple[int, int]] = {}
    """By dimension, the lowest and the highest point, if it is not that of the file."""
    adjudicates: bool = False
    """Whether these scores decide between other annotators."""
    probability: Annotated[float, Field(gt=0, le=1)] | None = None
    """The probability that this answer was drawn to be labelled."""
    seconds: Annotated[float, Field(ge=0)] | None = None
    """How long the annotator looked at the answer."""
    note: str = ""
    """A remark of the annotator."""
    skipped: str = ""
    """Why the annotator gave no score."""

    def scale_of(self, dimension: str) -> tuple[float, float]:
        """Return the lowest and the highest point of a dimension."""
        return self.scales.get(dimension, (min(THREE_POINTS), max(THREE_POINTS)))

    @field_validator("human", mode="before")
    @classmethod
    def _as_raters(cls, value: Any) -> Any:
        if value == []:
            raise ValueError("needs the scores of one annotator at least")
        return (value,) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _has_scores(self) -> Self:
        if not self.human and not self.judge:
            raise ValueError("neither human nor judge has a score")
        return self


def read_labels(files: Sequence[Path], scale: Sequence[float] = THREE_POINTS) -> tuple[Label, ...]:
    """Read the labels of all files and join them by answer, in order of first appearance.

    Raises
    ------
    InvalidData
        With one line per fault, `file:line: field: what is wrong`.
    """
    labels: dict[str, Label] = {}
    decisions: dict[str, Label] = {}
    rubrics: dict[str, str] = {}
    faults: list[str] = []
    for file in files:
        lines_in_file: dict[str, str] = {}
        for place, content in _read_score_output(file) if file.suffix == ".json" else read_objects(file):
            label, wrong = _parse_label(content)
            if label:
                id = label.answer_id
                wrong = [*_find_off_scale(label, scale), *_find_other_rubric(label, rubrics)]
                if id in lines_in_file:
                    wrong.append(f"answer_id: {id!r} is already on {lines_in_file[id]}")
                elif id in labels:
                    wrong += _find_conflicts(labels[id], label)
                lines_in_file.setdefault(id, f"line {place.rpartition(':')[2]}")
                into = decisions if label.adjudicates else labels
                into[id] = _join_labels(into[id], label) if id in into and not wrong else label
            faults += [f"{place}: {fault}" for fault in wrong]
    if faults:
        raise InvalidData("\n".join(faults))
    for id, decision in decisions.items():
        labels[id] = _adjudicate(labels[id], decision) if id in labels else decision
    if not labels:
        raise InvalidData(f"{', '.join(map(str, files))}: there is no label in it")
    return tuple(labels.values())


def _read_score_output(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the judge's scores from the output of `ansatz score --json`; each problem is one family."""
    try:
        for number, answer in enumerate(read_json(file)["answers"], start=1):
            fields = {"answer_id": "answer_id", "judge": "dimensions", "family": "problem_id"}
            yield f"{file}:answer {number}", {field: answer[name] for field, name in fields.items()}
    except (KeyError, TypeError) as failure:
        raise InvalidData(f"{file}: not the JSON of `ansatz score --json` ({failure!r})") from None


def _parse_label(content: dict[str, Any] | str) -> tuple[Label | None, list[str]]:
    """Return the label of a line, or None and what is wrong with the line."""
    if isinstance(content, str):
        return None, [content]
    try:
        return Label.model_validate(content), []
    except ValidationError as failure:
        is_single = isinstance(content.get("human"), dict)
        lines = explain(failure, Label)
        return None, [line.replace("human[0].", "human.", 1) if is_single else line for line in lines]


def _find_conflicts(first: Label, second: Label) -> Iterator[str]:
    """Describe where two files contradict each other about one answer."""
    if first.judge and second.judge:
        yield f"judge: {first.answer_id!r} has scores of a judge in an earlier file"
    for tag in first.tags.keys() & second.tags.keys():
        if first.tags[tag] != second.tags[tag]:
            yield f"tags.{tag}: {second.tags[tag]!r} here, {first.tags[tag]!r} in an earlier file"


def _join_labels(first: Label, second: Label) -> Label:
    annotators = dict.fromkeys(filter(None, (first.annotator, second.annotator)))
    update = {
        "human": first.human + second.human,
        "judge": first.judge or second.judge,
        "family": first.family or second.family,
        "tags": {**first.tags, **second.tags},
        "annotator": ", ".join(annotators) or None,
        "scales": {**first.scales, **second.scales},
    }
    return first.model_copy(update=update)


def _adjudicate(label: Label, decision: Label) -> Label:
    """Replace the scores of all annotators on the dimensions that an adjudicator decided."""
    decided = {name: score for rater in decision.human for name, score in rater.items() if score is not None}
    raters = tuple({**rater, **decided} for rater in label.human)
    is_settled = all(rater == raters[0] for rater in raters)
    return label.model_copy(update={"human": raters[:1] if is_settled else raters})


def _find_off_scale(label: Label, scale: Sequence[float]) -> Iterator[str]:
    """Describe each score that is not a point of the scale."""
    raters: dict[str, Mapping[str, float | None]] = {"judge": label.judge}
    for index, scores in enumerate(label.human):
        raters["human" if len(label.human) == 1 else f"human[{index}]"] = scores
    for rater, rated in raters.items():
        for dimension, score in rated.items():
            low, high = label.scales.get(dimension, (0, -1))
            points = tuple(map(float, range(low, high + 1))) or scale
            if score is not None and score not in points:
                closest = min(points, key=lambda point: abs(point - score))
                listed = ", ".join(f"{point:g}" for point in points)
                wrong = f"{score:g} is not on the scale {listed}; the nearest is {closest:g}"
                yield f"{rater}.{dimension}: {wrong}"


def _find_other_rubric(label: Label, rubrics: dict[str, str]) -> Iterator[str]:
    """Describe a label whose criteria differ from those of the first label of the same dimensions."""
    if label.rubric:
        dimensions = ", ".join(label.human[0] if label.human else ())
        if rubrics.setdefault(dimensions, label.rubric) != label.rubric:
            yield (
                f"rubric: the criteria of {dimensions} have changed since the first label of these files; "
                "label these answers again, or leave the file out"
            )
