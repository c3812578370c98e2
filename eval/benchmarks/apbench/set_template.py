"""What a problem set's file says: a shared story, its givens, and questions that build on one another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal

import yaml
from pydantic import Field, model_validator

from ansatz.eval.benchmarks.templates.template import Part

Kind = Literal["number", "message", "choice"]
Level = Literal["L1", "L2", "L3"]
TOPICS = (
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
)
_STEP = re.compile(r"(?P<symbol>[A-Za-z]\w*) \[(?P<unit>[^\]]+)\] = (?P<expression>.+)", re.DOTALL)


class Constant(Part):
    """One number as a problem states it: `value` in `unit`."""

    value: float
    unit: str
    description: str = Field(alias="is")
    source: str = Field(min_length=1)


class CataloguedFormula(Part):
    """`equations` are the ids of the same formula, or its parts, in the knowledge base."""

    text: str = Field(min_length=1)
    source: str = Field(min_length=1)
    equations: tuple[str, ...] = ()


@cache
def constants() -> Mapping[str, Constant]:
    """What sets may name as constants, from `constants.yaml`."""
    return {name: Constant.model_validate(fields) for name, fields in _fields("constants").items()}


@cache
def formulas() -> Mapping[str, CataloguedFormula]:
    """What solutions rest on, from `formulas.yaml`."""
    return {id: CataloguedFormula.model_validate(fields) for id, fields in _fields("formulas").items()}


def _fields(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


class SetGiven(Part):
    """A stated quantity: fixed (`value`), drawn (`low`, `high`, `step`, or `among`), or made.

    A made one is the formula `make`, in SI units, rounded to `places` decimals of `unit`; a vector is stated
    by its components. A hidden one is only there to make others from.
    """

    name: str = Field(alias="is", default="")
    unit: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = Field(default=None, gt=0)
    among: tuple[float, ...] = ()
    make: str = ""
    places: int = 3
    hidden: bool = False

    @model_validator(mode="after")
    def _one_way_to_a_value(self) -> SetGiven:
        drawn = self.low is not None
        if sum((self.value is not None, drawn, bool(self.among), bool(self.make))) != 1:
            raise ValueError("needs exactly one of value, low (with high and step), among, and make")
        if drawn and (self.high is None or self.step is None or self.high <= (self.low or 0.0)):
            raise ValueError("low needs a higher high, and a step")
        return self


class SetStep(Part):
    """One line of a worked solution, written `symbol [unit] = formula` in SI units."""

    symbol: str
    unit: str
    expression: str

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, text: object) -> object:
        if not isinstance(text, str):
            return text
        found = _STEP.fullmatch(" ".join(text.split()))
        if not found:
            raise ValueError("must be written as `symbol [unit] = formula`")
        return found.groupdict()


class QuestionSpec(Part):
    """One question. `answers` names the steps asked for; a message or a choice has its own fields."""

    ask: str = Field(min_length=1)
    level: Level
    steps: tuple[SetStep, ...] = ()
    answers: dict[str, str] = Field(default={})
    message: str = ""
    options: dict[str, str] = Field(default={})
    choose: str = ""
    formulas: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        if self.message:
            return "message"
        return "choice" if self.options else "number"

    @model_validator(mode="after")
    def _one_kind_of_answer(self) -> QuestionSpec:
        if sum((bool(self.answers), bool(self.message), bool(self.options))) != 1:
            raise ValueError("needs exactly one of answers, message, and options (with choose)")
        if bool(self.options) != bool(self.choose):
            raise ValueError("options and choose belong together")
        return self


class SetTemplate(Part):
    """One file, one family. `name` and `topic` are those of its path."""

    name: str
    topic: str
    title: str
    constants: tuple[str, ...] = ()
    givens: dict[str, SetGiven]
    require: tuple[str, ...] = ()
    content: str
    assumptions: str = Field(min_length=1)
    questions: tuple[QuestionSpec, ...] = Field(min_length=3, max_length=5)

    @property
    def shown(self) -> tuple[str, ...]:
        """The givens that texts state."""
        return tuple(name for name, given in self.givens.items() if not given.hidden)


def placeholders(text: str) -> list[str]:
    """The quantities that a text shows, as `{symbol}`."""
    return [name for _, name, _, _ in Formatter().parse(text) if name]
