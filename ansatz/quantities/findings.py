"""What surely does not hold in a calculation: arithmetic, units, and values that nothing can have.

Every `expression = number` is computed again, a formula in symbols at the values that the answer itself
states for them. An equality is wrong only if none of the ways to read it comes near: with units applied or
read past, in degrees or radians, with either reach of a product behind a slash, to the powers of a thousand
that prefixes hide.
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
"""What a number may be multiplied with if its unit is not written."""
_LOST_POWER = re.compile(r"[*x] ?10-?[1-9]\d?(?![\d.])|\)-?\d|[A-Za-z]\d|\d \d")  # 6.7 x 107 rad, (0.5 m)3
# From so many digits on a number may be rounded, and an integer's trailing zeros are no more place holders.
_FEWEST_DIGITS = 3
_EXACT = 0.011  # relative: a conversion may be rounded to two digits
_POSITIVE = {"T": ("K", "is not above absolute zero"), "rho": ("kg/m^3", "is no density")}
_EFFICIENCY = re.compile(r"\befficiency\b[^.;]{0,40}$", re.IGNORECASE)
_OFTEN_LEFT_OUT = {3, 4}  # temperatures and amounts of substance, by their place among the exponents


@dataclass(frozen=True)
class Finding:
    """One fault that was computed. `quote` are the answer's own words; `computed` stands against `stated`.

    Numbers are in the unit that the words state, or in SI; None where the fault is none of a number.
    """

    kind: str
    quote: str
    message: str
    computed: float | None = None
    stated: float | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def check_equalities(calculation: Calculation) -> list[Finding | bool]:
    """Every equality that can be computed again: True where it holds, else what is wrong with it."""
    found = (_check_equality(term, calculation) for term in calculation.terms)
    return [each for each in found if each is not None]


def _check_equality(term: Term, calculation: Calculation) -> Finding | bool | None:
    """True where an equality holds, what is wrong with it where it does not, None where that is not known."""
    formula = term.formula
    if term.claimed is None or not math.isfinite(term.claimed.value) or _LOST_POWER.search(formula.text):
        return None
    value, unit, digits = term.claimed
    if term.is_numeric:
        small = all(each.value.is_integer() and abs(each.value) < 10 for each in formula.numbers)
        if small and formula.operations == 1:
            return None  # a ratio or range such as 5/2 or 3-4, without a stated value
        # Whole numbers and short ones count as they stand; others may be rounded.
        long = [each for each in formula.numbers if each.digits >= _FEWEST_DIGITS]
        slack = _SLACK + 1.2 * _estimate_spread(
            formula, [each for each in long if not each.value.is_integer()]
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
    known, formula = find_written_scale(unit), term.formula
    # A unit with a zero of its own, as °C has, leaves open whether a number is a difference.
    has_zero = any(each and each.offset for each in (known, *(number.unit for number in formula.numbers)))
    if known is None or has_zero or not (formula.has_units and formula.is_complete):
        return False
    try:
        return formula.dimension() == known.dimension
    except DimensionError:
        return False


def _iterate_factors(term: Term, unit: str, strict: bool) -> Iterator[float]:
    """What the stated number may be multiplied with to be compared: its unit, or a prefix left out."""
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
        return  # all units are written: nothing is hidden
    for factor in _PREFIXES:
        yield factor
        if known and known.factor not in (1.0, *_PREFIXES):
            yield factor * known.factor
    if term.formula.has_units or not term.is_numeric:
        yield from _HIDDEN


def _get_stated_numbers(
    formula: Formula, calculation: Calculation, given: Mapping[str, Quantity] | None = None
) -> dict[str, Numeral] | None:
    """The one value that the answer states for each symbol; None where any has none or several.

    A symbol that the answer does not state has its value of `given`, by spelled name.
    """
    found: dict[str, Numeral] = {}
    for name in formula.names:
        key = normalize_symbol(name)
        stated = {Quantity(each.value, each.unit, each.digits) for each in calculation.stated.get(key, ())}
        values = stated or ({given[key]} if given and key in given else set())
        if len({(each.value, each.unit) for each in values}) != 1:
            return None
        value, unit, digits = next(iter(values))
        found[name] = Numeral(value, digits, find_written_scale(unit))
    return found


def _estimate_spread(formula: Formula, rounded: Iterable[Numeral]) -> float:
    """How far the value may be off, relative to it, because some of its numbers were rounded."""
    value, spread = formula.value(), 0.0
    for number in rounded:
        width = rounding_tolerance(number.value, max(number.digits, 2))
        moved = Numeral(number.value + width, number.digits, number.unit)
        other = evaluate_tree(replace_leaf(formula.tree, number, moved))
        spread += abs(other / value - 1) if value and other is not None else 0.0
    return spread


def _is_certain(term: Term, computed: list[float], value: float) -> bool:
    """Whether a formula's disagreement with its value is no matter of rounding, sign or another state."""
    ratios = [abs(value / each) for each in computed if each]
    apart = all(not 0.5 < ratio < 2 or abs(ratio - 1) > 0.04 for ratio in ratios)
    return len(term.formula.names) > 1 and term.formula.operations > 1 and apart


def find_unit_faults(calculation: Calculation, asked: Mapping[str, str]) -> list[Finding]:
    """Every unit that is surely wrong; `asked` are the units of what is sought, by spelled symbol."""
    return [
        *_find_unbalanced(calculation),
        *_find_wrong_prefixes(calculation),
        *_find_wrong_conversions(calculation),
        *_find_wrong_dimensions(calculation, asked),
    ]


def _find_unbalanced(calculation: Calculation) -> Iterator[Finding]:
    """Expressions whose terms differ in dimension, or that come to another than their result is stated in.

    An expression is at fault only if none of its readings balances.
    """
    for term in calculation.terms:
        try:
            dimensions = calculation.dimensions(term)
        except DimensionError as error:
            if all(number.unit for number in term.formula.numbers) and not term.formula.names:
                yield Finding("unit", term.quote, str(error))
            continue
        sides = enumerate(map(read_value, term.following), 1)
        place, unit = next(((at, each.unit) for at, each in sides if each), (0, ""))  # the result
        known = find_written_scale(unit)
        stated = known.dimension if known else PURE
        if any(stated) and not any(_is_balanced(each, stated) for each in dimensions):
            quote = " = ".join((term.formula.text, *term.following[:place]))
            yield Finding("unit", quote, f"does not come to {unit}")


def _is_balanced(computed: Dimension | None, stated: Dimension) -> bool:
    """Whether an expression of a dimension may be stated in a unit of another one."""
    if computed is None or not any(computed):
        return True
    apart = {i for i, (a, b) in enumerate(zip(computed, stated, strict=True)) if a != b}
    return apart <= _OFTEN_LEFT_OUT


def _find_wrong_prefixes(calculation: Calculation) -> Iterator[Finding]:
    """Results that hold for the bare numbers, but not in the units that these numbers have elsewhere.

    `F = 100 * 0.01 = 1 N` is 1000 N if the question gives 100 kPa and 0.01 m^2.
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
    """The SI values of a formula in the dimension of its result, for all units that its numbers may have.

    NaN for a number that may be anything, or a conversion.
    """
    open_factor = UnitScale(math.nan, 0.0, PURE)
    choices: list[list[Numeral]] = []
    for number in formula.numbers:
        units = {number.unit} if number.unit else calculation.units_of(number, term.position)
        if number.unit is None and number.is_factor and number.value != _TEN:
            units |= {UnitScale(1.0, 0.0, PURE)}
        elif number.unit is None and (not units or _may_convert(number.value)):
            units |= {open_factor}
        turns = {each for each in units if each.rotation.counts in ("turns", "cycles")}
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
    """Whether a number may change a unit: a power of ten, or a factor such as 3600."""
    return value in _HIDDEN or (value > 0 and math.log10(value).is_integer())


def _find_wrong_conversions(calculation: Calculation) -> Iterator[Finding]:
    """`600 kPa = 6 MPa`: neighbours in a chain that are quantities of one dimension and not equal."""
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
    """Results of substitutions in a unit of another dimension than their symbol has."""
    for term in calculation.terms:
        unit = find_written_scale(term.claimed.unit) if term.claimed else None
        for name in map(normalize_symbol, term.names) if unit and not term.formula.names else ():
            stated = [each.unit for each in calculation.stated.get(name, ())]
            units = [asked[name]] if name in asked else stated
            others = [known.dimension for known in map(find_written_scale, units) if known]
            if others and unit and unit.dimension not in others:
                yield Finding("unit", term.quote, f"{name} is a quantity in {units[0]}")
                break


def find_vanished_results(calculation: Calculation, asked: Iterable[str]) -> Iterator[Finding]:
    """Results of exactly 0 for what a question asks, as the difference of a number and itself.

    That one value stands for two states is likely a mistake, such as the work of a turbine without a drop of
    enthalpy. It is not certain, so that no answer is scored by it.
    """
    names = set(map(normalize_symbol, asked))
    for term in calculation.terms:
        is_asked = not names.isdisjoint(map(normalize_symbol, term.names))
        if not (is_asked and term.is_numeric and term.claimed and term.claimed.value == 0):
            continue
        values = [each.value for each in term.formula.numbers if each.value]
        if "-" in term.formula.text and len(set(values)) < len(values):
            yield Finding("bound", term.quote, "is 0 because the same value is used twice", None, 0.0)


def find_impossible_values(statements: Iterable[Statement]) -> Iterator[Finding]:
    """Absolute temperatures and densities below zero, and efficiencies in percent beyond 100, as stated."""
    for statement in statements:
        symbol, unit = leading_letter(statement.symbol), statement.unit
        wanted, reason = _POSITIVE.get(symbol, ("", ""))
        value = convert_to_si(statement.value, unit) if unit and wanted else None
        if value is not None and value < 0 and convert_value(1.0, unit, wanted) is not None:
            yield Finding("bound", statement.text, reason, 0.0, value)
        percent = unit in ("%", "percent") and symbol == "eta"
        if percent and _EFFICIENCY.search(statement.label) and not 0 <= statement.value <= 100:
            yield Finding("bound", statement.text, "is no efficiency", None, statement.value)
