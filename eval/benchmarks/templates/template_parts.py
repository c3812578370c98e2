"""The parts of a template file: givens, solution steps, and questions."""

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
    """Remove the spaces that YAML puts into Chinese text at folded lines."""
    return re.sub(rf"(?<={_CHINESE}) (?={_CHINESE})", "", text)


def or_text_for(field: str) -> BeforeValidator:
    """Accept plain text for a part, as the value of this field."""
    return BeforeValidator(lambda read: {field: read} if isinstance(read, str) else read)


def round_to(digits: int, value: float) -> float:
    """Round the value to `digits` significant digits."""
    return float(f"{value:.{digits - 1}e}")


Value = Annotated[float | str, BeforeValidator(_number_or_word)]


class TemplatePart(BaseModel):
    """A part of a template file; unknown fields are refused, and the part is immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True)


class GivenSpec(TemplatePart):
    """A given quantity. It has exactly one of `between`, `among`, `value` and `make`."""

    unit: str
    """The unit; "-" for a ratio or a word, such as the name of a gas."""
    description: str = ""
    """A given without a description is not stated; other givens are computed from it."""
    between: tuple[float, float] | None = None
    """The range to sample from."""
    among: tuple[Value, ...] | None = Field(default=None, min_length=1)
    """The values to choose from."""
    value: Value | None = None
    """A fixed value."""
    make: str | None = None
    """A formula over earlier givens."""
    digits: int = Field(default=3, ge=1, le=12)
    """Significant digits of a sampled number, and of a number from `make` if it is set."""
    places: int = 3
    """Decimals of a value from `make`."""
    step: float | None = Field(default=None, gt=0)
    """The grid of sampled numbers, instead of `digits`."""
    sampled: Literal["uniform", "log"] = "uniform"

    @model_validator(mode="after")
    def _check_source(self) -> GivenSpec:
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
    """One step of the reference solution: a knowledge-base equation, arithmetic, or a unit conversion."""

    equation: str = ""
    """The id of an equation."""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    """For each symbol of the equation a given, an earlier result, or a literal such as "300 K"."""
    solve_for: str = ""
    """The symbol to solve for, if it is not the equation's output."""
    expression: str = ""
    """Plain arithmetic on givens and earlier results, each in its unit."""
    converts: str = ""
    """The name of a value to convert to `unit`."""
    zero: str = ""
    """A formula that is zero at the right value of `gives`, after `steps` with this value."""
    between: tuple[Value, Value] | None = None
    """The range, in `unit`, in which `zero` has exactly one root: numbers, or formulas."""
    steps: tuple[StepSpec, ...] = ()
    """The steps to repeat for every trial value."""
    gives: str
    unit: str
    title: str = ""
    """What the step does, in a worked solution."""
    reasoning: str = ""
    """Why the step is taken, in a worked solution."""

    @model_validator(mode="after")
    def _check_kind(self) -> StepSpec:
        ways = (self.equation, self.expression, self.converts, self.zero)
        if [bool(way) for way in ways].count(True) != 1:
            raise ValueError("needs exactly one of equation, expression, converts and zero")
        if bool(self.zero) != bool(self.between) or (self.steps and not self.zero):
            raise ValueError("zero needs between, and only zero takes between and steps")
        if not self.equation and (self.inputs or self.solve_for):
            raise ValueError("only an equation takes with and solve_for")
        return self


class TargetSpec(TemplatePart):
    """A requested result and its share of the score; without `weight`, all results have equal shares."""

    weight: float | None = Field(default=None, gt=0, le=1)
    description: str


class LabelSpec(TemplatePart):
    """A requested word: the first of `cases` whose comparison holds."""

    weight: float = Field(gt=0, le=1)
    description: str
    cases: dict[str, str] = Field(min_length=2)
    zh: dict[str, str] = {}
    """The words in Chinese."""

    @model_validator(mode="after")
    def _check_chinese_words(self) -> LabelSpec:
        if self.zh and set(self.zh) != set(self.cases):
            raise ValueError(f"zh: must have the words {', '.join(self.cases)}")
        return self


class OptionSpec(TemplatePart):
    """One option: words, or a number from a correct or a mistaken formula."""

    text: str = ""
    """The words, with {names} of givens, results and words."""
    value: str = ""
    """Arithmetic on the numbers, each in its unit."""
    unit: str = ""
    """The unit of `value`."""
    when: str = ""
    """A comparison; the option is correct if it holds."""
    misconception: str = ""
    """The misconception behind a wrong option."""

    @model_validator(mode="after")
    def _check_text_or_value(self) -> OptionSpec:
        if bool(self.text) == bool(self.value):
            raise ValueError("needs either a text or a value")
        if bool(self.value) != bool(self.unit):
            raise ValueError("a value needs a unit, and a text has none")
        return self


class ChoiceSpec(TemplatePart):
    """Options with letters, in an order drawn by the seed."""

    correct: str = ""
    """The name of the correct option, or a given that is a word ({quantity}) and equals this name. Without
    it, the only option whose `when` holds is correct."""
    options: dict[str, OptionSpec] = Field(min_length=2, max_length=6)

    @model_validator(mode="after")
    def _check_correct_option(self) -> ChoiceSpec:
        if bool(self.correct) == any(option.when for option in self.options.values()):
            raise ValueError("needs either correct, or options with when")
        if self.correct not in ("", *self.options) and not PLACEHOLDER.fullmatch(self.correct):
            raise ValueError(f"correct: {self.correct!r} is no option{nearest(self.correct, self.options)}")
        return self


class AnswerSpec(TemplatePart):
    """The answer in words. Both fields can contain {names}."""

    text: str = Field(min_length=1)
    key_points: tuple[str, ...] = ()
    """The statements of a complete answer."""


class EntitySpec(TemplatePart):
    """A person, place or object that a variant of the problem can replace."""

    text: str
    """The words: an object or a kind of person without an article, others as in a sentence ("the market")."""
    kind: str = Field(pattern=r"^[a-z][a-z_]*$")
    quantities: dict[str, str] = {}
    """The givens and results that limit a replacement, by property: mass, speed, length, voltage, ..."""


class ArgumentStep(TemplatePart):
    """One line of an argument: `gives` equals `is`, by an operation on `of` that is checked.

    Expressions can name symbols, free variables such as a speed along a path, and earlier results. `at`
    replaces variables by expressions; `to` and `high` can be inf.
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
    def _check_fields(self) -> ArgumentStep:
        needs = {"definition": (), "integral": ("of", "over", "low", "high"), "limit": ("of", "over", "to")}
        needs |= dict.fromkeys(("algebra", "solution"), ("of",))
        if missing := [field for field in needs.get(self.by, ("of", "over")) if not getattr(self, field)]:
            raise ValueError(f"{self.by} needs {', '.join(missing)}")
        return self


class DerivationSpec(TemplatePart):
    """A requested closed form: its symbols are givens, and its value is the step result `value`.

    `ranges` are the ranges of symbols and free variables in SI units, in which the argument and answers are
    tested. A given without one is tested in the range from which it is sampled.
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
    """Equations that are valid elsewhere and tempting here."""

    equations: tuple[str, ...] = ()
    replaces: str = ""
    """The result of the step that a trap replaces, if it is ambiguous."""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    """Inputs in addition to those of the replaced step."""
    note: str


class WrongBranch(TemplatePart):
    """A tempting mistake: steps with other formulas, from which a wrong answer is computed."""

    note: str = Field(min_length=1)
    """Why the branch is wrong here."""
    instead: tuple[StepSpec, ...] = Field(min_length=1)
    """Steps that replace those with the same result."""


class QuestionSpec(TemplatePart):
    """A question for numbers and labels, a closed form, an option, or an answer in sentences."""

    statement: str = Field(min_length=1)
    statement_zh: Annotated[str, AfterValidator(_without_folds)] = ""
    """The statement in Chinese, with the same placeholders and units."""
    targets: dict[str, Annotated[TargetSpec, or_text_for("description")]] = Field(default={})
    labels: dict[str, LabelSpec] = Field(default={})
    derivation: DerivationSpec | None = None
    choice: ChoiceSpec | None = None
    answer: Annotated[AnswerSpec | None, or_text_for("text")] = None
    formulation: FormulationSpec


class BoundSpec(TemplatePart):
    """Limits of a target in its unit, as expressions over givens and results, with their reason."""

    low: Value | None = None
    high: Value | None = None
    reason: str
