"""What a judge marks, and on which scale: a rubric, from a file, a name or a line of text.

A Markdown rubric has an optional head between lines of `---` (the fields of `RubricFile` but criteria), then
the instructions, then a section `## name` or `## name: Title` for each criterion, with anchors as it likes.
A YAML rubric has the same as fields. Names such as "tps" are those of the files in `rubrics/`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.errors import AnsatzError
from ansatz.eval.validation import explain
from ansatz.quantities.did_you_mean import nearest

Scale = tuple[int, int]
_SHIPPED = files(__package__).joinpath("rubrics")
_HEAD = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)


class InvalidRubric(AnsatzError, ValueError):
    """A rubric cannot be read; the message says where and why."""


@dataclass(frozen=True)
class Criterion:
    """One thing that is marked. `text` is what a judge reads of it; `labels` name points, such as A: 3."""

    name: str
    text: str = ""
    scale: Scale = (0, 2)
    weight: float = 1.0
    labels: Mapping[str, int] | None = None

    def share(self, points: float) -> float:
        """Points as a share of the scale, from 0 to 1."""
        low, high = self.scale
        return (points - low) / (high - low)

    def label(self, points: int) -> str:
        """The name of so many points; the number where they have none."""
        return next((name for name, worth in (self.labels or {}).items() if worth == points), str(points))


@dataclass(frozen=True)
class Rubric:
    """Criteria with the instructions that stand before them, and the form of a reply.

    `tags` are kinds of errors that a judge may tag; with `overall`, it also marks the whole from 0 to 100;
    with `abstain`, it may say that it cannot tell. `reason` is the field of a reply that says why. `task`
    ends the request of a flat rubric, and names what is marked in any other.
    """

    instructions: str
    criteria: tuple[Criterion, ...]
    tags: tuple[str, ...] = ()
    overall: bool = False
    abstain: bool = False
    tool: str = "record_marks"
    reason: str = "justification"
    task: str = ""

    @property
    def is_flat(self) -> bool:
        """Whether a reply is one reason and one mark, with nothing around them."""
        return len(self.criteria) == 1 and not self.tags and not self.overall

    def of(self, *names: str) -> Rubric:
        """The rubric of these criteria alone, in this order."""
        held = {each.name: each for each in self.criteria}
        return replace(self, criteria=tuple(held[name] for name in names))

    def may_abstain(self) -> Rubric:
        """The rubric in which a judge may say that it cannot tell."""
        told = f"{self.instructions}\n\n{prompt('abstention', reason=self.reason)}"
        return replace(self, abstain=True, instructions=told)

    @property
    def sha256(self) -> str:
        """Hash of all that a judge may see of it."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @classmethod
    def of_text(cls, criterion: str, scale: Scale = (0, 2)) -> Rubric:
        """The rubric that marks one thing, said in a line or in a paragraph."""
        low, high = scale
        text = f"{criterion.strip()}\n\nWhole numbers from {low} (not at all) to {high} (fully)."
        return cls(_completed(prompt("instructions")), (Criterion("points", text, scale),))

    @classmethod
    def load(cls, name: str | Path) -> Rubric:
        """A shipped rubric such as "tps", or a file (.md, .yaml). Raises InvalidRubric, with its name."""
        path = Path(name)
        if path.suffix in (".md", ".yaml", ".yml"):
            try:
                text = path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeError) as failure:
                raise InvalidRubric(f"{path}: {getattr(failure, 'strerror', failure)}") from failure
            found = _of_file(text, str(path), path.suffix == ".md")
            return replace(found, instructions=_completed(found.instructions or prompt("instructions")))
        return _shipped(str(name))


class CriterionFile(BaseModel):
    """`anchors` say what points stand for, `examples` show answers with their points and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    anchors: dict[int, str] = {}
    examples: tuple[dict[str, str | int], ...] = ()
    scale: Scale | None = None
    weight: float | None = Field(default=None, gt=0)

    def text(self, name: str) -> str:
        shown = ["; ".join(f"{key}: {value}" for key, value in each.items()) for each in self.examples]
        lists = [[f"- {points}: {anchor}" for points, anchor in sorted(self.anchors.items())]]
        lists += [["Examples:", "", *(f"- {each}" for each in shown)]] if shown else []
        return "\n\n".join(
            [f"## {name}", self.question.strip(), *("\n".join(each) for each in lists if each)]
        )


class RubricFile(BaseModel):
    """The fields of a rubric file. `scale` and `weights` hold where a criterion has none of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    instructions: str = ""
    instructions_of: str | None = None
    criteria: dict[str, str | CriterionFile] = {}
    scale: Scale = (0, 2)
    weights: dict[str, Annotated[float, Field(gt=0)]] = {}
    labels: dict[str, int] | None = None
    tags: tuple[str, ...] = ()
    overall: bool = False
    tool: str = "record_marks"
    reason: str = "justification"
    task: str = ""

    def rubric(self) -> Rubric:
        for name in self.weights.keys() - self.criteria.keys():
            raise InvalidRubric(f"weights: there is no criterion {name!r}{nearest(name, [*self.criteria])}")
        of_others = _shipped(self.instructions_of).instructions if self.instructions_of else ""
        return Rubric(
            of_others or self.instructions.strip(),
            tuple(self._criterion(name, given) for name, given in self.criteria.items()),
            **self.model_dump(include={"tags", "overall", "tool", "reason", "task"}),
        )

    def _criterion(self, name: str, given: str | CriterionFile) -> Criterion:
        own = given if isinstance(given, CriterionFile) else None
        scale = (own and own.scale) or self.scale
        if self.labels:
            scale = (min(self.labels.values()), max(self.labels.values()))
        if scale[0] >= scale[1]:
            raise InvalidRubric(f"{name}: a scale goes up, unlike {scale[0]} to {scale[1]}")
        for points in own.anchors if own else ():
            if not scale[0] <= points <= scale[1]:
                raise InvalidRubric(f"{name}: {points} is not on the scale from {scale[0]} to {scale[1]}")
        weight = (own and own.weight) or self.weights.get(name, 1.0)
        text = own.text(name) if own else str(given)
        return Criterion(name, text, scale, weight, self.labels)


def prompt(name: str, **values: Any) -> str:
    """A prompt file of this folder."""
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
    return text.format(**values) if values else text


@cache
def _shipped(name: str) -> Rubric:
    known = sorted(each.name.removesuffix(".md") for each in _SHIPPED.iterdir())
    if name not in known:
        raise InvalidRubric(f"there is no rubric {name!r}{nearest(name, known)}; a file ends in .md or .yaml")
    return _of_file(_SHIPPED.joinpath(f"{name}.md").read_text(encoding="utf-8"), f"{name}.md", True)


def _completed(instructions: str) -> str:
    """What every judge is told, whoever wrote the rubric: what the fence means, and how to reply."""
    return f"{instructions}\n\n{prompt('form')}"


def _of_file(text: str, place: str, is_markdown: bool) -> Rubric:
    try:
        content = _of_markdown(text) if is_markdown else yaml.safe_load(text)
        held = RubricFile.model_validate(content)
        if not held.criteria:
            raise InvalidRubric("it has no criteria; a section `## name` is one")
        return held.rubric()
    except (ValidationError, yaml.YAMLError, InvalidRubric) as fault:
        faults = explain(fault, RubricFile) if isinstance(fault, ValidationError) else str(fault).split()
        between = "; " if isinstance(fault, ValidationError) else " "
        raise InvalidRubric(f"{place}: {between.join(map(str, faults))}") from None


def _of_markdown(text: str) -> dict[str, Any]:
    """Head, instructions and sections; the instructions explain a criterion whose section is empty."""
    found = _HEAD.match(text)
    head = yaml.safe_load(found["head"]) or {} if found else {}
    if not isinstance(head, dict):
        raise InvalidRubric("what stands between the lines of --- must be fields, such as `scale: [0, 3]`")
    first, *sections = re.split(r"^(?=## )", found["body"] if found else text, flags=re.MULTILINE)
    criteria = {}
    for section in sections:
        title, _, body = section.strip().partition("\n")
        name = re.split(r":\s", title[3:])[0].strip()
        if name in criteria:
            raise InvalidRubric(f"two criteria are called {name!r}")
        criteria[name] = section.strip() if body.strip() else ""
    return {
        **head,
        "instructions": re.sub(r"^# Criteria\s*\Z", "", first, flags=re.MULTILINE).strip(),
        "criteria": criteria,
    }
