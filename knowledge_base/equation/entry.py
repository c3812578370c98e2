"""An entry of the base: the validated content of its YAML file."""

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
"""Context that marks fields which passed validation before: formulas are then parsed when first used."""


def _add_own_symbols(symbols: Any) -> Any:
    """Fields by symbol, with the symbol and its unit set into the condition that `valid` is."""
    if not isinstance(symbols, dict):
        return symbols
    return {
        name: fields | {"valid": {"unit": fields.get("unit")} | fields["valid"] | {"var": name}}
        if isinstance(fields, dict) and isinstance(fields.get("valid"), dict)
        else fields
        for name, fields in symbols.items()
    }


class Entry(Part):
    """One entry of the base, as its YAML file. `expr` gives `output`; `residual` is zero at the solution.

    `relations` are inequalities between symbols, such as "mf < m0", that drawn test values obey,
    `holds_where` those that the equation itself needs, as a limit of strong shocks needs "M*sin(beta) >= 5",
    and `bounds` those that its results obey.

    `asked` lists other words in which users ask for the entry. Only the search reads it; for the shipped base
    it is stored in phrases.yaml.

    `solvable` (in the file: solve_for) names symbols other than the output that users often solve for; of a
    residual it names all that it is meant to be solved for, the output included. Where several roots are
    found, `branch` says which is the value: the lowest by default.
    """

    id: str = Field(pattern=r"^[a-z_]+(\.[a-z0-9_]+)+$")
    name: str
    aliases: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    kind: Kind
    domain: str
    topic: str
    family: Family | None = None
    latex: str = Field(min_length=3)
    output: str
    symbols: Annotated[dict[str, Variable], BeforeValidator(_add_own_symbols)]
    relations: tuple[str, ...] = ()
    holds_where: tuple[Bound, ...] = ()
    constants: dict[str, Constant] = Field(default_factory=dict)
    expr: str | None = None
    residual: str | None = None
    solvable: tuple[str, ...] = Field(default=(), alias="solve_for")
    branch: Branch = "lowest"
    regime: Regime = Regime()
    assumptions: tuple[str, ...] = ()
    failure_modes: tuple[FailureMode, ...] = ()
    confusable_with: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    tests: tuple[TestVector, ...] = Field(min_length=1)
    limits: tuple[Limit, ...] = ()
    references: tuple[str, ...] = Field(min_length=1)
    notes: str = ""

    @model_validator(mode="after")
    def _has_one_formula_of_what_it_names(self, info: ValidationInfo) -> Self:
        if info.context is VALIDATED:
            return self
        if self.output not in self.symbols:
            raise ValueError(f"output {self.output!r} is not in symbols{nearest(self.output, self.symbols)}")
        if (self.expr is None) == (self.residual is None):
            raise ValueError("give either expr or residual")
        if self.residual is not None and self.output not in self.solvable:
            raise ValueError(f"solve_for must hold the output {self.output!r}")
        known = sorted({*self.symbols, *self.constants})
        check_names(self.formula.names, known, "expr" if self.expr else "residual")
        if self.expr and self.output in self.formula.names:
            raise ValueError(f"expr holds its own output {self.output!r}: make it a residual")
        if unused := set(known) - self.formula.names - {self.output}:
            raise ValueError(f"symbols not used by the formula: {', '.join(sorted(unused))}")
        related = [("relations", text) for text in self.relations]
        related += [("holds_where", each.expr) for each in self.holds_where]
        for field, text in (*related, *(("bounds", each.expr) for each in self.bounds)):
            check_names(Relation.parse(text).names, known, field)
        for number, test in enumerate(self.tests, 1):
            check_names(test.inputs, self.inputs, f"test {number}")
            if missing := [name for name in self.inputs if name not in test.inputs]:
                raise ValueError(f"test {number} gives no {', '.join(missing)}")
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
        """The parsed `relations`, and what `holds_where` needs."""
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
    def differences(self) -> frozenset[str]:
        """The symbols that are differences of two temperatures: 10 °C of these are 10 K."""
        from ansatz.quantities.scales import is_difference

        return frozenset(
            name for name, one in self.symbols.items() if is_difference(name, one.desc, one.unit)
        )

    @cached_property
    def constant_values(self) -> dict[str, float]:
        return {name: constant.value for name, constant in self.constants.items()}
