"""Expressions as people write them, such as `0.5 rho V^2` or `0.5*1.2 kg/m^3*(340 m/s)^2`, made computable.

Text is cut into numbers, units, names and operators and put together again in the restricted grammar of
`knowledge_base.expression`, with a placeholder for every name and unit; nothing of it is ever executed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.rubrics.expression_reader import ANGLE, Reader
from ansatz.knowledge_base.dimensions import Dimension, DimensionError, dimension
from ansatz.knowledge_base.expression import Expression, ExpressionError
from ansatz.quantities.scales import Scale

_LONGEST = 400  # characters of an expression that is read
_CROSS = re.compile(r"(?<=[\d)\]%]) [xX] (?=[\d(.]|(?:sin|cos|tan|sqrt|exp|ln)\b)")
_PLACE = re.compile(r"\bn(\d+)_")  # of a literal in an expression that was read
_FEWEST_ROUNDED = 3  # significant digits from which a literal may have been rounded
_GLUED = re.compile(r"(?<![\d.])\d(?:\.\d)?[A-Za-z]\^?\d*\b(?!/)")  # a letter that may be a symbol
_AT_A_POINT = {ANGLE: 1.0}


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
            value = self.expression(known | {ANGLE: angle})
        except ExpressionError:
            return None
        return value if math.isfinite(value) else None

    def readings(self) -> list[tuple[float, bool]]:
        """Every value a purely numeric expression may stand for, and whether that is in SI."""
        found = [(self.value({}), False), (self.value({}, si=True), True)]
        found += [(self.value({}, angle=math.pi / 180), False)] if ANGLE in self.expression.names else []
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
    text = _CROSS.sub(" * ", text)
    for with_units in (True, False):
        reader = Reader(text.strip().rstrip(".,:;"), with_units)
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
        formula = Formula(text, expression, *parts, tight=_tight(text, with_units, written))
        if with_units and _GLUED.search(text) and not _balances(formula):
            continue  # 4s^4 + 4s^2 - 1 holds no seconds
        return formula
    return None


def _balances(formula: Formula) -> bool:
    """Whether the units of a numeric expression agree among its terms."""
    try:
        formula.dimension()
    except DimensionError:
        return False
    except ExpressionError:
        return True
    return True


def _tight(text: str, with_units: bool, written: str) -> Expression | None:
    """The expression in which a product without a sign binds tighter than a division, where that differs."""
    if "/" not in written:
        return None
    reader = Reader(text.strip().rstrip(".,:;"), with_units, tight=True)
    other = reader.read()
    try:
        return Expression.parse(_filled(other, reader.literals)) if other and other != written else None
    except ExpressionError:
        return None


def _filled(written: str, literals: Sequence[float]) -> str:
    """The expression with its literals in their places."""
    return _PLACE.sub(lambda place: repr(literals[int(place[1])]), written)
