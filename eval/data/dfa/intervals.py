"""Where each number of a scenario must lie, so that one equation holds and another is excluded."""

from __future__ import annotations

import math
import random

from ansatz.eval.data.dfa.exclusions import Exclusion
from ansatz.knowledge_base.equation import NUMBERS, WORDS, Equation, Predicate, axis_name
from ansatz.quantities.statements import content
from ansatz.quantities.units import UnitError, quantity, same_dimension

_MARGIN = 1.2  # how far beyond a limit a number is drawn, so that no reader can take it for met
_REACH = 4.0  # how far beyond a single limit numbers are drawn at most
_DIGITS = 3

Interval = tuple[float, float]


def wanted_intervals(exclusion: Exclusion) -> dict[str, Interval] | None:
    """Where each number must lie, by symbol of the fallback or by axis; None where no number can."""
    fallback = exclusion.fallback
    wanted: dict[str, Interval] = {}
    for predicate in fallback.regime.require:
        if predicate.axis in WORDS and predicate.var not in fallback.symbols:
            continue
        key, interval = _placed(predicate, fallback)
        if not _narrow(wanted, key, (interval[0], interval[1])):
            return None
    if exclusion.is_numeric:
        assert exclusion.predicate is not None
        key, inside = _placed(exclusion.predicate, fallback, exclusion.primary)
        sides = [_within(inside)] if exclusion.basis == "failure" else _beyond(inside)
        for side in sides:
            trial = dict(wanted)
            if _narrow(trial, key, side):
                return {name: _bounded(interval) for name, interval in trial.items()}
        return None
    return {name: _bounded(interval) for name, interval in wanted.items()}


def _placed(predicate: Predicate, fallback: Equation, owner: Equation | None = None) -> tuple[str, Interval]:
    """The fallback's symbol or the axis that a predicate speaks of, and its interval in that unit."""
    low, high, *_ = predicate.interval
    owner = owner or fallback
    own = owner.units.get(predicate.var) if predicate.var in owner.symbols else None
    key = _symbol_of(predicate, fallback) or predicate.axis
    unit = (
        fallback.symbols[key].unit if key in fallback.symbols else NUMBERS[key].unit if key in NUMBERS else ""
    )
    if not unit:
        return key, (math.inf, -math.inf)
    written = predicate.unit or own or NUMBERS[predicate.axis].unit
    try:
        if not same_dimension(written, unit):
            return key, (math.inf, -math.inf)
        return key, (converted(low, written, unit), converted(high, written, unit))
    except UnitError:
        return key, (math.inf, -math.inf)


def _symbol_of(predicate: Predicate, equation: Equation) -> str:
    """The equation's own symbol that a predicate speaks of, by its name or as that of its axis."""
    if predicate.var in equation.symbols:
        return predicate.var
    for name, variable in equation.symbols.items():
        if name != equation.output and axis_name(name.partition("_")[0]) == predicate.axis:
            return name
        if name != equation.output and predicate.axis in NUMBERS:
            axis = NUMBERS[predicate.axis]
            meant = content(axis.meaning.split(",")[0])
            if (
                meant
                and set(meant) <= set(content(variable.desc))
                and same_dimension(axis.unit, variable.unit)
            ):
                return name
    return ""


def converted(value: float, unit: str, wanted: str) -> float:
    if math.isinf(value) or unit == wanted:
        return value
    return float(quantity(quantity(value, unit), wanted).magnitude)


def _narrow(wanted: dict[str, Interval], key: str, interval: Interval) -> bool:
    low, high = wanted.get(key, (-math.inf, math.inf))
    wanted[key] = (max(low, interval[0]), min(high, interval[1]))
    return wanted[key][0] < wanted[key][1]


def _within(inside: Interval) -> Interval:
    """The interval less a margin at its limits, which are positive."""
    low = inside[0] * _MARGIN if inside[0] > 0 else inside[0]
    return low, inside[1] / _MARGIN if inside[1] > 0 else inside[1]


def _beyond(inside: Interval) -> list[Interval]:
    """Above and below an interval, by the margin."""
    above = [(inside[1] * _MARGIN, math.inf)] if 0 < inside[1] < math.inf else []
    below = [(0.0, inside[0] / _MARGIN)] if 0 < inside[0] < math.inf else []
    return above + below


def _bounded(interval: Interval) -> Interval:
    """Finite limits: numbers are drawn within a few times the limit there is."""
    low, high = interval
    if math.isinf(low):
        low = high / _REACH if 0 < high < math.inf else 0.0
    if low == 0 and 0 < high < math.inf:
        low = high / _REACH
    return low, high if not math.isinf(high) else max(low * _REACH, 1.0)


def round_to(value: float) -> float:
    return float(f"{value:.{_DIGITS - 1}e}")


def between(interval: Interval, rng: random.Random) -> float:
    low, high = interval
    if low > 0 and high / low > 5:
        return math.exp(rng.uniform(math.log(low), math.log(high)))
    return rng.uniform(low, high)
