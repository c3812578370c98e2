"""An equation turned round: any of its symbols from all the others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ansatz.knowledge_base.equation.entry import Entry, EvaluationError
from ansatz.knowledge_base.equation.grammar import Expression, ExpressionError
from ansatz.knowledge_base.equation.root_finding import roots
from ansatz.knowledge_base.equation.validity import guard
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    import pint

    from ansatz.knowledge_base.equation.entry import Given

_AGREED = 1e-9
_SPARED = 160  # characters of a formula beyond which SymPy is not asked: it may take seconds


@dataclass(frozen=True)
class Inverse:
    """`symbol` of `equation` from its other symbols, as `equation.solve_for(symbol)` gives it.

    `formula` is the closed form, where SymPy isolates the symbol on one branch and that branch reproduces
    the entry's test vectors; else None, and a root is searched. Of several roots `value` takes
    the lowest, or the highest where the entry's `branch` says so; `roots` gives all, from the lowest.
    """

    equation: Entry
    symbol: str

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(name for name in self.equation.symbols if name != self.symbol)

    @cached_property
    def formula(self) -> Expression | None:
        """The closed form, or None."""
        return _closed_form(self.equation, self.symbol)

    def value(self, **numbers: float) -> float:
        """The root of the entry's branch, numbers in the declared units. Raises EvaluationError."""
        found = self.roots(**numbers)
        if not found:
            low, high = self.equation.search_ranges(self.symbol)[-1]
            where = f"{self.symbol} between {low:g} and {high:g}"
            raise EvaluationError(f"{self.equation.id}: no solution for {where}")
        return found[0] if self.equation.branch == "lowest" else found[-1]

    def roots(self, **numbers: float) -> tuple[float, ...]:
        """All values that satisfy the equation: a closed form's one, else those of the range searched."""
        self._check(numbers)
        if self.symbol == self.equation.output and self.equation.expr is not None:
            return (self.equation.value(**numbers),)
        residual = self.equation.residual_in(self.symbol, numbers)
        closed = self._closed(numbers)
        if closed is not None and _satisfies(residual, closed):
            return (closed,)
        found = (tuple(roots(residual, each)) for each in self.equation.search_ranges(self.symbol))
        return next(filter(None, found), ())

    def evaluate(
        self, regime: Literal["warn", "refuse"] = "warn", /, **quantities: Given
    ) -> pint.Quantity[Any]:
        """Like `Equation.evaluate`, for this symbol."""
        from ansatz.quantities.units import parse_unit, registry

        self._check(quantities)
        numbers = {name: self.equation.number(name, given) for name, given in quantities.items()}
        value = self.value(**numbers)
        guard(self.equation, {**numbers, self.symbol: value}, regime)
        return registry().Quantity(value, parse_unit(self.equation.symbols[self.symbol].unit))

    def _check(self, given: Mapping[str, object]) -> None:
        for name in given:
            if name not in self.inputs:
                raise EvaluationError(
                    f"{self.equation.id} has no input {name!r} for {self.symbol}{nearest(name, self.inputs)}"
                )
        if missing := [name for name in self.inputs if name not in given]:
            raise EvaluationError(f"{self.equation.id} needs {', '.join(missing)} for {self.symbol}")

    def _closed(self, numbers: Mapping[str, float]) -> float | None:
        if self.formula is None:
            return None
        try:
            return self.formula({**self.equation.constant_values, **numbers})
        except ExpressionError:
            return None


def _satisfies(residual: Any, value: float) -> bool:
    """Whether the equation holds at `value`, measured by how it changes nearby."""
    try:
        beside = residual(value * (1 + 1e-6) or 1e-6)
        return bool(abs(residual(value)) <= 1e-3 * abs(beside) or residual(value) == 0)
    except ExpressionError:
        return False


def _closed_form(equation: Entry, symbol: str) -> Expression | None:
    if equation.expr is None or len(equation.formula.text) > _SPARED:
        return None
    if symbol == equation.output:
        return equation.formula
    found = _isolated(equation, symbol)
    if found is None or not found.names <= {*equation.symbols, *equation.constants} - {symbol}:
        return None
    return found if _reproduces(found, equation, symbol) else None


def _isolated(equation: Entry, symbol: str) -> Expression | None:
    """The symbol by SymPy: of an equation linear in it, or by undoing what is done to its only occurrence."""
    import sympy

    wanted, left = sympy.Symbol(symbol, real=True), equation.formula.sympy()
    right = sympy.Symbol(equation.output, real=True)
    try:
        numerator = sympy.fraction(sympy.together(left - right))[0]
        if numerator.is_polynomial(wanted) and sympy.degree(numerator, wanted) == 1:
            form = sympy.Poly(numerator, wanted)
            solved = -form.coeff_monomial(1) / form.coeff_monomial(wanted)
        else:
            solved = _undone(left, right, wanted, never_negative=_never_negative(equation, symbol))
        return None if solved is None else Expression.parse(str(solved))
    except (sympy.PolynomialError, ExpressionError, NotImplementedError, AttributeError, TypeError):
        return None


def _never_negative(equation: Entry, symbol: str) -> bool:
    sample = equation.symbols[symbol].sample
    return sample is not None and sample[0] >= 0


def _undone(left: Any, right: Any, wanted: Any, never_negative: bool) -> Any:
    """`wanted` from left = right, where each operation on the way to it has one real inverse.

    A power of the bare symbol has one where the symbol is never negative; of anything else only an odd one.
    """
    import sympy

    one_way = {sympy.exp: sympy.log, sympy.log: sympy.exp, sympy.sinh: sympy.asinh, sympy.tanh: sympy.atanh}
    while left != wanted:
        holding = [part for part in left.args if part.has(wanted)]
        if len(holding) != 1:
            return None
        inner = holding[0]
        rest = [part for part in left.args if part is not inner]
        if left.is_Add:
            right = right - sympy.Add(*rest)
        elif left.is_Mul:
            right = right / sympy.Mul(*rest)
        elif left.func in one_way and len(left.args) == 1:
            right = one_way[left.func](right)
        elif left.is_Pow and inner is left.base and _one_branch(left.exp, inner == wanted and never_negative):
            right = right ** (1 / left.exp)
        else:
            return None
        left = inner
    return right


def _one_branch(exponent: Any, never_negative: bool) -> bool:
    if never_negative:
        return not exponent.is_zero
    return bool(exponent.is_Rational and exponent.p == 1)  # a root has one argument, a square has two


def _reproduces(found: Expression, equation: Entry, symbol: str) -> bool:
    """Whether a branch gives back the input of every test vector."""
    for test in equation.tests:
        known = {**equation.constant_values, **test.inputs, equation.output: equation.value(**test.inputs)}
        try:
            value = found({name: number for name, number in known.items() if name != symbol})
        except ExpressionError:
            return False
        if not math.isclose(value, test.inputs[symbol], rel_tol=1e-6, abs_tol=_AGREED):
            return False
    return True
