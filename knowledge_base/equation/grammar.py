"""Formulas in a restricted grammar: parsed from text, evaluated, checked for dimensions, turned into SymPy.

Allowed are numbers, symbols, pi, + - * / **, brackets and the functions in FUNCTIONS; a comparison adds
< <= > >= ==. Text is parsed to a syntax tree whose every node is on a whitelist; nothing is ever executed.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ansatz.errors import AnsatzError
from ansatz.quantities.did_you_mean import nearest

Numbers = Mapping[str, float]
Evaluator = Callable[[Numbers], float]

_FROM_MATH = (math.sqrt, math.exp, math.log, math.log10, math.erf, math.erfc)
_ANGLES = (math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2)
_HYPERBOLIC = (math.sinh, math.cosh, math.tanh, math.asinh, math.acosh, math.atanh)
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    each.__name__: each for each in (*_FROM_MATH, *_ANGLES, *_HYPERBOLIC, abs, min, max)
}
MORE_THAN_ONE_ARGUMENT = {"min": 8, "max": 8, "atan2": 2}
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


class ExpressionError(AnsatzError, ValueError):
    """Text outside the grammar, or a formula that has no real value at the given numbers."""


@dataclass(frozen=True)
class Expression:
    """One formula. Make it with `Expression.parse`; `names` are its symbols."""

    text: str
    tree: ast.expr

    @classmethod
    def parse(cls, text: str) -> Expression:
        return cls(text, _parse(text, comparison=False))

    @cached_property
    def names(self) -> frozenset[str]:
        return names_of(self.tree)

    @cached_property
    def _evaluator(self) -> Evaluator:
        return evaluator(self.tree)

    def __call__(self, numbers: Numbers) -> float:
        """The real value at `numbers`, which may hold more names than needed. Raises ExpressionError."""
        try:
            value = self._evaluator(numbers)
        except (
            ArithmeticError,
            ValueError,
            TypeError,
        ) as problem:  # TypeError: a function met a complex number
            raise ExpressionError(f"{self.text} has no value there: {problem}") from problem
        if isinstance(value, complex):
            raise ExpressionError(f"{self.text} has no real value there")
        return value

    def sympy(self) -> Any:
        """The same formula as a SymPy expression over real symbols, with exact rational numbers."""
        return to_sympy(self.tree)


@dataclass(frozen=True)
class Relation:
    """A chain such as "0 <= q" or "q <= 0.5*rho*V**3", over the same grammar."""

    text: str
    operands: tuple[Expression, ...]
    operators: tuple[type[ast.cmpop], ...]

    @classmethod
    def parse(cls, text: str) -> Relation:
        tree = _parse(text, comparison=True)
        assert isinstance(tree, ast.Compare)
        operands = tuple(Expression(ast.unparse(part), part) for part in (tree.left, *tree.comparators))
        return cls(text, operands, tuple(type(op) for op in tree.ops))

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(operand.names for operand in self.operands))

    def holds(self, numbers: Numbers, rtol: float = 1e-9) -> bool:
        """True if every link holds, with values that agree within `rtol` taken as equal."""
        values = [operand(numbers) for operand in self.operands]
        return all(
            math.isclose(left, right, rel_tol=rtol) or COMPARISONS[op](left, right)
            for left, right, op in zip(values, values[1:], self.operators, strict=False)
        )


def evaluator(node: ast.expr) -> Evaluator:
    """A closure that computes `node`; built once, it runs without walking the tree again."""
    match node:
        case ast.Constant(value=float() | int() as number):
            constant = float(number)
            return lambda _: constant
        case ast.Name(id="pi"):
            return lambda _: math.pi
        case ast.Name(id=name):
            return lambda numbers: numbers[name]
        case ast.UnaryOp(operand=operand):
            inner = evaluator(operand)
            return lambda numbers: -inner(numbers)
        case ast.BinOp(left=left_node, op=op, right=right_node):
            left, right, combine = evaluator(left_node), evaluator(right_node), OPERATORS[type(op)]
            return lambda numbers: combine(left(numbers), right(numbers))
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            function, only = FUNCTIONS[name], evaluator(argument)
            return lambda numbers: function(only(numbers))
        case ast.Call(func=ast.Name(id=name), args=nodes):
            function, arguments = FUNCTIONS[name], [evaluator(each) for each in nodes]
            return lambda numbers: function(*(argument(numbers) for argument in arguments))
    raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in a formula")


def to_sympy(node: ast.expr) -> Any:
    import sympy

    match node:
        case ast.Constant(value=number):
            return sympy.Rational(str(number))
        case ast.Name(id="pi"):
            return sympy.pi
        case ast.Name(id=name):
            return sympy.Symbol(name, real=True)
        case ast.UnaryOp(operand=operand):
            return -to_sympy(operand)
        case ast.BinOp(left=left, op=op, right=right):
            combine: Callable[[Any, Any], Any] = OPERATORS[type(op)]
            return combine(to_sympy(left), to_sympy(right))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            spelled = {"abs": "Abs", "min": "Min", "max": "Max"}.get(name, name)
            function = (lambda x: sympy.log(x, 10)) if name == "log10" else getattr(sympy, spelled)
            return function(*(to_sympy(argument) for argument in arguments))
    raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in a formula")


def names_of(tree: ast.AST) -> frozenset[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(names - called - {"pi"})


def check_names(found: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise ExpressionError at the first name that is not known."""
    known = list(known)
    for name in sorted(found):
        if name not in known:
            raise ExpressionError(f"{where}: unknown symbol {name!r}{nearest(name, known)}")


def _parse(text: str, comparison: bool) -> ast.expr:
    if len(text) > 2000:
        raise ExpressionError("a formula may have at most 2000 characters")
    try:
        tree = ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, RecursionError, ValueError) as problem:
        raise ExpressionError(f"{text!r} cannot be parsed: {problem}") from problem
    if comparison:
        if not isinstance(tree, ast.Compare) or not all(type(op) in COMPARISONS for op in tree.ops):
            raise ExpressionError(f"{text!r} is not a comparison with < <= > >= ==")
        for part in (tree.left, *tree.comparators):
            _require_allowed(part)
    else:
        _require_allowed(tree)
    return tree


def _require_allowed(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.Name():
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _require_allowed(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            _require_allowed(left)
            _require_allowed(right)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            least = 1 if name not in MORE_THAN_ONE_ARGUMENT else 2
            if not least <= len(arguments) <= MORE_THAN_ONE_ARGUMENT.get(name, 1):
                raise ExpressionError(f"{name} does not take {len(arguments)} arguments")
            for argument in arguments:
                _require_allowed(argument)
        case ast.Call(func=ast.Name(id=name)):
            raise ExpressionError(f"unknown function {name!r}{nearest(name, FUNCTIONS, shown=30)}")
        case _:
            raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in a formula")
