"""Evaluate the formulas of a problem set: numbers, 3-vectors, and calls of the reference functions.

Text is parsed to a syntax tree of which each kind of node is named here; nothing else is ever executed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.quantities.did_you_mean import nearest

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Mod: operator.mod,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class FormulaError(AnsatzError, Infeasible):
    """A formula that cannot be read, or has no finite real value; the message is one line."""


def evaluate(text: str, values: Mapping[str, Any]) -> Any:
    """A float, a NumPy vector, a bool or a word. `values` are in SI units. Raises FormulaError."""
    try:
        result = _value(parse(text), values)
    except (ArithmeticError, ValueError, TypeError) as problem:
        raise FormulaError(f"{text!r} has no value: {problem}") from problem
    if isinstance(result, bool | str):
        return result
    if np.iscomplexobj(result) or not np.all(np.isfinite(result)):
        raise FormulaError(f"{text!r} has no finite real value")
    return result


def parse(text: str) -> ast.expr:
    """The syntax tree of a formula. Raises FormulaError where it is not Python syntax."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as problem:
        raise FormulaError(f"{text!r} is not a formula: {problem.msg}") from problem


def names(text: str) -> set[str]:
    """The quantities that a formula needs."""
    tree = parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in called and node.id != "pi"
    }


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=float() | int() | str() as constant):
            return constant
        case ast.Name(id="pi"):
            return np.pi
        case ast.Name(id=name):
            if name not in values:
                raise FormulaError(f"there is no quantity {name!r}{nearest(name, values)}")
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, values), _value(right, values))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return bool(_COMPARE[type(op)](_value(left, values), _value(right, values)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, values) else orelse, values)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise FormulaError(f"there is no function {name!r}{nearest(name, FUNCTIONS)}")
            return FUNCTIONS[name](*(_value(each, values) for each in arguments))
    raise FormulaError(f"{ast.unparse(node)!r} is not allowed in a formula")
