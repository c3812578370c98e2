"""Are units kept, and is what is stated possible? Dimensions of equations, conversions, natural bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ansatz.quantities.calculation import Calculation, Finding, Term
from ansatz.quantities.letters import letter
from ansatz.quantities.scales import UnitScale, close, scale, si
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import read_value, spelled
from ansatz.quantities.tree import DimensionError

_EXACT = 0.011  # relative: a conversion may be rounded to two digits
_NONE = (0.0,) * 7
_POSITIVE = {"T": ("K", "is not above absolute zero"), "rho": ("kg/m^3", "is no density")}
_EFFICIENCY = re.compile(r"\befficiency\b[^.;]{0,40}$", re.IGNORECASE)


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
        unit, quote = _arrived(term)
        known = scale(unit) if unit not in ("", "-") else None
        try:
            dimension = calculation.dimension(term)
        except DimensionError as error:
            if all(number.unit for number in term.formula.numbers) and not term.formula.names:
                yield Finding("unit", term.quote, str(error))
            continue
        if known is None or dimension is None or not any(known.dimension):
            continue
        if dimension != known.dimension and not _may_hide(dimension, known):
            yield Finding("unit", quote, f"does not come to {unit}")


def _arrived(term: Term) -> tuple[str, str]:
    """The unit of the value that a chain arrives at after an expression, and the words between them."""
    for place, side in enumerate(term.following):
        value = read_value(side)
        if value:
            return value[1], " = ".join((term.formula.text, *term.following[: place + 1]))
    return "", ""


def _may_hide(dimension: tuple[float, ...], known: UnitScale) -> bool:
    """Whether only amounts of substance, angles or temperatures part them, which are often left out."""
    apart = [i for i, (a, b) in enumerate(zip(dimension, known.dimension, strict=True)) if a != b]
    return dimension == _NONE or set(apart) <= {3, 4}


def _wrong_conversions(calculation: Calculation) -> Iterator[Finding]:
    """`600 kPa = 6 MPa`: neighbours in a chain that are quantities of one dimension and not equal."""
    for chain in calculation.chains:
        for left, right in zip(chain.terms, chain.terms[1:], strict=False):
            first, second = read_value(left), read_value(right)
            if not first or not second or not first[1] or not second[1] or first[1] == second[1]:
                continue
            one, other = scale(first[1]), scale(second[1])
            if one is None or other is None or one.dimension != other.dimension or not any(one.dimension):
                continue
            tolerance = 0.6 if one.offset or other.offset else 0.0  # 273 is often taken for 273.15
            values = first[0] * one.factor + one.offset, second[0] * other.factor + other.offset
            rounded = max(_EXACT, *(0.5 * 10.0 ** (1 - each[2]) for each in (first, second)))
            if not close(*values, rounded) and abs(values[0] - values[1]) > tolerance:
                yield Finding("unit", f"{left} = {right}", "is no conversion", values[0], values[1])


def _misfitting(calculation: Calculation, asked: Mapping[str, str]) -> Iterator[Finding]:
    """Results of substitutions in a unit of another dimension than their symbol has."""
    for term in calculation.terms:
        unit = scale(term.claimed[1]) if term.claimed and term.claimed[1] not in ("", "-") else None
        if unit is None or term.formula.names:
            continue
        for name in map(spelled, term.names):
            units = (
                [asked[name]] if name in asked else [each.unit for each in calculation.stated.get(name, ())]
            )
            others = [known for each in units if each not in ("", "-") and (known := scale(each))]
            if others and all(each.dimension != unit.dimension for each in others):
                yield Finding("unit", term.quote, f"{name} is a quantity in {units[0]}")
                break


def impossible(statements: Iterable[Statement]) -> Iterator[Finding]:
    """Absolute temperatures and densities below zero, and efficiencies in percent beyond 100, as stated."""
    for statement in statements:
        wanted, reason = _POSITIVE.get(letter(statement.symbol), ("", ""))
        unit, known = scale(statement.unit) if statement.unit else None, scale(wanted) if wanted else None
        value = si(statement.value, statement.unit) if unit else None
        if known and unit and value is not None and unit.dimension == known.dimension and value < 0:
            yield Finding("bound", statement.text, reason, 0.0, value)
        percent = statement.unit in ("%", "percent") and letter(statement.symbol) == "eta"
        if percent and _EFFICIENCY.search(statement.label) and not 0 <= statement.value <= 100:
            yield Finding("bound", statement.text, "is no efficiency", None, statement.value)
