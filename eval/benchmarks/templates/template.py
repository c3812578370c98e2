"""A problem template: one YAML file from which any number of problems of one family are made."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import yaml
from pydantic import Field, ValidationError, model_validator

from ansatz.errors import ExpressionError, InvalidData
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template_parts import (
    BoundSpec,
    EntitySpec,
    GivenSpec,
    QuestionSpec,
    StepSpec,
    TrapSpec,
    Value,
    WrongBranch,
)
from ansatz.eval.problem import Tolerance
from ansatz.eval.validation import explain
from ansatz.knowledge_base.equation import Expression, Library, Relation
from ansatz.quantities.did_you_mean import nearest

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
Numbers = Mapping[str, Any]
"""Givens and results by name, each in its unit; a benchmark with vector formulas also has arrays."""


class Template(QuestionSpec):
    """The fields of a template file. A benchmark's subclass adds its tags and requirements."""

    benchmark: ClassVar[str]
    is_worked: ClassVar[bool] = False
    """Whether reference solutions end with the final answer in words."""
    in_sentences: ClassVar[str] = (
        "Answer in a few sentences, and say which physical principle your answer rests on."
    )
    tolerance: ClassVar[Tolerance | None] = None
    """The tolerance of its numbers; None for the default of the scorers."""
    tries: ClassVar[int] = 300
    """Number of draws before the template is reported as infeasible."""

    id: str
    context: str = ""
    """Text before the question."""
    entities: dict[str, EntitySpec] = Field(default={})
    """Persons, places and objects by their placeholder: {person}, {object2}. {a_object} and {A_object} put
    the indefinite article before the object."""
    givens: dict[str, GivenSpec] = Field(default={})
    start: dict[str, Value] = Field(default={})
    """First values, such as "1000 K", of results that are used before the step that gives them. The steps
    are repeated until these values no longer change."""
    steps: tuple[StepSpec, ...] = ()
    words: dict[str, dict[str, str]] = Field(default={})
    """Words that depend on the numbers: the first whose comparison holds."""
    trap: TrapSpec = TrapSpec(note="")
    branches: Mapping[str, WrongBranch] = Field(default={}, alias="traps")
    """Tempting mistakes by name, whose wrong answers are computed."""
    bounds: dict[str, BoundSpec] = Field(default={})
    require: tuple[str, ...] = ()
    """Comparisons that the numbers must fulfil."""

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every given and result."""
        units = {name: given.unit for name, given in self.givens.items()}
        return units | {step.gives: step.unit for step in flatten(self.steps)}

    @property
    def seed_key(self) -> str:
        """The text that seeds the draws, together with the seed and the index of the instance."""
        return self.id

    @property
    def question_specs(self) -> Sequence[QuestionSpec]:
        """The questions on one set of values: the template itself, or the questions of a set."""
        return (self,)

    def stated(self, question: QuestionSpec) -> dict[str, GivenSpec]:
        """Return the givens that a question states."""
        return {name: given for name, given in self.givens.items() if given.description}

    def steps_to(self, question: QuestionSpec) -> Sequence[StepSpec]:
        """Return the steps to the answer of a question; those of a search come before its result."""
        return tuple(flatten(self.steps))

    def take(self, branch: WrongBranch) -> Template:
        """Return the template with the steps of a wrong branch. Raises ValueError for a step it lacks."""
        other = {step.gives: step for step in branch.instead}
        if unknown := other.keys() - {step.gives for step in flatten(self.steps)}:
            raise ValueError(f"no step gives {', '.join(sorted(unknown))}")
        return self.model_copy(update={"steps": _replace_steps(self.steps, other), "branches": {}})

    def value(self, formula: str, numbers: Numbers, unit: str = "-") -> Any:
        """Evaluate plain arithmetic on numbers, each in its unit. Raises Infeasible."""
        try:
            return Expression.parse(formula)(numbers)
        except ExpressionError as error:
            raise Infeasible(str(error)) from error

    def holds(self, condition: str, numbers: Numbers) -> bool:
        return Relation.parse(condition).holds(numbers)

    @abstractmethod
    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        """Return the tags of its problems."""

    @model_validator(mode="after")
    def _check_results(self) -> Template:
        results = [step.gives for step in flatten(self.steps)]
        for name, count in Counter([*results, *self.givens]).items():
            if count > 1:
                raise ValueError(f"steps: {name!r} already has a value")
        targets = [name for question in self.question_specs for name in question.targets]
        for name in (*targets, *self.bounds, *self.start, *filter(None, [self.trap.replaces])):
            if name not in results:
                raise ValueError(f"no step gives {name!r}{nearest(name, results)}")
        for branch in self.branches.values():
            self.take(branch)
        return self


def flatten(steps: Sequence[StepSpec]) -> Iterator[StepSpec]:
    """Yield all steps in order; the steps of a search come before it."""
    for step in steps:
        yield from flatten(step.steps)
        yield step


def _replace_steps(steps: Sequence[StepSpec], other: Mapping[str, StepSpec]) -> tuple[StepSpec, ...]:
    return tuple(
        other[step.gives]
        if step.gives in other
        else step.model_copy(update={"steps": _replace_steps(step.steps, other)})
        for step in steps
    )


TemplateType = TypeVar("TemplateType", bound=Template)


@cache
def read_templates(root: Path, model: type[TemplateType]) -> tuple[TemplateType, ...]:
    """Return the templates under a folder, sorted by id. Raises InvalidData with a line for each fault."""
    found, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        try:
            found.append(read_template(file, model, ".".join(file.relative_to(root).with_suffix("").parts)))
        except InvalidData as error:
            lines.append(str(error))
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(sorted(found, key=lambda template: template.id))


def read_template(file: Path, model: type[TemplateType], id: str) -> TemplateType:
    """Read one template; an `id` in it must equal its path with dots. Raises InvalidData with all faults."""
    try:
        # Read scalars as text, so that 1e-4 becomes a number and NO stays nitric oxide.
        fields = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        found = model.model_validate({"id": id, **fields} if isinstance(fields, dict) else fields)
        lines = [] if found.id == id else [f"id: {found.id!r} must equal the path, {id!r}"]
    except yaml.YAMLError as error:
        lines = [f"not YAML: {' '.join(str(error).split())}"]
    except ValidationError as error:
        lines = explain(error, model)
    if lines:
        raise InvalidData("\n".join(f"{'/'.join(file.parts[-2:])}: {line}" for line in lines))
    return found
