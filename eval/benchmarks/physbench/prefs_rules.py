"""P-REFS without a language model: what the verifier, the outcome and the parser know of each criterion.

The marks follow from the text by rules. They see less than a judge: whether an assumption is stated, not
whether it is fitting, and nothing of an explanation in words, so that conceptual questions get their final
answer marked alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    FULL,
    Assessment,
    dimensions_of,
    is_conceptual,
    nothing,
    score_assessment,
)
from ansatz.eval.outcome import Verdict, judge
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Problem
from ansatz.eval.reading.answer_parts import AnswerParts, read_answer
from ansatz.eval.score import Dimension, Score, ScoringContext
from ansatz.eval.verifier.formula_selection import gather
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import RuleMark, Working
from ansatz.quantities.scales import Quantity, compare
from ansatz.quantities.statements import pick

_FAR = 0.10  # relative deviation from which a result is another one
_SAME = 0.02  # relative deviation of a value on the way: three digits at each of several operations
_NOT_STATED = re.compile(r"^\W*(?:none|no assumptions?|n/?a|nothing)\b", re.IGNORECASE)
_OPTION = re.compile(r"(?<![\w'])([A-H])(?:\)|(?=[*_]*\s*(?:[.:,;]|$|(?:or|and)\b)))", re.MULTILINE)
_SHORT = 300  # characters in which a letter that stands alone names an option

Finding = tuple[float | None, str]
"""A mark from 0 to 2 and what it rests on; no mark where the problem has nothing to judge."""


@dataclass(frozen=True)
class PrefsRules:
    """The dimensions of `prefs` by rules, but those of conceptual questions alone, which need a judge.

    A stand-in that needs no model, and says so in its name.
    """

    prefix: ClassVar[str] = "prefs_rules."
    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs_rules.", conceptual=False)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        answer = read_answer(transcript.answer)
        scores = score_assessment(self.prefix, problem, answer, assess(problem, transcript, answer))
        wanted = {each.name for each in self.dimensions}
        return tuple(score for score in scores if score.dimension in wanted)


def assess(problem: Problem, transcript: Transcript, answer: AnswerParts) -> Assessment:
    """The marks that rules can give."""
    if is_conceptual(problem):
        return _final_alone(final_mark(problem, answer))
    if not transcript.answer.strip():
        return nothing(problem, transcript.stop)
    final = final_mark(problem, answer)
    attempt = _Attempt(problem, answer, Working.of(problem, transcript))
    found: dict[str, Finding] = {name: rule(attempt) for name, rule in _RULES.items()} | {"final": final}
    return Assessment(
        marks={name: mark for name, (mark, _) in found.items() if mark is not None},
        reasons={name: reason for name, (_, reason) in found.items()},
        inapplicable=frozenset(name for name, (mark, _) in found.items() if mark is None),
        about="by rules: ",
    )


def _final_alone(final: Finding) -> Assessment:
    """Of a conceptual question the rest needs a judge, also where nothing is answered: else the questions
    left without an answer would be the only ones with a score."""
    mark, reason = final
    marks = {} if mark is None else {"final": mark}
    reasons = {"coherence": "rules do not read explanations", "final": reason}
    return Assessment(marks, reasons, about="by rules, the final answer alone: ")


def final_mark(problem: Problem, answer: AnswerParts) -> Finding:
    """2: every result asked for is right in value and unit, or the right option is chosen. 1: some are,
    or a unit is missing. None for an answer in words, which needs a judge."""
    targets = [target for target in problem.targets if not isinstance(target, MessageTarget)]
    if not targets:
        return None, "an answer in words needs a judge"
    given = [
        _choice(target, final_text(answer)) if isinstance(target, ChoiceTarget) else _stated(verdict)
        for target, verdict in zip(targets, judge(targets, answer.text), strict=True)
    ]
    marks = [mark for mark, _ in given]
    mark = FULL if min(marks) == FULL else 1.0 if max(marks) > 0 else 0.0
    return mark, "; ".join(reason for _, reason in given)


def final_text(answer: AnswerParts) -> str:
    """The final part of an answer, or all of it where it has none."""
    return answer.parts.get("final") or answer.text


def _stated(verdict: Verdict) -> tuple[float, str]:
    """A number without its unit is worth half; labels and forms have none."""
    return (FULL if verdict.exact and verdict.unit is not False else float(verdict.exact)), verdict.evidence


def _choice(target: ChoiceTarget, text: str) -> tuple[float, str]:
    """Exactly the right option; several of them, as none, are wrong."""
    letters = chosen(target, text)
    said = f"option {' and '.join(letters) or 'not stated'}; expected {target.value}"
    return (FULL if letters == (target.value,) else 0.0), said


def chosen(target: ChoiceTarget, text: str) -> tuple[str, ...]:
    """The options that a final answer, or the answer as a whole, names by letter or by their very words."""
    short = len(text) < _SHORT
    named = {letter for letter in _OPTION.findall(text) if letter in target.options} if short else set()
    if named:
        return tuple(sorted(named))
    stated = f"{text}\nanswer: {text.strip()}" if short else text
    asked = [target.model_copy(update={"value": letter}) for letter in target.options]
    return tuple(each.value for each in asked if judge([each], stated)[0].exact)


@dataclass(frozen=True)
class _Attempt:
    problem: Problem
    answer: AnswerParts
    working: Working

    @cached_property
    def marks(self) -> Mapping[str, RuleMark]:
        return review(self.working)

    def verifier(self, name: str) -> tuple[float, str]:
        """A mark of the verifier. What an answer does not show earns nothing."""
        mark = self.marks[name]
        return float(mark.points or 0), f"{name}: {mark.evidence}"


def _interpretation(attempt: _Attempt) -> Finding:
    if not any(not isinstance(given.value, str) for given in attempt.problem.givens):
        return None, "the problem has no numeric givens"
    return attempt.verifier("G2")


def _modeling(attempt: _Attempt) -> Finding:
    """One mark for an approach that is not wrong, one for stated assumptions."""
    approach, reason = attempt.verifier("G1")
    if not approach:
        return 0.0, reason
    stated = attempt.answer.formulation.get("assumptions", "")
    assumed = bool(attempt.marks["G6"].points) or bool(stated and not _NOT_STATED.match(stated))
    return 1.0 + assumed, f"assumptions are {'stated' if assumed else 'not stated'}; {reason}"


def _relevance(attempt: _Attempt) -> Finding:
    """Which relations of the reference are used at all, be it in a wrong variant."""
    mark, reason = attempt.verifier("G1")
    if mark == FULL:
        return mark, reason
    found = gather(attempt.working)
    needed = sum(bool(step.equation) for step in attempt.problem.reference.steps)
    used = len(found.steps) + bool(found.variant)
    return (FULL if needed and used >= needed else 1.0 if used and not found.trap else 0.0), reason


def _application(attempt: _Attempt) -> Finding:
    """The right relation in its right form, with the values that belong in it.

    Where formulas and arithmetic have full marks and the result is far off, a formula was put to a wrong use.
    """
    mark, reason = attempt.verifier("G1")
    if attempt.marks["G2"].wrong:
        return min(mark, 1.0), f"{reason}; values are misread"
    far = attempt.working.finals and not attempt.working.is_near(_FAR)
    if far and mark == FULL and attempt.marks["G4"].points == FULL:
        return 1.0, f"{reason}; the arithmetic is right and a result is not"
    return mark, reason


def _calculation(attempt: _Attempt) -> Finding:
    return attempt.verifier("G4")


def _correctness(attempt: _Attempt) -> Finding:
    """Values of the reference that the answer states, right or wrong, and whether units are kept."""
    right: list[str] = []
    wrong: list[str] = []
    for symbol, expected in _expected(attempt.problem).items():
        stated = pick(attempt.working.statements, symbol)
        if stated is not None:
            deviation = compare(Quantity(stated.value, stated.unit or expected.unit), expected).relative_error
            (right if deviation <= _SAME else wrong).append(symbol)
    units = attempt.marks["G3"]
    evidence = f"right: {', '.join(right) or 'none'}; wrong: {', '.join(wrong) or 'none'}; {units.evidence}"
    if not right:
        return 0.0, evidence
    return (1.0 if wrong or units.points in (0, 1) else FULL), evidence


def _expected(problem: Problem) -> dict[str, Quantity]:
    steps = {step.symbol: Quantity(step.value, step.unit) for step in problem.reference.steps}
    targets = (target for target in problem.targets if isinstance(target, NumberTarget))
    return steps | {each.name: Quantity(each.value, each.unit) for each in targets if each.value is not None}


def _coherence(attempt: _Attempt) -> Finding:
    if not attempt.working.targets:
        return None, "no target is a number, and the order of words is for a judge"
    return attempt.verifier("G8")


_RULES: Mapping[str, Callable[[_Attempt], Finding]] = {
    "interpretation": _interpretation,
    "modeling": _modeling,
    "relevance": _relevance,
    "application": _application,
    "calculation": _calculation,
    "correctness": _correctness,
    "coherence": _coherence,
}
