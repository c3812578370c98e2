"""A problem template: one YAML file that any number of problems of one family are made from."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ansatz.eval.benchmarks.tps.derivation import DerivationSpec

DOMAINS = (
    "newtonian",
    "shock",
    "boundary_layer",
    "heating",
    "viscous_interaction",
    "equilibrium",
    "nonequilibrium",
    "radiation",
)
LEVELS = ("L1", "L2", "L3", "L4")
LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")

_CHINESE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"


def _number_or_word(read: Any) -> Any:
    try:
        return float(read)
    except (TypeError, ValueError):
        return read


def _without_folds(text: str) -> str:
    """Chinese text without the spaces that YAML puts where a folded line ends."""
    return re.sub(rf"(?<={_CHINESE}) (?={_CHINESE})", "", text)


Value = Annotated[float | str, BeforeValidator(_number_or_word)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True)


class GivenSpec(_Frozen):
    """A stated quantity: sampled from a range (`between`), drawn from a list (`among`) or fixed (`value`).

    Sampled numbers are rounded to `digits` significant digits. A word, such as a gas, has unit "-".
    """

    unit: str
    description: str
    between: tuple[float, float] | None = None
    among: tuple[Value, ...] | None = Field(default=None, min_length=1)
    value: Value | None = None
    digits: int = Field(default=3, ge=1, le=12)
    sampled: Literal["uniform", "log"] = "uniform"

    @model_validator(mode="after")
    def _has_one_source(self) -> GivenSpec:
        if sum(source is not None for source in (self.between, self.among, self.value)) != 1:
            raise ValueError("needs exactly one of between, among, value")
        if self.between and not self.between[0] < self.between[1]:
            raise ValueError(f"between {list(self.between)}: the first must be below the second")
        for limit in self.between or ():
            if round_to(self.digits, limit) != limit:
                raise ValueError(f"between: {limit:g} has more than {self.digits} significant digits")
        if self.between and self.sampled == "log" and self.between[0] <= 0:
            raise ValueError("sampled: log needs a range above zero")
        return self

    @property
    def is_word(self) -> bool:
        return isinstance(self.among[0] if self.among else self.value, str)


class StepSpec(_Frozen):
    """One step of the reference solution: an equation of the knowledge base, arithmetic, or a change of unit.

    `with` maps the equation's symbols to givens, earlier results, or literals such as "300 K".
    `solve_for` names the symbol wanted where it is not the equation's own output. `expression` is plain
    arithmetic on the numbers found so far, each in its own unit (a ratio of two results, say). `converts`
    names a value that is only put into another unit.
    """

    equation: str = ""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    solve_for: str = ""
    expression: str = ""
    converts: str = ""
    gives: str
    unit: str

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> StepSpec:
        if [bool(self.equation), bool(self.expression), bool(self.converts)].count(True) != 1:
            raise ValueError("needs either an equation or an expression, or a value that it converts")
        if not self.equation and (self.inputs or self.solve_for):
            raise ValueError("only an equation takes with and solve_for")
        return self


class TargetSpec(_Frozen):
    """How much of the score a result is worth."""

    weight: float = Field(gt=0, le=1)
    description: str


class LabelSpec(_Frozen):
    """A word asked for: the first of `cases` whose comparison holds. `zh` has the words in Chinese."""

    weight: float = Field(gt=0, le=1)
    description: str
    cases: dict[str, str] = Field(min_length=2)
    zh: dict[str, str] = {}


class FormulationSpec(_Frozen):
    approach: str
    assumptions: str


class TrapSpec(_Frozen):
    """Equations that are right elsewhere and tempting here.

    `with` adds to the inputs of the step that a trap would replace; `replaces` names that step's result
    where it is not clear.
    """

    equations: tuple[str, ...] = ()
    replaces: str = ""
    inputs: dict[str, Value] = Field(default={}, alias="with")
    note: str


class BoundSpec(_Frozen):
    """Limits of a target in its unit, as expressions over givens and results, and the reason for them."""

    low: Value | None = None
    high: Value | None = None
    reason: str


class Calculation(_Frozen):
    """What a template of any benchmark holds that is solved by steps from its givens.

    `start` gives first values, such as "1000 K", to results that are used before the step that gives
    them; the steps are then repeated until these values no longer change. `labels` are words asked for
    beside the numbers.
    """

    id: str
    statement: str
    givens: dict[str, GivenSpec]
    start: dict[str, Value] = {}
    steps: tuple[StepSpec, ...]
    targets: dict[str, TargetSpec]
    labels: dict[str, LabelSpec] = {}
    formulation: FormulationSpec
    trap: TrapSpec
    bounds: dict[str, BoundSpec] = {}
    require: tuple[str, ...] = ()

    @property
    def units(self) -> dict[str, str]:
        """The unit of every given and result."""
        units = {name: given.unit for name, given in self.givens.items()}
        return units | {step.gives: step.unit for step in self.steps}


class Template(Calculation):
    """What a template file holds.

    `statement_zh` is the statement in Chinese, with the same placeholders and units. `derivation` is the
    closed form of one of the results.
    """

    level: Literal["L1", "L2", "L3", "L4"]
    task_type: Literal["numerical_calc", "derivation", "comparison"] = "numerical_calc"
    domains: tuple[str, ...] = Field(min_length=1)
    statement_zh: Annotated[str, AfterValidator(_without_folds)] = ""
    steps: tuple[StepSpec, ...] = Field(min_length=1)
    targets: dict[str, TargetSpec] = Field(min_length=1)
    derivation: DerivationSpec | None = None


def round_to(digits: int, value: float) -> float:
    """The value with so many significant digits."""
    return float(f"{value:.{digits - 1}e}")


def is_literal(source: str) -> bool:
    """Whether a `with` entry is a quantity such as "300 K" rather than a name."""
    return re.match(r"\s*[-+]?\.?\d", source) is not None
