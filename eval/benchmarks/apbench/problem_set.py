"""Problem sets: templates whose questions build on each other, with vectors, and formulas in SI units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import yaml
from pydantic import Field, TypeAdapter, model_validator

from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS
from ansatz.eval.benchmarks.templates.si_template import CataloguedFormula, FormulaStep, SITemplate
from ansatz.eval.benchmarks.templates.template import Language
from ansatz.eval.benchmarks.templates.template_parts import (
    PLACEHOLDER,
    FormulationSpec,
    GivenSpec,
    QuestionSpec,
    StepSpec,
)
from ansatz.knowledge_base.equation import Library, Relation
from ansatz.quantities.did_you_mean import nearest

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
Entry = TypeVar("Entry")


class CataloguedConstant(GivenSpec):
    """A constant that sets can state."""

    source: str = Field(min_length=1)
    """The source of the value."""


@cache
def constants() -> Mapping[str, CataloguedConstant]:
    """Return the constants by name, from `constants.yaml`."""
    return TypeAdapter(dict[str, CataloguedConstant]).validate_python(_read_yaml("constants"))


@cache
def formulas() -> Mapping[str, CataloguedFormula]:
    """Return the formulas by name, from `formulas.yaml`."""
    return TypeAdapter(dict[str, CataloguedFormula]).validate_python(_read_yaml("formulas"))


def _read_yaml(name: str) -> Any:
    file = Path(__file__).with_name(f"{name}.yaml")
    return yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


class SetQuestion(QuestionSpec):
    """One question of a set."""

    level: Literal["L1", "L2", "L3"]
    steps: tuple[FormulaStep, ...] = ()
    """The steps in addition to those of earlier questions."""
    formulas: tuple[str, ...]
    """The names of the formulas of its solution."""

    @property
    def results(self) -> set[str]:
        """The quantities of its answer, or of the conditions that select an option."""
        options = self.choice.options.values() if self.choice else ()
        conditions = (Relation.parse(each.when, FUNCTIONS).names for each in options if each.when)
        words = PLACEHOLDER.findall(self.answer.text) if self.answer else ()
        return {*self.targets, *words}.union(*conditions)


class ProblemSet(SITemplate):
    """One file and one family. Formulas are in SI units and can call the reference functions."""

    benchmark: ClassVar[str] = "apbench"
    functions = FUNCTIONS
    in_sentences: ClassVar[str] = "Answer in one or two sentences."
    tries: ClassVar[int] = 5000  # few random sightings belong to an orbit above the ground

    title: str
    statement: str = ""
    constants: tuple[str, ...] = ()
    """The names of the constants that the problem states after the context."""
    steps: tuple[FormulaStep, ...]
    """The steps of all questions."""
    assumptions: str = Field(min_length=1)
    """The assumptions of all solutions."""
    formulation: FormulationSpec = FormulationSpec(approach="", assumptions="")
    questions: tuple[SetQuestion, ...] = Field(min_length=3, max_length=5)

    @model_validator(mode="before")
    @classmethod
    def _look_up_names(cls, fields: Any) -> Any:
        """Turn constants into givens, and formulas into the approach of a question, and collect all steps."""
        if not isinstance(fields, dict):
            return fields
        story, assumptions = fields.get("context", ""), fields.get("assumptions", "")
        stated = _look_up("constants", fields.get("constants", ()), constants())
        if stated:
            texts = (f"{name} = {{{name}}} {each.unit} ({each.description})" for name, each in stated.items())
            story = f"{story}\n\nConstants: {'; '.join(texts).replace(' - (', ' (')}."
        questions = []
        for question in fields.get("questions", ()):
            used = _look_up("formulas", question.get("formulas", ()), formulas())
            approach = "; ".join(each.text for each in used.values())
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
    def question_specs(self) -> Sequence[SetQuestion]:
        return self.questions

    def stated(self, question: QuestionSpec) -> dict[str, GivenSpec]:
        """Return the constants, and the givens in the context, in this question, or in an earlier one."""
        text = " ".join([self.context, *(each.statement for each in self._up_to(question))])
        return {name: given for name, given in super().stated(question).items() if f"{{{name}}}" in text}

    def steps_to(self, question: QuestionSpec) -> Sequence[StepSpec]:
        """Return the steps from the givens to the answer, with the necessary steps of earlier questions."""
        *_, last = questions = self._up_to(question)
        needed = last.results | {step.gives for step in last.steps}
        steps: list[StepSpec] = []
        for step in reversed([step for each in questions for step in each.steps]):
            if step.gives in needed:
                needed |= self.parse(step.expression).names
                steps.append(step)
        return steps[::-1]

    def _up_to(self, question: QuestionSpec) -> Sequence[SetQuestion]:
        return self.questions[: [each is question for each in self.questions].index(True) + 1]

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        return {"topic": self.topic, "set": self.name, "title": self.title}


def _look_up(field: str, names: Iterable[str], catalogue: Mapping[str, Entry]) -> dict[str, Entry]:
    for name in names:
        if name not in catalogue:
            raise ValueError(f"{field}: there is no {name!r}{nearest(name, catalogue)}")
    return {name: catalogue[name] for name in names}
