"""G2: were the given values read correctly and used?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ansatz.eval.problem import Given
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.equivalence import letter
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.prose import is_prose
from ansatz.eval.rubrics.subject import reached
from ansatz.eval.rubrics.values import stated_values, values
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.quantities.chains import Chain, read_value
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.statements import pick
from ansatz.quantities.terms import spelled

_ROUNDED = 0.006  # a value restated to two or three digits still counts
_EXACT = 0.001  # results this near the key hold every given, even one of small effect
_PREFIXES = (1e-6, 1e-3, 1e3, 1e6)  # a bare number may be in kJ where the given is in J
_MOST_NUMBERS = 2000
_COUNTS = (1.0, 2.0, 3.0)  # bare numbers that stand in many formulas
_SYMBOL = re.compile(r"(?<![\w.])(?!pi\b|solved\b|for\b)[A-Za-z_]\w*(?![\w(])")  # no function

Number = tuple[float, str]


def check(working: Working) -> Mark:
    """Each numeric given must appear, as it is or converted, in a list, a substitution or a tool call.

    A given that the reference solution does not use, such as a Mach number that only tells the regime, may be
    left out; so may one that was folded into other numbers of a working whose results are right. One that is
    restated with another value, and nowhere with its own, is wrong: at best half the points.
    """
    givens = [given for given in working.problem.givens if not isinstance(given.value, str)]
    if not givens:
        return Mark(None, "the problem has no numeric givens")
    finals = {statement.position for statement in working.finals.values()}
    numbers = list(_numbers(working, finals))
    own = [given for given in givens if not _restated(given, working)]
    solved, evaluated = _solved_for(working), _evaluated(working)
    used = [
        given.name
        for given in own
        if given.name in solved
        or given.name in evaluated
        or (any(_is(given, number) for number in numbers) and _tells(given, working))
    ]
    absent = [given.name for given in givens if given.name not in used]
    said = [each for each in working.statements if not (working.is_compared(each) or working.is_trial(each))]
    wrong = [name for name in absent if pick(said, name) is not None]
    computed = sum(working.computes(target.name) for target in working.targets)
    folded = working.is_right(_EXACT) and (2 * computed > len(working.targets) or working.tells)
    missing = [name for name in absent if name in wrong or (name in _needed(working) and not folded)]
    evidence = f"used: {', '.join(used) or 'none'}"
    evidence += f"; not found: {', '.join(missing)}" if missing else ""
    evidence += f"; stated with another value: {', '.join(wrong)}" if wrong else ""
    if not missing:
        return Mark(2, evidence)
    left_out = used and not working.is_right()  # of right results nothing was left out but on paper
    return Mark(1 if 2 * len(used) >= len(givens) else 0, evidence, error=bool(wrong or left_out) or None)


def _restated(given: Given, working: Working) -> bool:
    """Whether the answer, before its results, gives it values, and never its own."""
    name, end = spelled(given.name), reached(working)
    named = [each for each in working.statements if spelled(each.symbol) == name]
    begun = (_begins(chain) for chain in working.chains if name in map(spelled, chain.names))
    own = [*((each.value, each.unit) for each in named), *filter(None, begun)]
    told = (each for each in named if each.position <= end and not working.is_trial(each))
    other = any(not working.is_compared(each) for each in told)
    return other and not any(_is(given, number) for number in own)


def _begins(chain: Chain) -> Number | None:
    """The number with which a chain of equalities begins, as in T = 300 K (free stream)."""
    number = read_number(chain.terms[0], 0) if chain.terms else None
    return (number.value, read_unit(chain.terms[0], number.end)[0]) if number and chain.terms else None


def _tells(given: Given, working: Working) -> bool:
    """Whether a number equal to the given means it: a bare 1, 2 or 3 on the way to a wrong result needs its
    name."""
    if float(given.value) not in _COUNTS or given.unit not in ("", "-") or working.is_right():
        return True
    name = spelled(given.name)
    stated = any(spelled(each.symbol) == name for each in working.statements)
    return stated or any(name in map(spelled, term.formula.names) for term in working.terms)


def _solved_for(working: Working) -> set[str]:
    """The givens in formulas that were solved numerically, where their values are not written out."""
    if not result_cues.SOLVED.search(working.text):
        return set()
    names = {spelled(name) for term in working.terms for name in term.formula.names}
    letters = Counter(letter(spelled(given.name)) for given in working.problem.givens)
    plain = {name for name in names if letters[name] == 1}  # R for R_N2, where no other R is given
    given = {each.name: spelled(each.name) for each in working.problem.givens}
    return {name for name, same in given.items() if same in names or letter(same) in plain}


def _evaluated(working: Working) -> set[str]:
    """The givens in formulas that are said to come to what they come to at the givens: 3 kappa = 3300 1/m."""
    stated, used = stated_values(working), set()
    asked = {spelled(target.name) for target in working.targets}
    for term in working.terms:
        final = any(spelled(name) in asked for name in term.names)  # a bare result shows no givens
        if term.claimed is None or not term.formula.names or final:
            continue
        claimed = si(term.claimed[0], term.claimed[1])
        if claimed and any(close(claimed, value, _EXACT) for value in values(term, working, stated)):
            used |= {spelled(name) for name in term.formula.names}
    letters = Counter(letter(spelled(given.name)) for given in working.problem.givens)
    return {
        given.name
        for given in working.problem.givens
        if spelled(given.name) in used or (letters[letter(given.name)] == 1 and letter(given.name) in used)
    }


def _needed(working: Working) -> set[str]:
    """The givens that the steps of the reference use; all of them where its steps speak of other symbols."""
    steps = working.problem.reference.steps
    givens = {spelled(given.name): given.name for given in working.problem.givens}
    names = {spelled(name) for step in steps for name in _SYMBOL.findall(step.expression)}
    explained = names <= {*givens, *(spelled(step.symbol) for step in steps)}
    return {givens[name] for name in names & set(givens)} if names and explained else set(givens.values())


def _numbers(working: Working, finals: set[int]) -> Iterator[Number]:
    """Every number of the working with its unit; final answers are not working."""
    for chain in working.chains:
        if chain.position not in finals or len(chain.terms) > 1:
            for term in chain.terms:
                yield from numbers_in(term, chain.unit)
    for passage in working.passages:
        if is_prose(passage.text) or passage.text.startswith("|"):
            yield from numbers_in(passage.text)
    yield from numbers_in(working.code)


def numbers_in(text: str, unit: str = "") -> Iterator[Number]:
    """The numbers of a text with their units; `unit` is that of a text which is one bare number."""
    whole = read_value(text) if len(text) < 80 else None
    if whole:
        yield whole[0], whole[1] or unit
        return
    at, count = 0, 0
    while at < len(text) and count < _MOST_NUMBERS:
        number = read_number(text, at) if text[at] in "0123456789." and not _within_word(text, at) else None
        if number is None:
            at += 1
            continue
        unit, at = read_unit(text, number.end)
        count += 1
        yield number.value, unit


def _within_word(text: str, at: int) -> bool:
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_.")


def _is(given: Given, number: Number) -> bool:
    """Whether a number is the given's value: in its own unit, converted, or bare in that unit or in SI."""
    value, unit = number
    expected = float(given.value)
    if unit in ("%", "percent") and "per cent" in given.description and _near(value, expected):
        return True
    if unit not in ("", "-") and (converted := convert(value, unit, given.unit)) is not None:
        return _near(converted, expected)
    forms = {expected, si(expected, given.unit), *_rescaled(expected, given.unit)}
    if scale(given.unit) != scale("-"):
        forms |= {expected * prefix for prefix in _PREFIXES}
    return any(form is not None and _near(value, form) for form in forms)


def _rescaled(value: float, unit: str) -> Iterator[float]:
    """A percentage as a fraction, an angle in degrees."""
    known = scale(unit)
    if known and not any(known.dimension) and unit not in ("", "-", "%"):
        yield from (convert(value, unit, "deg") or value, convert(value, unit, "rad") or value)


def _near(value: float, expected: float) -> bool:
    """Equal but for rounding and for a sign, which a substitution may carry as an operator."""
    return close(abs(value), abs(expected), _ROUNDED)
