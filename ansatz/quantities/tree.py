"""Expression trees: evaluate them, and find their dimension, numbers and symbols.

Where notation is ambiguous (a/2 b, log, angles without a unit), `Formula.readings` returns the value of every
reading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import add, mul, neg, sub, truediv

from ansatz.errors import DimensionError
from ansatz.quantities.scales import PURE, UnitScale

Dimension = tuple[float, ...]
"""Exponents of `scales.BASE`."""

INVERSES = {name: f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}


def erfcx(number: float) -> float:
    """Compute exp(number**2)*erfc(number), which is finite where its factors overflow and underflow."""
    from scipy.special import erfcx as scaled

    return float(scaled(number))


_COMPUTES: Mapping[str, Callable[..., float]] = {
    **{"+": add, "-": sub, "*": mul, "/": truediv, "**": pow, "neg": neg, "pi": lambda: math.pi},
    **{name: getattr(math, name) for name in ("sqrt", "exp", "log", "log10", "erf", "erfc")},
    **{name: getattr(math, name) for pair in INVERSES.items() for name in pair},
    **{"abs": abs, "min": min, "max": max, "erfcx": erfcx},
}
_BINDING = {"neg": 1, "+": 1, "-": 1, "*": 2, "/": 2}  # a right operand of at most this binding has brackets
_OF_ANGLES, _TO_ANGLES = {"sin", "cos", "tan"}, {"asin", "acos", "atan"}


@dataclass(frozen=True)
class Numeral:
    """A number in an expression."""

    value: float
    digits: int
    """Significant digits."""
    unit: UnitScale | None = None
    """The unit written after it."""

    @property
    def is_factor(self) -> bool:
        """Whether it is a usual factor of formulas, such as 2 or 0.5, which has no unit."""
        return (self.value.is_integer() and abs(self.value) < 20) or self.value in (0.5, 0.25, 1.5, 2.5)


@dataclass(frozen=True)
class Name:
    """A symbol as written."""

    name: str


@dataclass(frozen=True)
class Node:
    """An operator + - * / ** or a function, with its operands."""

    operator: str
    parts: tuple[Tree, ...]


Tree = Numeral | Name | Node


@dataclass(frozen=True)
class Convention:
    """One reading of ambiguous notation."""

    si: bool = False
    """Convert numbers with a unit to SI units; otherwise, ignore units."""
    degrees: bool = False
    """Angles without a unit are in degrees."""
    log10: bool = False
    """`log` is the decadic logarithm."""


_AS_WRITTEN = Convention()


def walk_tree(tree: Tree) -> Iterator[Tree]:
    """Yield every node, parents first."""
    yield tree
    if isinstance(tree, Node):
        for part in tree.parts:
            yield from walk_tree(part)


def replace_leaf(tree: Tree, old: Numeral | Name, new: Numeral) -> Tree:
    """Replace one number, or every occurrence of a symbol, by another number."""
    if tree is old or (tree == old and isinstance(tree, Name)):
        return new
    if isinstance(tree, Node):
        return Node(tree.operator, tuple(replace_leaf(part, old, new) for part in tree.parts))
    return tree


def evaluate_tree(
    tree: Tree, numbers: Mapping[str, float] | None = None, convention: Convention = _AS_WRITTEN
) -> float | None:
    """Evaluate a tree at `numbers`, by name; None if there is no finite value."""
    try:
        value = _compute_value(tree, numbers or {}, convention)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _compute_value(tree: Tree, numbers: Mapping[str, float], convention: Convention) -> float:
    if isinstance(tree, Numeral):
        return tree.value * tree.unit.factor + tree.unit.offset if convention.si and tree.unit else tree.value
    if isinstance(tree, Name):
        return numbers[tree.name]
    parts = [_compute_value(part, numbers, convention) for part in tree.parts]
    if tree.operator == "unit":
        return parts[0] * parts[1] if convention.si else parts[0]
    if tree.operator in _OF_ANGLES and convention.degrees:
        argument = walk_tree(tree.parts[0]) if convention.si else ()
        if not any(isinstance(node, Numeral) and node.unit for node in argument):
            parts = [math.radians(parts[0])]
    is_decadic = tree.operator == "log" and convention.log10
    value = float(_COMPUTES["log10" if is_decadic else tree.operator](*parts))
    return math.degrees(value) if tree.operator in _TO_ANGLES and convention.degrees else value


def find_dimension(tree: Tree, of: Callable[[Numeral | Name], Dimension | None]) -> Dimension | None:
    """Return the dimension of a tree; None if it is unknown.

    A unit after brackets belongs to the whole bracket; bare numbers inside are pure. The dimension of a
    function of a dimensional quantity is unknown.

    Parameters:
        tree: The tree.
        of: Returns the dimension of a leaf without a unit.

    Raises:
        DimensionError: Terms of different dimensions are added.
    """
    if isinstance(tree, Numeral):
        return tree.unit.dimension if tree.unit else of(tree)
    if isinstance(tree, Name):
        return of(tree)
    inside = treat_as_pure if tree.operator == "unit" else of
    parts = [find_dimension(part, inside) for part in tree.parts]
    first = parts[0] if parts else PURE
    match tree.operator:
        case "+" | "-" | "min" | "max":
            known = [part for part in parts if part is not None]
            if any(part != known[0] for part in known):
                raise DimensionError("terms of different dimensions are added")
            return known[0] if known else None
        case "*" | "unit" | "/":
            sign = -1 if tree.operator == "/" else 1
            second = parts[1]
            if first is None or second is None:
                return None
            return tuple(a + sign * b for a, b in zip(first, second, strict=True))
        case "**":
            exponent = evaluate_tree(tree.parts[1])
            if first is None or exponent is None:
                return PURE if first == PURE else None
            return tuple(round(a * exponent, 9) for a in first)
        case "sqrt":
            return None if first is None else tuple(a / 2 for a in first)
        case "neg" | "abs":
            return first
    return PURE if first is None or first == PURE else None


def treat_as_pure(leaf: Numeral | Name) -> Dimension | None:
    """Return the dimension of a leaf: bare numbers are pure, and symbols unknown."""
    return PURE if isinstance(leaf, Numeral) else None


def apply_last_unit(tree: Tree) -> Tree | None:
    """Apply the unit at the end of a tree to the whole: 2 (5 - 3) kJ/kg as (2 (5 - 3)) kJ/kg.

    None if it does not end in a unit, or if another number has a unit.
    """
    bare, unit = _remove_last_unit(tree)
    if unit is None or any(isinstance(leaf, Numeral) and leaf.unit for leaf in walk_tree(bare)):
        return None
    return Node("unit", (bare, unit))


def _remove_last_unit(tree: Tree) -> tuple[Tree, Numeral | None]:
    """Return a tree without the unit at the end of its text, and that unit, unless it is inside brackets."""
    if isinstance(tree, Numeral) and tree.unit:
        return Numeral(tree.value, tree.digits), Numeral(1.0, 1, tree.unit)
    if not isinstance(tree, Node) or tree.operator not in ("unit", *_BINDING):
        return tree, None
    *before, last = tree.parts
    if tree.operator == "unit":
        return before[0], last if isinstance(last, Numeral) else None
    weaker = isinstance(last, Node) and _BINDING.get(last.operator, 9) <= _BINDING.get(tree.operator, 0)
    bare, unit = (last, None) if weaker else _remove_last_unit(last)
    return Node(tree.operator, (*before, bare)), unit


@dataclass(frozen=True)
class Formula:
    """A parsed expression."""

    text: str
    tree: Tree
    others: tuple[Tree, ...] = field(default=(), compare=False)
    """Its trees under other rules for products and letters."""

    @cached_property
    def _nodes(self) -> tuple[Node, ...]:
        return tuple(node for node in walk_tree(self.tree) if isinstance(node, Node))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its symbols, each once, in order."""
        return tuple(dict.fromkeys(node.name for node in walk_tree(self.tree) if isinstance(node, Name)))

    @cached_property
    def numbers(self) -> tuple[Numeral, ...]:
        return tuple(node for node in walk_tree(self.tree) if isinstance(node, Numeral))

    @cached_property
    def summands(self) -> tuple[Tree, ...]:
        """The operands of its sums and differences."""
        return tuple(part for node in self._nodes if node.operator in ("+", "-") for part in node.parts)

    @cached_property
    def operations(self) -> int:
        """The number of operators and functions, without signs and units after brackets."""
        return sum(node.operator not in ("unit", "neg") for node in self._nodes)

    @cached_property
    def has_units(self) -> bool:
        return any(number.unit is not None for number in self.numbers)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every number has a unit or is a usual factor."""
        return all(number.unit is not None or number.is_factor for number in self.numbers)

    def value(self, numbers: Mapping[str, float] | None = None) -> float | None:
        """Evaluate the expression at `numbers`, by name; None if there is no finite value."""
        return evaluate_tree(self.tree, numbers)

    def readings(self, in_si: bool = False) -> list[float]:
        """Return the distinct values of all readings, without and with units; `in_si`: only with units."""
        calls = {node.operator for node in self._nodes}
        angles = (False, True) if calls & {*INVERSES, *INVERSES.values()} else (False,)
        units = [si for si in (False, True) if (self.has_units if si else not in_si)]
        conventions = [Convention(si, degrees) for degrees in angles for si in units]
        if "log" in calls and re.search(r"log(?!10)", self.text) and not in_si:
            conventions.append(Convention(log10=True))
        trees = (self.tree, *self.others)
        found = [evaluate_tree(tree, {}, convention) for tree in trees for convention in conventions]
        return list(dict.fromkeys(value for value in found if value is not None))

    def at(self, numbers: Mapping[str, Numeral]) -> Formula:
        """Replace symbols by numbers, which may have units."""
        trees = [self.tree, *self.others]
        for name, number in numbers.items():
            trees = [replace_leaf(tree, Name(name), number) for tree in trees]
        return Formula(self.text, trees[0], tuple(trees[1:]))

    def dimension(self, of: Callable[[Numeral | Name], Dimension | None] = treat_as_pure) -> Dimension | None:
        """Return the dimension of the expression; None if it is unknown. See `find_dimension`."""
        return find_dimension(self.tree, of)

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The trees of all readings, also with the last unit applied to the whole."""
        read = (self.tree, *self.others)
        return (*read, *(tree for tree in map(apply_last_unit, read) if tree))
