"""The tree of an expression: what it comes to, its dimension, its numbers and symbols."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ansatz.errors import AnsatzError
from ansatz.quantities.scales import UnitScale

Dimension = tuple[float, ...]
"""Exponents of `scales.BASE`."""

_NONE: Dimension = (0.0,) * 7
INVERSES = {name: f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
_COMPUTES: Mapping[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("sqrt", "exp", "log", "log10", "erf", "erfc")},
    **{name: getattr(math, name) for pair in INVERSES.items() for name in pair},
    **{"abs": abs, "min": min, "max": max},
}


class DimensionError(AnsatzError, ValueError):
    """Terms of different dimensions are added."""


@dataclass(frozen=True)
class Numeral:
    """A literal: its value, significant digits, and the unit written behind it."""

    value: float
    digits: int
    unit: UnitScale | None = None

    @property
    def is_factor(self) -> bool:
        """Whether it is a number that formulas hold without a unit, such as 2 or 0.5."""
        return (self.value.is_integer() and abs(self.value) < 20) or self.value in (0.5, 0.25, 1.5, 2.5)


@dataclass(frozen=True)
class Name:
    """A symbol, as it is written."""

    name: str


@dataclass(frozen=True)
class Node:
    """An operator + - * / ** or a function, and what it is applied to."""

    operator: str
    parts: tuple[Tree, ...]


Tree = Numeral | Name | Node


@dataclass(frozen=True)
class Convention:
    """What notation leaves open: units applied or read past, angles in degrees, log to the base of ten."""

    si: bool = False
    degrees: bool = False
    log10: bool = False


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node, from the top."""
    yield tree
    if isinstance(tree, Node):
        for part in tree.parts:
            yield from walk(part)


def exchanged(tree: Tree, old: Numeral, new: Numeral) -> Tree:
    """The tree with another number in the place of one."""
    if tree is old:
        return new
    return (
        Node(tree.operator, tuple(exchanged(each, old, new) for each in tree.parts))
        if isinstance(tree, Node)
        else tree
    )


def evaluated(tree: Tree, numbers: Mapping[str, float], convention: Convention) -> float | None:
    """The value of a tree at `numbers`, by name; None where there is none."""
    try:
        value = _value(tree, numbers, convention)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _value(tree: Tree, numbers: Mapping[str, float], convention: Convention) -> float:
    if isinstance(tree, Numeral):
        return tree.value * tree.unit.factor + tree.unit.offset if convention.si and tree.unit else tree.value
    if isinstance(tree, Name):
        return numbers[tree.name]
    parts = [_value(part, numbers, convention) for part in tree.parts]
    match tree.operator:
        case "pi":
            return math.pi
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] - parts[1]
        case "*" | "unit":
            return parts[0] * parts[1] if tree.operator == "*" or convention.si else parts[0]
        case "/":
            return parts[0] / parts[1]
        case "**":
            return float(parts[0] ** parts[1])
        case "neg":
            return -parts[0]
        case "log" if convention.log10:
            return math.log10(parts[0])
        case "sin" | "cos" | "tan" if convention.degrees and not _has_unit(tree.parts[0], convention):
            return _COMPUTES[tree.operator](math.radians(parts[0]))
        case "asin" | "acos" | "atan" if convention.degrees:
            return math.degrees(_COMPUTES[tree.operator](parts[0]))
    return float(_COMPUTES[tree.operator](*parts))


def _has_unit(tree: Tree, convention: Convention) -> bool:
    return convention.si and any(isinstance(node, Numeral) and node.unit for node in walk(tree))


def dimension(tree: Tree, of: Callable[[Numeral | Name], Dimension | None]) -> Dimension | None:
    """The dimension of a tree whose leaves without a unit have that which `of` tells; None where it is open.

    A sum has the dimension of any of its terms. Raises DimensionError where terms that are added differ.
    """
    if isinstance(tree, Numeral):
        return tree.unit.dimension if tree.unit else of(tree)
    if isinstance(tree, Name):
        return of(tree)
    parts = [dimension(part, of) for part in tree.parts]
    first = parts[0] if parts else _NONE
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
            exponent = evaluated(tree.parts[1], {}, Convention())
            if first is None or exponent is None:
                return _NONE if first == _NONE else None
            return tuple(round(a * exponent, 9) for a in first)
        case "sqrt":
            return None if first is None else tuple(a / 2 for a in first)
        case "neg" | "abs":
            return first
    return _NONE
