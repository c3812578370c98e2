"""One pass over an expression as people write it; see `arithmetic` for what becomes of it."""

from __future__ import annotations

import re

from ansatz.quantities.letters import GREEK_NAMES
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import Scale, scale
from ansatz.quantities.terms import argument_ends

_DEEPEST = 12  # nested brackets
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
    **{"ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "cot": "1/tan"},
}
_OF_ANGLES = {"sin", "cos", "tan", "cot"}
_CHOOSE = {"min": "min", "max": "max", "Min": "min", "Max": "max"}  # functions of several arguments
_EXPONENT = re.compile(r" ?(?:\*\*|\^) ?(?![2-4](?![\d.]))(?P<minus>-)? ?")
_POWER = re.compile(r" ?(?:\*\*|\^) ?\(?(-?\d+(?:\.\d+)?)\)?")
_OPEN, _CLOSED = "([{", ")]}"
ANGLE = "angle_"
"""A factor of the bare arguments of sin, cos and tan: 1, or pi/180 where they are degrees."""


def _closed(parts: list[str], divisor: int | None) -> list[str]:
    """The parts with brackets round the divisor that ends before the last of them, if it is a product."""
    if divisor is None or "*" not in parts[divisor:-1]:
        return parts
    return [*parts[:divisor], f"({''.join(parts[divisor:-1])})", parts[-1]]


class Reader:
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
            argument = f"{ANGLE}*({argument})"
        called = f"{_FUNCTIONS[name]}({argument})"
        called = f"({called})" if "/" in _FUNCTIONS[name] else called
        return called + (f"**({power[1]})" if power else "")

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
        cased = name.islower() or name.istitle() or name.isupper()  # dTdx is a symbol
        self._word = len(name) > 3 and name.isalpha() and cased and name not in GREEK_NAMES
        if name not in self.names:
            self.names.append(name)
        return f"v{self.names.index(name)}_"
