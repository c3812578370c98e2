"""Compute a form of equations that does not depend on names, to find formulas that are stated twice."""

from __future__ import annotations

import ast
import copy
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Hashable, Iterable

from ansatz.errors import ExpressionError
from ansatz.knowledge_base.equation.dimensional_analysis import get_unit_dimension
from ansatz.knowledge_base.equation.equation import Equation

# Irrational points, so that two different forms rarely agree at all of them. They are above and below 1,
# because some formulas have values only on one side, such as those of gamma and of an eccentricity.
_USUAL, _PICKED = math.sqrt(2) - 1, (math.sqrt(3) - 1, math.sqrt(5) - 1, math.sqrt(7) - 2)
_SHIFTS = 0.0, math.sqrt(3) - 0.56
_RENAMINGS, _POINTS = 5000, 4


def compute_form(equation: Equation) -> Hashable:
    """Compute a form that is equal for equations that differ only in the names of symbols and constants.

    The form consists of the dimension of the output, two items for each symbol, and the values of the formula
    at distinct values of all symbols. The items are the dimension of the symbol and the values of the formula
    where only this symbol is changed. Symbols with equal items are permuted, and the least result counts.
    """
    groups = sorted(_group_symbols(equation).items())
    draw = random.Random(0)
    # Some formulas have values only above 1, others only below.
    points = [
        [draw.uniform(low, low + 0.85) for _, names in groups for _ in names] for low in (0.1, 1.05) * _POINTS
    ]
    orders = itertools.product(*(itertools.permutations(names) for _, names in groups))
    values = min(
        [_format_value(equation, dict(zip(itertools.chain(*order), point, strict=True))) for point in points]
        for order in itertools.islice(orders, _RENAMINGS)
    )
    symbols = tuple((*key, len(names)) for key, names in groups)
    return _get_dimensions(equation)[equation.output], symbols, tuple(values)


def group_by_formula(equations: Iterable[Equation]) -> list[list[Equation]]:
    """Group equations that are identical up to names, or have one family and differ in numbers only."""
    by_form, joined = defaultdict(list), defaultdict(list)
    for equation in equations:
        by_form[compute_form(equation)].append(equation)
    for key, group in by_form.items():
        family = next((one.family.name for one in group if one.family), None)
        joined[(family, _make_skeleton(group[0])) if family else key].extend(group)
    return list(joined.values())


def _make_skeleton(equation: Equation) -> str:
    """Return the formula with all numbers set to 0 and symbols numbered in order of occurrence."""
    tree, numbered = copy.deepcopy(equation.formula.tree), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = 0
        elif isinstance(node, ast.Name) and node.id in equation.formula.names:
            node.id = numbered.setdefault(node.id, f"x{len(numbered)}")
    return ast.unparse(tree)


def _get_dimensions(equation: Equation) -> dict[str, str]:
    return {name: str(get_unit_dimension(unit)) for name, unit in equation.units.items()}


def _group_symbols(equation: Equation) -> dict[tuple[str, ...], list[str]]:
    """Group the symbols by dimension and by the values of the formula where only the symbol is changed."""
    kinds = {name: kind for name, kind in _get_dimensions(equation).items() if name in equation.formula.names}
    order = {kind: 1 + 0.05 * position for position, kind in enumerate(sorted(set(kinds.values())))}
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for changed, kind in kinds.items():
        values = []
        for shift, picked in itertools.product(_SHIFTS, (*_PICKED, -_PICKED[0])):
            numbers = {name: shift + _USUAL * order[each] for name, each in kinds.items()}
            numbers[changed] = shift + picked * order[kind]
            values.append(_format_value(equation, numbers))
        found[kind, *values].append(changed)
    return found


def _format_value(equation: Equation, numbers: dict[str, float]) -> str:
    """Format the value to nine digits; "" if there is none."""
    try:
        return f"{equation.formula(numbers):.8e}"
    except ExpressionError:
        return ""
