"""Expressions as people write them, such as `0.5 rho V^2` or `0.5*1.2 kg/m^3*(340 m/s)^2`, made computable.

Text is cut into numbers, units, names and operators and put together again in the restricted grammar of
`knowledge_base.expression`, with a placeholder for every name and unit; nothing of it is ever executed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.chains import argument_ends
from ansatz.eval.letters import GREEK_NAMES
from ansatz.eval.notation import read_number, read_unit
from ansatz.eval.quantities import Scale, scale
from ansatz.knowledge_base.dimensions import Dimension, dimension
from ansatz.knowledge_base.expression import Expression, ExpressionError

_LONGEST, _DEEPEST = 400, 12  # characters and nested brackets of an expression that is read
_NAME = re.compile(r"(?:math\.|np\.)?([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)'*")
_OPERATOR = re.compile(r"\*\*|[-+*/^]")
_FUNCTIONS = {
    **{
        name: name
        for name in (
            "sqrt",
            "exp",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "abs",
            "erf",
            "erfc",
            "log10",
        )
    },
    **{name: name for name in ("asin", "acos", "atan", "log")},
    **{"ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan"},
}
_OF_ANGLES = {"sin", "cos", "tan"}
_CHOOSE = {"min": "min", "max": "max", "Min": "min", "Max": "max"}  # functions of several arguments
_EXPONENT = re.compile(r" ?(?:\*\*|\^) ?(?![2-4](?![\d.]))(?P<minus>-)? ?")
_POWER = re.compile(r" ?(?:\*\*|\^) ?\(?(-?\d+(?:\.\d+)?)\)?")
_OPEN, _CLOSED = "([{", ")]}"
_ANGLE = "angle_"
_PLACE = re.compile(r"\bn(\d+)_")  # of a literal in an expression that was read
_FEWEST_ROUNDED = 3  # significant digits from which a literal may have been rounded
_AT_A_POINT = {_ANGLE: 1.0}


@dataclass(frozen=True)
class Formula:
    """An expression that was read: its names in order, its literals' units, and whether it computes anything.

    `bare` tells that a number other than a small integer or a simple factor stands without a unit; `digits`
    are the significant digits of the literals, `written` is the expression with places for them. `tight` is
    the other reading of a product without a sign after a slash, 1/2 pi as 1/(2 pi), where there is one.
    """

    text: str
    expression: Expression
    names: tuple[str, ...]
    scales: tuple[Scale, ...]
    operations: int
    bare: bool
    literals: tuple[float, ...]
    digits: tuple[int, ...]
    written: str
    tight: Expression | None = None

    def value(self, numbers: Mapping[str, float], *, si: bool = False, angle: float = 1.0) -> float | None:
        """The value at `numbers`; with `si`, literals are converted to SI first. None where there is none."""
        known = {f"v{i}_": numbers[name] for i, name in enumerate(self.names) if name in numbers}
        known |= {f"u{i}_": each.factor if si else 1.0 for i, each in enumerate(self.scales)}
        if len(known) < len(self.names) + len(self.scales):
            return None
        try:
            value = self.expression(known | {_ANGLE: angle})
        except ExpressionError:
            return None
        return value if math.isfinite(value) else None

    def readings(self) -> list[tuple[float, bool]]:
        """Every value a purely numeric expression may stand for, and whether that is in SI."""
        found = [(self.value({}), False), (self.value({}, si=True), True)]
        found += [(self.value({}, angle=math.pi / 180), False)] if _ANGLE in self.expression.names else []
        found += [(replace(self, expression=self.tight).value({}), False)] if self.tight else []
        return [(value, si) for value, si in found if value is not None]

    def spread(self, exact: Callable[[float], bool]) -> float:
        """How far a numeric expression may be off because its literals are rounded in their last digit.

        Literals that are `exact`, whole or of one or two digits count as they stand.
        """
        value, spread = self.value({}), 0.0
        for i, (literal, digits) in enumerate(zip(self.literals, self.digits, strict=True)):
            if value is None or digits < _FEWEST_ROUNDED or literal.is_integer() or exact(literal):
                continue
            half = 0.5 * 10.0 ** (math.floor(math.log10(abs(literal))) - digits + 1) if literal else 0.0
            moved = (*self.literals[:i], literal + half, *self.literals[i + 1 :])
            expression = Expression.parse(_filled(self.written, moved))
            other = replace(self, expression=expression).value({})
            spread += abs(other - value) if other is not None else 0.0
        return spread

    def dimension(self) -> Dimension:
        """The dimension of a numeric expression. Raises ExpressionError where it does not balance."""
        units = {
            f"u{i}_": {str(axis): power for axis, power in enumerate(each.dimension) if power}
            for i, each in enumerate(self.scales)
        }
        return dimension(self.expression.tree, units, _AT_A_POINT)


def read_formula(text: str) -> Formula | None:
    """The expression that `text` is, wholly; None for anything else. Letters after numbers are units
    where the text names nothing else, and symbols where it does."""
    if len(text) > _LONGEST:
        return None
    for with_units in (True, False):
        reader = _Reader(text.strip().rstrip(".,:;"), with_units)
        written = reader.read()
        if written is None or (with_units and reader.names and reader.scales):
            continue
        try:
            expression = Expression.parse(_filled(written, reader.literals))
        except ExpressionError:
            continue
        parts = (
            tuple(reader.names),
            tuple(reader.scales),
            reader.operations,
            reader.bare,
            tuple(reader.literals),
            tuple(reader.digits),
            written,
        )
        return Formula(text, expression, *parts, tight=_tight(text, with_units, written))
    return None


def _tight(text: str, with_units: bool, written: str) -> Expression | None:
    """The expression in which a product without a sign binds tighter than a division, where that differs."""
    if "/" not in written:
        return None
    reader = _Reader(text.strip().rstrip(".,:;"), with_units, tight=True)
    other = reader.read()
    try:
        return Expression.parse(_filled(other, reader.literals)) if other and other != written else None
    except ExpressionError:
        return None


def _filled(written: str, literals: Sequence[float]) -> str:
    """The expression with its literals in their places."""
    return _PLACE.sub(lambda place: repr(literals[int(place[1])]), written)


def _closed(parts: list[str], divisor: int | None) -> list[str]:
    """The parts with brackets round the divisor that ends before the last of them, if it is a product."""
    if divisor is None or "*" not in parts[divisor:-1]:
        return parts
    return [*parts[:divisor], f"({''.join(parts[divisor:-1])})", parts[-1]]


class _Reader:
    """One pass over an expression. After `read`, its fields say what was met."""

    def __init__(self, text: str, with_units: bool, tight: bool = False) -> None:
        self._text, self._with_units, self._tight = text, with_units, tight
        self._at = 0
        self.names: list[str] = []
        self.scales: list[Scale] = []
        self.operations = 0
        self.literals: list[float] = []
        self.digits: list[int] = []
        self.bare = False
        self._word = False  # whether the last operand is a word, which only an explicit operator may join

    def read(self) -> str | None:
        written = self._sum(0)
        return written if written and self._at == len(self._text) else None

    def _sum(self, depth: int) -> str | None:
        """Operands and operators up to a closing bracket or the end; None for what is no expression."""
        parts: list[str] = []
        operand = False
        divisor = None  # where the divisor begins that a product without a sign may lengthen
        while self._skip() and self._text[self._at] not in _CLOSED:
            operator = _OPERATOR.match(self._text, self._at)
            if operator:
                self._at = operator.end()
                self.operations += operand
                parts.append({"^": "**", "+": "+" if operand else ""}.get(operator.group(), operator.group()))
                operand = False
                if parts[-1] != "**":
                    parts = _closed(parts, divisor)
                    divisor = len(parts) if self._tight and parts[-1] == "/" else None
                continue
            before, one = self._word, self._operand(depth)
            if one is None or (operand and (before or self._word)):
                return None
            if operand:
                parts.append("*")
                self.operations += 1
            parts.append(one)
            operand = True
        return "".join(_closed([*parts, ""], divisor)) if operand else None

    def _skip(self) -> bool:
        while self._at < len(self._text) and self._text[self._at] == " ":
            self._at += 1
        return self._at < len(self._text)

    def _operand(self, depth: int) -> str | None:
        self._word = False
        number = read_number(self._text, self._at)
        if number:
            self._at = number.end
            self.digits.append(number.digits)
            return self._literal(number.value)
        if self._text[self._at] in _OPEN:
            return self._brackets(depth)
        name = _NAME.match(self._text, self._at)
        if name is None:
            return None
        self._at = name.end()
        if name[1] in _CHOOSE and self._text[self._at : self._at + 1] in tuple(_OPEN):
            return self._choice(_CHOOSE[name[1]], depth)
        if name[1] == "e" and _EXPONENT.match(self._text, self._at):
            return self._exponential(depth)
        return self._function(name[1], depth) if name[1] in _FUNCTIONS else self._symbol(name[1])

    def _literal(self, value: float) -> str:
        unit, end = read_unit(self._text, self._at) if self._with_units else ("", self._at)
        place = f"n{len(self.literals)}_"
        self.literals.append(value)
        known = scale(unit) if unit not in ("", "-") else None
        if known is None:
            self.bare |= not (value.is_integer() and abs(value) < 20) and value not in (0.5, 0.25, 1.5, 2.5)
            return place
        self._at = end
        self.scales.append(known)
        return f"({place}*u{len(self.scales) - 1}_)"

    def _brackets(self, depth: int) -> str | None:
        self._at += 1
        inside = self._sum(depth + 1) if depth < _DEEPEST else None
        if inside is None or not self._skip():
            return None
        self._at += 1
        return f"({inside})"

    def _function(self, name: str, depth: int) -> str | None:
        self.operations += 1
        power = _POWER.match(self._text, self._at)
        self._at = power.end() if power else self._at
        if not self._skip() or depth >= _DEEPEST:
            return None
        units = len(self.scales)
        argument = self._operand(depth + 1)
        if argument is None:
            return None
        if name in _OF_ANGLES and len(self.scales) == units:
            argument = f"{_ANGLE}*({argument})"
        return f"{_FUNCTIONS[name]}({argument})" + (f"**({power[1]})" if power else "")

    def _exponential(self, depth: int) -> str | None:
        """e^x, where x is no small power as of the elementary charge."""
        power = _EXPONENT.match(self._text, self._at)
        assert power is not None
        self._at = power.end()
        self.operations += 1
        argument = self._operand(depth + 1) if depth < _DEEPEST and self._skip() else None
        return f"exp({'-' if power['minus'] else ''}{argument})" if argument else None

    def _choice(self, name: str, depth: int) -> str | None:
        """min(a, b) or max(a, b, c); a comma between the arguments is never one of a number."""
        whole, parts = self._text, []
        self.operations += 1
        for end in argument_ends(whole, self._at):
            self._text, self._at = whole[:end], self._at + 1
            part = self._sum(depth + 1) if depth < _DEEPEST else None
            if part is None or self._at != end:
                return None
            parts.append(part)
        self._text, self._at = whole, self._at + 1
        return f"{name}({', '.join(parts)})" if len(parts) > 1 else None

    def _symbol(self, name: str) -> str:
        if name == "pi":
            return "pi"
        self._word = len(name) > 3 and name.isalpha() and name not in GREEK_NAMES
        if name not in self.names:
            self.names.append(name)
        return f"v{self.names.index(name)}_"
