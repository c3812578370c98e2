"""Whether numbers lie where an equation is meant to hold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Literal

from ansatz.knowledge_base.equation.entry import Entry, EvaluationError
from ansatz.knowledge_base.equation.grammar import Relation


class RegimeWarning(UserWarning):
    """A result from values outside the range or the conditions that the entry states."""


def violations(equation: Entry, numbers: Mapping[str, float]) -> tuple[str, ...]:
    """What the numbers break of the symbols' validity and of the required conditions on own symbols."""
    from ansatz.quantities.units import converted

    broken = []
    ranges = (variable.valid for variable in equation.symbols.values() if variable.valid is not None)
    for predicate in (*ranges, *equation.regime.require):
        worded = any(isinstance(each, str) for each in (*predicate.accepted, *predicate.refused))
        if predicate.var not in numbers or worded:
            continue
        unit, number = equation.units[predicate.var], numbers[predicate.var]
        here = number
        if predicate.unit and predicate.unit != unit:
            here = converted(number, unit, predicate.unit)
        if not predicate.admits(here):
            source = f" ({predicate.source})" if predicate.source else ""
            broken.append(f"needs {predicate.words()}, not {predicate.var} = {here:.6g}{source}")
    for needed in equation.holds_where:
        relation, known = Relation.parse(needed.expr), {**equation.constant_values, **numbers}
        if relation.names <= known.keys() and not relation.holds(known):
            broken.append(f"needs {needed.expr} ({needed.note})")
    return tuple(broken)


def guard(equation: Entry, numbers: Mapping[str, float], regime: Literal["warn", "refuse"]) -> None:
    """Warn of numbers outside the validity or the required regime, or refuse them with EvaluationError."""
    for problem in violations(equation, numbers):
        if regime == "refuse":
            raise EvaluationError(f"{equation.id}: {problem}")
        warnings.warn(f"{equation.id}: {problem}", RegimeWarning, stacklevel=4)
