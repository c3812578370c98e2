"""What a derivation asks for: a closed form, and the argument that leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ansatz.eval.problem import DerivationStep
from ansatz.knowledge_base.equation import Expression, ExpressionError
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import quantity

if TYPE_CHECKING:
    from ansatz.eval.benchmarks.tps.template import GivenSpec, Template

_SAME = 1e-6  # relative: a constant of the knowledge base may be stated with rounding
_WORDS = {
    "definition": "a relation the argument starts from",
    "algebra": "follows from {of}{at}",
    "solution": "solves 0 = {of}",
    "derivative": "derivative of {of} with respect to {over}",
    "integral": "integral of {of} over {over} from {low} to {high}",
    "maximum": "{over} at which {of} is greatest",
    "minimum": "{over} at which {of} is least",
    "limit": "limit of {of} as {over} goes to {to}",
}
_NEEDS = {
    "definition": (),
    "algebra": ("of",),
    "solution": ("of",),
    "derivative": ("of", "over"),
    "integral": ("of", "over", "low", "high"),
    "maximum": ("of", "over"),
    "minimum": ("of", "over"),
    "limit": ("of", "over", "to"),
}


class ArgumentStep(BaseModel):
    """One line of an argument: `gives` equals `is`, by an operation on `of` that is checked.

    Expressions may name symbols, free variables such as a speed along a path, and earlier results. `at`
    puts expressions in the place of variables; `to` and `high` may be inf.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True)

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
        if missing := [field for field in _NEEDS[self.by] if not getattr(self, field)]:
            raise ValueError(f"{self.by} needs {', '.join(missing)}")
        return self

    def record(self) -> DerivationStep:
        put = ", ".join(f"{name} = {value}" for name, value in self.at.items())
        fields = {**self.model_dump(), "at": f" with {put}" if put else ""}
        reason = _WORDS[self.by].format(**fields)
        return DerivationStep(symbol=self.gives, expression=f"{self.gives} = {self.result}", reason=reason)


class DerivationSpec(BaseModel):
    """A closed form asked for: its symbols are givens, and its value at them is the step result `value`.

    `ranges` are those of symbols and free variables in which the argument and answers are tried, in SI
    units; a given is otherwise tried in the range it is sampled from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    value: str
    weight: float = Field(gt=0, le=1)
    description: str
    symbols: tuple[str, ...] = Field(min_length=1)
    closed_form: str
    argument: tuple[ArgumentStep, ...] = Field(min_length=2)
    ranges: dict[str, tuple[float, float]] = {}


def domain(given: GivenSpec) -> tuple[float, float]:
    """The range of a given in SI units, angles in radians; about its value where it has only one."""
    among = [value for value in given.among or () if not isinstance(value, str)]
    low, high = given.between or (min(among, default=0.0), max(among, default=0.0))
    if isinstance(given.value, float):
        low = high = given.value
    if low == high:
        low, high = sorted((0.8 * low, 1.2 * high))
    return _si(low, given.unit), _si(high, given.unit)


def derivation_faults(template: Template) -> Iterator[str]:
    """Where a derivation contradicts its template."""
    wanted = template.derivation
    if (template.task_type == "derivation") != (wanted is not None):
        yield "derivation: must be there for the task type derivation, and only for it"
    if wanted is None:
        return
    numbers = [name for name, given in template.givens.items() if not given.is_word]
    results = [step.gives for step in template.steps]
    if wanted.value not in results:
        yield f"derivation.value: no step gives {wanted.value}{nearest(wanted.value, results)}"
    if wanted.name in (*template.givens, *results):
        yield f"derivation.name: {wanted.name!r} already has a value"
    for symbol in wanted.symbols:
        if symbol not in numbers:
            yield f"derivation.symbols: {symbol!r} is not a given number{nearest(symbol, numbers)}"
    try:
        names = Expression.parse(wanted.closed_form).names
        if names != set(wanted.symbols):
            yield f"derivation.closed_form: its names are {', '.join(sorted(names))}, not the symbols"
    except ExpressionError as error:
        yield f"derivation.closed_form: {error}"


def misvalued(template: Template, numbers: Mapping[str, float]) -> str | None:
    """How the closed form differs from the steps at an instance's numbers, if it does."""
    wanted = template.derivation
    if wanted is None:
        return None
    units = template.units
    try:
        found = Expression.parse(wanted.closed_form)(
            {symbol: _si(numbers[symbol], units[symbol]) for symbol in wanted.symbols}
        )
    except ExpressionError as error:
        return str(error)
    expected = _si(numbers[wanted.value], units[wanted.value])
    if abs(found - expected) <= _SAME * abs(expected):
        return None
    return f"the closed form gives {found:.8g} where the steps give {expected:.8g}, in SI units"


def _si(value: float, unit: str) -> float:
    return float(quantity(value, unit).to_base_units().magnitude)
