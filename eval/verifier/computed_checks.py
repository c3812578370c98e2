"""G2 to G5: parameters, units, arithmetic and plausibility, computed from what an answer states."""

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

_ROUNDED = 0.006  # relative: a value may be carried with three digits
_CLEAR = 0.02  # relative: from here on a value is another one
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_SLACK = 0.01  # relative: a rounded value may touch its bound
_SLIP = 0.05  # a relative error below this is a slip, above it a mistake

Value = tuple[float, str]


def check_parameters(working: Working) -> RuleScore:
    """G2. 2: the values needed are in the calculation. 1: some are not. 0: values were changed. None: no
    calculation is shown, or nothing is given."""
    givens = [given for given in working.problem.givens if not isinstance(given.value, str)]
    if not givens:
        return RuleScore(None, "the problem gives no numbers")
    numbers = list(_all_numbers(working))
    changed = list(_find_changed_givens(givens, numbers, working))
    if changed:
        return score_with_faults(1 if 2 * len(changed) <= len(givens) else 0, changed)
    if not any(term.is_numeric for term in (*working.terms, *working.code_terms)):
        return RuleScore(None, "no substitution is shown")
    # Needed is what the steps of the reference use; nothing where it has no steps in the givens' symbols.
    steps = working.problem.reference.steps
    names = {normalize_symbol(name) for step in steps for name in _SYMBOL.findall(step.expression)}
    needed = [given for given in working.problem.givens if normalize_symbol(given.name) in names]
    unseen = [each for each in givens if not any(is_given(each, number) for number in numbers)]
    missing = [given.name for given in needed if given in unseen]
    if missing and not working.is_near():
        return RuleScore(1, f"not seen in the calculation: {', '.join(missing)}")
    return RuleScore(2, f"{len(needed) - len(missing)} of {len(needed)} given values are used")


def _find_changed_givens(givens: list[Given], numbers: list[Value], working: Working) -> Iterator[Finding]:
    """Givens whose own value stands nowhere, and whose symbol has another one.

    Another value of the symbol beside its own may be one of another state or of a table.
    """
    results = {normalize_symbol(target.name) for target in working.targets}
    for given in givens:
        name, wanted = normalize_symbol(given.name), find_scale(given.unit)
        own = working.stated.get(name, ())
        if not own or name in results or given.value == 0 or wanted is None:
            continue
        units = [find_scale(each.unit) for each in own]
        comparable = all(unit and unit.dimension == wanted.dimension for unit in units)
        if comparable and not any(is_given(given, number, _CLEAR) for number in numbers):
            message = f"{given.name} is given as {float(given.value):g} {given.unit}"
            yield Finding("given", own[0].text, message, float(given.value), own[0].value)


def _all_numbers(working: Working) -> Iterator[Value]:
    """Every number of the answer and of what tools were given, with its unit."""
    for text in (working.text, working.code):
        yield from ((number.value, unit) for number, unit in read_quantities(text))


def is_given(given: Given, number: Value, relative: float = _ROUNDED) -> bool:
    """Whether a number is the given's value: in its own unit, converted, or bare in that unit or in SI.

    Equal is what differs by rounding and by a sign, which a substitution may carry as an operator.
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
    """G3. 2: no unit is wrong. 1: a result lacks its unit, or an equation does not balance.
    0: a result's unit is of another dimension. None: there is no unit to check."""
    asked = [target for target in working.targets if is_dimensional(target.unit)]
    stated = [(target, working.finals[target.name]) for target in asked if target.name in working.finals]
    results = [
        Finding("unit", last.text, f"{target.name} is asked for in {target.unit}, stated in {last.unit}")
        for target, last in stated
        if last.unit and find_scale(last.unit) and convert_value(1.0, last.unit, target.unit) is None
    ]
    if results:
        return score_with_faults(0, results)
    if others := find_unit_faults(
        working, {normalize_symbol(target.name): target.unit for target in working.targets}
    ):
        return score_with_faults(1, others)
    if not stated:
        return RuleScore(None, "no result with a unit is stated")
    bare = [  # of which a unit stands neither where it is stated last nor elsewhere
        target.name
        for target, last in stated
        if not any(each.unit for each in (last, *working.stated.get(normalize_symbol(target.name), ())))
    ]
    if bare:
        return RuleScore(1, f"without a unit: {', '.join(bare)}")
    return RuleScore(2, f"the units of {len(stated)} results are right")


def check_arithmetic(working: Working) -> RuleScore:
    """G4. 2: all that is stated is right. 1: wrong by less than 5 %, or most right. 0: otherwise.
    None: no arithmetic is shown."""
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
    """G5. 2: every final value is within its bounds. 0: one is not, or is below absolute zero.
    None: no final value is stated."""
    outside, judged = [], 0
    for target in working.targets:
        limits, value = list(_bounds_of(target, working)), working.final_value(target)
        judged += bool(limits)
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
    return RuleScore(2, f"{len(working.finals)} values are possible; {judged} of them have known bounds")


def _bounds_of(target: NumberTarget, working: Working) -> Iterator[TargetBound]:
    """The problem's bounds for a target and those that hold for any quantity of its kind."""
    yield from (bound for bound in working.problem.reference.bounds if bound.target == target.name)
    about = target.description.lower()
    kinds = {
        "an efficiency": "efficiency" in about or target.name.startswith("eta"),
        "a fraction": re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about),
    }
    for kind in (kind for kind, is_one in kinds.items() if is_one):
        low, high = (convert_value(end, "-", target.unit) for end in (0.0, 1.0))
        reason = f"{kind} lies between 0 and 1"
        yield TargetBound(target=target.name, low=low, high=high, reason=reason)
    zero = convert_value(0.0, "K", target.unit)
    if zero is not None and leading_letter(target.name) == "T":
        yield TargetBound(target=target.name, low=zero, reason="no temperature is below absolute zero")
