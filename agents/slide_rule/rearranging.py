"""Turning a formula round: each input that occurs once, by undoing one operation after the other."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace

from ansatz.agents.slide_rule.arithmetic import parse
from ansatz.agents.slide_rule.formula import TURNED, Formula, Symbol

_UNDONE = {
    "sin": "asin", "cos": "acos", "tan": "atan", "asin": "sin", "atan": "tan", "exp": "log", "log": "exp",
}  # fmt: skip


def rearrangements(formula: Formula) -> tuple[Formula, ...]:
    """The formula solved for each input that can be isolated; of two roots the positive one."""
    found = ((symbol, solved_for(formula, symbol)) for symbol in formula.inputs)
    return tuple(_turned(formula, symbol, expression) for symbol, expression in found if expression)


def solved_for(formula: Formula, symbol: Symbol) -> str | None:
    """The input as an expression of the output and the other inputs; None if it cannot be isolated."""
    tree = parse(formula.expression)
    names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    if names[symbol.name] != 1:
        return None
    node, other = tree, formula.output.name
    while not isinstance(node, ast.Name):
        undone = _undone(node, symbol.name, other)
        if undone is None:
            return None
        node, other = undone
    return ast.unparse(parse(other)).replace(" ** ", "**").replace(" * ", "*").replace(" / ", "/")


def _turned(formula: Formula, symbol: Symbol, expression: str) -> Formula:
    others = tuple(each for each in formula.inputs if each is not symbol)
    return replace(
        formula,
        name=f"{formula.name}{TURNED}{symbol.name}",
        output=symbol,
        expression=expression,
        inputs=(formula.output, *others),
        words=(formula.words - formula.output.words) | symbol.words,
    )


def _undone(node: ast.expr, symbol: str, other: str) -> tuple[ast.expr, str] | None:
    """One operation taken from `node` and its inverse done to `other`."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return operand, f"-({other})"
        case ast.BinOp(left=left, op=operator, right=right):
            return _undone_operator(left, operator, right, _holds(left, symbol), other)
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return argument, f"({other})**2"
        case ast.Call(func=ast.Name(id="log10"), args=[argument]):
            return argument, f"10**({other})"
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _UNDONE:
            return argument, f"{_UNDONE[name]}({other})"
    return None


def _undone_operator(
    left: ast.expr, operator: ast.operator, right: ast.expr, on_the_left: bool, other: str
) -> tuple[ast.expr, str] | None:
    inside, outside = (left, ast.unparse(right)) if on_the_left else (right, ast.unparse(left))
    match operator:
        case ast.Add():
            return inside, f"({other}) - ({outside})"
        case ast.Sub():
            return inside, f"({other}) + ({outside})" if on_the_left else f"({outside}) - ({other})"
        case ast.Mult():
            return inside, f"({other})/({outside})"
        case ast.Div():
            return inside, f"({other})*({outside})" if on_the_left else f"({outside})/({other})"
        case ast.Pow() if not on_the_left:
            return inside, f"log({other})/log({outside})"
        case ast.Pow() if outside == "2":
            return inside, f"sqrt({other})"
        case ast.Pow():
            return inside, f"({other})**(1/({outside}))"
    return None


def _holds(node: ast.expr, symbol: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == symbol for each in ast.walk(node))
