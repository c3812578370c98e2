"""Alter formulas slightly; the test vectors of an entry must detect every alteration."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import Expression

_INVERSE: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
}


def make_alterations(equation: Equation) -> Iterator[Expression]:
    """Yield the formula with one exponent, number, sign or operator altered, and 1.1 times the formula.

    A residual is not scaled, because 1.1 times it has the same roots.
    """
    formula = equation.formula
    for change in (_change_exponent, _change_number, _change_operator):
        yield from _change_each_node(formula, change)
    if equation.expr is not None:
        whole = ast.BinOp(ast.Constant(1.1), ast.Mult(), formula.tree)
        yield Expression(ast.unparse(whole), whole)


def _change_each_node(formula: Expression, change: Callable[[ast.AST], bool]) -> Iterator[Expression]:
    """Yield a version for each node that `change` alters; `change` returns whether it did."""
    for index, node in enumerate(ast.walk(formula.tree)):
        if change(copy.copy(node)):
            tree = copy.deepcopy(formula.tree)
            change(list(ast.walk(tree))[index])
            yield Expression(ast.unparse(tree), tree)


def _change_exponent(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        node.right = ast.BinOp(node.right, ast.Add(), ast.Constant(0.5))
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
        node.func = ast.Name("abs")
        return True
    return False


def _change_number(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value:
        node.value *= 1.1
        return True
    return False


def _change_operator(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and type(node.op) in _INVERSE:
        node.op = _INVERSE[type(node.op)]
        return True
    if isinstance(node, ast.UnaryOp):
        node.operand = ast.UnaryOp(ast.USub(), node.operand)
        return True
    return False
