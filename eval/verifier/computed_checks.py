"""Checks for G2 to G5: parameters, units, arithmetic and plausibility, from the values in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansatz.eval.problem import Given, NumberTarget, TargetBound
from ansatz.eval.verifier.working import RuleScore, Working, score_with_faults
from ansatz.quantities.findings import Finding, check_equalities, find_impossible_values, find_unit_faults
from ansatz.quantities.letters import leading_letter
from ansatz.quantities.notation import read_quantities
from ansatz.quantities.scales import convert_to_si, convert_value, find_scale, is_close, is_dimensional
from ansatz.quantities.terms import normalize_symbol

_ROUNDED = 0.006  # relative: intermediate values may have three digits
_CLEAR = 0.02  # relative: values that differ by more are different values
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_SLACK = 0.01  # relative: a rounded value may slightly exceed its bound
_SLIP = 0.05  # a relative error below this is a slip, above it a mistake

Value = tuple[float, str]
"""A number and its unit."""


def check_parameters(working: Working) -> RuleScore:
    """Score G2.

    2: the needed values are in the calculation. 1: some are not. 0: values were changed. None: no calculation
    is shown, or the problem gives no numbers.
    """
    givens = [given for given in working.problem.givens if not isinstance(given.value, str)]
    if not givens:
        return RuleScore(None, "the problem gives no numbers")
    numbers = list(_read_numbers(working))
    changed = list(_find_changed_givens(givens, numbers, working))
    if changed:
        return score_with_faults(1 if 2 * len(changed) <= len(givens) else 0, changed)
    if not any(term.is_numeric for term in (*working.terms, *working.code_terms)):
        return RuleScore(None, "no substitution is shown")
    # The needed givens are those in the steps of the reference solution, if it has steps.
    steps = working.problem.reference.steps
    names = {normalize_symbol(name) for step in steps for name in _SYMBOL.findall(step.expression)}
    needed = [given for given in working.problem.givens if normalize_symbol(given.name) in names]
    unused = [given for given in givens if not any(is_given(given, number) for number in numbers)]
    missing = [given.name for given in needed if given in unused]
    if missing and not working.is_near():
        return RuleScore(1, f"not seen in the calculation: {', '.join(missing)}")
    return RuleScore(2, f"{len(needed) - len(missing)} of {len(needed)} given values are used")


def _find_changed_givens(givens: list[Given], numbers: list[Value], working: Working) -> Iterator[Finding]:
    """Find givens whose value occurs nowhere, while their symbol has another value.

    If both values occur, the other one may belong to another state or to a table.
    """
    results = {normalize_symbol(target.name) for target in working.targets}
    for given in givens:
        name, wanted = normalize_symbol(given.name), find_scale(given.unit)
        statements = working.stated.get(name, ())
        if not statements or name in results or given.value == 0 or wanted is None:
            continue
        units = [find_scale(statement.unit) for statement in statements]
        is_comparable = all(unit and unit.dimension == wanted.dimension for unit in units)
        if is_comparable and not any(is_given(given, number, _CLEAR) for number in numbers):
            message = f"{given.name} is given as {float(given.value):g} {given.unit}"
            first = statements[0]
            yield Finding("given", first.text, message, float(given.value), first.value)


def _read_numbers(working: Working) -> Iterator[Value]:
    """Yield every number in the answer and in the tool calls, with its unit."""
    for text in (working.text, working.code):
        yield from ((number.value, unit) for number, unit in read_quantities(text))


def is_given(given: Given, number: Value, relative: float = _ROUNDED) -> bool:
    """Whether a number is the value of a given, converted to its unit.

    A number without a unit may be in the given's unit, with an SI prefix, or in SI units. Rounding and the
    sign are ignored; in a substitution, a sign may be an operator.
    """
    value, unit = number
    expected = float(given.value)
    converted = convert_value(value, unit, given.unit) if unit not in ("", "-") else None
    forms: list[float | None] = [expected, convert_to_si(expected, given.unit)]
    if converted is not None:
        value, forms = converted, [expected]
    elif is_dimensional(given.unit):
        forms += [expected * prefix for prefix in _PREFIXES]
    elif given.unit in ("", "-") or find_scale(given.unit) is None:
        forms.append(expected * 100)
    else:
        forms += [convert_value(expected, given.unit, "deg"), convert_value(expected, given.unit, "rad")]
    return any(form is not None and is_close(abs(value), abs(form), relative) for form in forms)


def check_units(working: Working) -> RuleScore:
    """Score G3.

    2: all units are right. 1: a result lacks its unit, or an equation does not balance. 0: the unit of a
    result has another dimension. None: there is no unit to check.
    """
    with_unit = [target for target in working.targets if is_dimensional(target.unit)]
    stated = [(target, working.finals[target.name]) for target in with_unit if target.name in working.finals]
    results = [
        Finding("unit", last.text, f"{target.name} is asked for in {target.unit}, stated in {last.unit}")
        for target, last in stated
        if last.unit and find_scale(last.unit) and convert_value(1.0, last.unit, target.unit) is None
    ]
    if results:
        return score_with_faults(0, results)
    if unit_faults := find_unit_faults(
        working, {normalize_symbol(target.name): target.unit for target in working.targets}
    ):
        return score_with_faults(1, unit_faults)
    if not stated:
        return RuleScore(None, "no result with a unit is stated")
    without_unit = [  # neither the final statement nor any other has a unit
        target.name
        for target, last in stated
        if not any(each.unit for each in (last, *working.stated.get(normalize_symbol(target.name), ())))
    ]
    if without_unit:
        return RuleScore(1, f"without a unit: {', '.join(without_unit)}")
    return RuleScore(2, f"the units of {len(stated)} results are right")


def check_arithmetic(working: Working) -> RuleScore:
    """Score G4.

    2: all stated equalities hold. 1: all errors are below 5 %, or most equalities hold. 0: otherwise. None:
    no arithmetic is shown.
    """
    checked = check_equalities(working)
    wrong = [found for found in checked if isinstance(found, Finding)]
    if not checked:
        return RuleScore(None, "no arithmetic is shown")
    if not wrong:
        return RuleScore(2, f"{len(checked)} of {len(checked)} equalities hold")
    slips = all(
        abs(each.stated - each.computed) <= _SLIP * abs(each.computed)
        for each in wrong
        if each.stated is not None and each.computed is not None
    )
    return score_with_faults(1 if slips or 2 * len(wrong) < len(checked) else 0, wrong)


def check_plausibility(working: Working) -> RuleScore:
    """Score G5.

    2: every final value is within its bounds. 0: one is not, or a temperature is below absolute zero. None:
    no final value is stated.
    """
    outside, bounded = [], 0
    for target in working.targets:
        limits, value = list(_find_bounds(target, working)), working.find_final_value(target)
        bounded += bool(limits)
        if value is None:
            continue
        for limit in limits:
            below = limit.low is not None and value < limit.low - _SLACK * abs(limit.low)
            if below or (limit.high is not None and value > limit.high + _SLACK * abs(limit.high)):
                end, quote = limit.low if below else limit.high, working.finals[target.name].text
                message = f"{target.name} = {value:.4g} {target.unit} is beyond {end:.4g}: {limit.reason}"
                outside.append(Finding("bound", quote, message, end, value))
    outside += find_impossible_values(working.statements)
    if outside:
        return score_with_faults(0, outside)
    if not working.finals:
        return RuleScore(None, "no final value is stated")
    return RuleScore(2, f"{len(working.finals)} values are possible; {bounded} of them have known bounds")


def _find_bounds(target: NumberTarget, working: Working) -> Iterator[TargetBound]:
    """Yield the problem's bounds for a target, and those of its kind of quantity."""
    yield from (bound for bound in working.problem.reference.bounds if bound.target == target.name)
    about = target.description.lower()
    kinds = {
        "an efficiency": "efficiency" in about or target.name.startswith("eta"),
        "a fraction": re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about),
    }
    for kind in (kind for kind, is_one in kinds.items() if is_one):
        low, high = (convert_value(end, "-", target.unit) for end in (0.0, 1.0))
        reason = f"{kind} lies between 0 and 1"  # a judge may see it
        yield TargetBound(target=target.name, low=low, high=high, reason=reason)
    zero = convert_value(0.0, "K", target.unit)
    if zero is not None and leading_letter(target.name) == "T":
        yield TargetBound(target=target.name, low=zero, reason="no temperature is below absolute zero")
