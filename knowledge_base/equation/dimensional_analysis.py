"""Dimensional analysis of formulas."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from ansatz.errors import ExpressionError
from ansatz.knowledge_base.equation.grammar import build_evaluator, collect_names

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation.entry import Entry

# A pint dimensionality; angles are dimensionless. None, of the literal 0, is compatible with any.
Dimension = Any
_OF_ONE_KIND = {"abs", "min", "max", "atan2"}  # functions whose arguments have the same dimension


def find_imbalance(equation: Entry) -> str | None:
    """Return why the dimensions of an equation do not balance, or None if they do."""
    try:
        found = _Analysis(equation).dimension(equation.formula.tree)
    except ExpressionError as problem:
        return str(problem)
    wanted = get_unit_dimension(equation.units[equation.output])
    if equation.expr is None or _is_compatible(found, wanted):
        return None
    return f"the formula is {found}, {equation.output} is {wanted}"


def get_unit_dimension(unit: str) -> Dimension:
    """Return the dimension of a unit, such as [mass] / [time] ** 3. Raises UnitError."""
    from ansatz.quantities.units import parse_unit

    return parse_unit(unit).dimensionality


class _Analysis:
    """The dimensions of an equation's symbols, and the values of its constants, for exponents."""

    def __init__(self, equation: Entry):
        self._symbols = {name: get_unit_dimension(unit) for name, unit in equation.units.items()}
        self._constants: Mapping[str, float] = equation.constant_values
        self._none = get_unit_dimension("-")

    def dimension(self, node: ast.expr) -> Dimension:
        match node:
            case ast.Constant(value=value):
                return None if value == 0 else self._none
            case ast.Name(id=name):
                return self._symbols.get(name, self._none)
            case ast.UnaryOp(operand=operand):
                return self.dimension(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(left, right)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return _merge_dimensions(self.dimension(left), self.dimension(right), node)
            case ast.BinOp(left=left, op=op, right=right):
                first, second = self.dimension(left), self.dimension(right)
                if first is None or second is None:
                    return None
                return first * second if isinstance(op, ast.Mult) else first / second
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(node, name, arguments)
        raise ExpressionError(f"{ast.unparse(node)!r} has no dimension")

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Dimension:
        found = [self.dimension(argument) for argument in arguments]
        if name == "sqrt":
            return found[0] and found[0] ** 0.5
        if name in _OF_ONE_KIND:
            merged = reduce(lambda one, other: _merge_dimensions(one, other, node), found)
            return self._none if name == "atan2" else merged
        if not _is_compatible(found[0], self._none):
            raise ExpressionError(f"{name}({ast.unparse(arguments[0])}): the argument is {found[0]}")
        return self._none

    def _power(self, base: ast.expr, exponent: ast.expr) -> Dimension:
        if not _is_compatible(self.dimension(exponent), self._none):
            raise ExpressionError(f"the exponent {ast.unparse(exponent)} is not dimensionless")
        found = self.dimension(base)
        if not found:
            return found
        if not collect_names(exponent) <= self._constants.keys():
            raise ExpressionError(
                f"({ast.unparse(base)})**({ast.unparse(exponent)}): {found} to a variable power; "
                "divide the base by a reference value"
            )
        return found ** build_evaluator(exponent)(self._constants)


def _is_compatible(first: Dimension, second: Dimension) -> bool:
    if first is None or second is None:
        return True
    return all(abs(power) < 1e-9 for power in (first / second).values())


def _merge_dimensions(first: Dimension, second: Dimension, node: ast.expr) -> Dimension:
    if not _is_compatible(first, second):
        raise ExpressionError(f"{ast.unparse(node)}: {first} against {second}")
    return second if first is None else first
