"""A problem set: a template whose questions build on one another, with vectors and formulas in SI units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
import yaml
from pydantic import Field, TypeAdapter, model_validator

from ansatz.errors import ExpressionError
from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template import Language, Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import (
    PLACEHOLDER,
    FormulationSpec,
    GivenSpec,
    QuestionSpec,
    StepSpec,
    TemplatePart,
)
from ansatz.knowledge_base.equation import Expression, Library, Relation
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import quantity

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
Catalogued = TypeVar("Catalogued")
_STEP = re.compile(r"(?P<gives>[A-Za-z]\w*) \[(?P<unit>[^\]]+)\] = (?P<expression>.+)")


class CataloguedConstant(GivenSpec):
    """A constant that sets may state, with its source."""

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
    file = Path(__file__).with_name(f"{name}.yaml")
    return yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


class SetStep(StepSpec):
    """One line of a worked solution, written `symbol [unit] = formula` in SI units."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, text: object) -> object:
        found = _STEP.fullmatch(" ".join(text.split())) if isinstance(text, str) else None
        if not found:
            raise ValueError("must be written as `symbol [unit] = formula`")
        return found.groupdict()


class SetQuestion(QuestionSpec):
    """One question of a set; `formulas` are what its solution rests on."""

    level: Literal["L1", "L2", "L3"]
    steps: tuple[SetStep, ...] = ()
    formulas: tuple[str, ...]

    @property
    def shown(self) -> set[str]:
        """The quantities that its answer consists of or is chosen by."""
        options = self.choice.options.values() if self.choice else ()
        conditions = (Relation.parse(each.when, FUNCTIONS).names for each in options if each.when)
        words = PLACEHOLDER.findall(self.answer.text) if self.answer else ()
        return {*self.targets, *words}.union(*conditions)


class ProblemSet(Template):
    """One file, one family. Formulas are in SI units and may call the reference functions.

    `constants` are givens of the catalogue, listed behind the context. Each question has the steps it adds.
    """

    benchmark: ClassVar[str] = "apbench"
    in_sentences: ClassVar[str] = "Answer in one or two sentences."
    tries: ClassVar[int] = 5000  # an orbit above the ground is rare among sightings drawn freely

    title: str
    statement: str = ""
    constants: tuple[str, ...] = ()
    steps: tuple[SetStep, ...]
    assumptions: str = Field(min_length=1)
    formulation: FormulationSpec = FormulationSpec(approach="", assumptions="")
    questions: tuple[SetQuestion, ...] = Field(min_length=3, max_length=5)

    @model_validator(mode="before")
    @classmethod
    def _from_the_catalogues(cls, fields: Any) -> Any:
        """Constants become givens, formulas the approach of a question, and all steps one way."""
        if not isinstance(fields, dict):
            return fields
        story, assumptions = fields.get("context", ""), fields.get("assumptions", "")
        stated = _of("constants", fields.get("constants", ()), constants())
        if stated:
            told = (f"{name} = {{{name}}} {each.unit} ({each.description})" for name, each in stated.items())
            story = f"{story}\n\nConstants: {'; '.join(told).replace(' - (', ' (')}."
        questions = []
        for question in fields.get("questions", ()):
            rests_on = _of("formulas", question.get("formulas", ()), formulas())
            approach = "; ".join(each.text for each in rests_on.values())
            formulation = {"approach": approach, "assumptions": assumptions}
            questions.append({**question, "formulation": formulation})
        return {
            **fields,
            "context": story,
            "givens": {**stated, **fields.get("givens", {})},
            "steps": [step for question in questions for step in question.get("steps", ())],
            "questions": questions,
        }

    @property
    def topic(self) -> str:
        return self.id.split(".")[0]

    @property
    def name(self) -> str:
        return self.id.split(".")[1]

    @property
    def seed_key(self) -> str:
        return f"{self.benchmark}/{self.name}"

    @property
    def asked(self) -> Sequence[SetQuestion]:
        return self.questions

    def stated(self, question: QuestionSpec) -> dict[str, GivenSpec]:
        """The constants, and the givens that the context, this question or one before it states."""
        text = " ".join([self.context, *(each.statement for each in self._up_to(question))])
        return {name: given for name, given in super().stated(question).items() if f"{{{name}}}" in text}

    def steps_to(self, question: QuestionSpec) -> Sequence[StepSpec]:
        """The steps from the givens to the answer, those of earlier questions that it needs among them."""
        *_, last = asked = self._up_to(question)
        needed = last.shown | {step.gives for step in last.steps}
        kept: list[StepSpec] = []
        for step in reversed([step for each in asked for step in each.steps]):
            if step.gives in needed:
                needed |= _formula(step.expression).names
                kept.append(step)
        return kept[::-1]

    def _up_to(self, question: QuestionSpec) -> Sequence[SetQuestion]:
        return self.questions[: [each is question for each in self.questions].index(True) + 1]

    def value(self, formula: str, numbers: Numbers, unit: str = "-") -> Any:
        """A float or a vector; the formula is in SI units and radians. Raises Infeasible."""
        read = _formula(formula)
        try:
            found = read(self._si(read.names, numbers)) / si_factor(unit)
        except ExpressionError as error:
            raise Infeasible(str(error)) from error
        if not np.all(np.isfinite(found)):
            raise Infeasible(f"{formula} has no finite value")
        return found if np.ndim(found) else float(found)

    def holds(self, condition: str, numbers: Numbers) -> bool:
        relation = Relation.parse(condition, FUNCTIONS)
        return relation.holds(self._si(relation.names, numbers))

    def _si(self, names: Iterable[str], numbers: Numbers) -> dict[str, Any]:
        return {name: numbers[name] * si_factor(self.units[name]) for name in names}

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        return {"topic": self.topic, "set": self.name, "title": self.title}


@cache
def _formula(text: str) -> Expression:
    return Expression.parse(text, FUNCTIONS)


@cache
def si_factor(unit: str) -> float:
    """What a value in `unit` is multiplied by to be in SI units (angles in radians)."""
    return float(quantity(1.0, unit).to_base_units().magnitude)


def _of(field: str, names: Iterable[str], catalogue: Mapping[str, Catalogued]) -> dict[str, Catalogued]:
    for name in names:
        if name not in catalogue:
            raise ValueError(f"{field}: there is no {name!r}{nearest(name, catalogue)}")
    return {name: catalogue[name] for name in names}
