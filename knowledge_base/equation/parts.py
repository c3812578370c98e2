"""The parts of an entry, with the fields of its YAML file."""

from __future__ import annotations

from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field

from ansatz.knowledge_base.equation.predicate import Predicate


class Part(BaseModel):
    """A frozen model that forbids unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Variable(Part):
    """A symbol of an equation."""

    unit: str
    """In pint syntax; "-" for none, "rad" for angles."""
    desc: str
    sample: tuple[float, float] | None = None
    """The range of test values, and the first range of a search for a root. It does not limit validity."""
    valid: Predicate | None = None
    """The range in which the equation holds or was fitted; without it, only the regime sets limits."""
    latex: str = ""


class Constant(Part):
    """A fixed number of an equation."""

    value: float
    unit: str
    source: str
    unconfirmed: str = ""
    """Why the number could not be traced to its source; always shown with the number."""
    latex: str = ""


class Family(Part):
    """A form with several instances, such as one per gas, planet or reaction."""

    name: str
    instance: str


class Regime(Part):
    """The conditions under which an equation holds."""

    require: tuple[Predicate, ...] = ()
    """Conditions that exclude the equation if they are false."""
    prefer: tuple[Predicate, ...] = ()
    """Conditions that only change its rank."""
    everywhere: str = ""
    """Why there is no condition, such as in geometry."""
    unlimited: dict[str, str] = Field(default_factory=dict)
    """By axis, why it needs no limit, or a wider one than its siblings."""


class FailureMode(Part):
    """What goes wrong outside the regime."""

    when: str
    """A predicate as text, or prose."""
    effect: str
    use: str | None = None
    """The id of the entry to use instead."""

    @cached_property
    def predicate(self) -> Predicate | None:
        return Predicate.parse(self.when)


class Bound(Part):
    """An inequality between symbols, such as `q <= 0.5*rho*V**3`."""

    expr: str
    note: str = ""


class TestVector(Part):
    """Inputs with the published or independently computed output, all in the declared units."""

    __test__ = False

    inputs: dict[str, float] = Field(alias="in")
    out: float
    rtol: float = 1e-6
    """Relative tolerance."""
    source: str


class Limit(Part):
    """The output for limits of some inputs."""

    let: dict[str, float]
    """Values of inputs; `.inf` means 1e9."""
    out: float | str
    """A number or a formula."""
    rtol: float = 1e-6
    """Relative tolerance."""
