"""The form of an equation, whatever its symbols are called: two of one form are one formula, stated twice."""

from __future__ import annotations

import ast
import copy
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from ansatz.knowledge_base.equation.dimensional_analysis import dimension_of_unit, spelled
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import ExpressionError
from ansatz.quantities.units import parse_unit

# Irrational-looking points, so that two different forms hardly ever agree at all of them.
_USUAL, _PICKED = 0.41421356, (0.73205081, 1.23606798, 0.64575131)
_SHIFT = 1.17320508  # some formulas have values only where their symbols exceed 1, as gamma does


_RENAMINGS, _TRIALS = 5000, 12


def form(equation: Equation) -> Hashable:
    """Equal for equations that a renaming within each dimension turns into each other (constants included).

    The formula is evaluated with every choice of three symbols set apart from the rest, the first also
    negative, and again shifted above 1; the sorted values do not depend on the names. Equal hashes are no
    proof: `same_form` finds the renaming, or says that there is none.
    """
    kinds = _dimensions(equation)
    if equation.expr is not None:
        kinds.pop(equation.output)
    order = {kind: 1 + 0.05 * position for position, kind in enumerate(sorted(set(kinds.values())))}
    scale = {name: order[kind] for name, kind in kinds.items()}
    values = sorted(_values(equation, scale))
    return _dimensions(equation)[equation.output], tuple(sorted(kinds.values())), tuple(values)


def _dimensions(equation: Equation) -> dict[str, str]:
    return {name: spelled(dimension_of_unit(parse_unit(unit))) for name, unit in equation.units.items()}


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


def same_form(first: Equation, second: Equation) -> bool:
    """Whether a renaming of symbols within each dimension turns one formula into the other.

    Symbols that may answer to each other are those whose change alone has the same effect; their
    renamings are tried at points where every symbol has its own value.
    """
    if first.residual is not None or second.residual is not None:
        return form(first) == form(second) and skeleton(first) == skeleton(second)
    alike = [_alike(first), _alike(second)]
    if {kind: len(names) for kind, names in alike[0].items()} != {
        kind: len(names) for kind, names in alike[1].items()
    }:
        return False
    kinds = list(alike[0])
    orders = itertools.product(*(itertools.permutations(alike[1][kind]) for kind in kinds))
    for order in itertools.islice(orders, _RENAMINGS):
        pairs = [
            pair
            for kind, names in zip(kinds, order, strict=True)
            for pair in zip(alike[0][kind], names, strict=True)
        ]
        if _agree(first, second, pairs):
            return True
    return False


def skeleton(equation: Equation) -> str:
    """The formula with its numbers left out and its symbols numbered as they come."""
    tree, seen = copy.deepcopy(equation.formula.tree), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = 0
        elif isinstance(node, ast.Name) and node.id in equation.formula.names:
            node.id = seen.setdefault(node.id, f"x{len(seen)}")
    return ast.unparse(tree)


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
        joined.setdefault((family, skeleton(group[0])) if family else number, []).extend(group)
    return list(joined.values())


def _alike(equation: Equation) -> dict[Hashable, list[str]]:
    """The symbols by dimension and by what the formula gives when one alone is changed."""
    kinds = _dimensions(equation)
    kinds.pop(equation.output)
    order = {kind: 1 + 0.05 * position for position, kind in enumerate(sorted(set(kinds.values())))}
    usual = {name: _SHIFT + _USUAL * order[kind] for name, kind in kinds.items()}
    found: dict[Hashable, list[str]] = defaultdict(list)
    for name, kind in kinds.items():
        values = (_value(equation, {**usual, name: _SHIFT + each * order[kind]}) for each in _PICKED)
        found[kind, tuple("none" if value is None else f"{value:.8e}" for value in values)].append(name)
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
