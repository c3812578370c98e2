"""The parts of an equation's entry, field by field as its YAML file has them."""

from __future__ import annotations

from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field

from ansatz.knowledge_base.equation.predicate import Predicate


class Part(BaseModel):
    """Frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Variable(Part):
    """A symbol with its unit (pint syntax, "-" for none, rad for angles).

    `valid` is the range in which the equation holds or was fitted, with its source. Without `valid` only the
    regime limits the equation. `sample` is the range from which test values are drawn and in which a root is
    searched first; it does not limit validity.
    """

    unit: str
    desc: str
    sample: tuple[float, float] | None = None
    valid: Predicate | None = None
    latex: str = ""


class Constant(Part):
    """A fixed number with the unit it hides and where it is published.

    `unconfirmed` is the reason why the number could not be traced to its source. It is always shown with the
    number.
    """

    value: float
    unit: str
    source: str
    unconfirmed: str = ""
    latex: str = ""


class Family(Part):
    """One form instantiated several times: per gas, planet, reaction …"""

    name: str
    instance: str


class Regime(Part):
    """Where the equation holds. A false `require` excludes it; `prefer` only moves its rank.

    `everywhere` is the reason why there is no condition: the equation holds wherever its quantities are
    defined, such as in geometry. `unlimited` gives, by axis, the reason why the equation needs no limit or a
    wider limit than its siblings.
    """

    require: tuple[Predicate, ...] = ()
    prefer: tuple[Predicate, ...] = ()
    everywhere: str = ""
    unlimited: dict[str, str] = Field(default_factory=dict)


class FailureMode(Part):
    """What goes wrong outside the regime: `when` (a predicate as text, or prose), and what to use instead."""

    when: str
    effect: str
    use: str | None = None

    @cached_property
    def predicate(self) -> Predicate | None:
        return Predicate.parse(self.when)


class Bound(Part):
    """An inequality between symbols, such as `q <= 0.5*rho*V**3`."""

    expr: str
    note: str = ""


class TestVector(Part):
    """Inputs and the published or independently computed output, all in the declared units."""

    __test__ = False

    inputs: dict[str, float] = Field(alias="in")
    out: float
    rtol: float = 1e-6
    source: str


class Limit(Part):
    """The output (a number or a formula) when some inputs take the values `let`; `.inf` stands for 1e9."""

    let: dict[str, float]
    out: float | str
    rtol: float = 1e-6
