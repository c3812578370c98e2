"""Formulas worked out by hand: every product is read off a slide rule, every sum made on paper."""

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


@dataclass(frozen=True)
class Eye:
    """How somebody reads a pocket slide rule: the nearest division, or with parallax, which `draw` decides.

    Divisions of the 12.5 cm rule are 0.02 between 1 and 2, 0.05 up to 5, 0.1 up to 10; a reading is off by
    up to 1.2 %, most often by about 0.4 %. A second or third look is off by up to one division; a `careful`
    one reads fifths of a division.
    """

    draw: int = 0
    careful: bool = False

    def __call__(self, value: float) -> float:
        if value == 0 or not math.isfinite(value):
            return value
        decade = 10.0 ** math.floor(math.log10(abs(value)))
        division = next(step for limit, step in _DIVISIONS if abs(value / decade) < limit) * decade
        step = division / (5 if self.careful else 1)
        aside = zlib.crc32(f"{self.draw}/{value:.6g}".encode()) % 3 - 1 if self.draw else 0
        return significant((round(value / step) + aside) * step, SLIDE_RULE_DIGITS + self.careful)


read_off = Eye()


def by_hand(tree: Tree, values: Mapping[str, float], read: Eye = read_off) -> float | None:
    """The value of an expression: products, powers and functions off the rule, sums with three digits.

    None where it has none.
    """
    with suppress(ArithmeticError, ValueError, TypeError, KeyError):
        value = _work(tree, values, read)
        return value if isinstance(value, float) and math.isfinite(value) else None
    return None


def _work(tree: Tree, values: Mapping[str, float], read: Eye) -> float:
    if isinstance(tree, Numeral):
        return tree.value
    if isinstance(tree, Name):
        return significant(values[tree.name], SLIDE_RULE_DIGITS)
    parts = [_work(part, values, read) for part in tree.parts]
    is_sum = tree.operator in ("+", "-", "neg", "pi")
    if tree.operator in "*/":
        parts = list(map(read, parts))
    numbers = {f"x{place}": part for place, part in enumerate(parts)}
    exact = evaluate_tree(Node(tree.operator, tuple(map(Name, numbers))), numbers)
    if exact is None:
        raise ArithmeticError(f"{tree.operator} of {parts}")
    return significant(exact, SLIDE_RULE_DIGITS) if is_sum else read(exact)


def substituted(expression: str, texts: Mapping[str, str]) -> str:
    """The expression with its symbols replaced by texts; a negative number stands in brackets."""
    bracketed = {name: f"({text})" if text.startswith("-") else text for name, text in texts.items()}
    return _NAME.sub(lambda name: bracketed.get(name.group(), name.group()), expression)
