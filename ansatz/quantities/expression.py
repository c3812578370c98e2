"""Expressions that were read from text, with every value that notation leaves open.

Where there is a choice (a/2 b, log, angles without a unit), `Formula.readings` gives each value that the text
may stand for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ansatz.quantities.parser import Products, Unreadable, read_tree
from ansatz.quantities.tree import (
    INVERSES,
    Convention,
    Dimension,
    DimensionError,
    Name,
    Node,
    Numeral,
    Tree,
    dimension,
    evaluated,
    exchanged,
    walk,
)

__all__ = ["DimensionError", "Formula", "Numeral", "Products", "Unreadable", "parse", "read_formula"]

_FEWEST_ROUNDED = 3  # significant digits from which a number may have been rounded
_TURNS = {"sin", "cos", "tan", *INVERSES.values()}


@dataclass(frozen=True)
class Formula:
    """An expression that was read. `others` are its readings under other rules for products."""

    text: str
    tree: Tree
    others: tuple[Tree, ...] = field(default=(), compare=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its symbols, each once, in order."""
        return tuple(dict.fromkeys(node.name for node in walk(self.tree) if isinstance(node, Name)))

    @cached_property
    def numbers(self) -> tuple[Numeral, ...]:
        return tuple(node for node in walk(self.tree) if isinstance(node, Numeral))

    @cached_property
    def summands(self) -> tuple[Tree, ...]:
        """What is added or subtracted somewhere in it."""
        nodes = (node for node in walk(self.tree) if isinstance(node, Node) and node.operator in ("+", "-"))
        return tuple(part for node in nodes for part in node.parts)

    @cached_property
    def operations(self) -> int:
        """Operators and functions; a unit set behind brackets is none."""
        nodes = (node for node in walk(self.tree) if isinstance(node, Node) and node.operator != "unit")
        return sum(node.operator != "neg" for node in nodes)

    @cached_property
    def has_units(self) -> bool:
        return any(number.unit is not None for number in self.numbers)

    @cached_property
    def has_zeros(self) -> bool:
        """Whether a unit has a zero of its own, as °C has, of which a number may be a difference."""
        return any(number.unit is not None and number.unit.offset != 0 for number in self.numbers)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every number has a unit or is one that formulas hold without."""
        return all(number.unit is not None or number.is_factor for number in self.numbers)

    def value(
        self, numbers: Mapping[str, float] | None = None, convention: Convention | None = None
    ) -> float | None:
        """The value at `numbers`, by name; None where there is none."""
        return evaluated(self.tree, numbers or {}, convention or Convention())

    def readings(self, numbers: Mapping[str, float] | None = None, in_si: bool = False) -> list[float]:
        """Every value the text may stand for, each once: units read past or applied, or `in_si` alone."""
        conventions = [Convention()]
        calls = {node.operator for node in walk(self.tree) if isinstance(node, Node)}
        if self.has_units:
            conventions.append(Convention(si=True))
        if calls & _TURNS:
            conventions.append(Convention(degrees=True))
            conventions += [Convention(si=True, degrees=True)] if self.has_units else []
        if "log" in calls and re.search(r"log(?!10)", self.text):
            conventions.append(Convention(log10=True))
        found = [
            evaluated(tree, numbers or {}, convention)
            for tree in (self.tree, *self.others)
            for convention in conventions
            if convention.si or not in_si
        ]
        return list(dict.fromkeys(value for value in found if value is not None))

    def spread(self) -> float:
        """How far the value of a numeric expression may be off because its numbers were rounded.

        Whole numbers and those of one or two digits count as they stand.
        """
        value, spread = self.value(), 0.0
        for number in self.numbers:
            rounded = number.digits >= _FEWEST_ROUNDED and not number.value.is_integer()
            if value is None or not rounded:
                continue
            half = 0.5 * 10.0 ** (math.floor(math.log10(abs(number.value))) - number.digits + 1)
            moved = Numeral(number.value + half, number.digits, number.unit)
            other = evaluated(exchanged(self.tree, number, moved), {}, Convention())
            spread += abs(other - value) if other is not None else 0.0
        return spread

    def dimension(
        self, of: Callable[[Numeral | Name], Dimension | None] = lambda leaf: _bare(leaf)
    ) -> Dimension | None:
        """The dimension, with `of` that of symbols and of numbers without a unit; None where it is open.

        Raises DimensionError where terms that are added differ.
        """
        return dimension(self.tree, of)


def _bare(leaf: Numeral | Name) -> Dimension | None:
    """A number without a unit is a pure one; nothing is known of a symbol."""
    return (0.0,) * 7 if isinstance(leaf, Numeral) else None


def parse(
    text: str, symbols: Iterable[str] | None = None, *, units: bool = False, products: Products = "loose"
) -> Formula:
    """The expression that plain `text` wholly is.

    With `symbols` other names are not read, and letters written together are split into the symbols that
    they consist of. With `units`, letters behind a number or a bracket are read as a unit where they are
    one. Raises Unreadable. Example: `parse("V^2/2g", ["V", "g"], products="glued").value({"V": 2, "g": 1})`
    is 2.0.
    """
    return Formula(text.strip(), read_tree(text, symbols, units, products))


def read_formula(text: str) -> Formula | None:
    """The expression that `text` wholly is, in whatever symbols; None for anything else.

    Letters behind numbers are units where the text has no other names, and symbols where it has.
    """
    for units in (True, False):
        found: dict[Tree, None] = {}
        for products in ("loose", "glued", "spaced"):
            try:
                found[read_tree(text, None, units, products)] = None
            except Unreadable:
                break
        if found:
            tree, *others = found
            formula = Formula(text.strip(), tree, tuple(others))
            if not (units and formula.names and formula.has_units):
                return formula
    return None
