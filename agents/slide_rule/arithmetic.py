"""Expressions worked out by hand: every product is read off a slide rule, every sum made on paper."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from ansatz.agents.slide_rule.units import NONE, Dimension, Unit

SLIDE_RULE_DIGITS = 3
PRINTED_DIGITS = 6
_DIVISIONS = ((2.0, 0.02), (5.0, 0.05), (math.inf, 0.1))

_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in (
        "sqrt", "cbrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf",
    )},
    "ln": math.log, "abs": abs, "Abs": abs, "min": min, "max": max, "Min": min, "Max": max,
    "cot": lambda x: 1 / math.tan(x),
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
_PLAIN_NUMBER = re.compile(r"0|[1-9]\d{0,8}|0\.0{0,2}[1-9]{1,2}\d{0,8}(?<!0)|[1-9]\d{0,8}\.\d{0,8}[1-9]")
_NAME = re.compile(r"[^\W\d]\w*(?!\w*\()")
_PYTHON_NAMES = {"ln": "log", "Abs": "abs", "Min": "min", "Max": "max"}
_NUMBERS = {"pi": math.pi}
_SAME_KIND = {"abs", "Abs", "min", "max", "Min", "Max"}  # functions whose result has their argument's unit


class NotCalculable(ValueError):
    """The expression cannot be worked out: an unknown function, a missing value or a number out of range."""


@lru_cache(maxsize=2048)
def parse(expression: str) -> ast.expr:
    """The expression's tree. Raises NotCalculable where it is not a formula."""
    try:
        return ast.parse(expression.replace("^", "**"), mode="eval").body
    except SyntaxError as error:
        raise NotCalculable(f"cannot read {expression!r}") from error


def names_in(expression: str) -> set[str]:
    """The symbols an expression needs values for."""
    tree = parse(expression)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called}
    return found - _NUMBERS.keys()


def significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else value


def written(value: float, digits: int) -> str:
    """A number as one writes it down: 1.24e6, 0.00031, 293."""
    if 1e-3 <= abs(value) < 1e5 or value == 0:
        rounded = significant(value, digits)
        return f"{rounded:.{digits}g}" if abs(rounded) < 10**digits else f"{rounded:.0f}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}"


def read_off(value: float) -> float:
    """The nearest division of a pocket slide rule: 0.02 between 1 and 2, 0.05 up to 5, 0.1 up to 10.

    (The 12.5 cm rule; a reading is off by up to 1.2 %, most often by about 0.4 %.)
    """
    if value == 0 or not math.isfinite(value):
        return value
    decade = 10.0 ** math.floor(math.log10(abs(value)))
    mantissa = value / decade
    division = next(step for limit, step in _DIVISIONS if abs(mantissa) < limit)
    return significant(round(mantissa / division) * division * decade, SLIDE_RULE_DIGITS)


def evaluate(expression: str, values: Mapping[str, float], exact: bool = False) -> float:
    """The expression's value, worked out by hand unless `exact`.

    By hand, products, quotients, powers and functions are read off the slide rule; sums are made on paper
    with three digits.
    """

    def paper(value: float) -> float:
        return value if exact else significant(value, SLIDE_RULE_DIGITS)

    def rule(value: float) -> float:
        return value if exact else read_off(value)

    def work(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name) if name in values:
                return paper(values[name])
            case ast.Name(id=name) if name in _NUMBERS:
                return paper(_NUMBERS[name])
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -work(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
                return paper(_OPERATORS[type(operator)](work(left), work(right)))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return rule(float(rule(work(left)) ** work(right)))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                return rule(_OPERATORS[type(operator)](rule(work(left)), rule(work(right))))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _FUNCTIONS:
                return rule(_FUNCTIONS[name](*map(work, arguments)))
        raise NotCalculable(f"cannot work out {ast.unparse(node)}")

    try:
        result = work(parse(expression))
    except (ValueError, ZeroDivisionError, OverflowError, TypeError) as error:
        raise NotCalculable(str(error)) from error
    if not math.isfinite(result):
        raise NotCalculable(f"{expression} has no finite value")
    return result


def substituted(expression: str, texts: Mapping[str, str]) -> str:
    """The expression with its symbols replaced by texts (numbers, or names in Python code)."""
    if all(_PLAIN_NUMBER.fullmatch(text) for text in texts.values()):
        # Such numbers come out as they go in, so that the tree need be walked only once.
        return _NAME.sub(lambda name: texts.get(name.group(), name.group()), _tidy(expression))
    return _substituted(expression, texts)


@lru_cache(maxsize=4096)
def _tidy(expression: str) -> str:
    return _substituted(expression, {})


def _substituted(expression: str, texts: Mapping[str, str]) -> str:
    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return parse(texts[node.id]) if node.id in texts else node

        def visit_Call(self, node: ast.Call) -> ast.expr:
            assert isinstance(node.func, ast.Name)
            name = _PYTHON_NAMES.get(node.func.id, node.func.id)
            arguments = [self.visit(argument) for argument in node.args]
            if name == "cot":
                return ast.BinOp(ast.Constant(1), ast.Div(), ast.Call(ast.Name("tan"), arguments, []))
            return ast.Call(ast.Name(name), arguments, [])

    tree = Replace().visit(ast.parse(expression.replace("^", "**"), mode="eval").body)
    return _compact(ast.unparse(ast.fix_missing_locations(tree)))


def _compact(text: str) -> str:
    """`a * b ** 2 + c` as people write it: `a*b**2 + c`."""
    return text.replace(" ** ", "**").replace(" * ", "*").replace(" / ", "/")


def dimension_of(expression: str, units: Mapping[str, Unit]) -> Dimension | None:
    """The dimension that follows from the symbols' units, or None where the expression is inhomogeneous."""
    try:
        return _dimension(parse(expression), {name: unit.dimension for name, unit in units.items()})
    except NotCalculable:
        return None


def _dimension(node: ast.expr, units: Mapping[str, Dimension]) -> Dimension:
    match node:
        case ast.Constant():
            return NONE
        case ast.Name(id=name):
            return units.get(name, NONE)
        case ast.UnaryOp(operand=operand):
            return _dimension(operand, units)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base = _dimension(left, units)
            return base if base == NONE else _scaled(base, evaluate(ast.unparse(right), {}, exact=True))
        case ast.BinOp(left=left, op=operator, right=right):
            one, other = _dimension(left, units), _dimension(right, units)
            if isinstance(operator, ast.Add | ast.Sub):
                if one != other:
                    raise NotCalculable(f"{ast.unparse(node)} adds unlike quantities")
                return one
            sign = 1.0 if isinstance(operator, ast.Mult) else -1.0
            return tuple(round(a + sign * b, 6) + 0.0 for a, b in zip(one, other, strict=True))
        case ast.Call(func=ast.Name(id=name), args=[argument, *_]):
            inner = _dimension(argument, units)
            if name in ("sqrt", "cbrt"):
                return _scaled(inner, 0.5 if name == "sqrt" else 1 / 3)
            if inner != NONE and name not in _SAME_KIND:
                raise NotCalculable(f"{name} of a quantity with a unit")
            return inner
    raise NotCalculable(f"no dimension for {ast.unparse(node)}")


def _scaled(dimension: Dimension, power: float) -> Dimension:
    return tuple(round(power * exponent, 6) + 0.0 for exponent in dimension)
