"""Check that an entry has the conditions of similar entries."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations

from ansatz.knowledge_base.equation.axes import NUMBERS
from ansatz.knowledge_base.equation.dimensional_analysis import get_unit_dimension
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.predicate import Predicate


def find_unmatched_conditions(equation: Equation, library: Library) -> Iterator[str]:
    """Yield a line for each axis that a sibling limits and the entry does not, or less within its family.

    Siblings give the same kind of quantity. They are of one family, or of one topic and listed as confusable.
    An entry that needs no limit has the reason in `unlimited`, by axis.
    """
    limits, reasons = _find_limits(equation), equation.regime.unlimited
    limited = dict[str, tuple[Equation, Predicate]]()
    for sibling in find_siblings(equation, library):
        for axis, limit in _find_limits(sibling).items():
            if _is_missing(equation, axis, limits.get(axis), limit, _is_same_family(equation, sibling)):
                limited.setdefault(axis, (sibling, limit))
    for axis in sorted(limited.keys() - reasons.keys()):
        sibling, limit = limited[axis]
        present = f"only {limits[axis].describe()}" if axis in limits else "no limit"
        yield (
            f"regime: {present} of {axis}, while its sibling {sibling.id} needs {limit.describe()}; "
            "state the limit, or give the reason in `unlimited`"
        )
    for axis in sorted(reasons.keys() - limited.keys()):
        yield f"regime: unlimited: no sibling limits {axis}"


def find_siblings(equation: Equation, library: Library) -> list[Equation]:
    """Return the siblings of an entry, those with most common inputs first."""
    near = [library.get(id) for id in _map_neighbours(library)[equation.id]]
    return sorted(near, key=lambda other: (-len({*equation.inputs} & {*other.inputs}), other.id))


@lru_cache(maxsize=4)
def _map_neighbours(library: Library) -> Mapping[str, set[str]]:
    near, families = defaultdict[str, set[str]](set), defaultdict[str, list[str]](list)
    for equation in library:
        if equation.family:
            families[equation.family.name].append(equation.id)
        for id in equation.confusable_with:
            if id in library and _is_of_one_kind(equation, library.get(id)):
                near[equation.id].add(id)
                near[id].add(equation.id)
    for members in families.values():
        for one, other in permutations(members, 2):
            if _is_of_one_kind(library.get(one), library.get(other)):
                near[one].add(other)
    return near


def _is_of_one_kind(one: Equation, other: Equation) -> bool:
    outputs = [get_unit_dimension(each.units[each.output]) for each in (one, other)]
    return (one.domain, one.topic) == (other.domain, other.topic) and outputs[0] == outputs[1]


def _is_same_family(one: Equation, other: Equation) -> bool:
    return one.family is not None and other.family is not None and one.family.name == other.family.name


def _find_limits(equation: Equation) -> dict[str, Predicate]:
    """Return the numeric limits of an entry by axis or symbol, except those by definition."""
    ranges = [variable.valid for variable in equation.symbols.values() if variable.valid]
    stated = [valid for valid in ranges if valid.source != "definition"]
    limits = {predicate.axis: predicate for predicate in (*stated, *equation.regime.require)}
    return {
        axis: predicate for axis, predicate in limits.items() if not (predicate.accepted or predicate.refused)
    }


def _is_missing(
    equation: Equation, axis: str, limit: Predicate | None, of_sibling: Predicate, family: bool
) -> bool:
    if limit is None:
        return axis in NUMBERS or of_sibling.var in equation.inputs
    return family and _is_narrower(of_sibling, limit)


def _is_narrower(inner: Predicate, outer: Predicate) -> bool:
    """Whether one range is inside another, by at least a tenth at one end."""
    (low, high, *_), (least, most, *_) = inner.interval, outer.interval
    lower, higher = least <= low, high <= most
    return lower and higher and not (_is_close(low, least) and _is_close(high, most))


def _is_close(one: float, other: float) -> bool:
    return one == other or (math.isfinite(one + other) and math.isclose(one, other, rel_tol=0.1))
