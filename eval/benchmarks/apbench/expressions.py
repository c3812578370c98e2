"""Evaluate the formulas of a problem set: numbers, 3-vectors, and calls of the reference functions.

Text is parsed to a syntax tree of which each kind of node is named here; nothing else is ever executed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from types import CodeType
from typing import Any

import numpy as np

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.quantities.did_you_mean import nearest

_ALLOWED = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.USub, ast.IfExp, ast.Call),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod),
    *(ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
_NAMES: Mapping[str, Any] = {"__builtins__": {}, "pi": np.pi, **FUNCTIONS}


class FormulaError(AnsatzError, Infeasible):
    """A formula that cannot be read, or has no finite real value; the message is one line."""


def evaluate(text: str, values: Mapping[str, Any]) -> Any:
    """A float, a NumPy vector, a bool or a word. `values` are in SI units. Raises FormulaError."""
    code, wanted = _compiled(text)
    for name in wanted - values.keys():
        raise FormulaError(f"there is no quantity {name!r}{nearest(name, values)}")
    try:
        result = eval(code, dict(_NAMES), values)
    except (ArithmeticError, ValueError, TypeError) as problem:
        raise FormulaError(f"{text!r} has no value: {problem}") from problem
    if isinstance(result, bool | str):
        return result
    if np.iscomplexobj(result) or not np.all(np.isfinite(result)):
        raise FormulaError(f"{text!r} has no finite real value")
    return result


def names(text: str) -> frozenset[str]:
    """The quantities that a formula needs. Raises FormulaError where it is none."""
    return _compiled(text)[1]


@cache
def _compiled(text: str) -> tuple[CodeType, frozenset[str]]:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as problem:
        raise FormulaError(f"{text!r} is not a formula: {problem.msg}") from problem
    called = set()
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED) or getattr(node, "keywords", False):
            raise FormulaError(f"{ast.unparse(node)!r} is not allowed in a formula")
        if isinstance(node, ast.Call):
            called.add(ast.unparse(node.func))
    for name in called - FUNCTIONS.keys():
        raise FormulaError(f"there is no function {name!r}{nearest(name, FUNCTIONS)}")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return compile(tree, "<formula>", "eval"), frozenset(used - called - {"pi"})
