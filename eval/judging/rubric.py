"""What a judge marks, and on which scale: a rubric, from a file, a name or a line of text.

A YAML rubric has the fields of `Rubric`. A Markdown rubric has them, but criteria, in an optional head
between lines of `---`, then the instructions, then a section `## name` or `## name: Title` for each
criterion. Names such as "tps" are those of the files in `rubrics/`.
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
_HEAD = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)


class Criterion(BaseModel):
    """One thing that is marked.

    `anchors` say what points stand for, `examples` show answers with their points and why. `labels` name
    points, such as A: 3, and make the scale. `title` heads it; without a `question`, the instructions explain
    it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    question: Stripped
    labels: dict[str, int] | None = None
    scale: Scale = (0, 2)
    anchors: dict[int, str] = {}
    examples: tuple[dict[str, str | int], ...] = ()
    weight: float = Field(1.0, gt=0)

    @model_validator(mode="after")
    def _is_on_its_scale(self) -> Self:
        if self.labels:
            object.__setattr__(self, "scale", (min(self.labels.values()), max(self.labels.values())))
        low, high = self.scale
        if low >= high:
            raise ValueError(f"a scale goes up, unlike {low} to {high}")
        for points in self.anchors:
            if not low <= points <= high:
                raise ValueError(f"{points} is not on the scale from {low} to {high}")
        return self

    @property
    def text(self) -> str:
        """What a judge reads of it; empty without a question."""
        shown = ["; ".join(f"{key}: {value}" for key, value in each.items()) for each in self.examples]
        parts = [
            f"## {self.title}" if self.title else "",
            self.question,
            "\n".join(f"- {points}: {anchor}" for points, anchor in sorted(self.anchors.items())),
            "\n".join(["Examples:", "", *(f"- {each}" for each in shown)]) if shown else "",
        ]
        return "\n\n".join(filter(None, parts)) if self.question else ""

    def share(self, points: float) -> float:
        """Points as a share of the scale, from 0 to 1."""
        low, high = self.scale
        return (points - low) / (high - low)

    def label(self, points: int) -> str:
        """The name of so many points; the number where they have none."""
        return next((name for name, worth in (self.labels or {}).items() if worth == points), str(points))


class Rubric(BaseModel):
    """Criteria by name with the instructions that stand before them, and the form of a reply.

    `tags` are kinds of errors that a judge may tag; with `overall`, it also marks the whole from 0 to 100;
    with `abstain`, it may say that it cannot tell. `reason` is the field of a reply that says why. `task`
    ends the request of a flat rubric, and names what is marked in any other.

    In a file a criterion may be a question alone, `instructions_of` takes those of a shipped rubric, and
    `scale`, `labels` and `weights` (by name) are those of criteria without their own.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    short_forms: ClassVar[tuple[str, ...]] = ("instructions_of", "scale", "labels", "weights")

    title: str = ""
    instructions: Stripped = ""
    criteria: dict[str, Criterion] = Field(min_length=1)
    tags: tuple[str, ...] = ()
    overall: bool = False
    abstain: bool = False
    tool: str = "record_marks"
    reason: str = "justification"
    task: str = ""

    @model_validator(mode="before")
    @classmethod
    def _spelled_out(cls, fields: Any) -> Any:
        """Every criterion with its title, and with what the file says of all."""
        if not isinstance(fields, dict) or not isinstance(fields.get("criteria"), dict):
            return fields
        full = {name: value for name, value in fields.items() if name not in cls.short_forms}
        shared = {name: fields[name] for name in ("scale", "labels") if name in fields}
        weights, full["criteria"] = fields.get("weights") or {}, {}
        for name, given in fields["criteria"].items():
            own = given if isinstance(given, dict) else {"question": given}
            weight = {"weight": weights[name]} if name in weights else {}
            full["criteria"][name] = {"title": str(name), **shared, **weight, **own}
        if strange := sorted(weights.keys() - full["criteria"].keys()):
            near = nearest(strange[0], list(full["criteria"]))
            raise ValueError(f"weights: there is no criterion {strange[0]!r}{near}")
        if "instructions_of" in fields:
            full["instructions"] = _shipped(fields["instructions_of"]).instructions
        return full

    @property
    def is_flat(self) -> bool:
        """Whether a reply is one reason and one mark, with nothing around them."""
        return len(self.criteria) == 1 and not self.tags and not self.overall

    def of(self, *names: str) -> Rubric:
        """The rubric of these criteria alone, in this order."""
        return self.model_copy(update={"criteria": {name: self.criteria[name] for name in names}})

    def may_abstain(self) -> Rubric:
        """The rubric in which a judge may say that it cannot tell."""
        told = f"{self.instructions}\n\n{prompt('abstention', reason=self.reason)}"
        return self.model_copy(update={"abstain": True, "instructions": told})

    @property
    def sha256(self) -> str:
        """Hash of all that a judge may see of it."""
        return hashlib.sha256(self.model_dump_json(exclude={"title"}).encode()).hexdigest()

    @classmethod
    def of_text(cls, criterion: str, scale: Scale = (0, 2)) -> Rubric:
        """The rubric that marks one thing, said in a line or in a paragraph."""
        low, high = scale
        text = f"{criterion.strip()}\n\nWhole numbers from {low} (not at all) to {high} (fully)."
        criteria = {"points": {"title": "", "question": text, "scale": scale}}
        return cls.model_validate({"instructions": _completed(""), "criteria": criteria})

    @classmethod
    def load(cls, name: str | Path) -> Rubric:
        """A shipped rubric such as "tps", or a file (.md, .yaml). Raises InvalidRubric, with its name."""
        path = Path(name)
        if path.suffix not in (".md", ".yaml", ".yml"):
            return _shipped(str(name))
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError) as failure:
            raise InvalidRubric(f"{path}: {getattr(failure, 'strerror', failure)}") from failure
        found = _of_file(text, str(path), path.suffix == ".md")
        return found.model_copy(update={"instructions": _completed(found.instructions)})


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
    return f"{instructions or prompt('instructions')}\n\n{prompt('form')}"


def _of_file(text: str, place: str, is_markdown: bool) -> Rubric:
    try:
        return Rubric.model_validate(_of_markdown(text) if is_markdown else yaml.safe_load(text))
    except ValidationError as fault:
        raise InvalidRubric(f"{place}: {'; '.join(explain(fault, Rubric))}") from None
    except (yaml.YAMLError, InvalidRubric) as fault:
        raise InvalidRubric(f"{place}: {' '.join(str(fault).split())}") from None


def _of_markdown(text: str) -> dict[str, Any]:
    """Head, instructions and sections; the instructions explain a criterion whose section is empty."""
    found = _HEAD.match(text)
    head = yaml.safe_load(found["head"]) or {} if found else {}
    if not isinstance(head, dict):
        raise InvalidRubric("what stands between the lines of --- must be fields, such as `scale: [0, 3]`")
    first, *sections = re.split(r"^## ", found["body"] if found else text, flags=re.MULTILINE)
    if not sections:
        raise InvalidRubric("it has no criteria; a section `## name` is one")
    criteria: dict[str, Any] = {}
    for section in sections:
        title, _, body = section.partition("\n")
        name = re.split(r":\s", title)[0].strip()
        if name in criteria:
            raise InvalidRubric(f"two criteria are called {name!r}")
        criteria[name] = {"title": title.strip(), "question": body}
    instructions = re.sub(r"^# Criteria\s*\Z", "", first, flags=re.MULTILINE)
    return {**head, "instructions": instructions, "criteria": criteria}
