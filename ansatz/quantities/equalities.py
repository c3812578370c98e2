"""Does stated arithmetic hold? Every `expression = number` is computed again.

A formula in symbols is computed at the values that the answer itself states for them. An equality is wrong
only if none of the ways to read it comes near: with units applied or read past, in degrees or radians, with
either reach of a product behind a slash, to the powers of a thousand that prefixes hide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from ansatz.quantities.calculation import Calculation, Finding, Term
from ansatz.quantities.scales import scale, written_scale
from ansatz.quantities.terms import spelled
from ansatz.quantities.tree import Convention, DimensionError, Formula, Numeral, evaluated, exchanged

_SLACK = 0.0015  # relative: numbers may have been carried with more digits than are shown
_SYMBOL_SLACK = 0.02  # relative: for a formula at stated values, which are rounded
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
_HIDDEN = (100.0, 0.01, 60.0, 1 / 60, 3600.0, 1 / 3600, 1e5, 1e-5, 1e4, 1e-4, 3.6, 1 / 3.6)
_LOST_POWER = re.compile(r"[*x] ?10-?[1-9]\d?(?![\d.])|\)-?\d|[A-Za-z]\d|\d \d")  # 6.7 x 107 rad, (0.5 m)3
# From so many digits on a number may be rounded, and an integer's trailing zeros are no more place holders.
_FEWEST_DIGITS = 3


def compared(calculation: Calculation) -> list[Finding | bool]:
    """Every equality that can be computed again: True where it holds, else what is wrong with it."""
    found = (compare(term, calculation) for term in calculation.terms)
    return [each for each in found if each is not None]


def compare(term: Term, calculation: Calculation) -> Finding | bool | None:
    """True where an equality holds, what is wrong with it where it does not, None where that is not known."""
    formula = term.formula
    if term.claimed is None or not math.isfinite(term.claimed.value) or _LOST_POWER.search(formula.text):
        return None
    value, unit, digits = term.claimed
    if term.is_numeric:
        small = all(each.value.is_integer() and abs(each.value) < 10 for each in formula.numbers)
        if small and formula.operations == 1:
            return None  # a ratio or range such as 5/2 or 3-4, whose value nobody states
        # Whole numbers and short ones count as they stand; others may be rounded.
        long = (each for each in formula.numbers if each.digits >= _FEWEST_DIGITS)
        slack = _SLACK + 1.2 * _spread(formula, (each for each in long if not each.value.is_integer()))
    else:
        numbers = _stated_numbers(formula, calculation)
        if numbers is None:
            return None
        formula = formula.at(numbers)
        slack = _SYMBOL_SLACK + 2 * _spread(formula, numbers.values())
    strict = _is_strict(term, unit)
    computed = [each for each in formula.readings(in_si=strict) if abs(each) > 1e-300 or value == 0]
    margin = tolerance(value, digits)
    for each in computed:
        for factor in _factors(term, unit, strict):
            if abs(value * factor - each) <= margin * abs(factor) + slack * abs(each):
                return True
    if not computed or not (term.is_numeric or _is_certain(term, computed, value)):
        return None
    best = min(computed, key=lambda each: abs(each - value))
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


def _is_strict(term: Term, unit: str) -> bool:
    """Whether every number and the result have units that agree, so that nothing is hidden or left out."""
    known, formula = written_scale(unit), term.formula
    # A unit with a zero of its own, as °C has, leaves open whether a number is a difference.
    has_zero = any(each and each.offset for each in (known, *(number.unit for number in formula.numbers)))
    if known is None or has_zero or not (formula.has_units and formula.is_complete):
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


def _stated_numbers(formula: Formula, calculation: Calculation) -> dict[str, Numeral] | None:
    """The one value that the answer states for each symbol; None where any has none or several."""
    found: dict[str, Numeral] = {}
    for name in formula.names:
        stated = calculation.stated.get(spelled(name), [])
        if len({(each.value, each.unit) for each in stated}) != 1:
            return None
        found[name] = Numeral(stated[0].value, stated[0].digits, written_scale(stated[0].unit))
    return found


def _spread(formula: Formula, rounded: Iterable[Numeral]) -> float:
    """How far the value may be off, relative to it, because some of its numbers were rounded."""
    value, spread = formula.value(), 0.0
    for number in rounded:
        width = tolerance(number.value, max(number.digits, 2))
        moved = Numeral(number.value + width, number.digits, number.unit)
        other = evaluated(exchanged(formula.tree, number, moved), {}, Convention())
        spread += abs(other / value - 1) if value and other is not None else 0.0
    return spread


def _is_certain(term: Term, computed: list[float], value: float) -> bool:
    """Whether a formula's disagreement with its value is no matter of rounding, sign or another state."""
    ratios = [abs(value / each) for each in computed if each]
    apart = all(not 0.5 < ratio < 2 or abs(ratio - 1) > 0.04 for ratio in ratios)
    return len(term.formula.names) > 1 and term.formula.operations > 1 and apart
