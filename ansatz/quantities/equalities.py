"""Does stated arithmetic hold? Every `expression = number` is computed again.

A formula in symbols is computed at the values that the answer itself states for them. An equality is wrong
only if none of the ways to read it comes near: with units applied or read past, in degrees or radians, with
either reach of a product behind a slash, to the powers of a thousand that prefixes hide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from ansatz.quantities.calculation import Calculation, Finding, Term
from ansatz.quantities.scales import scale
from ansatz.quantities.terms import spelled
from ansatz.quantities.tree import DimensionError

_SLACK = 0.0015  # relative: numbers may have been carried with more digits than are shown
_SYMBOL_SLACK = 0.02  # relative: for a formula at stated values, which are rounded
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
_HIDDEN = (100.0, 0.01, 60.0, 1 / 60, 3600.0, 1 / 3600, 1e5, 1e-5, 1e4, 1e-4, 3.6, 1 / 3.6)
_LOST_POWER = re.compile(r"[*x] ?10-?[1-9]\d?(?![\d.])|\)-?\d|[A-Za-z]\d|\d \d")  # 6.7 x 107 rad, (0.5 m)3
_FEWEST_DIGITS = 3  # trailing zeros of an integer may be place holders, but not beyond three digits


def compared(calculation: Calculation) -> list[Finding | bool]:
    """Every equality that can be computed again: True where it holds, else what is wrong with it."""
    found = (compare(term, calculation) for term in calculation.terms)
    return [each for each in found if each is not None]


def compare(term: Term, calculation: Calculation) -> Finding | bool | None:
    """True where an equality holds, what is wrong with it where it does not, None where that is not known."""
    if term.claimed is None or not math.isfinite(term.claimed[0]):
        return None
    numeric = term.is_numeric
    if _LOST_POWER.search(term.formula.text) or (numeric and _is_trivial(term)):
        return None
    bound = {} if numeric else _bound(term, calculation)
    if bound is None:
        return None
    value, unit, digits = term.claimed
    strict = _is_strict(term, unit)
    computed = list(
        dict.fromkeys(value for each in _bindings(bound) for value in term.formula.readings(each, strict))
    )
    computed = [value for value in computed if abs(value) > 1e-300 or term.claimed[0] == 0]
    if not computed:
        return None
    margin = tolerance(value, digits)
    slack = _SLACK if numeric else _SYMBOL_SLACK
    spread = 1.2 * term.formula.spread() if numeric else _bound_spread(term, bound)
    best = min(computed, key=lambda each: abs(each - value))
    for each in computed:
        for factor in _factors(term, unit, strict):
            stated, width = value * factor, margin * abs(factor)
            relative = (spread / abs(best) if best else 0.0) * abs(each)
            if abs(stated - each) <= width + slack * abs(each) + relative:
                return True
    if not numeric and not _is_certain(term, bound, computed, value):
        return None
    return Finding("arithmetic", term.quote, f"comes to {best:.6g}, stated {value:.6g}", best, value)


def tolerance(value: float, digits: int) -> float:
    """Half a unit in the last significant place."""
    if value == 0:
        return 0.0
    if value.is_integer() and abs(value) >= 1000:
        digits = max(digits, _FEWEST_DIGITS)
    elif value.is_integer() and abs(value) < 1e15:
        digits = max(digits, len(str(abs(int(value)))))
    return float(0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1))


def _is_trivial(term: Term) -> bool:
    """Whether it is a ratio or range such as 5/2 or 3-4, whose value nobody states."""
    numbers = term.formula.numbers
    return term.formula.operations == 1 and all(
        each.value.is_integer() and abs(each.value) < 10 for each in numbers
    )


def _is_strict(term: Term, unit: str) -> bool:
    """Whether every number and the result have units that agree, so that nothing is hidden or left out."""
    known = scale(unit) if unit not in ("", "-") else None
    formula = term.formula
    if known is None or known.offset or formula.has_zeros or not (formula.has_units and formula.is_complete):
        return False
    try:
        return formula.dimension() == known.dimension
    except DimensionError:
        return False


def _factors(term: Term, unit: str, strict: bool) -> Iterator[float]:
    """What the stated number may be multiplied with to be compared: its unit, or a prefix left out."""
    known = scale(unit) if unit else None
    if strict and known:
        yield known.factor
        return
    yield 1.0
    if known:
        yield known.factor
    if unit in ("%", "percent"):
        yield from (0.01, 100.0)
    if term.formula.is_complete and term.formula.has_units and known and any(known.dimension):
        return  # all units are written: nothing is hidden
    for factor in _PREFIXES:
        yield factor
        if known and known.factor not in (1.0, *_PREFIXES):
            yield factor * known.factor
    if term.formula.has_units or not term.is_numeric:
        yield from _HIDDEN


def _bound(term: Term, calculation: Calculation) -> dict[str, tuple[float, str, int]] | None:
    """The one value that the answer states for each symbol; None where any has none or several."""
    found: dict[str, tuple[float, str, int]] = {}
    for name in term.formula.names:
        stated = calculation.stated.get(spelled(name), ())
        values = {(each.value, each.unit): each for each in stated}
        if len(values) != 1:
            return None
        each = next(iter(values.values()))
        found[name] = (each.value, each.unit, each.digits)
    return found


def _bindings(bound: Mapping[str, tuple[float, str, int]]) -> Iterator[dict[str, float]]:
    """The symbols' values as written, and in SI."""
    yield {name: value for name, (value, _, _) in bound.items()}
    scales = {name: scale(unit) for name, (_, unit, _) in bound.items()}
    if bound and all(scales.values()):
        yield {
            name: value * known.factor + known.offset
            for name, (value, _, _) in bound.items()
            if (known := scales[name])
        }


def _bound_spread(term: Term, bound: Mapping[str, tuple[float, str, int]]) -> float:
    numbers = {name: value for name, (value, _, _) in bound.items()}
    centre, spread = term.formula.value(numbers), 0.0
    if centre is None:
        return 0.0
    for name, (value, _, digits) in bound.items():
        moved = term.formula.value({**numbers, name: value + tolerance(value, max(digits, 2))})
        spread += abs(moved - centre) if moved is not None else 0.0
    return 2 * spread


def _is_certain(term: Term, bound: Mapping[str, object], computed: list[float], value: float) -> bool:
    """Whether a formula's disagreement with its value is no matter of rounding, sign or another state."""
    return (
        len(bound) > 1
        and term.formula.operations > 1
        and all(
            not 0.5 < abs(value / each) < 2 or abs(abs(value / each) - 1) > 0.04 for each in computed if each
        )
    )
