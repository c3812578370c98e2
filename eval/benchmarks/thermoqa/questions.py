"""ThermoQA's published question format (Olivenet, CC-BY-4.0): read its files, and make new questions in it.

Tiers 1 to 3 ask for properties, components and cycles. A file has one JSON object per line, and each object
becomes a Problem. Errors state file, line and field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.published_names import KEY_UNITS, NAMES, describe, symbol_of
from ansatz.eval.benchmarks.thermoqa.reading import is_balance
from ansatz.eval.problem import Given, LabelTarget, NumberTarget, Problem, Target, Tolerance
from ansatz.eval.problem_files import read_objects
from ansatz.eval.problem_schema import CANARY
from ansatz.eval.validation import check_choices, find_faulty_fields

BENCHMARK = "thermoqa"
TIERS = (1, 2, 3)
QuestionKind = tuple[str, ...]
"""A kind of question: category, name, fluid in tier 1; component or cycle, depth, fluid in the others."""

_RELATIVE_PERCENT = 2.0  # the published tolerance of every value
_CHECKED = {1: {"verified": True}, 2: {"validated": True}, 3: {}}


def load(questions: str = "", tiers: Sequence[int] = ()) -> tuple[Problem, ...]:
    """Return the questions of a JSONL file, or of every *questions*.jsonl file of a folder.

    `tiers` selects from them; empty selects all. Ansatz does not include the published files, but `ansatz
    benchmark thermoqa generate` makes questions of the same kinds. Raises InvalidData.
    """
    if not questions:
        raise InvalidData(
            "questions: name their file or folder, as with thermoqa:questions=FILE, or of a study "
            "with -o problems.0.settings.questions=FILE; they are published at "
            "https://github.com/olivenet-iot/ThermoQA"
        )
    wanted = check_tiers(tiers)
    found = [each for file in _files(Path(questions)) for each in _read(file)]
    return tuple(question.problem(place) for place, question in found if question.tier in wanted)


def check_tiers(tiers: Sequence[int]) -> Sequence[int]:
    """Return the tiers, or all tiers if there are none. Raises InvalidData for a tier that does not exist."""
    check_choices("tiers", [str(tier) for tier in tiers], [str(tier) for tier in TIERS])
    return tiers or TIERS


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class ExpectedNumber(_Model):
    """A requested number."""

    value: float
    unit: str
    """The unit in the published spelling."""
    tolerance_pct: float = Field(ge=0)
    """The published relative tolerance, in percent."""
    abs_tolerance: float = Field(ge=0)
    """The published absolute tolerance, in the unit."""


class ExpectedPhase(_Model):
    """A requested phase."""

    value: str
    """The name of the phase, as in `State.phase`."""
    type: Literal["exact_match"]
    acceptable_aliases: tuple[str, ...] = ()
    """Other accepted names."""


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
    """One line of a file."""

    id: str
    tier: int
    kind: str
    """The category, component or cycle."""
    depth: str
    """The subcategory in tier 1; A, B or C in tiers 2 and 3."""
    fluid: str = ""
    difficulty: str
    question: str
    given: dict[str, float | str] = {}
    expected: dict[str, ExpectedValue] = Field(min_length=1)
    """The key by published name, such as h_f_kJ_kg."""
    steps: tuple[_Step, ...] = ()
    """The weights of the expected values, in tiers 2 and 3."""
    metadata: _Metadata

    def row(self) -> dict[str, Any]:
        """Return the JSON object of a published file."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def line(self) -> str:
        """Return one line of a JSONL file, without its line break."""
        return json.dumps({**self.row(), "canary": CANARY}, ensure_ascii=False)

    def problem(self, place: str = "") -> Problem:
        """Return the question as a problem.

        Raises InvalidData, starting with the place, if an expected value has no weight.
        """
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
            # in tiers 2 and 3 some published givens contradict their own units
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


def parse_question(content: object, place: str = "question") -> PublishedQuestion:
    """Return the question of a JSON object. Raises InvalidData with the place and the first faulty field."""
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
    places: dict[str, str] = {}
    for place, content in read_objects(file):
        question = parse_question(content, place)
        if question.id in places:
            raise InvalidData(f"{place}: id: {question.id!r} is already {places[question.id]}")
        places[question.id] = place
        yield place, question


_UNITS = {published: unit for unit, published in NAMES["units"].items()}
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


def expect_number(value: float, unit: str, absolute: float) -> ExpectedNumber:
    """Return an expected number with an absolute tolerance.

    It has twelve significant digits: more than the equations of state are worth, fewer than a float prints.
    """
    rounded = float(f"{value:.12g}")
    return ExpectedNumber(value=rounded, unit=unit, tolerance_pct=_RELATIVE_PERCENT, abs_tolerance=absolute)


def expect_phase(phase: str) -> ExpectedPhase:
    """Return an expected phase with its published aliases."""
    return ExpectedPhase(value=phase, type="exact_match", acceptable_aliases=NAMES["phases"][phase])


def make_question(
    prose: str, expected: Mapping[str, ExpectedNumber | ExpectedPhase], template_id: str, **fields: Any
) -> PublishedQuestion:
    """Return a question without an id; `generated_at` is null, so that a seed determines every byte.

    Raises Infeasible if a value is so near zero that an answer of 0 could be correct. The closure error of an
    energy balance is always zero; the strict rule does not score it.
    """
    for name, one in expected.items():
        if isinstance(one, ExpectedPhase) or is_balance(name):
            continue
        if not abs(one.value) >= NAMES["smallest"][one.unit]:
            raise Infeasible(f"{name} is too near zero")
    origin = {"template_id": template_id, "coolprop_version": _coolprop_version(), "generated_at": None}
    return parse_question(
        {"id": "", "question": f"{prose}\n\n{_answer_block(expected)}", "expected": expected, **fields}
        | {"metadata": origin | _CHECKED[fields["tier"]]}
    )


def _answer_block(expected: Mapping[str, ExpectedNumber | ExpectedPhase]) -> str:
    """Return the lines that an answer fills in, with symbols that both scoring rules can read."""
    lines = []
    for name, one in expected.items():
        if isinstance(one, ExpectedPhase):
            lines.append("Phase: ___")
        else:
            unit = NAMES["typeset"].get(one.unit, one.unit.replace("*", "·"))
            lines.append(f"{NAMES['rates'].get(name, symbol_of(name))} = ___ {unit}".rstrip())
    return "\n".join(("Report your answers as:", *lines))


@cache
def _coolprop_version() -> str:
    return version("CoolProp")
