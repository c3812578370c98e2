"""A problem template: one YAML file that any number of problems of one family are made from."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
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
)
from ansatz.eval.validation import explain
from ansatz.knowledge_base.equation import Expression, Library, Relation
from ansatz.quantities.did_you_mean import nearest

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
Numbers = Mapping[str, Any]
"""Givens and results by name, each in its unit; arrays are among them where formulas know vectors."""


class Template(QuestionSpec):
    """What a template file of any benchmark may hold; a benchmark adds its tags and what it demands.

    `start` gives first values, such as "1000 K", to results that are used before the step that gives
    them; the steps are then repeated until these values no longer change. `labels` are words asked for
    beside the numbers, `derivation` the closed form of one of the results.

    `context` is told before the question. `entities` are keyed by their place in the statement: person, place
    or object, with a number where there are several ({person}, {object2}); {a_object} or {A_object} puts the
    indefinite article before it.
    `words` are words that depend on the numbers: the first whose comparison holds.
    """

    benchmark: ClassVar[str]
    is_worked: ClassVar[bool] = False
    """Whether reference solutions end with the final answer in words."""
    in_sentences: ClassVar[str] = (
        "Answer in a few sentences, and say which physical principle your answer rests on."
    )
    tries: ClassVar[int] = 300
    """How often values are drawn that are then refused."""

    id: str
    context: str = ""
    entities: dict[str, EntitySpec] = Field(default={})
    givens: dict[str, GivenSpec] = Field(default={})
    start: dict[str, Value] = Field(default={})
    steps: tuple[StepSpec, ...] = ()
    words: dict[str, dict[str, str]] = Field(default={})
    trap: TrapSpec = TrapSpec(note="")
    bounds: dict[str, BoundSpec] = Field(default={})
    require: tuple[str, ...] = ()

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every given and result."""
        units = {name: given.unit for name, given in self.givens.items()}
        return units | {step.gives: step.unit for step in self.steps}

    @property
    def seed_key(self) -> str:
        """What the draws of its problems are seeded with."""
        return self.id

    @property
    def asked(self) -> Sequence[QuestionSpec]:
        """The questions on one draw: its own, or those of a set."""
        return (self,)

    def stated(self, question: QuestionSpec) -> dict[str, GivenSpec]:
        """The givens that a question states."""
        return {name: given for name, given in self.givens.items() if given.description}

    def way_to(self, question: QuestionSpec) -> Sequence[StepSpec]:
        """The steps that a question is answered by."""
        return self.steps

    def value(self, formula: str, numbers: Numbers, unit: str = "-") -> Any:
        """What a formula comes to: plain arithmetic on numbers, each in its own unit. Raises Infeasible."""
        try:
            return Expression.parse(formula)(numbers)
        except ExpressionError as error:
            raise Infeasible(str(error)) from error

    def holds(self, condition: str, numbers: Numbers) -> bool:
        return Relation.parse(condition).holds(numbers)

    @abstractmethod
    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        """The tags of its problems."""

    @model_validator(mode="after")
    def _asks_for_results(self) -> Template:
        results = [step.gives for step in self.steps]
        for name, count in Counter([*results, *self.givens]).items():
            if count > 1:
                raise ValueError(f"steps: {name!r} already has a value")
        targets = [name for question in self.asked for name in question.targets]
        for name in (*targets, *self.bounds, *self.start, *filter(None, [self.trap.replaces])):
            if name not in results:
                raise ValueError(f"{name!r} is given by no step{nearest(name, results)}")
        return self


Own = TypeVar("Own", bound=Template)


@cache
def read_templates(root: Path, model: type[Own]) -> tuple[Own, ...]:
    """The templates under a folder by id, read once. Raises InvalidData with a line for each fault."""
    found, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        try:
            found.append(read_template(file, model, ".".join(file.relative_to(root).with_suffix("").parts)))
        except InvalidData as error:
            lines.append(str(error))
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(sorted(found, key=lambda template: template.id))


def read_template(file: Path, model: type[Own], id: str) -> Own:
    """One template; its id is its path with dots, if it says one. Raises InvalidData with all faults."""
    try:
        # Read as text, so that 1e-4 is a number and NO nitric oxide; the fields' types do the rest.
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
