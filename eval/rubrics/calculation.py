"""G4: is the stated arithmetic right? Every `expression = number` is computed again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.eval.rubrics.written import Term
from ansatz.quantities.notation import read_number
from ansatz.quantities.scales import scale
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_SLACK = 0.001  # relative: inputs shown may be rounded in their last digit
_ROUGH = 0.03  # relative: under a heading of checks or meaning, numbers are rounded on the way
_EXACT = 1e-9
_SLIP = 0.05  # a relative error below this is a slip, above it a mistake
_FEWEST_DIGITS = 3  # trailing zeros of an integer may be place holders, but not beyond three digits
_MOST_EQUALITIES = 200
_MOST_FACTORS = 12  # equalities of which the last step may be made
_ROOTS = (1 / 2, 1 / 3, 1 / 4)


@dataclass(frozen=True)
class Equality:
    """A recomputed equality: its text, what it comes to, what was stated, and the relative error."""

    term: Term
    computed: float
    stated: float
    error: float
    right: bool


def check(working: Working) -> Mark:
    """2: all right. 1: wrong by less than 5 %, or most right, or none of it reaches a final value.
    0: otherwise. None: no arithmetic is shown and no tool printed the final numbers."""
    equalities = [found for term in working.terms[:_MOST_EQUALITIES] if (found := _recompute(term, working))]
    if not equalities:
        return _from_tools(working)
    wrong = [equality for equality in equalities if not equality.right]
    evidence = f"{len(equalities) - len(wrong)} of {len(equalities)} equalities right"
    for each in wrong[:5]:
        evidence += (
            f"; {each.term.formula.text.strip()[:60]} is {each.computed:.6g}, stated {each.stated:.6g}"
        )
    if not wrong:
        reaches = working.is_right() or any(_reaches_a_result(equality, working) for equality in equalities)
        reaches = reaches or _is_made_of(equalities, working)
        return Mark(
            2 if reaches else 1,
            evidence + ("" if reaches else "; none reaches a result asked for"),
            error=False,
        )
    slips = all(equality.error < _SLIP for equality in wrong)
    return Mark(1 if slips or 2 * len(wrong) < len(equalities) else 0, evidence, error=True)


def tolerance(value: float, digits: int) -> float:
    """Half a unit in the last significant place."""
    if value == 0:
        return 0.0
    if value.is_integer() and abs(value) >= 1000:
        digits = max(digits, _FEWEST_DIGITS)
    elif value.is_integer() and abs(value) < 1e15:
        digits = max(digits, len(str(abs(int(value)))))
    return float(0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1))


def _recompute(term: Term, working: Working) -> Equality | None:
    if term.claimed is None:
        return None
    value, unit, digits = term.claimed
    known = scale(unit)
    candidates = list(_candidates(term, working))
    if not candidates:
        return None
    spread = _named_spread(term, working)
    if not term.formula.names:
        spread = term.formula.spread(lambda each: _is_given(each, working))
    slack = _ROUGH if working.topic_at(term.position) in ("check", "meaning") else _SLACK
    best: Equality | None = None
    for stated, margin, factor in _stated_forms(value, known.factor if known else 1.0, digits):
        for computed in candidates:
            error = abs(stated - computed) / (abs(computed) or 1.0)
            right = abs(stated - computed) <= margin + slack * abs(computed) + abs(factor) * spread
            if best is None or error < best.error:
                best = Equality(term, computed, stated, error, right)
    return best


def _candidates(term: Term, working: Working) -> Iterator[float]:
    """What the expression may come to. A formula in symbols counts where the answer gives every value."""
    if not term.formula.names:
        yield from (value for value, _ in term.formula.readings())
        return
    chosen = _stated_before(term, working)
    if chosen:
        for numbers in (
            {name: each.value for name, each in chosen.items()},
            {
                name: value
                for name, each in chosen.items()
                if (value := si(each.value, each.unit)) is not None
            },
        ):
            value = term.formula.value(numbers)
            if value is not None:
                yield value


def _stated_before(term: Term, working: Working) -> dict[str, Statement]:
    """The latest statement of each name of a formula before it; empty where one has none."""
    before = (each for each in working.statements if each.position < term.position)
    by_name = {spelled(each.symbol): each for each in before if not working.is_compared(each)}
    names = term.formula.names
    known = all(spelled(name) in by_name for name in names)
    return {name: by_name[spelled(name)] for name in names} if known else {}


def _named_spread(term: Term, working: Working) -> float:
    """How far a formula may be off because the values stated for its symbols are rounded, as in M = 5.7."""
    chosen = _stated_before(term, working)
    numbers = {name: each.value for name, each in chosen.items()}
    value, spread = term.formula.value(numbers), 0.0
    for name, each in chosen.items():
        if value is None or _is_given(each.value, working):
            continue
        moved = term.formula.value(numbers | {name: each.value + tolerance(each.value, each.digits)})
        spread += abs(moved - value) if moved is not None else 0.0
    return spread


def _stated_forms(value: float, factor: float, digits: int) -> Iterator[tuple[float, float, float]]:
    """The stated number as it stands, and in SI, each with its rounding and its factor."""
    margin = tolerance(value, digits)
    yield value, margin, 1.0
    if factor not in (0.0, 1.0):
        yield value * factor, margin * abs(factor), factor


def _is_given(number: float, working: Working) -> bool:
    """Whether a number is one of the problem's own, which nobody has rounded."""
    givens = (given.value for given in working.problem.givens if not isinstance(given.value, str))
    return any(close(abs(number), abs(value), _EXACT) for value in givens)


def _reaches_a_result(equality: Equality, working: Working) -> bool:
    """Whether an equality arrives at a quantity that the problem asks for or its solution passes."""
    wanted = {spelled(target.name) for target in working.targets}
    wanted |= {spelled(step.symbol) for step in working.problem.reference.steps}
    if any(spelled(name) in wanted for name in equality.term.names):
        return True
    return any(close(equality.stated, final.value, 0.01) for final in working.finals.values())


def _is_made_of(equalities: list[Equality], working: Working) -> bool:
    """Whether a final value is the product, the quotient or a root of what the equalities come to: the last
    step may be written without its numbers, as T_w^4 = 8.1e12 K^4, T_w = 1688 K."""
    reached = [
        value
        for each in equalities[:_MOST_FACTORS]
        if each.term.claimed and (value := si(each.term.claimed[0], each.term.claimed[1])) is not None
    ]
    reached = [each for each in reached if each > 0]
    made = [value**power for value in reached for power in _ROOTS]
    made += [first * second for first, second in combinations(reached, 2)]
    made += [first / second for first, second in permutations(reached, 2)]
    finals = [si(final.value, final.unit) for final in working.finals.values()]
    return any(close(each, final, _SLACK) for each in made for final in finals if final is not None)


def _from_tools(working: Working) -> Mark:
    """No arithmetic in the text: the final numbers must be among those a tool printed."""
    printed = [number for call in working.tool_calls for number in _numbers(call.result)]
    finals = list(working.finals.values())
    if not printed or len(finals) < len(working.targets) or not finals:
        return Mark(None, "no arithmetic is shown")
    missing = []
    for final in finals:
        margin = tolerance(final.value, final.digits)
        known = scale(final.unit)
        forms = {final.value: margin, final.value * (known.factor if known else 1.0): margin}
        if not any(
            abs(f - p) <= m * abs(f / (final.value or 1.0)) + _SLACK * abs(p)
            for f, m in forms.items()
            for p in printed
        ):
            missing.append(final.symbol)
    if missing:
        return Mark(None, f"no arithmetic is shown, and no tool printed {', '.join(missing)}")
    return Mark(2, "the final numbers are those the tools printed")


def _numbers(text: str) -> Iterator[float]:
    at = 0
    while at < len(text):
        number = read_number(text, at) if text[at] in "-.0123456789" else None
        if number:
            yield number.value
        at = number.end if number else at + 1
