"""Whether two symbolic answers are equal, decided inside the sandbox.

`sympy.sympify` evaluates its text as Python. One text comes from a model and the other is the answer key, so
they are parsed, and only numbers, names, arithmetic and SymPy's own functions are built: no text runs.
"""

from __future__ import annotations

import ast
import operator
import random
from collections.abc import Callable, Mapping
from typing import Any

from ansatz.sandbox.encoding import EncodingError, Symbolic

_LONGEST = 20_000
_LARGEST_EXPONENT = 10_000
_TRIALS = 6
_DIGITS = 30
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.BitXor: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_CONSTANTS = ("pi", "E", "I", "oo", "zoo", "nan", "EulerGamma", "Catalan", "GoldenRatio")
_FUNCTIONS = """
    sqrt cbrt root exp log ln Abs sign sin cos tan cot sec csc asin acos atan atan2 acot asec acsc sinh
    cosh tanh coth sech csch asinh acosh atanh acoth gamma loggamma digamma polygamma beta factorial
    binomial erf erfc erfi Ei li Si Ci LambertW zeta besselj bessely besseli besselk jn yn airyai airybi
    legendre hermite laguerre chebyshevt chebyshevu assoc_legendre Ynm hyper meijerg elliptic_k
    elliptic_e elliptic_f re im arg conjugate Heaviside DiracDelta KroneckerDelta Min Max floor ceiling
    Mod Rational Integer Float
""".split()  # noqa: SIM905 - a hundred quoted names would hide what is on the list


def expressions(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments in which each `Symbolic` has become the expression that it spells."""
    return {name: _expression(each) for name, each in arguments.items()}


def _expression(value: Any) -> Any:
    if isinstance(value, Symbolic):
        return parse(value)
    if isinstance(value, list | tuple):
        return type(value)(_expression(each) for each in value)
    return value


def parse(text: str, *, positive: bool = False) -> Any:
    """The SymPy expression of a text. Raises EncodingError for anything that is not one."""
    if len(text) > _LONGEST:
        raise EncodingError(f"an expression of {len(text)} characters; at most {_LONGEST} are compared")
    try:
        return _build(ast.parse(text.strip(), mode="eval").body, positive)
    except (SyntaxError, RecursionError, TypeError, ValueError, MemoryError) as failure:
        if isinstance(failure, EncodingError):
            raise
        raise EncodingError(f"not an expression: {type(failure).__name__}: {failure}") from failure


def equal(left: str, right: str, *, positive: bool) -> bool | None:
    """Whether two expressions are the same for all values of their symbols; None where that stays open.

    `positive` takes every symbol as a positive real number, as most physical quantities are.
    """
    import sympy

    one, other = parse(left, positive=positive), parse(right, positive=positive)
    if one == other:
        return True
    difference = one - other
    numbers = _at_random_points(difference, one, positive)
    if any(each is False for each in numbers):
        return False
    if sympy.simplify(difference) == 0:
        return True
    exact = difference.equals(0)
    if exact is not None:
        return bool(exact)
    # Nothing but rounding at every point, to thirty digits, is as good as a proof where none is found.
    return True if numbers and all(numbers) else None


def _at_random_points(difference: Any, scale: Any, positive: bool) -> list[bool]:
    """For each point where both have a number: whether the difference is nothing but rounding."""
    import sympy

    generator = random.Random(0)  # the verdict on two expressions does not change from call to call
    symbols, found = sorted(difference.free_symbols, key=str), []
    for _ in range(_TRIALS if symbols else 1):
        point = {}
        for symbol in symbols:
            value = sympy.Rational(generator.randint(100, 3000), 1009)
            point[symbol] = value if positive or generator.random() < 0.5 else -value
        values = [each.evalf(_DIGITS, subs=point, maxn=300) for each in (difference, scale)]
        if all(each.is_number and each.is_finite for each in values):
            found.append(bool(abs(values[0]) <= sympy.Float(10) ** (10 - _DIGITS) * (1 + abs(values[1]))))
    return found


def _build(node: ast.expr, positive: bool) -> Any:
    import sympy

    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sympy.Integer(node.value) if isinstance(node.value, int) else sympy.Float(repr(node.value))
    if isinstance(node, ast.Name):
        return (
            getattr(sympy, node.id)
            if node.id in _CONSTANTS
            else sympy.Symbol(node.id, positive=positive or None)
        )
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_build(node.operand, positive))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        operands = _build(node.left, positive), _build(node.right, positive)
        if (
            isinstance(node.op, ast.Pow | ast.BitXor)
            and operands[1].is_number
            and abs(operands[1]) > _LARGEST_EXPONENT
        ):
            raise EncodingError("an exponent beyond all measure")
        return _BINARY[type(node.op)](*operands)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in _FUNCTIONS:
            raise EncodingError(f"{node.func.id!r} is not one of the functions that are compared")
        return getattr(sympy, node.func.id)(*(_build(each, positive) for each in node.args))
    raise EncodingError(f"{type(node).__name__} is no part of an expression")
