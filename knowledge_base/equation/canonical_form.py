"""The form of an equation, whatever its symbols are called: two of one form are one formula, stated twice."""

from __future__ import annotations

import ast
import copy
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Hashable, Iterable

from ansatz.knowledge_base.equation.dimensional_analysis import dimension_of_unit
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import ExpressionError

# Irrational points, so that two different forms hardly ever agree at all of them, above 1 and below it: some
# formulas have values only on one side, as those of gamma and of an eccentricity do.
_USUAL, _PICKED = math.sqrt(2) - 1, (math.sqrt(3) - 1, math.sqrt(5) - 1, math.sqrt(7) - 2)
_SHIFTS = 0.0, math.sqrt(3) - 0.56
_RENAMINGS, _TRIALS = 5000, 12


def form(equation: Equation) -> Hashable:
    """Equal for equations that a renaming within each dimension turns into each other (constants included).

    It is the dimension of the output and, for each symbol of the formula, its dimension and what the formula
    gives where that symbol alone is changed. Equal forms are no proof: `same_form` finds the renaming, or
    says that there is none.
    """
    symbols = sorted((*key, len(names)) for key, names in _alike(equation).items())
    return _dimensions(equation)[equation.output], tuple(symbols)


def same_form(first: Equation, second: Equation) -> bool:
    """Whether a renaming of symbols within each dimension turns one formula into the other.

    Symbols that may answer to each other are those whose change alone has the same effect; their
    renamings are tried at points where every symbol has its own value.
    """
    if form(first) != form(second):
        return False
    ours, theirs = _alike(first), _alike(second)
    names = list(itertools.chain(*ours.values()))
    orders = itertools.product(*(itertools.permutations(theirs[key]) for key in ours))
    return any(
        _agree(first, second, list(zip(names, itertools.chain(*order), strict=True)))
        for order in itertools.islice(orders, _RENAMINGS)
    )


def distinct(equations: Iterable[Equation]) -> list[list[Equation]]:
    """The equations by formula: alike up to renaming, or of one family and different only in numbers."""
    buckets: dict[Hashable, list[list[Equation]]] = defaultdict(list)
    for equation in equations:
        groups = buckets[form(equation)]
        found = next((group for group in groups if same_form(group[0], equation)), None)
        if found is None:
            groups.append([equation])
        else:
            found.append(equation)
    joined: dict[Hashable, list[Equation]] = {}
    for number, group in enumerate(group for groups in buckets.values() for group in groups):
        family = next((one.family.name for one in group if one.family), None)
        joined.setdefault((family, _skeleton(group[0])) if family else number, []).extend(group)
    return list(joined.values())


def _skeleton(equation: Equation) -> str:
    """The formula with its numbers left out and its symbols numbered as they come."""
    tree, seen = copy.deepcopy(equation.formula.tree), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = 0
        elif isinstance(node, ast.Name) and node.id in equation.formula.names:
            node.id = seen.setdefault(node.id, f"x{len(seen)}")
    return ast.unparse(tree)


def _dimensions(equation: Equation) -> dict[str, str]:
    return {name: str(dimension_of_unit(unit)) for name, unit in equation.units.items()}


def _alike(equation: Equation) -> dict[tuple[str, ...], list[str]]:
    """The symbols of the formula by dimension and by what it gives where one alone is changed."""
    kinds = {name: kind for name, kind in _dimensions(equation).items() if name in equation.formula.names}
    order = {kind: 1 + 0.05 * position for position, kind in enumerate(sorted(set(kinds.values())))}
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for changed, kind in kinds.items():
        values = []
        for shift, picked in itertools.product(_SHIFTS, (*_PICKED, -_PICKED[0])):
            numbers = {name: shift + _USUAL * order[each] for name, each in kinds.items()}
            numbers[changed] = shift + picked * order[kind]
            value = _value(equation, numbers)
            values.append("none" if value is None else f"{value:.8e}")
        found[kind, *values].append(changed)
    return found


def _agree(first: Equation, second: Equation, pairs: list[tuple[str, str]]) -> bool:
    draw, met = random.Random(0), 0
    for trial in range(_TRIALS):
        low = 1.05 if trial % 2 else 0.1  # some formulas have values only above 1, others only below
        numbers = [draw.uniform(low, low + 0.85) for _ in pairs]
        one = _value(first, {name: number for (name, _), number in zip(pairs, numbers, strict=True)})
        other = _value(second, {name: number for (_, name), number in zip(pairs, numbers, strict=True)})
        if one is None and other is None:
            continue
        if one is None or other is None or not math.isclose(one, other, rel_tol=1e-8, abs_tol=1e-12):
            return False
        met += 1
    return met > 0


def _value(equation: Equation, numbers: dict[str, float]) -> float | None:
    try:
        return equation.formula(numbers)
    except ExpressionError:
        return None
