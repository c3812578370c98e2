"""G8: can a reader follow the solution and find its result?"""

from __future__ import annotations

import re
from collections import Counter

from ansatz.eval.extract import Statement, spelled
from ansatz.eval.problem import SolutionStep
from ansatz.eval.quantities import convert
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.prose import is_prose, words
from ansatz.eval.rubrics.subject import first_place
from ansatz.eval.rubrics.working import Working, close
from ansatz.eval.rubrics.written import Term

_AGREE = 0.02  # relative: restated values may be rounded
_ITERATES = re.compile(
    r"\b(?:iterat\w*|guess\w*|trials?|initial estimate|converge\w*|first estimate|fixed[- ]point"
    r"|newton (?:step|method|iteration)|bisect\w*|rounds? \d|starts? (?:with|from|at|[A-Z]\w*(?= =))"
    r"|left at)\b|\bnewton ?(?=;|gives)",
    re.IGNORECASE,
)
_LONGEST_LABEL = 48  # characters before the symbol on a final line, such as "Final answer: "
_FEWEST_TRIALS = 2
_MOST_REPEATED = 0.3
_MOST_BESIDE = 0.6


def check(working: Working) -> Mark:
    """2: steps in order, then one final line for every target, all in agreement. 1: final lines without
    ordered working, or the reverse. 0: a target not stated, or stated with different values.
    Sentences that repeat or have nothing to do with the problem cost the second point."""
    if not working.targets:
        return Mark(None, "no target is a number")
    absent = [target.name for target in working.targets if target.name not in working.finals]
    if absent:
        return Mark(0, f"no final value for {', '.join(absent)}")
    contradictions = _contradictions(working)
    if contradictions:
        return Mark(0, f"contradictory values: {contradictions[0]}")
    placed, ordered, padded = _has_final_lines(working), _is_ordered(working), _padding(working)
    evidence = f"final lines {'stand at the end' if placed else 'are missing'}; "
    evidence += "the working leads to them in order" if ordered else "no ordered working leads to them"
    evidence += f"; {padded}" if padded else ""
    if placed and ordered and not padded:
        return Mark(2, evidence)
    return Mark(1 if placed or ordered else 0, evidence)


def _contradictions(working: Working) -> list[str]:
    """Targets stated with values that differ, unless the text says that it iterates."""
    if _ITERATES.search(working.text):
        return []
    found = []
    for target in working.targets:
        final = working.finals[target.name]
        if _is_tried(final, working):
            continue
        for other in working.statements:
            same = spelled(other.symbol) == spelled(final.symbol)
            if same and not _agree(other, final) and not working.is_compared(other):
                found.append(f"{other.text[-60:]} against {final.text[-60:]}")
    return found


def _is_tried(final: Statement, working: Working) -> bool:
    """Whether a table lists trial values of a target, the right one among them."""
    rows = [
        each
        for each in working.statements
        if spelled(each.symbol) == spelled(final.symbol)
        and working.text[each.position : each.position + 1] == "|"
    ]
    agreeing = sum(_agree(each, final) for each in rows)
    return len(rows) - agreeing >= _FEWEST_TRIALS and agreeing > 0


def _agree(one: Statement, two: Statement) -> bool:
    value = convert(one.value, one.unit, two.unit) if one.unit and two.unit else one.value
    return close(one.value if value is None else value, two.value, _AGREE)


def _has_final_lines(working: Working) -> bool:
    """Every target has a line of its own, and they reach into the last half of the text."""
    half = len(working.text) / 2
    lines = [final for final in working.finals.values() if len(final.label) <= _LONGEST_LABEL]
    short = len(working.text) < 200
    return len(lines) == len(working.finals) and (short or max(line.position for line in lines) >= half)


def _is_ordered(working: Working) -> bool:
    """Working stands before the results, of givens, formula and substitution two kinds or several steps, and
    no step stands before one whose result it uses."""
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
    return enough and not _is_result_first(working, written) and not _is_backwards(working, written)


def _is_result_first(working: Working, written: list[Term]) -> bool:
    """Whether the last of the results stands before any working."""
    begun = min(term.position for term in written)
    order = [spelled(step.symbol) for step in working.problem.reference.steps]
    last = max(working.finals, key=lambda name: order.index(spelled(name)) if spelled(name) in order else -1)
    final = working.finals[last]
    same = (each for each in working.statements if spelled(each.symbol) == spelled(final.symbol))
    stated = min((each.position for each in same if _agree(each, final)), default=begun)
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


def _uses(term: Term, step: SolutionStep, working: Working) -> bool:
    """Whether an expression holds the result of a step, by symbol or value: it may have come another way."""
    if spelled(step.symbol) in map(spelled, term.formula.names):
        return True
    values = [each.value for each in working.statements if spelled(each.symbol) == spelled(step.symbol)]
    return any(close(literal, value, _AGREE) for literal in term.formula.literals for value in values)


def _padding(working: Working) -> str:
    """What is wrong with the sentences, if much of the text repeats itself or is about something else."""
    sentences = [sentence for sentence in working.sentences if len(sentence) > 15]
    if len(sentences) < 4:
        return ""
    repeated = sum(count - 1 for count in Counter(sentences).values())
    if repeated > _MOST_REPEATED * len(sentences):
        return f"{repeated} of {len(sentences)} sentences repeat others"
    reference = working.problem.reference.formulation
    subject = words(f"{working.problem.question} {reference.text() if reference else ''}")
    beside = [each for each in sentences if not re.search(r"[\d=]", each) and len(words(each) & subject) < 2]
    if len(beside) > _MOST_BESIDE * len(sentences):
        return f"{len(beside)} of {len(sentences)} sentences are not about the problem"
    return ""
