"""G2 to G5: parameters, units, arithmetic and plausibility, computed from what an answer states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ansatz.eval.problem import Given, NumberTarget, TargetBound
from ansatz.eval.verifier.working import RuleMark, Working, faulty
from ansatz.quantities.calculation import Finding
from ansatz.quantities.equalities import compared
from ansatz.quantities.letters import letter
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import close, convert, scale, si
from ansatz.quantities.terms import spelled
from ansatz.quantities.unit_consistency import impossible, unit_faults

_ROUNDED = 0.006  # relative: a value may be carried with three digits
_CLEAR = 0.02  # relative: from here on a value is another one
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])\.?\d")
_MOST_NUMBERS = 2000
_SLACK = 0.01  # relative: a rounded value may touch its bound
_SLIP = 0.05  # a relative error below this is a slip, above it a mistake

Value = tuple[float, str]


def parameter_identification(working: Working) -> RuleMark:
    """G2. 2: the values needed are in the calculation. 1: some are not. 0: values were changed. None: no
    calculation is shown, or nothing is given."""
    givens = [given for given in working.problem.givens if not isinstance(given.value, str)]
    if not givens:
        return RuleMark(None, "the problem gives no numbers")
    numbers = list(_numbers(working))
    changed = list(_changed(givens, numbers, working))
    if changed:
        return faulty(1 if 2 * len(changed) <= len(givens) else 0, changed)
    if not any(term.is_numeric for term in (*working.terms, *working.code_terms)):
        return RuleMark(None, "no substitution is shown")
    needed = _needed(working)
    missing = [
        given.name
        for given in givens
        if given.name in needed and not any(is_given(given, number) for number in numbers)
    ]
    if missing and not working.is_near():
        return RuleMark(1, f"not seen in the calculation: {', '.join(missing)}")
    return RuleMark(2, f"{len(needed) - len(missing)} of {len(needed)} given values are used")


def _changed(givens: list[Given], numbers: list[Value], working: Working) -> Iterator[Finding]:
    """Givens whose own value stands nowhere, and whose symbol has another one."""
    results = {spelled(target.name) for target in working.targets}
    for given in givens:
        name = spelled(given.name)
        own = working.stated.get(name, ())
        if not own or name in results or given.value == 0:
            continue
        if any(is_given(given, number, _CLEAR) for number in numbers):
            continue  # another value of the symbol may be one of another state or of a table
        if all(_is_comparable(given, (each.value, each.unit)) for each in own):
            message = f"{given.name} is given as {float(given.value):g} {given.unit}"
            yield Finding("given", own[0].text, message, float(given.value), own[0].value)


def _is_comparable(given: Given, value: Value) -> bool:
    """Whether a value has a unit of the given's dimension, or none where the given has none either."""
    have, wanted = scale(value[1]) if value[1] else None, scale(given.unit)
    if wanted is None:
        return False
    if have is None:
        return not any(wanted.dimension) and not value[1]
    return have.dimension == wanted.dimension


def _needed(working: Working) -> set[str]:
    """The givens that the steps of the reference use; none where it has no steps in their symbols."""
    names = {
        spelled(name) for step in working.problem.reference.steps for name in _SYMBOL.findall(step.expression)
    }
    return {given.name for given in working.problem.givens if spelled(given.name) in names}


def _numbers(working: Working) -> Iterator[Value]:
    """Every number of the answer and of what tools were given, with its unit."""
    for text in (working.text, working.code):
        end = 0
        for found in islice(_NUMBER.finditer(text), _MOST_NUMBERS):
            number = read_number(text, found.start()) if found.start() >= end else None
            if number is not None:
                unit, end = read_unit(text, number.end)
                yield number.value, unit


def is_given(given: Given, number: Value, relative: float = _ROUNDED) -> bool:
    """Whether a number is the given's value: in its own unit, converted, or bare in that unit or in SI."""
    value, unit = number
    expected = float(given.value)
    converted = convert(value, unit, given.unit) if unit not in ("", "-") else None
    if converted is not None:
        return _near(converted, expected, relative)
    forms = [expected, si(expected, given.unit)]
    known = scale(given.unit)
    if known and any(known.dimension):
        forms += [expected * prefix for prefix in _PREFIXES]
    elif known and given.unit not in ("", "-"):
        forms += [convert(expected, given.unit, "deg"), convert(expected, given.unit, "rad")]
    else:
        forms.append(expected * 100)
    return any(form is not None and _near(value, form, relative) for form in forms)


def _near(value: float, expected: float, relative: float) -> bool:
    """Equal but for rounding and for a sign, which a substitution may carry as an operator."""
    return close(abs(value), abs(expected), relative)


def unit_consistency(working: Working) -> RuleMark:
    """G3. 2: no unit is wrong. 1: a result lacks its unit, or an equation does not balance.
    0: a result's unit is of another dimension. None: there is no unit to check."""
    results = list(_wrong_results(working))
    if results:
        return faulty(0, results)
    others = unit_faults(working, {spelled(target.name): target.unit for target in working.targets})
    if others:
        return faulty(1, others)
    asked = [target for target in working.targets if _is_dimensional(target.unit)]
    stated = [target.name for target in asked if target.name in working.finals]
    if not stated:
        return RuleMark(None, "no result with a unit is stated")
    bare = [name for name in stated if not _has_unit(name, working)]
    if bare:
        return RuleMark(1, f"without a unit: {', '.join(bare)}")
    return RuleMark(2, f"the units of {len(stated)} results are right")


def _wrong_results(working: Working) -> Iterator[Finding]:
    for target in working.targets:
        last = working.finals.get(target.name)
        wanted, have = scale(target.unit), scale(last.unit) if last and last.unit else None
        if last and wanted and have and any(wanted.dimension) and have.dimension != wanted.dimension:
            message = f"{target.name} is asked for in {target.unit}, stated in {last.unit}"
            yield Finding("unit", last.text, message)


def _has_unit(name: str, working: Working) -> bool:
    """Whether a unit stands with a result, where it is stated last or elsewhere."""
    return any(each.unit for each in (working.finals[name], *working.stated.get(spelled(name), ())))


def _is_dimensional(unit: str) -> bool:
    known = scale(unit)
    return known is not None and any(known.dimension)


def calculation_accuracy(working: Working) -> RuleMark:
    """G4. 2: all that is stated is right. 1: wrong by less than 5 %, or most right. 0: otherwise.
    None: no arithmetic is shown."""
    checked = compared(working)
    wrong = [found for found in checked if isinstance(found, Finding)]
    if not checked:
        return RuleMark(None, "no arithmetic is shown")
    if not wrong:
        return RuleMark(2, f"{len(checked)} of {len(checked)} equalities hold")
    slips = all(
        abs(each.stated - each.computed) <= _SLIP * abs(each.computed)
        for each in wrong
        if each.stated is not None and each.computed is not None
    )
    return faulty(1 if slips or 2 * len(wrong) < len(checked) else 0, wrong)


def physical_plausibility(working: Working) -> RuleMark:
    """G5. 2: every final value is within its bounds. 0: one is not, or is below absolute zero.
    None: no final value is stated."""
    outside = [*_outside(working), *impossible(working.statements)]
    if outside:
        return faulty(0, outside)
    if not working.finals:
        return RuleMark(None, "no final value is stated")
    judged = sum(bool(list(limits(target, working))) for target in working.targets)
    return RuleMark(2, f"{len(working.finals)} values are possible; {judged} of them have known bounds")


def limits(target: NumberTarget, working: Working) -> Iterator[TargetBound]:
    """The problem's bounds for a target and those that hold for any quantity of its kind."""
    yield from (bound for bound in working.problem.reference.bounds if bound.target == target.name)
    about = target.description.lower()
    if "efficiency" in about or target.name.startswith("eta"):
        yield _fraction(target, "an efficiency lies between 0 and 1")
    if re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about):
        yield _fraction(target, "a fraction lies between 0 and 1")
    known, kelvin = scale(target.unit), scale("K")
    if known and kelvin and known.dimension == kelvin.dimension and letter(target.name) == "T":
        zero = convert(0.0, "K", target.unit)
        yield TargetBound(target=target.name, low=zero, reason="no temperature is below absolute zero")


def _fraction(target: NumberTarget, reason: str) -> TargetBound:
    low, high = (convert(end, "-", target.unit) for end in (0.0, 1.0))
    return TargetBound(target=target.name, low=low, high=high, reason=reason)


def _outside(working: Working) -> Iterator[Finding]:
    for target in working.targets:
        final = working.finals.get(target.name)
        value = convert(final.value, final.unit or target.unit, target.unit) if final else None
        for limit in limits(target, working) if final and value is not None else ():
            assert final is not None and value is not None
            below = limit.low is not None and value < limit.low - _SLACK * abs(limit.low)
            if below or (limit.high is not None and value > limit.high + _SLACK * abs(limit.high)):
                end = limit.low if below else limit.high
                message = f"{target.name} = {value:.4g} {target.unit} is beyond {end:.4g}: {limit.reason}"
                yield Finding("bound", final.text, message, end, value)
