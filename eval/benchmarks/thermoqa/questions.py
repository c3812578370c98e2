"""ThermoQA's published questions (Olivenet, CC-BY-4.0), read from files that the user supplies.

Tiers 1 to 3 ask for properties, components and cycles. One JSON object a line; this module turns each
into a Problem and says which file, line and field is at fault where it cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.thermoqa.published_names import (
    KEY_UNITS,
    PUBLISHED_UNITS,
    describe,
    key_of,
    symbol_of,
)
from ansatz.eval.problem import Given, LabelTarget, NumberTarget, Problem, Target, Tolerance

BENCHMARK = "thermoqa"
TIERS = (1, 2, 3)


class QuestionFileError(AnsatzError, ValueError):
    """A question file that cannot be used; the message names file, line and field."""


def load(questions: str = "", tiers: Sequence[int] = TIERS) -> tuple[Problem, ...]:
    """The questions of a JSONL file, or of every *questions*.jsonl in a folder, for the given tiers.

    They are not shipped; `ansatz benchmark thermoqa generate` makes others of their kind.
    """
    if not questions:
        raise QuestionFileError(
            "questions: say in which file or folder they lie, as with "
            "-o problems.0.settings.questions=FILE; they are published at "
            "https://github.com/olivenet-iot/ThermoQA"
        )
    return tuple(problem for _, problem in load_with_places(questions, tiers))


def load_with_places(questions: str, tiers: Sequence[int] = TIERS) -> tuple[tuple[str, Problem], ...]:
    """As `load`, each question after the `file:line` where it stands."""
    unknown = set(tiers) - set(TIERS)
    if unknown:
        raise QuestionFileError(f"there is no tier {min(unknown)}; the tiers are 1, 2 and 3")
    files = _files(Path(questions))
    return tuple((place, problem) for file in files for tier, place, problem in _read(file) if tier in tiers)


def read_question(content: object, place: str) -> Problem:
    """The problem of one line's object; `place` names the line where QuestionFileError has to."""
    return _problem(_parse(content, place), place)


def published_key(problem: Problem, target: Target) -> str:
    """The name a target has in the published files: tier 1 appends the unit, as in h_f_kJ_kg."""
    if problem.tags.get("tier") != "1":
        return target.name
    if isinstance(target, NumberTarget):
        return key_of(target.name, target.unit)
    return "phase_name"


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Number(_Model):
    value: float
    unit: str
    tolerance_pct: float = Field(ge=0)
    abs_tolerance: float = Field(ge=0)


class _Phase(_Model):
    value: str
    type: Literal["exact_match"]
    acceptable_aliases: tuple[str, ...] = ()


def _kind(expected: object) -> str:
    return "phase" if isinstance(expected, dict) and "type" in expected else "number"


_Expected = Annotated[
    Annotated[_Phase, Tag("phase")] | Annotated[_Number, Tag("number")], Discriminator(_kind)
]


class _Step(_Model):
    id: str
    weight: float = Field(gt=0)


class _Metadata(_Model):
    template_id: str


class _Question(_Model):
    id: str
    tier: Literal[1, 2, 3]
    question: str
    difficulty: str
    given: dict[str, float | str] = {}
    expected: dict[str, _Expected] = Field(min_length=1)
    steps: tuple[_Step, ...] = ()
    metadata: _Metadata


class _Property(_Question):
    tier: Literal[1]
    category: str
    subcategory: str


class _Component(_Question):
    tier: Literal[2]
    component: str
    depth: str
    fluid: str


class _Cycle(_Question):
    tier: Literal[3]
    cycle_type: str
    depth: str
    fluid: str


_LINE: TypeAdapter[_Property | _Component | _Cycle] = TypeAdapter(
    Annotated[_Property | _Component | _Cycle, Field(discriminator="tier")]
)

_UNITS = {
    **{published: unit for unit, published in PUBLISHED_UNITS.items()},
    **{"kJ/(kg·K)": "kJ/(kg*K)", "dimensionless": "-"},
}


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(path.glob("*questions*.jsonl"))
        if not found:
            raise QuestionFileError(f"{path}: the folder has no *questions*.jsonl file")
        return found
    if not path.is_file():
        raise QuestionFileError(f"{path}: there is no such file or folder")
    return [path]


def _read(file: Path) -> Iterator[tuple[int, str, Problem]]:
    seen: dict[str, int] = {}
    for number, content in json_lines(file, QuestionFileError):
        place = f"{file}:{number}"
        question = _parse(content, place)
        if question.id in seen:
            raise QuestionFileError(f"{place}: id: {question.id!r} is already on line {seen[question.id]}")
        seen[question.id] = number
        yield question.tier, place, _problem(question, place)


def json_lines(file: Path, error: type[AnsatzError]) -> Iterator[tuple[int, Any]]:
    """The lines of a JSONL file that are not blank, by number; `error` names file, line and column."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as problem:
        raise error(f"{file}: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise error(f"{file}: byte {problem.start} is not UTF-8") from problem
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as problem:
                fault = f"column {problem.colno}: not JSON: {problem.msg}"
                raise error(f"{file}:{number}: {fault}") from problem


def _parse(content: object, place: str) -> _Property | _Component | _Cycle:
    try:
        return _LINE.validate_python(content)
    except ValidationError as problems:
        first = problems.errors()[0]
        raise QuestionFileError(f"{place}: {_field(first['loc'])}: {first['msg']}") from problems


def _field(location: tuple[int | str, ...]) -> str:
    """`expected.h_kJ_kg.value` from pydantic's path, which also names the branch of a union it tried."""
    own = [str(part) for part in location if part not in (*TIERS, "phase", "number")]
    return ".".join(own) or "the line"


def _problem(question: _Property | _Component | _Cycle, place: str) -> Problem:
    weights = {step.id: step.weight for step in question.steps}
    if question.tier != 1:
        for key in question.expected:
            if key not in weights:
                raise QuestionFileError(f"{place}: steps: there is no step {key!r} to give it a weight")
    return Problem(
        id=question.id,
        family=question.metadata.template_id,
        benchmark=BENCHMARK,
        question=question.question,
        givens=_givens(question),
        targets=tuple(
            _target(key, expected, weights.get(key, 1.0)) for key, expected in question.expected.items()
        ),
        tags=_tags(question),
    )


def _target(key: str, expected: _Phase | _Number, weight: float) -> Target:
    if isinstance(expected, _Phase):
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
        tolerance=Tolerance(relative=expected.tolerance_pct / 100, absolute=expected.abs_tolerance),
        description=describe(symbol_of(key)),
    )


def _givens(question: _Property | _Component | _Cycle) -> tuple[Given, ...]:
    """Of tier 1 only: the given data of the other tiers contradict their own units in places."""
    if question.tier != 1:
        return ()
    return tuple(
        Given(name=symbol_of(key), value=value, unit=KEY_UNITS.get(key.removeprefix(symbol_of(key)), "-"))
        for key, value in question.given.items()
    )


def _tags(question: _Property | _Component | _Cycle) -> dict[str, Any]:
    tags = {"tier": str(question.tier), "difficulty": question.difficulty}
    if isinstance(question, _Property):
        return tags | {"category": question.category, "subcategory": question.subcategory}
    kind = question.component if isinstance(question, _Component) else question.cycle_type
    return tags | {"category": kind, "subcategory": question.depth, "fluid": question.fluid}
