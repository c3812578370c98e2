"""An entry of the base: what its YAML file says, validated, and the numbers that its formula gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, ValidationInfo, model_validator

from ansatz.errors import AnsatzError
from ansatz.knowledge_base.equation.grammar import Expression, ExpressionError, Relation, check_names
from ansatz.knowledge_base.equation.parts import (
    Bound,
    Constant,
    FailureMode,
    Family,
    Limit,
    Part,
    Reference,
    Regime,
    TestVector,
    Variable,
)
from ansatz.knowledge_base.equation.root_finding import Branch, roots
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.unit_writing import written_unit

if TYPE_CHECKING:
    import pint

    Given = float | str | pint.Quantity[Any]

Kind = Literal["law", "correlation", "definition", "bound", "boundary_condition", "solution"]


_WIDER = 1000.0  # how much farther than test values are drawn from a root is looked for

VALIDATED: dict[str, bool] = {"validated": True}
"""Context that marks fields which passed validation before: formulas are then parsed when first used."""


class EvaluationError(AnsatzError, ValueError):
    """Values that an equation refuses, in one line that names the nearest valid symbol or unit."""


class Entry(Part):
    """One entry of the base, as its YAML file. `expr` gives `output`; `residual` is zero at the solution.

    `relations` are inequalities between symbols, such as "mf < m0", that drawn test values obey,
    `holds_where` those that the equation itself needs, as a limit of strong shocks needs "M*sin(beta) >= 5",
    and `bounds` those that its results obey.

    `asked` says in other words what someone wants to know who needs it; only the search reads it, and of the
    shipped base it stands in phrases.yaml.

    `solvable` (in the file: solve_for) names what the formula is often solved for beside its output; of a
    residual it names all that it is meant to be solved for, the output included. Where several roots are
    found, `branch` says which is the value: the lowest unless the entry says otherwise.
    """

    id: str = Field(pattern=r"^[a-z_]+(\.[a-z0-9_]+)+$")
    name: str
    aliases: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    kind: Kind
    domain: str
    topic: str
    family: Family | None = None
    contrast: bool = False
    latex: str = Field(min_length=3)
    output: str
    symbols: dict[str, Variable]
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
    references: tuple[Reference, ...] = Field(min_length=1)
    notes: str = ""

    @model_validator(mode="before")
    @classmethod
    def _names_the_symbol_of_a_range(cls, given: Any) -> Any:
        symbols = given.get("symbols") if isinstance(given, dict) else None
        if not isinstance(symbols, dict):
            return given
        return given | {"symbols": {name: _with_own_range(name, fields) for name, fields in symbols.items()}}

    @model_validator(mode="after")
    def _has_one_formula(self, info: ValidationInfo) -> Self:
        if info.context is VALIDATED:
            return self
        if self.output not in self.symbols:
            raise ValueError(f"output {self.output!r} is not in symbols{nearest(self.output, self.symbols)}")
        if (self.expr is None) == (self.residual is None):
            raise ValueError("give either expr or residual")
        if self.residual is not None and self.output not in self.solvable:
            raise ValueError(f"solve_for must hold the output {self.output!r}")
        known = {*self.symbols, *self.constants}
        check_names(self.formula.names, sorted(known), "expr" if self.expr else "residual")
        if self.expr and self.output in self.formula.names:
            raise ValueError(f"expr holds its own output {self.output!r}: make it a residual")
        unused = known - self.formula.names - {self.output}
        if unused:
            raise ValueError(f"symbols not used by the formula: {', '.join(sorted(unused))}")
        return self

    @model_validator(mode="after")
    def _names_only_what_it_has(self, info: ValidationInfo) -> Self:
        if info.context is VALIDATED:
            return self
        known = [*self.symbols, *self.constants]
        for bound in self.bounds:
            check_names(Relation.parse(bound.expr).names, known, "bounds")
        for relation in self.relations:
            check_names(Relation.parse(relation).names, known, "relations")
        for needed in self.holds_where:
            check_names(Relation.parse(needed.expr).names, known, "holds_where")
        for number, test in enumerate(self.tests, 1):
            check_names(test.inputs, self.inputs, f"test {number}")
            missing = [name for name in self.inputs if name not in test.inputs]
            if missing:
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
    def constant_values(self) -> dict[str, float]:
        return {name: constant.value for name, constant in self.constants.items()}

    def value(self, **numbers: float) -> float:
        """The output for inputs given as numbers in the declared units. Raises EvaluationError."""
        self._check_inputs(numbers)
        try:
            if self.expr is not None:
                return self.formula({**self.constant_values, **numbers})
            return self.solve(self.output, **numbers)
        except ExpressionError as problem:
            raise EvaluationError(f"{self.id}: {problem}") from problem

    def solve(self, symbol: str, **numbers: float) -> float:
        """The value of `symbol` that satisfies the equation for all its other symbols.

        Of several roots the one of the entry's `branch`; `solve_for(symbol).roots` gives all of them.
        """
        residual = self.residual_in(symbol, numbers)
        for low, high in self.search_ranges(symbol):
            for found in roots(residual, (low, high), self.branch):
                return found
        raise EvaluationError(f"{self.id}: no solution for {symbol} between {low:g} and {high:g}")

    def search_ranges(self, symbol: str) -> tuple[tuple[float, float], ...]:
        """Where a root is looked for: the sampling range, then a thousand times as far within its validity.

        Angles are looked for in the sampling range alone, since a wider one would hold their repetitions.
        """
        variable = self.symbols[symbol]
        least, most = variable.valid.interval[:2] if variable.valid else (-math.inf, math.inf)
        low, high = variable.sample or (least, most)
        if math.isinf(high - low):
            raise EvaluationError(f"{self.id}: {symbol} has no range to search")
        if variable.unit == "rad":
            return ((low, high),)
        wider = (low / _WIDER if low >= 0 else low * _WIDER, high * _WIDER if high > 0 else high / _WIDER)
        return ((low, high), (max(wider[0], least), min(wider[1], most)))

    def residual_in(self, symbol: str, numbers: Mapping[str, float]) -> Callable[[float], float]:
        """A function of one symbol that is zero where the equation holds, the others being `numbers`."""
        known = {**self.constant_values, **numbers}
        explicit = self.expr is not None

        def residual(trial: float) -> float:
            known[symbol] = trial
            return self.formula(known) - (known[self.output] if explicit else 0.0)

        return residual

    def _check_inputs(self, given: dict[str, Any]) -> None:
        for name in given:
            if name not in self.symbols or name == self.output:
                raise EvaluationError(f"{self.id} has no input {name!r}{nearest(name, self.inputs)}")
        missing = [name for name in self.inputs if name not in given]
        if missing:
            wanted = ", ".join(f"{name} [{written_unit(self.symbols[name].unit)}]" for name in missing)
            raise EvaluationError(f"{self.id} needs {wanted}")

    def number(self, name: str, given: Given) -> float:
        """A quantity as a number in the declared unit of a symbol. Raises EvaluationError."""
        from ansatz.quantities.units import UnitError, parse_unit, quantity

        unit = self.symbols[name].unit
        try:
            read = quantity(given)
            if read.unitless and not parse_unit(unit).dimensionless:
                raise UnitError(f"it needs a unit, such as '{read.magnitude:g} {unit}'")
            number = float(quantity(read, unit).magnitude)
        except UnitError as problem:
            raise EvaluationError(f"{self.id}: {name}: {problem}") from problem
        if not math.isfinite(number):
            raise EvaluationError(f"{self.id}: {name} is not a finite number")
        return number


def _with_own_range(name: str, fields: Any) -> Any:
    """A symbol's fields, with the symbol and its unit set into the condition that `valid` is."""
    if not isinstance(fields, dict) or not isinstance(fields.get("valid"), dict):
        return fields
    return fields | {"valid": {"unit": fields.get("unit")} | fields["valid"] | {"var": name}}
