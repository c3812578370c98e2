"""A problem template: one YAML file that any number of problems of one family are made from."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from ansatz.eval.benchmarks.templates.template_parts import (
    AnswerSpec,
    BoundSpec,
    ChoiceSpec,
    DerivationSpec,
    EntitySpec,
    FormulationSpec,
    GivenSpec,
    LabelSpec,
    StepSpec,
    TargetSpec,
    TemplatePart,
    TrapSpec,
    Value,
)
from ansatz.knowledge_base.equation import Library
from ansatz.quantities.did_you_mean import nearest

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
_CHINESE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"


def _without_folds(text: str) -> str:
    """Chinese text without the spaces that YAML puts where a folded line ends."""
    return re.sub(rf"(?<={_CHINESE}) (?={_CHINESE})", "", text)


class Template(TemplatePart):
    """What a template file of any benchmark may hold; a benchmark adds its tags and what it demands.

    `start` gives first values, such as "1000 K", to results that are used before the step that gives
    them; the steps are then repeated until these values no longer change. `labels` are words asked for
    beside the numbers, `derivation` the closed form of one of the results. `statement_zh` is the statement
    in Chinese, with the same placeholders and units.

    `entities` are keyed by their place in the statement: person, place or object, with a number where
    there are several ({person}, {object2}); {a_object} or {A_object} puts the indefinite article before it.
    `words` are words that depend on the numbers: the first whose comparison holds.
    """

    benchmark: ClassVar[str]
    is_worked: ClassVar[bool] = False
    """Whether reference solutions end with the final answer in words."""

    id: str
    statement: str
    statement_zh: Annotated[str, AfterValidator(_without_folds)] = ""
    entities: dict[str, EntitySpec] = Field(default={})
    givens: dict[str, GivenSpec] = Field(default={})
    start: dict[str, Value] = Field(default={})
    steps: tuple[StepSpec, ...] = ()
    words: dict[str, dict[str, str]] = Field(default={})
    targets: dict[str, TargetSpec] = Field(default={})
    labels: dict[str, LabelSpec] = Field(default={})
    derivation: DerivationSpec | None = None
    choice: ChoiceSpec | None = None
    answer: AnswerSpec | None = None
    formulation: FormulationSpec
    trap: TrapSpec = TrapSpec(note="")
    bounds: dict[str, BoundSpec] = Field(default={})
    require: tuple[str, ...] = ()

    @property
    def units(self) -> dict[str, str]:
        """The unit of every given and result."""
        units = {name: given.unit for name, given in self.givens.items()}
        return units | {step.gives: step.unit for step in self.steps}

    @property
    def seed_key(self) -> str:
        """What the draws of its problems are seeded with."""
        return self.id

    @abstractmethod
    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        """The tags of its problems."""

    @model_validator(mode="after")
    def _asks_for_results(self) -> Template:
        results = [step.gives for step in self.steps]
        for name, count in Counter([*results, *self.givens]).items():
            if count > 1:
                raise ValueError(f"steps: {name!r} already has a value")
        for name in (*self.targets, *self.bounds, *self.start, *filter(None, [self.trap.replaces])):
            if name not in results:
                raise ValueError(f"{name!r} is given by no step{nearest(name, results)}")
        return self
