"""Small wrong versions of a formula, which its test vectors must tell from the right one."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from ansatz.knowledge_base.equation.grammar import Expression

_INVERSE: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def mutants(formula: Expression) -> list[Expression]:
    """The formula with each exponent raised by a half and each root taken off, one at a time.

    Where it has neither: with each number raised by a tenth and each operator turned into its inverse.
    """
    return list(_changed(formula, _exponent)) or list(_changed(formula, _number_or_operator))


def alterations(formula: Expression) -> list[Expression]:
    """The formula with each exponent, number and sign altered, one at a time, and the whole 1.1 times it."""
    whole = ast.BinOp(ast.Constant(1.1), ast.Mult(), formula.tree)
    scaled = Expression(ast.unparse(whole), whole)
    return [*_changed(formula, _exponent), *_changed(formula, _number), *_changed(formula, _sign), scaled]


def _changed(formula: Expression, change: Callable[[ast.AST], bool]) -> Iterator[Expression]:
    """One mutant for each node of which `change` alters a field (it says whether it did)."""
    for index, node in enumerate(ast.walk(formula.tree)):
        if change(copy.copy(node)):
            tree = copy.deepcopy(formula.tree)
            change(list(ast.walk(tree))[index])
            yield Expression(ast.unparse(tree), tree)


def _exponent(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        node.right = ast.BinOp(node.right, ast.Add(), ast.Constant(0.5))
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
        node.func = ast.Name("abs")
        return True
    return False


def _number(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value:
        node.value *= 1.1
        return True
    return False


def _sign(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        node.op = _INVERSE[type(node.op)]()
        return True
    if isinstance(node, ast.UnaryOp):
        node.operand = ast.UnaryOp(ast.USub(), node.operand)
        return True
    return False


def _number_or_operator(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and type(node.op) in _INVERSE:
        node.op = _INVERSE[type(node.op)]()
        return True
    return _number(node)
