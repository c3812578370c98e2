"""Whether an object can be and do what a story says of the one that it replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.eval.benchmarks.physbench.variants.packs import ObjectClass, limits
from ansatz.eval.problem import Entity, NumberTarget, Problem
from ansatz.quantities.units import UnitError, quantity

Stated = Mapping[str, Sequence[tuple[float, str]]]
"""Values with units, by property: {"mass": [(0.16, "kg")]}."""


def stated_of(problem: Problem, entity: Entity) -> Stated:
    """What the problem says of an entity, by property: values of givens and results."""
    values: dict[str, tuple[float, str]] = {}
    for given in problem.givens:
        if isinstance(given.value, int | float):
            values[given.name] = (float(given.value), given.unit)
    for step in problem.reference.steps:
        values.setdefault(step.symbol, (step.value, step.unit))
    for target in problem.targets:
        if isinstance(target, NumberTarget) and target.value is not None:
            values.setdefault(target.name, (target.value, target.unit))
    return {name: [values[symbol]] for name, symbol in entity.quantities.items() if symbol in values}


def why_implausible(class_name: str, stated: Stated) -> str | None:
    """Why an object of the class cannot be so, in one line; None where it can."""
    known = limits().classes[class_name]
    for name, values in stated.items():
        for value, unit in values:
            if wrong := _outside(known, name, value, unit):
                return f"{class_name}: {wrong}"
    return None


def classes_for(kind: str, text: str) -> tuple[str, ...]:
    """The classes that may stand for an object of a kind, told as `text`."""
    return tuple(
        name
        for name, each in limits().classes.items()
        if kind in each.stands_for and (not each.instead_of or text in each.instead_of)
    )


def _outside(known: ObjectClass, name: str, value: float, unit: str) -> str | None:
    range_ = known.ranges.get(name) or known.ranges.get(_wider(name))
    if range_ is None:
        return f"nothing is known of its {name}"
    low, high, wanted = range_
    try:
        found = float(quantity(quantity(value, unit), wanted).magnitude)
    except UnitError as error:
        return str(error)
    if low <= found <= high:
        return None
    return f"a {name} of {found:.4g} {wanted} is outside {low:g} to {high:g} {wanted} ({known.reason})"


def _wider(name: str) -> str:
    return next((wide for wide, narrow in limits().properties.items() if name in narrow), name)
