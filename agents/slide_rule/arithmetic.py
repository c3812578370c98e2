"""Formulas calculated by hand: products are read off a slide rule, and sums are rounded to three digits."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from ansatz.quantities.tree import Name, Node, Numeral, Tree, evaluate_tree

SLIDE_RULE_DIGITS = 3
PRINTED_DIGITS = 6
_DIVISIONS = ((2.0, 0.02), (5.0, 0.05), (math.inf, 0.1))
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?!\w*\()")


def round_significant(value: float, digits: int) -> float:
    """Round to significant digits."""
    return float(f"{value:.{digits - 1}e}")


def format_number(value: float, digits: int) -> str:
    """Format a number as in handwriting: 1.24e6, 0.00031, 293; "undefined" for NaN and infinity."""
    if not math.isfinite(value):
        return "undefined"
    if 1e-3 <= abs(value) < 1e5 or value == 0:
        rounded = round_significant(value, digits)
        return f"{rounded:.{digits}g}" if abs(rounded) < 10**digits else f"{rounded:.0f}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(exponent)}"


@dataclass(frozen=True)
class ScaleReader:
    """Reads a value off the scale of a pocket slide rule, with a human reading error.

    The divisions of the 12.5 cm rule are 0.02 between 1 and 2, 0.05 up to 5, and 0.1 up to 10. A reading is
    off by up to 1.2 %, most often by about 0.4 %.
    """

    draw: int = 0
    """Number of the answer: 0 reads the nearest division; others may be off by one division (parallax)."""
    careful: bool = False
    """Whether fifths of a division are read."""

    def __call__(self, value: float) -> float:
        if value == 0 or not math.isfinite(value):
            return value
        decade = 10.0 ** math.floor(math.log10(abs(value)))
        division = next(step for limit, step in _DIVISIONS if abs(value / decade) < limit) * decade
        step = division / (5 if self.careful else 1)
        parallax = zlib.crc32(f"{self.draw}/{value:.6g}".encode()) % 3 - 1 if self.draw else 0
        return round_significant((round(value / step) + parallax) * step, SLIDE_RULE_DIGITS + self.careful)


DEFAULT_READER = ScaleReader()


def calculate_by_hand(
    tree: Tree, values: Mapping[str, float], read: ScaleReader = DEFAULT_READER
) -> float | None:
    """Calculate an expression: products, powers and functions with the slide rule, sums with three digits.

    Returns None if the expression has no finite value.
    """
    with suppress(ArithmeticError, ValueError, TypeError, KeyError):
        value = _evaluate(tree, values, read)
        return value if isinstance(value, float) and math.isfinite(value) else None
    return None


def _evaluate(tree: Tree, values: Mapping[str, float], read: ScaleReader) -> float:
    if isinstance(tree, Numeral):
        return tree.value
    if isinstance(tree, Name):
        return round_significant(values[tree.name], SLIDE_RULE_DIGITS)
    parts = [_evaluate(part, values, read) for part in tree.parts]
    is_sum = tree.operator in ("+", "-", "neg", "pi")
    if tree.operator in "*/":
        parts = list(map(read, parts))
    numbers = {f"x{place}": part for place, part in enumerate(parts)}
    exact = evaluate_tree(Node(tree.operator, tuple(map(Name, numbers))), numbers)
    if exact is None:
        raise ArithmeticError(f"{tree.operator} of {parts}")
    return round_significant(exact, SLIDE_RULE_DIGITS) if is_sum else read(exact)


def substitute(expression: str, texts: Mapping[str, str]) -> str:
    """Replace the symbols of an expression by texts; negative numbers get parentheses."""
    bracketed = {name: f"({text})" if text.startswith("-") else text for name, text in texts.items()}
    return _NAME.sub(lambda name: bracketed.get(name.group(), name.group()), expression)
