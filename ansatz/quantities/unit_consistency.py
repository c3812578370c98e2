"""Are units kept, and is what is stated possible? Dimensions of equations, conversions, natural bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from ansatz.quantities.calculation import Calculation, Finding
from ansatz.quantities.letters import letter
from ansatz.quantities.scales import close, convert, scale, si, written_scale
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import read_value, spelled
from ansatz.quantities.tree import DimensionError

_EXACT = 0.011  # relative: a conversion may be rounded to two digits
_POSITIVE = {"T": ("K", "is not above absolute zero"), "rho": ("kg/m^3", "is no density")}
_EFFICIENCY = re.compile(r"\befficiency\b[^.;]{0,40}$", re.IGNORECASE)
_OFTEN_LEFT_OUT = {3, 4}  # temperatures and amounts of substance, by their place among the exponents


def unit_faults(calculation: Calculation, asked: Mapping[str, str]) -> list[Finding]:
    """Every unit that is surely wrong; `asked` are the units of what is sought, by spelled symbol."""
    return [
        *_unbalanced(calculation),
        *_wrong_conversions(calculation),
        *_misfitting(calculation, asked),
    ]


def _unbalanced(calculation: Calculation) -> Iterator[Finding]:
    """Expressions whose terms differ in dimension, or that come to another than their result is stated in.

    The dimensions of bare numbers and symbols are those of the units with which they stand elsewhere.
    """
    for term in calculation.terms:
        try:
            dimension = calculation.dimension(term)
        except DimensionError as error:
            if all(number.unit for number in term.formula.numbers) and not term.formula.names:
                yield Finding("unit", term.quote, str(error))
            continue
        sides = enumerate(map(read_value, term.following), 1)
        place, unit = next(((at, each.unit) for at, each in sides if each), (0, ""))  # the result
        known = written_scale(unit)
        if known is None or dimension is None or not any(known.dimension) or not any(dimension):
            continue
        apart = {i for i, (a, b) in enumerate(zip(dimension, known.dimension, strict=True)) if a != b}
        if not apart <= _OFTEN_LEFT_OUT:
            quote = " = ".join((term.formula.text, *term.following[:place]))
            yield Finding("unit", quote, f"does not come to {unit}")


def _wrong_conversions(calculation: Calculation) -> Iterator[Finding]:
    """`600 kPa = 6 MPa`: neighbours in a chain that are quantities of one dimension and not equal."""
    for left, right in (pair for chain in calculation.chains for pair in pairwise(chain.terms)):
        first, second = read_value(left), read_value(right)
        if not first or not second or not first.unit or not second.unit or first.unit == second.unit:
            continue
        one, other = scale(first.unit), scale(second.unit)
        if one is None or other is None or one.dimension != other.dimension or not any(one.dimension):
            continue
        tolerance = 0.6 if one.offset or other.offset else 0.0  # 273 is often taken for 273.15
        values = first.value * one.factor + one.offset, second.value * other.factor + other.offset
        rounded = max(_EXACT, 0.5 * 10.0 ** (1 - min(first.digits, second.digits)))
        if not close(*values, rounded) and abs(values[0] - values[1]) > tolerance:
            yield Finding("unit", f"{left} = {right}", "is no conversion", *values)


def _misfitting(calculation: Calculation, asked: Mapping[str, str]) -> Iterator[Finding]:
    """Results of substitutions in a unit of another dimension than their symbol has."""
    for term in calculation.terms:
        unit = written_scale(term.claimed.unit) if term.claimed else None
        for name in map(spelled, term.names) if unit and not term.formula.names else ():
            stated = [each.unit for each in calculation.stated.get(name, ())]
            units = [asked[name]] if name in asked else stated
            others = [known.dimension for known in map(written_scale, units) if known]
            if others and unit and unit.dimension not in others:
                yield Finding("unit", term.quote, f"{name} is a quantity in {units[0]}")
                break


def impossible(statements: Iterable[Statement]) -> Iterator[Finding]:
    """Absolute temperatures and densities below zero, and efficiencies in percent beyond 100, as stated."""
    for statement in statements:
        symbol, unit = letter(statement.symbol), statement.unit
        wanted, reason = _POSITIVE.get(symbol, ("", ""))
        value = si(statement.value, unit) if unit and wanted else None
        if value is not None and value < 0 and convert(1.0, unit, wanted) is not None:
            yield Finding("bound", statement.text, reason, 0.0, value)
        percent = unit in ("%", "percent") and symbol == "eta"
        if percent and _EFFICIENCY.search(statement.label) and not 0 <= statement.value <= 100:
            yield Finding("bound", statement.text, "is no efficiency", None, statement.value)
