"""Parse and evaluate formulas in a restricted grammar, without executing anything.

A formula may contain numbers, symbols, pi, + - * / **, brackets and the functions in FUNCTIONS. A comparison
may also contain < <= > >= ==. Every node of the syntax tree must be on a whitelist.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ansatz.errors import ExpressionError
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.tree import erfcx

Numbers = Mapping[str, float]
Evaluator = Callable[[Numbers], float]

_FROM_MATH = (math.sqrt, math.exp, math.log, math.log10, math.erf, math.erfc)
_ANGLES = (math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2)
_HYPERBOLIC = (math.sinh, math.cosh, math.tanh, math.asinh, math.acosh, math.atanh)


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    function.__name__: function for function in (*_FROM_MATH, *_ANGLES, *_HYPERBOLIC, erfcx, abs, min, max)
}
MORE_THAN_ONE_ARGUMENT = {"min": 8, "max": 8, "atan2": 2}
Functions = Mapping[str, Callable[..., Any]]
OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}
_STRICT = (ast.Lt, ast.Gt)


@dataclass(frozen=True)
class Expression:
    """One formula. Text outside the grammar raises ExpressionError."""

    text: str
    tree: ast.expr
    functions: Functions = field(default_factory=lambda: FUNCTIONS, repr=False, compare=False)
    """The functions that it may call. Symbols may have any values that these accept, such as vectors."""
    _value_at: Evaluator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_value_at", build_evaluator(self.tree, self.functions))

    @classmethod
    def parse(cls, text: str, functions: Functions = FUNCTIONS) -> Expression:
        return cls(text, _parse(text), functions)

    @cached_property
    def names(self) -> frozenset[str]:
        return collect_names(self.tree)

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        # Closures and other functions cannot be pickled.
        return Expression.parse, (self.text,)

    def __call__(self, numbers: Numbers) -> float:
        """Return the real value at `numbers`, which may contain further names. Raises ExpressionError."""
        try:
            value = self._value_at(numbers)
        except (ArithmeticError, ValueError, TypeError) as error:  # TypeError: of a complex number
            raise ExpressionError(f"{self.text} has no value there: {error}") from error
        if isinstance(value, complex):
            raise ExpressionError(f"{self.text} has no real value there")
        return value


@dataclass(frozen=True)
class Relation:
    """A chain of comparisons, such as "0 <= q" or "q <= 0.5*rho*V**3"."""

    text: str
    operands: tuple[Expression, ...]
    operators: tuple[type[ast.cmpop], ...]

    @classmethod
    def parse(cls, text: str, functions: Functions = FUNCTIONS) -> Relation:
        tree = _parse(text)
        if not isinstance(tree, ast.Compare) or not all(type(op) in COMPARISONS for op in tree.ops):
            raise ExpressionError(f"{text!r} is not a comparison with < <= > >= ==")
        parts = (tree.left, *tree.comparators)
        operands = tuple(Expression(ast.unparse(part), part, functions) for part in parts)
        return cls(text, operands, tuple(type(op) for op in tree.ops))

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(operand.names for operand in self.operands))

    def holds(self, numbers: Numbers, rtol: float = 1e-9) -> bool:
        """Whether every comparison is true; values that agree within the relative tolerance are equal."""
        values = [operand(numbers) for operand in self.operands]
        return all(
            op not in _STRICT if math.isclose(left, right, rel_tol=rtol) else COMPARISONS[op](left, right)
            for left, right, op in zip(values, values[1:], self.operators, strict=False)
        )


def build_evaluator(node: ast.expr, functions: Functions = FUNCTIONS) -> Evaluator:
    """Return a closure that computes `node` without walking the tree again.

    Raises:
        ExpressionError: The grammar does not allow a node.
    """
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            constant = float(number)
            return lambda _: constant
        case ast.Name(id="pi"):
            return lambda _: math.pi
        case ast.Name(id=name):
            return lambda numbers: numbers[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = build_evaluator(operand, functions)
            return lambda numbers: -inner(numbers)
        case ast.BinOp(left=left_node, op=op, right=right_node) if type(op) in OPERATORS:
            left, right = build_evaluator(left_node, functions), build_evaluator(right_node, functions)
            combine = OPERATORS[type(op)]
            return lambda numbers: combine(left(numbers), right(numbers))
        case ast.Call(func=ast.Name(id=name), args=nodes, keywords=[]):
            return _build_call(name, nodes, functions)
    raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in a formula")


def _build_call(name: str, nodes: list[ast.expr], functions: Functions) -> Evaluator:
    if name not in functions:
        raise ExpressionError(f"unknown function {name!r}{nearest(name, functions, shown=30)}")
    least = 2 if name in MORE_THAN_ONE_ARGUMENT else 1
    if name in FUNCTIONS and not least <= len(nodes) <= MORE_THAN_ONE_ARGUMENT.get(name, 1):
        raise ExpressionError(f"{name} does not take {len(nodes)} arguments")
    function, arguments = functions[name], [build_evaluator(node, functions) for node in nodes]
    if len(arguments) == 1:
        only = arguments[0]
        return lambda numbers: function(only(numbers))
    return lambda numbers: function(*(argument(numbers) for argument in arguments))


def collect_names(tree: ast.AST) -> frozenset[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(names - called - {"pi"})


def check_names(found: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise ExpressionError for the first unknown name."""
    known = list(known)
    for name in sorted(found):
        if name not in known:
            raise ExpressionError(f"{where}: unknown symbol {name!r}{nearest(name, known)}")


def _parse(text: str) -> ast.expr:
    if len(text) > 2000:
        raise ExpressionError("a formula may have at most 2000 characters")
    try:
        return ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, RecursionError, ValueError) as error:
        raise ExpressionError(f"{text!r} cannot be parsed: {error}") from error
