"""A template of the physics set: one YAML file that any number of questions of one family are made from."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ansatz.eval.benchmarks.tps.template import (
    Calculation,
    FormulationSpec,
    GivenSpec,
    StepSpec,
    TargetSpec,
    TrapSpec,
    Value,
)

TOPICS = (
    "introduction",
    "mechanics",
    "electricity_magnetism",
    "thermodynamics",
    "waves_acoustics",
    "optics",
    "modern",
)
KINDS = ("problem_solving", "conceptual")
COGNITIVE = ("remember", "understand", "apply", "analyze", "evaluate", "create")
KNOWLEDGE = ("factual", "conceptual", "procedural")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WorkedStep(StepSpec):
    """A step as it is written out for learners: what it does, and why it is taken."""

    title: str
    reasoning: str


class EntitySpec(_Frozen):
    """What a retelling of the story may exchange: the words, and what it is.

    An object or a kind of person has no article; a name or a place stands as in a sentence ("the market").
    `quantities` names the givens and results that limit what may stand in its place, by property: mass,
    speed, length, height, volume, temperature, voltage, power, ...
    """

    text: str
    kind: str = Field(pattern=r"^[a-z][a-z_]*$")
    quantities: dict[str, str] = Field(default={})


class OptionSpec(_Frozen):
    """One option: words, or a number computed by a right or a mistaken formula.

    `text` may hold {names} of givens, results and words. `value` is arithmetic on the numbers, each in its
    own unit, and `unit` that of its result. `when` says for which numbers the option is right, where this
    depends on them. A wrong option that embodies a misconception names it.
    """

    text: str = ""
    value: str = ""
    unit: str = ""
    when: str = ""
    misconception: str = ""

    @model_validator(mode="after")
    def _is_words_or_number(self) -> OptionSpec:
        if bool(self.text) == bool(self.value):
            raise ValueError("needs either a text or a value")
        if bool(self.value) != bool(self.unit):
            raise ValueError("a value needs a unit, and a text has none")
        return self


class ChoiceSpec(_Frozen):
    """Lettered options in an order drawn by the seed.

    Right is the option named by `correct`, or by the word it stands for ({quantity}, a given that is a word),
    or else the only one whose `when` holds.
    """

    correct: str = ""
    options: dict[str, OptionSpec] = Field(min_length=3, max_length=6)


class AnswerSpec(_Frozen):
    """The answer in words; `key_points` are what a full answer says. Both may hold {names}."""

    text: str
    key_points: tuple[str, ...] = Field(min_length=2)


class Template(Calculation):
    """What a template file holds.

    `entities` are keyed by their place in the statement: person, place or object, with a number where
    there are several ({person}, {object2}); {a_object} or {A_object} puts the indefinite article before it.
    `words` are words that depend on the numbers: the first whose comparison holds.
    """

    kind: Literal["problem_solving", "conceptual"]
    cognitive: Literal["remember", "understand", "apply", "analyze", "evaluate", "create"]
    knowledge: Literal["factual", "conceptual", "procedural"]
    entities: dict[str, EntitySpec] = Field(default={})
    givens: dict[str, GivenSpec] = Field(default={})
    start: dict[str, Value] = Field(default={})
    steps: tuple[WorkedStep, ...] = ()
    words: dict[str, dict[str, str]] = Field(default={})
    targets: dict[str, TargetSpec] = Field(default={})
    choice: ChoiceSpec | None = None
    answer: AnswerSpec | None = None
    formulation: FormulationSpec
    trap: TrapSpec = TrapSpec(note="")

    @property
    def topic(self) -> str:
        return self.id.split(".")[0]
