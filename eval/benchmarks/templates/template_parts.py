"""The parts of a template file: what is given, how it is solved, and what is asked for."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ansatz.quantities.did_you_mean import nearest

PLACEHOLDER = re.compile(r"\{(\w*)\}")
_CHINESE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"


def _number_or_word(read: Any) -> Any:
    try:
        return float(read)
    except (TypeError, ValueError):
        return read


def _without_folds(text: str) -> str:
    """Chinese text without the spaces that YAML puts where a folded line ends."""
    return re.sub(rf"(?<={_CHINESE}) (?={_CHINESE})", "", text)


def or_text_for(field: str) -> BeforeValidator:
    """Plain text in place of a part stands for this field of it."""
    return BeforeValidator(lambda read: {field: read} if isinstance(read, str) else read)


def round_to(digits: int, value: float) -> float:
    """The value with so many significant digits."""
    return float(f"{value:.{digits - 1}e}")


Value = Annotated[float | str, BeforeValidator(_number_or_word)]


class TemplatePart(BaseModel):
    """A part of a template file: no field that is not known, and nothing changed once it is read."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True)


class GivenSpec(TemplatePart):
    """A quantity: from a range (`between`) or list (`among`), fixed (`value`), or made by a formula (`make`).

    Sampled numbers are rounded to `digits` significant digits, or lie on a grid of `step`; what is made of
    the givens before it has `places` decimals. A word, such as a gas, has unit "-". A given without a
    description is not stated; others are made of it.
    """

    unit: str
    description: str = ""
    between: tuple[float, float] | None = None
    among: tuple[Value, ...] | None = Field(default=None, min_length=1)
    value: Value | None = None
    make: str | None = None
    digits: int = Field(default=3, ge=1, le=12)
    places: int = 3
    step: float | None = Field(default=None, gt=0)
    sampled: Literal["uniform", "log"] = "uniform"

    @model_validator(mode="after")
    def _has_one_source(self) -> GivenSpec:
        if sum(source is not None for source in (self.between, self.among, self.value, self.make)) != 1:
            raise ValueError("needs exactly one of between, among, value, make")
        if self.between and not self.between[0] < self.between[1]:
            raise ValueError(f"between {list(self.between)}: the first must be below the second")
        for limit in self.between or ():
            if not self.step and round_to(self.digits, limit) != limit:
                raise ValueError(f"between: {limit:g} has more than {self.digits} significant digits")
        if self.between and self.sampled == "log" and self.between[0] <= 0:
            raise ValueError("sampled: log needs a range above zero")
        return self


class StepSpec(TemplatePart):
    """One step of the reference solution: an equation of the knowledge base, arithmetic, or a change of unit.

    `with` maps the equation's symbols to givens, earlier results, or literals such as "300 K".
    `solve_for` names the symbol wanted where it is not the equation's own output. `expression` is plain
    arithmetic on the numbers found so far, each in its own unit (a ratio of two results, say). `converts`
    names a value that is only put into another unit. A step that is written out for learners has a `title`,
    what it does, and a `reasoning`, why it is taken.
    """

    equation: str = ""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    solve_for: str = ""
    expression: str = ""
    converts: str = ""
    gives: str
    unit: str
    title: str = ""
    reasoning: str = ""

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> StepSpec:
        if [bool(self.equation), bool(self.expression), bool(self.converts)].count(True) != 1:
            raise ValueError("needs either an equation or an expression, or a value that it converts")
        if not self.equation and (self.inputs or self.solve_for):
            raise ValueError("only an equation takes with and solve_for")
        return self


class TargetSpec(TemplatePart):
    """A result asked for, and how much of the score it is worth: an equal share where nothing is said."""

    weight: float | None = Field(default=None, gt=0, le=1)
    description: str


class LabelSpec(TemplatePart):
    """A word asked for: the first of `cases` whose comparison holds. `zh` has the words in Chinese."""

    weight: float = Field(gt=0, le=1)
    description: str
    cases: dict[str, str] = Field(min_length=2)
    zh: dict[str, str] = {}

    @model_validator(mode="after")
    def _says_every_word_in_chinese(self) -> LabelSpec:
        if self.zh and set(self.zh) != set(self.cases):
            raise ValueError(f"zh: must have the words {', '.join(self.cases)}")
        return self


class OptionSpec(TemplatePart):
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


class ChoiceSpec(TemplatePart):
    """Lettered options in an order drawn by the seed.

    Right is the option named by `correct`, or by the word it stands for ({quantity}, a given that is a word),
    or else the only one whose `when` holds.
    """

    correct: str = ""
    options: dict[str, OptionSpec] = Field(min_length=2, max_length=6)

    @model_validator(mode="after")
    def _has_a_right_option(self) -> ChoiceSpec:
        if bool(self.correct) == any(option.when for option in self.options.values()):
            raise ValueError("needs either correct, or options with when")
        if self.correct not in ("", *self.options) and not PLACEHOLDER.fullmatch(self.correct):
            raise ValueError(f"correct: {self.correct!r} is no option{nearest(self.correct, self.options)}")
        return self


class AnswerSpec(TemplatePart):
    """The answer in words; `key_points` are what a full answer says. Both may hold {names}."""

    text: str = Field(min_length=1)
    key_points: tuple[str, ...] = ()


class EntitySpec(TemplatePart):
    """What a retelling of the story may exchange: the words, and what it is.

    An object or a kind of person has no article; a name or a place stands as in a sentence ("the market").
    `quantities` names the givens and results that limit what may stand in its place, by property: mass,
    speed, length, height, volume, temperature, voltage, power, ...
    """

    text: str
    kind: str = Field(pattern=r"^[a-z][a-z_]*$")
    quantities: dict[str, str] = {}


class ArgumentStep(TemplatePart):
    """One line of an argument: `gives` equals `is`, by an operation on `of` that is checked.

    Expressions may name symbols, free variables such as a speed along a path, and earlier results. `at`
    puts expressions in the place of variables; `to` and `high` may be inf.
    """

    gives: str
    result: str = Field(alias="is")
    by: Literal["definition", "algebra", "solution", "derivative", "integral", "maximum", "minimum", "limit"]
    of: str = ""
    over: str = ""
    low: str = ""
    high: str = ""
    to: str = ""
    at: dict[str, str] = {}

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> ArgumentStep:
        needs = {"definition": (), "integral": ("of", "over", "low", "high"), "limit": ("of", "over", "to")}
        needs |= dict.fromkeys(("algebra", "solution"), ("of",))
        if missing := [field for field in needs.get(self.by, ("of", "over")) if not getattr(self, field)]:
            raise ValueError(f"{self.by} needs {', '.join(missing)}")
        return self


class DerivationSpec(TemplatePart):
    """A closed form asked for: its symbols are givens, and its value at them is the step result `value`.

    `ranges` are those of symbols and free variables in which the argument and answers are tried, in SI
    units; a given is otherwise tried in the range it is sampled from.
    """

    name: str
    value: str
    weight: float = Field(gt=0, le=1)
    description: str
    symbols: tuple[str, ...] = Field(min_length=1)
    closed_form: str
    argument: tuple[ArgumentStep, ...] = Field(min_length=2)
    ranges: dict[str, tuple[float, float]] = {}


class FormulationSpec(TemplatePart):
    approach: str
    assumptions: str


class TrapSpec(TemplatePart):
    """Equations that are right elsewhere and tempting here.

    `with` adds to the inputs of the step that a trap would replace; `replaces` names that step's result
    where it is not clear.
    """

    equations: tuple[str, ...] = ()
    replaces: str = ""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    note: str


class QuestionSpec(TemplatePart):
    """What is asked, and for what: numbers and words, a closed form, an option, or an answer in sentences.

    `statement_zh` is the statement in Chinese, with the same placeholders and units.
    """

    statement: str = Field(min_length=1)
    statement_zh: Annotated[str, AfterValidator(_without_folds)] = ""
    targets: dict[str, Annotated[TargetSpec, or_text_for("description")]] = Field(default={})
    labels: dict[str, LabelSpec] = Field(default={})
    derivation: DerivationSpec | None = None
    choice: ChoiceSpec | None = None
    answer: Annotated[AnswerSpec | None, or_text_for("text")] = None
    formulation: FormulationSpec


class BoundSpec(TemplatePart):
    """Limits of a target in its unit, as expressions over givens and results, and the reason for them."""

    low: Value | None = None
    high: Value | None = None
    reason: str
