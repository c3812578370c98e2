"""A problem set's file: a shared story, its givens, and questions that build on one another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from ansatz.eval.benchmarks.apbench.expressions import FormulaError, names
from ansatz.eval.benchmarks.templates.template_files import read_all, read_one
from ansatz.eval.benchmarks.templates.template_parts import TemplatePart
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import parse_unit

FOLDER = Path(__file__).parent / "sets"
Topic = Literal[
    "two_body",
    "elements",
    "time_of_flight",
    "lambert",
    "manoeuvres",
    "interplanetary",
    "perturbations",
    "cr3bp",
    "relative_motion",
    "attitude",
    "orbit_determination",
]
TOPICS: tuple[Topic, ...] = get_args(Topic)
_STEP = re.compile(r"(?P<symbol>[A-Za-z]\w*) \[(?P<unit>[^\]]+)\] = (?P<expression>.+)", re.DOTALL)


def _is_unit(text: str) -> str:
    parse_unit(text)
    return text


def _is_formula(text: str) -> str:
    try:
        names(text)
    except FormulaError as error:
        raise ValueError(str(error)) from None
    return text


def _is_text(text: str) -> str:
    if re.search(r"\{\W*\}", text):
        raise ValueError("has an empty placeholder")
    return text


Unit = Annotated[str, AfterValidator(_is_unit)]
SetFormula = Annotated[str, AfterValidator(_is_formula)]
Text = Annotated[str, AfterValidator(_is_text)]
"""With {symbols} in the place of quantities."""


class CataloguedConstant(TemplatePart):
    """One number as a problem states it: `value` in `unit`."""

    value: float
    unit: str
    description: str = Field(alias="is")
    source: str = Field(min_length=1)


class CataloguedFormula(TemplatePart):
    """`equations` are the ids of the same formula, or its parts, in the knowledge base."""

    text: str = Field(min_length=1)
    source: str = Field(min_length=1)
    equations: tuple[str, ...] = ()


@cache
def constants() -> Mapping[str, CataloguedConstant]:
    """What sets may name as constants, from `constants.yaml`."""
    return TypeAdapter(dict[str, CataloguedConstant]).validate_python(_fields("constants"))


@cache
def formulas() -> Mapping[str, CataloguedFormula]:
    """What solutions rest on, from `formulas.yaml`."""
    return TypeAdapter(dict[str, CataloguedFormula]).validate_python(_fields("formulas"))


def _fields(name: str) -> Any:
    return yaml.load(
        Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )


class SetGiven(TemplatePart):
    """A stated quantity: fixed (`value`), drawn (`low`, `high`, `step`, or `among`), or made.

    A made one is the formula `make`, in SI units, rounded to `places` decimals of `unit`; a vector is stated
    by its components. A hidden one is only there to make others from.
    """

    name: str = Field(alias="is", default="")
    unit: Unit
    value: float | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = Field(default=None, gt=0)
    among: tuple[float, ...] = ()
    make: SetFormula | None = None
    places: int = 3
    hidden: bool = False

    @model_validator(mode="after")
    def _one_way_to_a_value(self) -> SetGiven:
        drawn = self.low is not None
        if sum((self.value is not None, drawn, bool(self.among), bool(self.make))) != 1:
            raise ValueError("needs exactly one of value, low (with high and step), among, and make")
        if drawn and (self.high is None or self.step is None or self.high <= (self.low or 0.0)):
            raise ValueError("low needs a higher high, and a step")
        if not self.hidden and not self.name:
            raise ValueError("needs `is`, what it is called, unless it is hidden")
        return self


class SetStep(TemplatePart):
    """One line of a worked solution, written `symbol [unit] = formula` in SI units."""

    symbol: str
    unit: Unit
    expression: SetFormula

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, text: object) -> object:
        found = _STEP.fullmatch(" ".join(text.split())) if isinstance(text, str) else None
        if not found:
            raise ValueError("must be written as `symbol [unit] = formula`")
        return found.groupdict()


class QuestionSpec(TemplatePart):
    """One question. `answers` names the steps asked for; a message or a choice has its own fields."""

    ask: Text = Field(min_length=1)
    level: Literal["L1", "L2", "L3"]
    steps: tuple[SetStep, ...] = ()
    answers: dict[str, str] = Field(default={})
    message: Text = ""
    options: dict[str, str] = Field(default={})
    choose: SetFormula | None = None
    formulas: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["number", "message", "choice"]:
        return "message" if self.message else "choice" if self.options else "number"

    @model_validator(mode="after")
    def _one_kind_of_answer(self) -> QuestionSpec:
        if sum((bool(self.answers), bool(self.message), bool(self.options))) != 1:
            raise ValueError("needs exactly one of answers, message, and options (with choose)")
        if bool(self.options) != bool(self.choose):
            raise ValueError("options and choose belong together")
        return self


class SetTemplate(TemplatePart):
    """One file, one family. `name` and `topic` are those of its path."""

    name: str
    topic: Topic
    title: str
    constants: tuple[str, ...] = ()
    givens: dict[str, SetGiven]
    require: tuple[SetFormula, ...] = ()
    content: Text
    assumptions: str = Field(min_length=1)
    questions: tuple[QuestionSpec, ...] = Field(min_length=3, max_length=5)

    @property
    def shown(self) -> tuple[str, ...]:
        """The givens that texts state."""
        return tuple(name for name, given in self.givens.items() if not given.hidden)


@cache
def read_sets(folder: Path = FOLDER) -> tuple[SetTemplate, ...]:
    """Every set under a folder, in the order of topics and names.

    Raises InvalidData with one line for each thing that is wrong.
    """
    found = read_all(folder, lambda file, _: read_set(file))
    return tuple(sorted(found, key=lambda each: (TOPICS.index(each.topic), each.name)))


def read_set(file: Path) -> SetTemplate:
    """One set; its topic is the folder and its name the file. Raises InvalidData with a line per fault."""
    return read_one(file, SetTemplate, _faults, {"name": file.stem, "topic": file.parent.name})


def placeholders(text: str) -> list[str]:
    """The quantities that a text shows, as `{symbol}`."""
    return [name for _, name, _, _ in Formatter().parse(text) if name]


def _faults(template: SetTemplate) -> Iterator[str]:
    """What is named before it has a value, or twice, or never stated."""
    yield from _unknown("constants", template.constants, constants())
    known = set(template.constants)
    for name, given in template.givens.items():
        if name in known:
            yield f"givens.{name}: is already a constant"
        yield from _unknown(f"givens.{name}.make", names(given.make) if given.make else (), known)
        known.add(name)
    for index, text in enumerate(template.require):
        yield from _unknown(f"require[{index}]", names(text), known)
    shown = {*template.constants, *template.shown}
    yield from _unknown("content", placeholders(template.content), shown)
    stated = set(placeholders(template.content))
    for index, question in enumerate(template.questions):
        yield from _question_faults(f"questions[{index}]", question, shown)
        stated.update(placeholders(question.ask))
        shown |= {step.symbol for step in question.steps}
    yield from (f"givens.{name}: no text states it" for name in template.shown if name not in stated)


def _question_faults(field: str, question: QuestionSpec, shown: Iterable[str]) -> Iterator[str]:
    yield from _unknown(f"{field}.ask", placeholders(question.ask), shown)
    here = set(shown)
    for index, step in enumerate(question.steps):
        yield from _unknown(f"{field}.steps[{index}]", names(step.expression), here)
        if step.symbol in here:
            yield f"{field}.steps[{index}]: {step.symbol!r} already has a value"
        here.add(step.symbol)
    yield from _unknown(f"{field}.answers", question.answers, [step.symbol for step in question.steps])
    yield from _unknown(f"{field}.choose", names(question.choose) if question.choose else (), here)
    yield from _unknown(f"{field}.message", placeholders(question.message), here)
    yield from _unknown(f"{field}.formulas", question.formulas, formulas())


def _unknown(field: str, wanted: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    valid = sorted(known)
    yield from (
        f"{field}: there is no {name!r}{nearest(name, valid)}" for name in wanted if name not in valid
    )
