"""Do the steps of a solution stand in the order in which they depend on one another?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansatz.eval.problem import SolutionStep
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.parameters import numbers_in
from ansatz.eval.rubrics.prose import is_prose
from ansatz.eval.rubrics.subject import first_place
from ansatz.eval.rubrics.working import Working, close
from ansatz.eval.rubrics.written import Term
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_AGREE = 0.02  # relative: restated values may be rounded
_FEWEST_DIGITS = 3  # of a number that tells a result from others
_ROUNDED = 0.0015  # relative: a result put into the next step
_MOST_NUMBER = 10  # a whole number below it stands in many formulas
_FEWEST_NUMBERED = 3
_NUMBERED = re.compile(
    r"^\W*(?:step |part )?(\d{1,2}|[a-h])(?:[.):]|\W* [-–] )(?!\d)", re.IGNORECASE | re.MULTILINE
)
_ADMITS = re.compile(  # that something stands too late or too early
    r"\b(?:(?:should|ought to|must|had to) have (?:\w+ )?"
    r"(?:(?:come|stood|been \w+) (?:first|before|earlier|above)"
    r"|opened|said|written|squared|begun|mentioned|defined)"
    r"|had to (?:come|be (?:done|known|found)) (?:first|before|earlier)"
    r"|(?:belongs?|should (?:stand|come|go|be (?:given|said|written))|comes)"
    r" before (?:this|that|the line|it)\b"
    r"|(?:I|we) forgot to"
    r"|(?:was|were|been|have|I|we) (?:\w+ )?(?:used|needed|put)(?: in)?(?: \w+)?"
    r" (?:already|above|earlier|in the first line|at the (?:beginning|start|top))"
    r"|(?:used|needed|put)(?: in)? (?:it |this )?(?:already|above|in the first line"
    r"|at the (?:beginning|start|top))"
    r"|(?:the )?top of (?:the |this )?page|see (?:the )?(?:last line|end|top)\b"
    r"|(?:get|come|return) to (?:it|this|that|them) (?:in a moment|later|below|further down))",
    re.IGNORECASE,
)


def is_ordered(working: Working) -> bool:
    """Working stands before the results, of givens, formula and substitution two kinds or several steps, and
    no step stands before one whose result it uses, nor does the text say so or number it so."""
    givens = {spelled(given.name) for given in working.problem.givens}
    last = max(final.position for final in working.finals.values())
    written = [term for term in working.terms if term.position <= last and term.position < len(working.text)]
    listed = min(
        (each.position for each in working.statements if spelled(each.symbol) in givens), default=last
    )
    formulas = sum(bool(term.formula.names) for term in written)
    substituted = len(written) - formulas
    kinds = (listed < last) + (formulas > 0) + (substituted > 0)
    told = substituted > 1 and any(is_prose(passage.text) for passage in working.passages)
    enough = (kinds > 1 or told) and bool(written)
    if not enough or _is_result_first(working, written) or _is_backwards(working, written):
        return False
    if _ADMITS.search(working.text) or _is_misnumbered(working.transcript.answer):
        return False
    return not any(_is_used_early(value, term, working, written) for term in written for value in _own(term))


def _is_misnumbered(text: str) -> bool:
    """Whether lines are numbered from one, or lettered from a, without a gap but not in order."""
    found = [each[1].lower() for each in _NUMBERED.finditer(text)]
    for kind in (str.isdigit, str.isalpha):
        marks = [int(each) if each.isdigit() else ord(each) - ord("a") + 1 for each in found if kind(each)]
        whole = len(marks) >= _FEWEST_NUMBERED and sorted(marks) == list(range(1, len(marks) + 1))
        if whole and marks != sorted(marks):
            return True
    return False


def _is_result_first(working: Working, written: list[Term]) -> bool:
    """Whether the last of the results stands before any working."""
    begun = min(term.position for term in written)
    order = [spelled(step.symbol) for step in working.problem.reference.steps]
    last = max(working.finals, key=lambda name: order.index(spelled(name)) if spelled(name) in order else -1)
    final = working.finals[last]
    same = (each for each in working.statements if spelled(each.symbol) == spelled(final.symbol))
    stated = min((each.position for each in same if agree(each, final)), default=begun)
    return min(stated, first_place(working, final)) < begun


def _is_backwards(working: Working, written: list[Term]) -> bool:
    """Whether a step is evaluated before one whose result enters it."""
    first: dict[str, Term] = {}
    for term in written:
        for name in term.names if term.claimed else ():
            first.setdefault(spelled(name), term)
    known = {name: term.position for name, term in first.items()}
    last = {final.position for final in working.finals.values()}
    for each in working.statements:
        told = each.position not in last and not working.is_compared(each)
        if spelled(each.symbol) in first or told:
            known[spelled(each.symbol)] = min(each.position, known.get(spelled(each.symbol), each.position))
    steps = working.problem.reference.steps
    for i, step in enumerate(steps):
        used = {spelled(name) for name in re.findall(r"[A-Za-z_]\w*", step.expression.partition("=")[2])}
        if any(re.search(rf"\b{re.escape(step.symbol)}\b", each.expression) for each in steps[:i]):
            continue  # the steps depend on one another: any may be begun with
        for earlier in steps[:i]:
            one, two = known.get(spelled(earlier.symbol)), first.get(spelled(step.symbol))
            if spelled(earlier.symbol) not in used or one is None:
                continue
            if two is not None and two.position < one and _uses(two, earlier, working):
                return True
            final = working.finals.get(step.symbol)
            if two is None and final is not None and first_place(working, final) < one:
                return True
    return False


def _own(term: Term) -> Iterator[float]:
    """The literals of a substitution that may be results: those of three digits and more."""
    for value, digits in zip(term.formula.literals, term.formula.digits, strict=True):
        if digits >= _FEWEST_DIGITS and term.claimed:
            yield value


def _is_used_early(value: float, term: Term, working: Working, written: list[Term]) -> bool:
    """Whether a number enters a substitution, and the line where it is worked out comes later only."""
    begin = working.text.rfind("\n", 0, term.position + 1) + 1
    end = working.text.find("\n", term.position + 1)
    if end < 0 or any(close(abs(value), each, _ROUNDED) for each in working.numbers):
        return False
    if not any(_works_out(value, each, working) for each in written if each.position > end):
        return False
    if _follows_numbers(term, written):
        return False
    told = [n for chain in working.chains if begin <= chain.position <= end for n, _, _ in chain.values]
    told += [n for n, _ in numbers_in(working.text[:begin])]
    return not any(close(abs(each), abs(value), _ROUNDED) for each in told)


def _works_out(value: float, term: Term, working: Working) -> bool:
    """Whether a term comes to a value in the course of the working, not in a check."""
    if term.claimed is None or term.claimed[2] < _FEWEST_DIGITS:
        return False
    passage = next((p for p in working.passages if p.position <= term.position < p.end), None)
    checks = passage and (passage.topic in ("check", "meaning") or result_cues.CHECKS.search(passage.text))
    return not checks and close(term.claimed[0], value, _ROUNDED)


def _follows_numbers(term: Term, written: list[Term]) -> bool:
    """Whether a side with numbers stands before it in its chain, of which its own numbers may come."""
    same = [each for each in written if each.position == term.position and each.names == term.names]
    before = same[: same.index(term)]
    return any(not n.is_integer() or abs(n) >= _MOST_NUMBER for each in before for n in each.formula.literals)


def _uses(term: Term, step: SolutionStep, working: Working) -> bool:
    """Whether an expression holds the result of a step, by symbol or value: it may have come another way."""
    if spelled(step.symbol) in map(spelled, term.formula.names):
        return True
    values = [each.value for each in working.statements if spelled(each.symbol) == spelled(step.symbol)]
    return any(close(literal, value, _AGREE) for literal in term.formula.literals for value in values)


def agree(one: Statement, two: Statement) -> bool:
    """Whether two statements give the same value but for rounding."""
    value = convert(one.value, one.unit, two.unit) if one.unit and two.unit else one.value
    return close(one.value if value is None else value, two.value, _AGREE)
