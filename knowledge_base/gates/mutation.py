"""Alter formulas slightly; the test vectors of an entry must detect every alteration."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import TypeVar

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import Expression

Node = TypeVar("Node", bound=ast.AST)
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
        for tree in _change_each_node(formula.tree, change):
            yield Expression(ast.unparse(tree), tree)
    if equation.expr is not None:
        whole = ast.BinOp(ast.Constant(1.1), ast.Mult(), formula.tree)
        yield Expression(ast.unparse(whole), whole)


def _change_each_node(node: Node, change: Callable[[ast.AST], bool]) -> Iterator[Node]:
    """Yield a version of the tree for each node that `change` alters; `change` returns whether it did.

    A version shares all nodes with the tree, except those from its root to the altered one.
    """
    altered = copy.copy(node)
    if change(altered):
        yield altered
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if not isinstance(child, ast.AST):
                continue
            for version in _change_each_node(child, change):
                parent = copy.copy(node)
                replaced = [*children[:index], version, *children[index + 1 :]]
                setattr(parent, field, replaced if isinstance(value, list) else version)
                yield parent


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
