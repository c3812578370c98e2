"""G3: are units kept? The units of results, the dimensions of stated equations, and conversions."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.verifier.finding import Finding, Mark, faulty
from ansatz.eval.verifier.working import Term, Working, close
from ansatz.quantities.expression import DimensionError
from ansatz.quantities.scales import Scale, scale
from ansatz.quantities.terms import read_value, spelled

_EXACT = 0.011  # relative: a conversion may be rounded to two digits
_TELLING_DIGITS = 4
_NONE = (0.0,) * 7


def check(working: Working) -> Mark:
    """2: no unit is wrong. 1: a result lacks its unit, or an equation does not balance. 0: a result's unit is
    of another dimension. None: there is no unit to check."""
    results = list(_wrong_results(working))
    if results:
        return faulty(0, results)
    checks = (_unbalanced, _of_other_dimension, _wrong_conversions, _contradicted, _misfitting)
    others = [finding for each in checks for finding in each(working)]
    if others:
        return faulty(1, others)
    asked = [target for target in working.targets if _is_dimensional(target.unit)]
    stated = [target.name for target in asked if target.name in working.finals]
    if not stated:
        return Mark(None, "no result with a unit is stated")
    bare = [name for name in stated if not _has_unit(name, working)]
    if bare:
        return Mark(1, f"without a unit: {', '.join(bare)}")
    return Mark(2, f"the units of {len(stated)} results are right", error=False)


def _wrong_results(working: Working) -> Iterator[Finding]:
    for target in working.targets:
        final = working.finals.get(target.name)
        last = working.answer.number(target).statement if final is None else final
        wanted, have = scale(target.unit), scale(last.unit) if last and last.unit else None
        if last and wanted and have and any(wanted.dimension) and have.dimension != wanted.dimension:
            message = f"{target.name} is asked for in {target.unit}, stated in {last.unit}"
            yield Finding("unit", last.text, message)


def _unbalanced(working: Working) -> Iterator[Finding]:
    """Substitutions all of whose numbers have units: terms of a sum differ, or the result does."""
    for term in working.terms:
        formula = term.formula
        if formula.names or not formula.has_units or not formula.is_complete:
            continue
        try:
            dimension = formula.dimension()
        except DimensionError as error:
            if not _has_bare_terms(term):
                yield Finding("unit", term.quote, str(error))
            continue
        known = scale(term.claimed[1]) if term.claimed and term.claimed[1] not in ("", "-") else None
        if (
            known
            and dimension is not None
            and dimension != known.dimension
            and not _may_hide(dimension, known)
        ):
            assert term.claimed is not None
            yield Finding("unit", term.quote, f"does not come to {term.claimed[1]}")


def _of_other_dimension(working: Working) -> Iterator[Finding]:
    """Expressions that have a dimension, by the units with which their symbols and numbers stand elsewhere,
    beside a result in a unit of another."""
    for term in working.terms:
        unit, quote = _arrived(term)
        known = scale(unit) if unit not in ("", "-") else None
        if known is None or not any(known.dimension) or not term.formula.operations:
            continue
        try:
            dimension = term.formula.dimension(working.dimension_of)
        except DimensionError:
            continue
        if dimension is not None and dimension != known.dimension and not _may_hide(dimension, known):
            yield Finding("unit", quote, f"does not come to {unit}")


def _arrived(term: Term) -> tuple[str, str]:
    """The unit of the value that a chain arrives at after an expression, and the words between them."""
    for place, side in enumerate(term.following):
        value = read_value(side)
        if value:
            return value[1], " = ".join((term.formula.text, *term.following[: place + 1]))
    return "", ""


def _has_bare_terms(term: Term) -> bool:
    return any(number.unit is None for number in term.formula.numbers)


def _may_hide(dimension: tuple[float, ...], known: Scale) -> bool:
    """Whether only amounts of substance, angles or temperatures part them, which are often left out."""
    apart = [i for i, (a, b) in enumerate(zip(dimension, known.dimension, strict=True)) if a != b]
    return dimension == _NONE or set(apart) <= {3, 4}


def _wrong_conversions(working: Working) -> Iterator[Finding]:
    """`600 kPa = 6 MPa`: neighbours in a chain that are quantities of one dimension and not equal."""
    for chain in working.chains:
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


def _contradicted(working: Working) -> Iterator[Finding]:
    """One symbol that has the same digits in units that are not the same."""
    for stated in working.stated.values():
        first = next((each for each in stated if each.unit not in ("", "-") and each.digits > 2), None)
        for each in stated if first else ():
            assert first is not None
            if each.unit in ("", "-") or each.value != first.value or each.unit == first.unit:
                continue
            one, other = scale(first.unit), scale(each.unit)
            if one and other and one != other and not close(one.factor, other.factor, 1e-6) and first.value:
                yield Finding("unit", each.text, f"{first.text} is stated elsewhere")


def _misfitting(working: Working) -> Iterator[Finding]:
    """Results of substitutions in a unit of another dimension than their symbol, or their digits, have."""
    asked = {spelled(target.name): target.unit for target in working.targets}
    for term in working.terms:
        unit = scale(term.claimed[1]) if term.claimed and term.claimed[1] not in ("", "-") else None
        if unit is None or term.formula.names:
            continue
        for name in map(spelled, term.names):
            units = [asked[name]] if name in asked else [each.unit for each in working.stated.get(name, ())]
            others = [known for each in units if each not in ("", "-") and (known := scale(each))]
            if others and all(each.dimension != unit.dimension for each in others):
                yield Finding("unit", term.quote, f"{name} is a quantity in {units[0]}")
                break
        else:
            yield from _of_other_kind(term, unit, working)


def _of_other_kind(term: Term, unit: Scale, working: Working) -> Iterator[Finding]:
    """A result whose very digits, four or more, stand elsewhere as a quantity of another dimension."""
    assert term.claimed is not None
    value, _, digits = term.claimed
    if digits < _TELLING_DIGITS:
        return
    same = (each for each in working.statements if each.value == value and each.unit not in ("", "-"))
    for each in same:
        known = scale(each.unit)
        if known and known.dimension != unit.dimension:
            yield Finding("unit", term.quote, f"{each.text} is stated elsewhere")
            return


def _has_unit(name: str, working: Working) -> bool:
    """Whether a unit stands with a result, where it is stated last or elsewhere."""
    return any(each.unit for each in (working.finals[name], *working.stated.get(spelled(name), ())))


def _is_dimensional(unit: str) -> bool:
    known = scale(unit)
    return known is not None and any(known.dimension)
