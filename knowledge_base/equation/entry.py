"""An entry of the base, validated from its YAML file."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from ansatz.knowledge_base.equation.grammar import Expression, Relation, check_names
from ansatz.knowledge_base.equation.parts import (
    Bound,
    Constant,
    FailureMode,
    Family,
    Limit,
    Part,
    Regime,
    TestVector,
    Variable,
)
from ansatz.quantities.did_you_mean import nearest

Kind = Literal["law", "correlation", "definition", "bound", "boundary_condition", "solution"]
Branch = Literal["lowest", "highest"]

VALIDATED: dict[str, bool] = {"validated": True}
"""Validation context of fields that have already passed; formulas are then parsed on first use."""


def _complete_valid_ranges(symbols: Any) -> Any:
    """Add the name and unit of each symbol to its `valid` condition."""
    if not isinstance(symbols, dict):
        return symbols
    return {
        name: fields | {"valid": {"unit": fields.get("unit")} | fields["valid"] | {"var": name}}
        if isinstance(fields, dict) and isinstance(fields.get("valid"), dict)
        else fields
        for name, fields in symbols.items()
    }


class Entry(Part):
    """One entry of the base, with the fields of its YAML file."""

    id: str = Field(pattern=r"^[a-z_]+(\.[a-z0-9_]+)+$")
    """Its path below the folder of equations, with dots."""
    name: str
    aliases: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """Phrases by which users ask for it, for the search only; those of the base are in phrases.yaml."""
    kind: Kind
    domain: str
    topic: str
    family: Family | None = None
    latex: str = Field(min_length=3)
    output: str
    """The symbol that the equation gives."""
    symbols: Annotated[dict[str, Variable], BeforeValidator(_complete_valid_ranges)]
    relations: tuple[str, ...] = ()
    """Inequalities that sampled test values obey, such as "mf < m0"."""
    holds_where: tuple[Bound, ...] = ()
    """Inequalities that the equation needs, such as "M*sin(beta) >= 5" for strong shocks."""
    constants: dict[str, Constant] = Field(default_factory=dict)
    expr: str | None = None
    """The formula of the output."""
    residual: str | None = None
    """A formula that is zero at the solution, instead of `expr`."""
    solvable: tuple[str, ...] = Field(default=(), alias="solve_for")
    """Further symbols that users often solve for; for a residual, all of them, with the output."""
    branch: Branch = "lowest"
    """Which of several roots is the value."""
    regime: Regime = Regime()
    assumptions: tuple[str, ...] = ()
    failure_modes: tuple[FailureMode, ...] = ()
    confusable_with: tuple[str, ...] = ()
    """Ids of similar entries."""
    bounds: tuple[Bound, ...] = ()
    """Inequalities that results obey."""
    tests: tuple[TestVector, ...] = Field(min_length=1)
    limits: tuple[Limit, ...] = ()
    references: tuple[str, ...] = Field(min_length=1)
    notes: str = ""

    @model_validator(mode="after")
    def _check_formula_and_names(self, info: ValidationInfo) -> Self:
        if info.context is VALIDATED:
            return self
        if self.output not in self.symbols:
            raise ValueError(f"output {self.output!r} is not in symbols{nearest(self.output, self.symbols)}")
        if (self.expr is None) == (self.residual is None):
            raise ValueError("give either expr or residual")
        if self.residual is not None and self.output not in self.solvable:
            raise ValueError(f"solve_for must contain the output {self.output!r}")
        known = sorted({*self.symbols, *self.constants})
        check_names(self.formula.names, known, "expr" if self.expr else "residual")
        if self.expr and self.output in self.formula.names:
            raise ValueError(f"expr contains its output {self.output!r}: make it a residual")
        if unused := set(known) - self.formula.names - {self.output}:
            raise ValueError(f"symbols not used by the formula: {', '.join(sorted(unused))}")
        related = [("relations", text) for text in self.relations]
        related += [("holds_where", bound.expr) for bound in self.holds_where]
        related += [("bounds", bound.expr) for bound in self.bounds]
        for field, text in related:
            check_names(Relation.parse(text).names, known, field)
        for number, test in enumerate(self.tests, 1):
            check_names(test.inputs, self.inputs, f"test {number}")
            if missing := [name for name in self.inputs if name not in test.inputs]:
                raise ValueError(f"test {number} has no {', '.join(missing)}")
        for limit in self.limits:
            check_names(limit.let, self.inputs, "limits")
        check_names(self.solvable, self.symbols, "solve_for")
        return self

    @cached_property
    def formula(self) -> Expression:
        """The parsed `expr` or `residual`."""
        return Expression.parse(self.expr or self.residual or "")

    @cached_property
    def inequalities(self) -> tuple[Relation, ...]:
        """The parsed inequalities of `relations` and `holds_where`."""
        needed = (bound.expr for bound in self.holds_where)
        return tuple(Relation.parse(text) for text in (*self.relations, *needed))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return tuple(name for name in self.symbols if name != self.output)

    @cached_property
    def units(self) -> dict[str, str]:
        """The declared unit of every symbol and constant."""
        symbols = {name: variable.unit for name, variable in self.symbols.items()}
        return symbols | {name: constant.unit for name, constant in self.constants.items()}

    @cached_property
    def temperature_differences(self) -> frozenset[str]:
        """The symbols that are temperature differences; 10 °C of these are 10 K."""
        from ansatz.quantities.scales import is_difference

        return frozenset(
            name for name, one in self.symbols.items() if is_difference(name, one.desc, one.unit)
        )

    @cached_property
    def constant_values(self) -> dict[str, float]:
        return {name: constant.value for name, constant in self.constants.items()}
