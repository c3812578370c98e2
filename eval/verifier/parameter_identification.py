"""G2: do the values that the problem gives reach the calculation as they were given?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansatz.eval.problem import Given
from ansatz.eval.verifier.finding import Finding, RuleMark, faulty
from ansatz.eval.verifier.working import Working
from ansatz.quantities.calculation import close, si
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.terms import spelled

_ROUNDED = 0.006  # relative: a value may be carried with three digits
_CLEAR = 0.02  # relative: from here on a value is another one
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_MOST_NUMBERS = 2000

Quantity = tuple[float, str]


def check(working: Working) -> RuleMark:
    """2: the values needed are in the calculation. 1: some are not. 0: values were changed. None: no
    calculation is shown, or nothing is given."""
    givens = [given for given in working.problem.givens if not isinstance(given.value, str)]
    if not givens:
        return RuleMark(None, "the problem gives no numbers")
    changed = list(_changed(givens, working))
    if changed:
        return faulty(1 if 2 * len(changed) <= len(givens) else 0, changed)
    if not any(term.is_numeric for term in (*working.terms, *working.code_terms)):
        return RuleMark(None, "no substitution is shown")
    needed = _needed(working)
    numbers = list(_numbers(working))
    missing = [
        given.name
        for given in givens
        if given.name in needed and not any(is_given(given, number) for number in numbers)
    ]
    if missing and not working.is_near():
        return RuleMark(1, f"not seen in the calculation: {', '.join(missing)}")
    return RuleMark(2, f"{len(needed) - len(missing)} of {len(needed)} given values are used", error=False)


def _changed(givens: list[Given], working: Working) -> Iterator[Finding]:
    """Givens whose own value stands nowhere, and whose symbol has another one."""
    results = {spelled(target.name) for target in working.targets}
    numbers = list(_numbers(working))
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


def _is_comparable(given: Given, value: Quantity) -> bool:
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


def _numbers(working: Working) -> Iterator[Quantity]:
    """Every number of the answer and of what tools were given, with its unit."""
    for text in (working.text, working.code):
        at, count = 0, 0
        while at < len(text) and count < _MOST_NUMBERS:
            inside = at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_.")
            number = read_number(text, at) if text[at] in "0123456789." and not inside else None
            if number is None:
                at += 1
                continue
            unit, at = read_unit(text, number.end)
            count += 1
            yield number.value, unit


def is_given(given: Given, number: Quantity, relative: float = _ROUNDED) -> bool:
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
