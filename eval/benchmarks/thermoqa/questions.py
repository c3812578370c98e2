"""ThermoQA's published format (Olivenet, CC-BY-4.0): files that the user supplies, and questions of our own.

Tiers 1 to 3 ask for properties, components and cycles. One JSON object a line; this module turns each
into a Problem and says which file, line and field is at fault where it cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.thermoqa.published_names import KEY_UNITS, NAMES, describe, symbol_of
from ansatz.eval.problem import Given, LabelTarget, NumberTarget, Problem, Target, Tolerance
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import check_choices, find_faulty_fields

BENCHMARK = "thermoqa"
TIERS = (1, 2, 3)


def load(questions: str = "", tiers: Sequence[int] = ()) -> tuple[Problem, ...]:
    """The questions of a JSONL file, or of every *questions*.jsonl in a folder; of some tiers where named.

    They are not shipped; `ansatz benchmark thermoqa generate` makes others of their kind. Raises InvalidData.
    """
    if not questions:
        raise InvalidData(
            "questions: say in which file or folder they lie, as with thermoqa:questions=FILE, or of a study "
            "with -o problems.0.settings.questions=FILE; they are published at "
            "https://github.com/olivenet-iot/ThermoQA"
        )
    wanted = check_tiers(tiers)
    read = [each for file in _files(Path(questions)) for each in _read(file)]
    return tuple(question.problem(place) for place, question in read if question.tier in wanted)


def check_tiers(tiers: Sequence[int]) -> Sequence[int]:
    """The tiers named, or all where none is. Raises InvalidData at the first that there is not."""
    check_choices("tiers", [str(tier) for tier in tiers], [str(tier) for tier in TIERS])
    return tiers or TIERS


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class ExpectedNumber(_Model):
    """A number asked for, in the published spelling of its unit."""

    value: float
    unit: str
    tolerance_pct: float = Field(ge=0)
    abs_tolerance: float = Field(ge=0)


class ExpectedPhase(_Model):
    """A phase asked for, by our name of it (see `State.phase`)."""

    value: str
    type: Literal["exact_match"]
    acceptable_aliases: tuple[str, ...] = ()


def _kind(expected: object) -> str:
    is_phase = isinstance(expected, ExpectedPhase) or (isinstance(expected, dict) and "type" in expected)
    return "phase" if is_phase else "number"


ExpectedValue = Annotated[
    Annotated[ExpectedPhase, Tag("phase")] | Annotated[ExpectedNumber, Tag("number")], Discriminator(_kind)
]


class _Step(_Model):
    id: str
    weight: float = Field(gt=0)
    unit: str = ""


class _Metadata(_Model):
    template_id: str
    coolprop_version: str | None = None
    generated_at: str | None = None
    verified: bool = False
    validated: bool = False


class PublishedQuestion(_Model):
    """One line of a file. `kind` and `depth` go by the names that a tier has for them."""

    id: str
    tier: int
    kind: str
    depth: str
    fluid: str = ""
    difficulty: str
    question: str
    given: dict[str, float | str] = {}
    expected: dict[str, ExpectedValue] = Field(min_length=1)
    steps: tuple[_Step, ...] = ()
    metadata: _Metadata

    def row(self) -> dict[str, Any]:
        """The JSON object of a published file."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def line(self) -> str:
        """One line of a JSONL file, without its line break."""
        return json.dumps(self.row(), ensure_ascii=False)

    def problem(self, place: str = "") -> Problem:
        """Raises InvalidData, which begins with the place, where the question gives a value no weight."""
        weights = {step.id: step.weight for step in self.steps}
        for key in self.expected if self.tier > 1 else ():
            if key not in weights:
                raise InvalidData(f"{place or self.id}: steps: there is no step {key!r} to give it a weight")
        targets = (_target(key, each, weights.get(key, 1.0)) for key, each in self.expected.items())
        tags = {"tier": str(self.tier), "difficulty": self.difficulty}
        tags |= {"category": self.kind, "subcategory": self.depth}
        return Problem(
            id=self.id,
            family=self.metadata.template_id,
            benchmark=BENCHMARK,
            question=self.question,
            # the given data of the other tiers contradict their own units in places
            givens=tuple(_givens(self.given)) if self.tier == 1 else (),
            targets=tuple(targets),
            tags=tags | ({"fluid": self.fluid} if self.tier > 1 else {}),
        )


class _Lookup(PublishedQuestion):
    tier: Literal[1]
    kind: str = Field(alias="category")
    depth: str = Field(alias="subcategory")


class _Component(PublishedQuestion):
    tier: Literal[2]
    kind: str = Field(alias="component")
    fluid: str


class _Cycle(PublishedQuestion):
    tier: Literal[3]
    kind: str = Field(alias="cycle_type")
    fluid: str


_Line = Annotated[_Lookup | _Component | _Cycle, Field(discriminator="tier")]
_LINE: TypeAdapter[_Lookup | _Component | _Cycle] = TypeAdapter(_Line)


def parse(content: object, place: str = "question") -> PublishedQuestion:
    """The question of one line's object. Raises InvalidData with the place and its first faulty field."""
    if isinstance(content, str):
        raise InvalidData(f"{place}: {content}")
    try:
        return _LINE.validate_python(content)
    except ValidationError as problems:
        raise InvalidData(f"{place}: {find_faulty_fields(problems, _Line)[0]}") from None


def _files(path: Path) -> list[Path]:
    found = sorted(path.glob("*questions*.jsonl")) if path.is_dir() else [path]
    if not found:
        raise InvalidData(f"{path}: the folder has no *questions*.jsonl file")
    return found


def _read(file: Path) -> Iterator[tuple[str, PublishedQuestion]]:
    seen: dict[str, str] = {}
    for place, content in read_objects(file):
        question = parse(content, place)
        if question.id in seen:
            raise InvalidData(f"{place}: id: {question.id!r} is already {seen[question.id]}")
        seen[question.id] = place
        yield place, question


_UNITS = {theirs: ours for ours, theirs in NAMES["units"].items()}
_UNITS |= {"kJ/(kg·K)": "kJ/(kg*K)", "dimensionless": "-"}


def _target(key: str, expected: ExpectedPhase | ExpectedNumber, weight: float) -> Target:
    if isinstance(expected, ExpectedPhase):
        return LabelTarget(
            name="phase",
            weight=weight,
            value=expected.value,
            accepted=expected.acceptable_aliases,
            description=describe("phase"),
        )
    return NumberTarget(
        name=symbol_of(key),
        unit=_UNITS.get(expected.unit, expected.unit),
        weight=weight,
        value=expected.value,
        published_tolerance=Tolerance(relative=expected.tolerance_pct / 100, absolute=expected.abs_tolerance),
        description=describe(symbol_of(key)),
    )


def _givens(given: Mapping[str, float | str]) -> Iterator[Given]:
    for key, value in given.items():
        symbol = symbol_of(key)
        yield Given(name=symbol, value=value, unit=KEY_UNITS.get(key.removeprefix(symbol), "-"))
