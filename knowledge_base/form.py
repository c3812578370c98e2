"""The form of an equation, whatever its symbols are called: two of one form are one formula, stated twice."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator

from ansatz.knowledge_base.dimensions import dimension_of_unit, words
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.expression import ExpressionError
from ansatz.knowledge_base.units import parse_unit

# Irrational-looking points, so that two different forms hardly ever agree at all of them.
_USUAL, _PICKED = 0.41421356, (0.73205081, 1.23606798, 0.64575131)
_SHIFT = 1.17320508  # some formulas have values only where their symbols exceed 1, as gamma does


def form(equation: Equation) -> Hashable:
    """Equal for equations that a renaming within each dimension turns into each other (constants included).

    The formula is evaluated with every choice of three symbols set apart from the rest, the first also
    negative, and again shifted above 1; the sorted values do not depend on the names. Forms that differ
    only in how four or more symbols mix are not told apart.
    """
    kinds = _dimensions(equation)
    if equation.expr is not None:
        kinds.pop(equation.output)
    order = {kind: 1 + 0.05 * position for position, kind in enumerate(sorted(set(kinds.values())))}
    scale = {name: order[kind] for name, kind in kinds.items()}
    values = sorted(_values(equation, scale))
    return _dimensions(equation)[equation.output], tuple(sorted(kinds.values())), tuple(values)


def _dimensions(equation: Equation) -> dict[str, str]:
    return {name: words(dimension_of_unit(parse_unit(unit))) for name, unit in equation.units.items()}


def _values(equation: Equation, scale: dict[str, float]) -> Iterator[str]:
    choices = itertools.permutations(scale, min(3, len(scale)))
    for picked, (sign, shift) in itertools.product(choices, ((1, 0.0), (-1, 0.0), (1, _SHIFT))):
        usual = {name: shift + _USUAL * factor for name, factor in scale.items()}
        apart = {name: shift + value * scale[name] for name, value in zip(picked, _PICKED, strict=False)}
        apart |= {name: sign * value for name, value in list(apart.items())[:1]}
        try:
            yield f"{equation.formula({**usual, **apart}):.9e}"
        except ExpressionError:
            yield "none"
