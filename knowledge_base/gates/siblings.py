"""Whether an entry states the conditions that its nearest relatives state."""

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
    """A line for each axis that a sibling limits and the entry does not, or within a family less narrowly.

    Siblings are of one family, or of one topic and named as easily confused, and give the same kind of
    quantity. An entry that needs no limit gives the reason under `unlimited`, by axis.
    """
    own, reasons = _find_limits(equation), equation.regime.unlimited
    limited = dict[str, tuple[Equation, Predicate]]()
    for sibling in find_siblings(equation, library):
        for axis, theirs in _find_limits(sibling).items():
            if _is_missing(equation, axis, own.get(axis), theirs, _is_same_family(equation, sibling)):
                limited.setdefault(axis, (sibling, theirs))
    for axis in sorted(limited.keys() - reasons.keys()):
        sibling, theirs = limited[axis]
        found = f"only {own[axis].describe()}" if axis in own else "no limit"
        yield (
            f"regime: {found} of {axis}, while its sibling {sibling.id} needs {theirs.describe()}; "
            "state the limit, or say in `unlimited` why there is none"
        )
    for axis in sorted(reasons.keys() - limited.keys()):
        yield f"regime: unlimited: no sibling limits {axis}"


def find_siblings(equation: Equation, library: Library) -> list[Equation]:
    """The nearest relatives of an entry, those that share most inputs first."""
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
    """The limits that an entry states, by axis or symbol; not those that follow from a definition."""
    ranges = [each.valid for each in equation.symbols.values() if each.valid]
    stated = [each for each in ranges if each.source != "definition"]
    found = {each.axis: each for each in (*stated, *equation.regime.require)}
    return {axis: each for axis, each in found.items() if not each.accepted | each.refused}


def _is_missing(
    equation: Equation, axis: str, own: Predicate | None, theirs: Predicate, family: bool
) -> bool:
    if own is None:
        return axis in NUMBERS or theirs.var in equation.inputs
    return family and _is_narrower(theirs, own)


def _is_narrower(inner: Predicate, outer: Predicate) -> bool:
    """Whether the range of one lies well inside that of another, by a tenth or more at one end."""
    (low, high, *_), (least, most, *_) = inner.interval, outer.interval
    lower, higher = least <= low, high <= most
    return lower and higher and not (_is_close(low, least) and _is_close(high, most))


def _is_close(one: float, other: float) -> bool:
    return one == other or (math.isfinite(one + other) and math.isclose(one, other, rel_tol=0.1))
