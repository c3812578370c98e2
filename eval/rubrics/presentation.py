"""G8: can a reader follow the solution and find its result?"""

from __future__ import annotations

import re
from collections import Counter

from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.order import agree, is_ordered
from ansatz.eval.rubrics.prose import words
from ansatz.eval.rubrics.working import Working
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_ITERATES = re.compile(
    r"\b(?:iterat\w*|guess\w*|trials?|initial estimate|converge\w*|first estimate|fixed[- ]point"
    r"|newton (?:step|method|iteration)|bisect\w*|rounds? \d|starts? (?:with|from|at|[A-Z]\w*(?= =))"
    r"|left at)\b|\bnewton ?(?=;|gives)",
    re.IGNORECASE,
)
_LONGEST_LABEL = 48  # characters before the symbol on a final line, such as "Final answer: "
_HEAD = 1 / 3  # of a text: what is stated there comes before its working
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
    placed, ordered, padded = _has_final_lines(working), is_ordered(working), _padding(working)
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
            if same and not agree(other, final) and not working.is_compared(other):
                found.append(f"{other.text[-60:]} against {final.text[-60:]}")
    return found


def _is_tried(final: Statement, working: Working) -> bool:
    """Whether trial values of a target are listed: the right one among them in a table, or on lines of what
    each leads to, as in `T_w = 1800: k_w = 2.7`."""
    same = [each for each in working.statements if spelled(each.symbol) == spelled(final.symbol)]
    rows = [each for each in same if working.text[each.position : each.position + 1] == "|"]
    agreeing = sum(agree(each, final) for each in rows)
    if len(rows) - agreeing >= _FEWEST_TRIALS and agreeing > 0:
        return True
    tried = sum(working.is_trial(each) for each in same if not agree(each, final))
    return tried >= (1 if _is_implicit(final, working) else _FEWEST_TRIALS)


def _is_implicit(final: Statement, working: Working) -> bool:
    """Whether the reference finds a quantity from equations that hold it on their other side."""
    steps = working.problem.reference.steps
    holds = [
        re.search(rf"\b{re.escape(final.symbol)}\b", each.expression.partition("=")[2]) for each in steps
    ]
    made = [i for i, step in enumerate(steps) if spelled(step.symbol) == spelled(final.symbol)]
    return any(holds[: made[0] + 1] if made else holds)


def _has_final_lines(working: Working) -> bool:
    """Every target has a line of its own, and they do not stand at the head of the text.

    After them may come checks and what they mean, which take more than half of a careful answer.
    """
    head = _HEAD * len(working.text)
    lines = [final for final in working.finals.values() if len(final.label) <= _LONGEST_LABEL]
    short = len(working.text) < 200
    return len(lines) == len(working.finals) and (short or max(line.position for line in lines) >= head)


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
