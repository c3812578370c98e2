"""Dimensional analysis of a formula: what dimension it yields, and where it does not balance."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ansatz.knowledge_base.equation.grammar import ExpressionError, evaluator, names_of

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation.entry import Entry

# Exponents of the base dimensions, such as {"[mass]": 1, "[time]": -3}; None fits any (the literal 0).
Dimension = Mapping[str, float] | None
NONE: Mapping[str, float] = {}
_TRANSPARENT = {"abs", "min", "max", "atan2"}


class UnbalancedTerms(ExpressionError):
    """Terms that cannot be added, or an argument that must be dimensionless and is not."""


def dimension_of_unit(unit: Any) -> Mapping[str, float]:
    """The dimension of a pint unit; angles count as dimensionless."""
    return {base: float(power) for base, power in unit.dimensionality.items()}


def dimension(node: ast.expr, symbols: Mapping[str, Dimension], numbers: Mapping[str, float]) -> Dimension:
    """The dimension of `node`. `numbers` are the named constants, which may stand in exponents."""
    match node:
        case ast.Constant(value=value):
            return None if value == 0 else NONE
        case ast.Name(id=name):
            return symbols.get(name, NONE)
        case ast.UnaryOp(operand=operand):
            return dimension(operand, symbols, numbers)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(left, right, symbols, numbers)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = dimension(left, symbols, numbers), dimension(right, symbols, numbers)
            if isinstance(op, ast.Add | ast.Sub):
                return _same(first, second, node)
            return _product(first, second, 1.0 if isinstance(op, ast.Mult) else -1.0)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments, symbols, numbers)
    raise ExpressionError(f"{ast.unparse(node)!r} has no dimension")


def imbalance(equation: Entry) -> str | None:
    """Why the formula of an equation does not balance, or None when it does."""
    from ansatz.quantities.units import parse_unit

    symbols = {name: dimension_of_unit(parse_unit(unit)) for name, unit in equation.units.items()}
    try:
        found = dimension(equation.formula.tree, symbols, equation.constant_values)
    except ExpressionError as problem:
        return str(problem)
    wanted = symbols[equation.output]
    if equation.expr is None or dimensions_agree(found, wanted):
        return None
    return f"the formula is {spelled(found)}, {equation.output} is {spelled(wanted)}"


def spelled(found: Dimension) -> str:
    """A dimension to be read, such as "[mass]/[time]**3"."""
    if not found:
        return "dimensionless"
    return " ".join(base + (f"**{power:g}" if power != 1 else "") for base, power in sorted(found.items()))


def dimensions_agree(first: Dimension, second: Dimension) -> bool:
    if first is None or second is None:
        return True
    return all(abs(first.get(base, 0.0) - second.get(base, 0.0)) < 1e-9 for base in {*first, *second})


def _call(
    name: str, arguments: list[ast.expr], symbols: Mapping[str, Dimension], numbers: Mapping[str, float]
) -> Dimension:
    found = [dimension(argument, symbols, numbers) for argument in arguments]
    if name == "sqrt":
        return _scaled(found[0], 0.5)
    if name in _TRANSPARENT:
        merged = found[0]
        for argument, other in zip(arguments[1:], found[1:], strict=True):
            merged = _same(merged, other, argument)
        return NONE if name == "atan2" else merged
    if not dimensions_agree(found[0], NONE):
        raise UnbalancedTerms(f"{name}({ast.unparse(arguments[0])}): the argument is {spelled(found[0])}")
    return NONE


def _power(
    base: ast.expr, exponent: ast.expr, symbols: Mapping[str, Dimension], numbers: Mapping[str, float]
) -> Dimension:
    if not dimensions_agree(dimension(exponent, symbols, numbers), NONE):
        raise UnbalancedTerms(f"the exponent {ast.unparse(exponent)} is not dimensionless")
    found = dimension(base, symbols, numbers)
    if not found:
        return found
    if not names_of(exponent) <= numbers.keys():
        raise UnbalancedTerms(
            f"({ast.unparse(base)})**({ast.unparse(exponent)}): {spelled(found)} to a variable power; "
            "divide the base by a reference value"
        )
    return _scaled(found, evaluator(exponent)(numbers))


def _same(first: Dimension, second: Dimension, node: ast.expr) -> Dimension:
    if not dimensions_agree(first, second):
        raise UnbalancedTerms(f"{ast.unparse(node)}: {spelled(first)} against {spelled(second)}")
    return second if first is None else first


def _scaled(found: Dimension, power: float) -> Dimension:
    return found and {base: exponent * power for base, exponent in found.items()}


def _product(first: Dimension, second: Dimension, sign: float) -> Dimension:
    if first is None or second is None:
        return None
    summed = {base: first.get(base, 0.0) + sign * second.get(base, 0.0) for base in {*first, *second}}
    return {base: power for base, power in summed.items() if abs(power) > 1e-12}
