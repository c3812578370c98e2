"""Find certain errors in a calculation: wrong arithmetic, wrong units and impossible values.

Every `expression = number` is recomputed. Formulas in symbols are evaluated at the values that the answer
states. An equality is wrong only if it fails in every reading of the text. The readings differ in whether
units apply, in degrees or radians, in how far a slash extends, and in unwritten prefixes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from typing import Any

from ansatz.errors import DimensionError
from ansatz.quantities.calculation import Calculation, Term
from ansatz.quantities.letters import leading_letter
from ansatz.quantities.scales import (
    PURE,
    Quantity,
    UnitScale,
    convert_to_si,
    convert_value,
    find_scale,
    find_written_scale,
    is_close,
)
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import normalize_symbol, read_value
from ansatz.quantities.tree import (
    Convention,
    Dimension,
    Formula,
    Numeral,
    evaluate_tree,
    find_dimension,
    replace_leaf,
    treat_as_pure,
)

_SLACK = 0.0015  # relative: numbers may have been carried with more digits than are shown
_SYMBOL_SLACK = 0.02  # relative: for a formula at stated values, which are rounded
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
_HIDDEN = (100.0, 0.01, 60.0, 1 / 60, 3600.0, 1 / 3600, 1e5, 1e-5, 1e4, 1e-4, 3.6, 1 / 3.6)
_TEN, _MOST_CHOICES = 10.0, 64
_PREFIXED = 0.1  # relative: far below any prefix, far above rounding
CONVERSIONS = (*_PREFIXES, *_HIDDEN)
"""Factors by which a number without a written unit may be multiplied."""
_LOST_POWER = re.compile(r"[*x] ?10-?[1-9]\d?(?![\d.])|\)-?\d|[A-Za-z]\d|\d \d")  # 6.7 x 107 rad, (0.5 m)3
# Numbers with at least this many digits may be rounded; trailing zeros of such integers are significant.
_FEWEST_DIGITS = 3
_EXACT = 0.011  # relative: a conversion may be rounded to two digits
_POSITIVE = {"T": ("K", "is not above absolute zero"), "rho": ("kg/m^3", "is no density")}
_EFFICIENCY = re.compile(r"\befficiency\b[^.;]{0,40}$", re.IGNORECASE)
_OFTEN_LEFT_OUT = {3, 4}  # indices in `scales.BASE` of temperature and amount of substance


@dataclass(frozen=True)
class Finding:
    """One computed error. Numbers are in the unit of the quote, or in SI units."""

    kind: str
    """"arithmetic", "unit" or "bound"."""
    quote: str
    """The passage of the answer."""
    message: str
    """What is wrong with it, as the rest of a sentence that begins with the quote."""
    computed: float | None = None
    """The recomputed value; None if there is none."""
    stated: float | None = None
    """The value in the answer; None if the error is not in a number."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def check_equalities(calculation: Calculation) -> list[Finding | bool]:
    """Recompute every equality where possible: True for a correct one, a finding for a wrong one."""
    results = (_check_equality(term, calculation) for term in calculation.terms)
    return [result for result in results if result is not None]


def _check_equality(term: Term, calculation: Calculation) -> Finding | bool | None:
    """Return True for a correct equality, a finding for a wrong one, None if it cannot be decided."""
    formula = term.formula
    if term.claimed is None or not math.isfinite(term.claimed.value) or _LOST_POWER.search(formula.text):
        return None
    value, unit, digits = term.claimed
    if term.is_numeric:
        small = all(number.value.is_integer() and abs(number.value) < 10 for number in formula.numbers)
        if small and formula.operations == 1:
            return None  # a ratio or range such as 5/2 or 3-4, without a stated value
        # Integers and numbers of few digits are exact; others may be rounded.
        long = [number for number in formula.numbers if number.digits >= _FEWEST_DIGITS]
        slack = _SLACK + 1.2 * _estimate_spread(
            formula, [number for number in long if not number.value.is_integer()]
        )
    else:
        numbers = _get_stated_numbers(formula, calculation)
        if numbers is None:
            return None
        formula = formula.at(numbers)
        slack = _SYMBOL_SLACK + 2 * _estimate_spread(formula, numbers.values())
    strict = _is_strict(term, unit)
    computed = [each for each in formula.readings(in_si=strict) if abs(each) > 1e-300 or value == 0]
    margin = rounding_tolerance(value, digits)
    for factor in _iterate_factors(term, unit, strict):
        if any(abs(value * factor - each) <= margin * abs(factor) + slack * abs(each) for each in computed):
            return True
    if not computed or not (term.is_numeric or _is_certain(term, computed, value)):
        return None
    best = min(computed, key=lambda each: abs(each - value))
    return Finding("arithmetic", term.quote, f"comes to {best:.6g}, stated {value:.6g}", best, value)


def rounding_tolerance(value: float, digits: int) -> float:
    """Return half a unit in the last significant place."""
    if value == 0:
        return 0.0
    if value.is_integer() and abs(value) >= 1000:
        digits = max(digits, _FEWEST_DIGITS)
    elif value.is_integer() and abs(value) < 1e15:
        digits = max(digits, len(str(abs(int(value)))))
    return float(0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1))


def _is_strict(term: Term, unit: str) -> bool:
    """Whether every number and the result have a unit and all dimensions agree."""
    known, formula = find_written_scale(unit), term.formula
    # With an offset unit such as °C, a number may be a point of the scale or a difference.
    has_zero = any(each and each.offset for each in (known, *(number.unit for number in formula.numbers)))
    if known is None or has_zero or not (formula.has_units and formula.is_complete):
        return False
    try:
        return formula.dimension() == known.dimension
    except DimensionError:
        return False


def _iterate_factors(term: Term, unit: str, strict: bool) -> Iterator[float]:
    """Yield the factors for comparing the stated number: of its unit, or of an unwritten prefix."""
    known = find_scale(unit) if unit else None
    if strict and known:
        yield known.factor
        return
    yield 1.0
    if known:
        yield known.factor
    if unit in ("%", "percent"):
        yield from (0.01, 100.0)
    if term.formula.is_complete and term.formula.has_units and known and any(known.dimension):
        return  # all units are written
    for factor in _PREFIXES:
        yield factor
        if known and known.factor not in (1.0, *_PREFIXES):
            yield factor * known.factor
    if term.formula.has_units or not term.is_numeric:
        yield from _HIDDEN


def _get_stated_numbers(
    formula: Formula, calculation: Calculation, given: Mapping[str, Quantity] | None = None
) -> dict[str, Numeral] | None:
    """Return the value that the answer states for each symbol; None if a symbol has none or several.

    A symbol that the answer does not state takes its value from `given`, by normalized name.
    """
    numbers: dict[str, Numeral] = {}
    for name in formula.names:
        key = normalize_symbol(name)
        statements = calculation.stated.get(key, ())
        stated = {Quantity(statement.value, statement.unit, statement.digits) for statement in statements}
        values = stated or ({given[key]} if given and key in given else set())
        if len({(quantity.value, quantity.unit) for quantity in values}) != 1:
            return None
        value, unit, digits = next(iter(values))
        numbers[name] = Numeral(value, digits, find_written_scale(unit))
    return numbers


def _estimate_spread(formula: Formula, rounded: Iterable[Numeral]) -> float:
    """Estimate the relative error of a formula's value if some of its numbers were rounded."""
    value, spread = formula.value(), 0.0
    for number in rounded:
        width = rounding_tolerance(number.value, max(number.digits, 2))
        moved = Numeral(number.value + width, number.digits, number.unit)
        other = evaluate_tree(replace_leaf(formula.tree, number, moved))
        spread += abs(other / value - 1) if value and other is not None else 0.0
    return spread


def _is_certain(term: Term, computed: list[float], value: float) -> bool:
    """Whether rounding, a sign or another state cannot explain why a formula and its value disagree."""
    ratios = [abs(value / result) for result in computed if result]
    apart = all(not 0.5 < ratio < 2 or abs(ratio - 1) > 0.04 for ratio in ratios)
    return len(term.formula.names) > 1 and term.formula.operations > 1 and apart


def find_unit_faults(calculation: Calculation, asked: Mapping[str, str]) -> list[Finding]:
    """Find every unit that is certainly wrong; `asked` maps normalized requested symbols to their units."""
    return [
        *_find_unbalanced(calculation),
        *_find_wrong_prefixes(calculation),
        *_find_wrong_conversions(calculation),
        *_find_wrong_dimensions(calculation, asked),
    ]


def _find_unbalanced(calculation: Calculation) -> Iterator[Finding]:
    """Find expressions that add different dimensions, or whose dimension differs from that of the result.

    An expression is reported only if none of its readings balances.
    """
    for term in calculation.terms:
        try:
            dimensions = calculation.dimensions(term)
        except DimensionError as error:
            if all(number.unit for number in term.formula.numbers) and not term.formula.names:
                yield Finding("unit", term.quote, str(error))
            continue
        sides = enumerate(map(read_value, term.following), 1)
        place, unit = next(((index, value.unit) for index, value in sides if value), (0, ""))  # the result
        known = find_written_scale(unit)
        stated = known.dimension if known else PURE
        if any(stated) and not any(_is_balanced(dimension, stated) for dimension in dimensions):
            quote = " = ".join((term.formula.text, *term.following[:place]))
            yield Finding("unit", quote, f"does not come to {unit}")


def _is_balanced(computed: Dimension | None, stated: Dimension) -> bool:
    """Whether a computed dimension fits a stated one, apart from exponents that are often left out."""
    if computed is None or not any(computed):
        return True
    different = {i for i, (a, b) in enumerate(zip(computed, stated, strict=True)) if a != b}
    return different <= _OFTEN_LEFT_OUT


def _find_wrong_prefixes(calculation: Calculation) -> Iterator[Finding]:
    """Find results that are right for the bare numbers, but wrong in the units of those numbers.

    `F = 100 * 0.01 = 1 N` should be 1000 N if the question gives 100 kPa and 0.01 m^2.
    """
    for term in calculation.terms:
        known = find_written_scale(term.claimed.unit) if term.claimed else None
        if term.claimed is None or known is None or known.offset or not any(known.dimension):
            continue
        numbers = _get_stated_numbers(term.formula, calculation, calculation.given_values)
        if numbers is None or term.formula.has_units:
            continue
        formula = term.formula.at(numbers)
        value, unit, digits = term.claimed
        bare, margin = formula.value(), rounding_tolerance(value, digits)
        factors = (1.0, *_PREFIXES)
        if bare is None or not any(
            abs(value * factor - bare) <= margin * factor + _SLACK * abs(bare) for factor in factors
        ):
            continue
        computed = [
            each / known.factor for each in _evaluate_at_known_units(formula, term, calculation, known)
        ]
        if computed and not any(math.isnan(each) or is_close(each, value, _PREFIXED) for each in computed):
            message = f"comes to {computed[0]:.6g} {unit} in the units of its numbers"
            yield Finding("unit", term.quote, message, computed[0], value)


def _evaluate_at_known_units(
    formula: Formula, term: Term, calculation: Calculation, result: UnitScale
) -> Iterator[float]:
    """Yield a formula's SI values for all units that its numbers may have, if the dimension fits the result.

    NaN stands for a number that may have any unit, or be a conversion factor.
    """
    open_factor = UnitScale(math.nan, 0.0, PURE)
    choices: list[list[Numeral]] = []
    for number in formula.numbers:
        units = {number.unit} if number.unit else calculation.units_of(number, term.position)
        if number.unit is None and number.is_factor and number.value != _TEN:
            units |= {UnitScale(1.0, 0.0, PURE)}
        elif number.unit is None and (not units or _may_convert(number.value)):
            units |= {open_factor}
        turns = {unit for unit in units if unit.rotation.counts in ("turns", "cycles")}
        units = units - turns | ({open_factor} if turns else set())
        choices.append([Numeral(number.value, number.digits, unit) for unit in units])
    if math.prod(map(len, choices)) > _MOST_CHOICES:
        yield math.nan
        return
    for chosen in product(*choices):
        tree = formula.tree
        for number, with_unit in zip(formula.numbers, chosen, strict=True):
            tree = replace_leaf(tree, number, with_unit)
        try:
            balances = find_dimension(tree, treat_as_pure) == result.dimension
        except DimensionError:
            continue
        if balances:
            value = evaluate_tree(tree, {}, Convention(si=True))
            yield math.nan if value is None else value


def _may_convert(value: float) -> bool:
    """Whether a number may be a conversion factor: a power of ten, or a factor such as 3600."""
    return value in _HIDDEN or (value > 0 and math.log10(value).is_integer())


def _find_wrong_conversions(calculation: Calculation) -> Iterator[Finding]:
    """Find adjacent quantities of a chain that have one dimension but are not equal: `600 kPa = 6 MPa`."""
    for left, right in (pair for chain in calculation.chains for pair in pairwise(chain.terms)):
        first, second = read_value(left), read_value(right)
        if not first or not second or not first.unit or not second.unit or first.unit == second.unit:
            continue
        one, other = find_scale(first.unit), find_scale(second.unit)
        if one is None or other is None or one.dimension != other.dimension or not any(one.dimension):
            continue
        tolerance = 0.6 if one.offset or other.offset else 0.0  # 273 is often taken for 273.15
        values = first.value * one.factor + one.offset, second.value * other.factor + other.offset
        rounded = max(_EXACT, 0.5 * 10.0 ** (1 - min(first.digits, second.digits)))
        again = convert_value(first.value, first.unit, second.unit)
        if again is not None and is_close(again, second.value, rounded):  # a turn is counted, or 2π
            continue
        if not is_close(*values, rounded) and abs(values[0] - values[1]) > tolerance:
            yield Finding("unit", f"{left} = {right}", "is no conversion", *values)


def _find_wrong_dimensions(calculation: Calculation, asked: Mapping[str, str]) -> Iterator[Finding]:
    """Find results of substitutions whose unit has another dimension than their symbol."""
    for term in calculation.terms:
        unit = find_written_scale(term.claimed.unit) if term.claimed else None
        for name in map(normalize_symbol, term.names) if unit and not term.formula.names else ():
            stated = [each.unit for each in calculation.stated.get(name, ())]
            units = [asked[name]] if name in asked else stated
            expected = [known.dimension for known in map(find_written_scale, units) if known]
            if expected and unit and unit.dimension not in expected:
                yield Finding("unit", term.quote, f"{name} is a quantity in {units[0]}")
                break


def find_vanished_results(calculation: Calculation, asked: Iterable[str]) -> Iterator[Finding]:
    """Find requested results of exactly 0 that are the difference of a number and itself.

    One value for two states is probably a mistake, such as turbine work without an enthalpy drop.
    It is not certain, so these findings do not affect the score.
    """
    names = set(map(normalize_symbol, asked))
    for term in calculation.terms:
        is_asked = not names.isdisjoint(map(normalize_symbol, term.names))
        if not (is_asked and term.is_numeric and term.claimed and term.claimed.value == 0):
            continue
        values = [number.value for number in term.formula.numbers if number.value]
        if "-" in term.formula.text and len(set(values)) < len(values):
            yield Finding("bound", term.quote, "is 0 because the same value is used twice", None, 0.0)


def find_impossible_values(statements: Iterable[Statement]) -> Iterator[Finding]:
    """Find negative absolute temperatures and densities, and efficiencies outside 0 to 100 %."""
    for statement in statements:
        symbol, unit = leading_letter(statement.symbol), statement.unit
        wanted, reason = _POSITIVE.get(symbol, ("", ""))
        value = convert_to_si(statement.value, unit) if unit and wanted else None
        if value is not None and value < 0 and convert_value(1.0, unit, wanted) is not None:
            yield Finding("bound", statement.text, reason, 0.0, value)
        percent = unit in ("%", "percent") and symbol == "eta"
        if percent and _EFFICIENCY.search(statement.label) and not 0 <= statement.value <= 100:
            yield Finding("bound", statement.text, "is no efficiency", None, statement.value)
