"""Formulas worked out by hand: every product is read off a slide rule, every sum made on paper."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.quantities.tree import Convention, Name, Node, Numeral, Tree, evaluated

SLIDE_RULE_DIGITS = 3
PRINTED_DIGITS = 6
_DIVISIONS = ((2.0, 0.02), (5.0, 0.05), (math.inf, 0.1))
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?!\w*\()")


def significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


def written(value: float, digits: int) -> str:
    """A number as one writes it down: 1.24e6, 0.00031, 293; "undefined" for NaN."""
    if not math.isfinite(value):
        return "undefined"
    if 1e-3 <= abs(value) < 1e5 or value == 0:
        rounded = significant(value, digits)
        return f"{rounded:.{digits}g}" if abs(rounded) < 10**digits else f"{rounded:.0f}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(exponent)}"


def _division(value: float) -> float:
    """A division of a pocket slide rule at a value: 0.02 between 1 and 2, 0.05 up to 5, 0.1 up to 10.

    (The 12.5 cm rule; a reading is off by up to 1.2 %, most often by about 0.4 %.)
    """
    decade = 10.0 ** math.floor(math.log10(abs(value)))
    return next(step for limit, step in _DIVISIONS if abs(value / decade) < limit) * decade


@dataclass(frozen=True)
class Eye:
    """How somebody reads a slide rule: the nearest division, or with parallax, which `draw` decides.

    A second or third look is off by up to one division; a `careful` one reads fifths of a division.
    """

    draw: int = 0
    careful: bool = False

    def __call__(self, value: float) -> float:
        if value == 0 or not math.isfinite(value):
            return value
        step = _division(value) / (5 if self.careful else 1)
        aside = zlib.crc32(f"{self.draw}/{value:.6g}".encode()) % 3 - 1 if self.draw else 0
        return significant((round(value / step) + aside) * step, SLIDE_RULE_DIGITS + self.careful)


read_off = Eye()


def by_hand(tree: Tree, values: Mapping[str, float], read: Eye = read_off) -> float | None:
    """The value of an expression: products, powers and functions off the rule, sums with three digits.

    None where it has none.
    """
    try:
        value = _work(tree, values, read)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _work(tree: Tree, values: Mapping[str, float], read: Eye) -> float:
    if isinstance(tree, Numeral):
        return tree.value
    if isinstance(tree, Name):
        return significant(values[tree.name], SLIDE_RULE_DIGITS)
    parts = [_work(part, values, read) for part in tree.parts]
    if tree.operator in ("+", "-", "neg", "pi"):
        return significant(_exact(tree.operator, parts), SLIDE_RULE_DIGITS)
    return read(_exact(tree.operator, list(map(read, parts)) if tree.operator in "*/" else parts))


def _exact(operator: str, parts: list[float]) -> float:
    """One operation on numbers, by the parser's own evaluation."""
    numbers = {f"x{place}": part for place, part in enumerate(parts)}
    value = evaluated(Node(operator, tuple(map(Name, numbers))), numbers, Convention())
    if value is None:
        raise ArithmeticError(f"{operator} of {parts}")
    return value


def substituted(expression: str, texts: Mapping[str, str]) -> str:
    """The expression with its symbols replaced by texts; a negative number stands in brackets."""
    bracketed = {name: f"({text})" if text.startswith("-") else text for name, text in texts.items()}
    return _NAME.sub(lambda name: bracketed.get(name.group(), name.group()), expression)
