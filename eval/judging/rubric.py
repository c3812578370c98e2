"""Rubrics: what a judge scores, and on which scale.

A rubric comes from a file, from a name such as "tps" (a file in `rubrics/`), or from a line of text. A YAML
file has the fields of `Rubric`. A Markdown file has these fields, without the criteria, in an optional header
between lines of `---`. Then follow the instructions, and a section `## name` or `## name: Title` for each
criterion.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from ansatz.errors import InvalidRubric
from ansatz.eval.validation import explain
from ansatz.quantities.did_you_mean import nearest

Scale = tuple[int, int]
Stripped = Annotated[str, StringConstraints(strip_whitespace=True)]
_SHIPPED = files(__package__).joinpath("rubrics")
_HEADER = re.compile(r"\A---\n(?P<header>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)


class Criterion(BaseModel):
    """One criterion of a rubric."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    """Heading in the prompt."""
    question: Stripped
    """What to score; if empty, the instructions explain the criterion."""
    labels: dict[str, int] | None = None
    """Names of points, such as A: 3. They replace the scale."""
    scale: Scale = (0, 2)
    """The lowest and the highest number of points."""
    anchors: dict[int, str] = {}
    """What some numbers of points mean."""
    examples: tuple[dict[str, str | int], ...] = ()
    """Answers with their points and the reason."""
    weight: float = Field(1.0, gt=0)
    """Weight in the mean of the rubric."""

    @model_validator(mode="after")
    def _check_scale(self) -> Self:
        if self.labels:
            object.__setattr__(self, "scale", (min(self.labels.values()), max(self.labels.values())))
        low, high = self.scale
        if low >= high:
            raise ValueError(f"scale: {low} is not below {high}")
        for points in self.anchors:
            if not low <= points <= high:
                raise ValueError(f"{points} is not on the scale from {low} to {high}")
        return self

    @property
    def text(self) -> str:
        """The criterion's part of the prompt; empty without a question."""
        examples = [
            "; ".join(f"{key}: {value}" for key, value in example.items()) for example in self.examples
        ]
        parts = [
            f"## {self.title}" if self.title else "",
            self.question,
            "\n".join(f"- {points}: {anchor}" for points, anchor in sorted(self.anchors.items())),
            "\n".join(["Examples:", "", *(f"- {each}" for each in examples)]) if examples else "",
        ]
        return "\n\n".join(filter(None, parts)) if self.question else ""

    def share(self, points: float) -> float:
        """Convert points to a share of the scale, from 0 to 1."""
        low, high = self.scale
        return (points - low) / (high - low)

    def label(self, points: int) -> str:
        """Return the label of a number of points, or the number if there is none."""
        return next((name for name, value in (self.labels or {}).items() if value == points), str(points))


class Rubric(BaseModel):
    """Criteria with their instructions, and the form of a reply.

    In a file, a criterion may be just a question, and these fields are also allowed: `instructions_of` (use
    the instructions of a rubric that comes with Ansatz), `scale` and `labels` (defaults for all criteria),
    and `weights` (by criterion).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    short_forms: ClassVar[tuple[str, ...]] = ("instructions_of", "scale", "labels", "weights")

    title: str = ""
    instructions: Stripped = ""
    """Text before the criteria."""
    criteria: dict[str, Criterion] = Field(min_length=1)
    """Criteria by name."""
    tags: tuple[str, ...] = ()
    """Kinds of errors that a judge may report."""
    overall: bool = False
    """Whether a judge also gives an overall score from 0 to 100."""
    abstain: bool = False
    """Whether a judge may answer that it cannot decide."""
    tool: str = "record_marks"
    """Name of the tool that records scores."""
    reason: str = "justification"
    """Name of the reply's field for the reason."""
    task: str = ""
    """The last line of a flat rubric's request; in other rubrics, what is scored, such as "solution"."""

    @model_validator(mode="before")
    @classmethod
    def _expand_short_forms(cls, fields: Any) -> Any:
        """Give every criterion its title and the defaults of the file."""
        if not isinstance(fields, dict) or not isinstance(fields.get("criteria"), dict):
            return fields
        full = {name: value for name, value in fields.items() if name not in cls.short_forms}
        defaults = {name: fields[name] for name in ("scale", "labels") if name in fields}
        weights, full["criteria"] = fields.get("weights") or {}, {}
        for name, given in fields["criteria"].items():
            criterion = given if isinstance(given, dict) else {"question": given}
            weight = {"weight": weights[name]} if name in weights else {}
            full["criteria"][name] = {"title": str(name), **defaults, **weight, **criterion}
        if unknown := sorted(weights.keys() - full["criteria"].keys()):
            hint = nearest(unknown[0], list(full["criteria"]))
            raise ValueError(f"weights: there is no criterion {unknown[0]!r}{hint}")
        if "instructions_of" in fields:
            full["instructions"] = _load_shipped(fields["instructions_of"]).instructions
        return full

    @property
    def is_flat(self) -> bool:
        """Whether a reply is just one reason and one score."""
        return len(self.criteria) == 1 and not self.tags and not self.overall

    def select(self, *names: str) -> Rubric:
        """Return the rubric with only these criteria, in this order."""
        return self.model_copy(update={"criteria": {name: self.criteria[name] for name in names}})

    def with_abstention(self) -> Rubric:
        """Return the rubric in which a judge may answer that it cannot decide."""
        instructions = f"{self.instructions}\n\n{read_prompt('abstention', reason=self.reason)}"
        return self.model_copy(update={"abstain": True, "instructions": instructions})

    @property
    def sha256(self) -> str:
        """Hash of everything that a judge may see of the rubric."""
        return hashlib.sha256(self.model_dump_json(exclude={"title"}).encode()).hexdigest()

    @classmethod
    def from_text(cls, criterion: str, scale: Scale = (0, 2)) -> Rubric:
        """Make a rubric of one criterion from a line or a paragraph."""
        low, high = scale
        text = f"{criterion.strip()}\n\nWhole numbers from {low} (not at all) to {high} (fully)."
        criteria = {"points": {"title": "", "question": text, "scale": scale}}
        return cls.model_validate({"instructions": _complete_instructions(""), "criteria": criteria})

    @classmethod
    def load(cls, name: str | Path) -> Rubric:
        """Load a rubric by its name, such as "tps", or from a file (.md, .yaml).

        Raises InvalidRubric with the name of the file.
        """
        path = Path(name)
        if path.suffix not in (".md", ".yaml", ".yml"):
            return _load_shipped(str(name))
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError) as failure:
            raise InvalidRubric(f"{path}: {getattr(failure, 'strerror', failure)}") from failure
        rubric = _parse_rubric(text, str(path), path.suffix == ".md")
        return rubric.model_copy(update={"instructions": _complete_instructions(rubric.instructions)})


def read_prompt(name: str, **values: Any) -> str:
    """Read a prompt file of this folder and fill in the values."""
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
    return text.format(**values) if values else text


@cache
def _load_shipped(name: str) -> Rubric:
    names = sorted(file.name.removesuffix(".md") for file in _SHIPPED.iterdir())
    if name not in names:
        raise InvalidRubric(f"there is no rubric {name!r}{nearest(name, names)}; a file ends in .md or .yaml")
    return _parse_rubric(_SHIPPED.joinpath(f"{name}.md").read_text(encoding="utf-8"), f"{name}.md", True)


def _complete_instructions(instructions: str) -> str:
    """Add what every judge needs to know: what the lines around the answer mean, and how to reply."""
    return f"{instructions or read_prompt('instructions')}\n\n{read_prompt('form')}"


def _parse_rubric(text: str, place: str, is_markdown: bool) -> Rubric:
    try:
        return Rubric.model_validate(_parse_markdown(text) if is_markdown else yaml.safe_load(text))
    except ValidationError as fault:
        raise InvalidRubric(f"{place}: {'; '.join(explain(fault, Rubric))}") from None
    except (yaml.YAMLError, InvalidRubric) as fault:
        raise InvalidRubric(f"{place}: {' '.join(str(fault).split())}") from None


def _parse_markdown(text: str) -> dict[str, Any]:
    """Parse header, instructions and sections; a section may be empty if the instructions explain it."""
    found = _HEADER.match(text)
    header = yaml.safe_load(found["header"]) or {} if found else {}
    if not isinstance(header, dict):
        raise InvalidRubric("the lines between --- must be fields, such as `scale: [0, 3]`")
    first, *sections = re.split(r"^## ", found["body"] if found else text, flags=re.MULTILINE)
    if not sections:
        raise InvalidRubric("it has no criteria; add a section `## name` for each")
    criteria: dict[str, Any] = {}
    for section in sections:
        title, _, body = section.partition("\n")
        name = re.split(r":\s", title)[0].strip()
        if name in criteria:
            raise InvalidRubric(f"two criteria are called {name!r}")
        criteria[name] = {"title": title.strip(), "question": body}
    instructions = re.sub(r"^# Criteria\s*\Z", "", first, flags=re.MULTILINE)
    return {**header, "instructions": instructions, "criteria": criteria}
