"""P-REFS without a language model: what the verifier, the outcome and the parser know of each criterion.

The marks follow from the text by rules. They see less than a judge: whether an assumption is stated, not
whether it is fitting, and nothing of an explanation in words, so that conceptual questions get their final
answer marked alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    FULL,
    Assessment,
    criteria_of,
    dimensions_of,
    is_conceptual,
    nothing,
    score_assessment,
)
from ansatz.eval.outcome import judge
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Problem, Target
from ansatz.eval.reading.answer_parts import AnswerParts, read_answer
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier.formula_selection import gather
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import RuleMark, Working
from ansatz.quantities.scales import Quantity, compare
from ansatz.quantities.statements import pick

_FAR = 0.10  # relative deviation from which a result is another one
_SAME = 0.02  # relative deviation of a value on the way: three digits at each of several operations
_NOT_STATED = re.compile(r"^\W*(?:none|no assumptions?|n/?a|nothing)\b", re.IGNORECASE)

Mark = tuple[float | None, str]


@dataclass(frozen=True)
class PrefsRules(Scorer):
    """The dimensions of `prefs` by rules, but those of conceptual questions alone, which need a judge.

    A stand-in that needs no model, and says so in its name.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs_rules.", conceptual=False)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        answer = read_answer(transcript.answer)
        return score_assessment(self.dimensions, problem, answer, _assessment(problem, transcript, answer))


def _assessment(problem: Problem, transcript: Transcript, answer: AnswerParts) -> Assessment:
    final = {"final": final_mark(problem, answer)}
    if is_conceptual(problem):  # also where nothing is answered, else only these would have a score
        unread = (None, "rules do not read explanations")
        found = dict.fromkeys((each.name for each in criteria_of(problem)), unread)
        return Assessment(found | final, about="by rules, the final answer alone: ")
    if not transcript.answer.strip():
        return nothing(problem, transcript.stop)
    working = Working.of(problem, transcript)
    marks = dict(_marks(working, review(working), answer))
    return Assessment(marks | final, about="by rules: ")


def final_mark(problem: Problem, answer: AnswerParts) -> Mark:
    """2: every result asked for is right in value and unit, or the right option is chosen. 1: some are,
    or a unit is missing. None for an answer in words, which needs a judge."""
    targets = [target for target in problem.targets if not isinstance(target, MessageTarget)]
    if not targets:
        return None, "an answer in words needs a judge"
    verdicts = judge(targets, _stating(answer, targets))
    marks = [FULL if each.exact and each.unit is not False else float(each.exact) for each in verdicts]
    mark = FULL if min(marks) == FULL else 1.0 if max(marks) > 0 else 0.0
    return mark, "; ".join(each.evidence for each in verdicts)


def is_chosen(problem: Problem, answer: AnswerParts) -> bool:
    """Whether the answer names an option, right or wrong, by its letter or its words."""
    choices = [each for each in problem.targets if isinstance(each, ChoiceTarget)]
    verdicts = judge(choices, _stating(answer, problem.targets))
    return any(found.stated in each.options for each, found in zip(choices, verdicts, strict=True))


def _stating(answer: AnswerParts, targets: Sequence[Target]) -> str:
    """The answer; of a choice its final part, which may be an option alone."""
    is_choice = any(isinstance(target, ChoiceTarget) for target in targets)
    return f"answer: {answer.parts['final']}" if is_choice and answer.parts.get("final") else answer.text


def _marks(
    working: Working, checks: Mapping[str, RuleMark], answer: AnswerParts
) -> Iterator[tuple[str, Mark]]:
    """What the verifier's checks say of each criterion that the problem gives occasion for."""

    def check(name: str) -> tuple[float, str]:
        """What an answer does not show earns nothing."""
        return float(checks[name].points or 0), f"{name}: {checks[name].evidence}"

    formulas, reason = check("G1")
    if any(not isinstance(given.value, str) for given in working.problem.givens):
        yield "interpretation", check("G2")
    stated = answer.formulation.get("assumptions", "")
    assumed = bool(checks["G6"].points) or bool(stated and not _NOT_STATED.match(stated))
    said = f"assumptions are {'stated' if assumed else 'not stated'}; {reason}"
    yield "modeling", (1.0 + assumed if formulas else 0.0, said)
    # which relations of the reference are used at all, be it in a wrong variant
    found = gather(working)
    needed = sum(bool(step.equation) for step in working.problem.reference.steps)
    used = len(found.steps) + bool(found.variant)
    relevance = FULL if needed and used >= needed else 1.0 if used and not found.trap else 0.0
    yield "relevance", (formulas if formulas == FULL else relevance, reason)
    if checks["G2"].error:
        formulas, reason = min(formulas, 1.0), f"{reason}; values are misread"
    elif formulas == checks["G4"].points == FULL and working.finals and not working.is_near(_FAR):
        formulas, reason = 1.0, f"{reason}; the arithmetic is right and a result is not"
    yield "application", (formulas, reason)
    yield "calculation", check("G4")
    yield "correctness", _correctness(working, checks["G3"])
    if working.targets:  # else the order of words is for a judge
        yield "coherence", check("G8")


def _correctness(working: Working, units: RuleMark) -> Mark:
    """Values of the reference that the answer states, right or wrong, and whether units are kept."""
    problem = working.problem
    expected = {step.symbol: Quantity(step.value, step.unit) for step in problem.reference.steps}
    targets = (each for each in problem.targets if isinstance(each, NumberTarget) and each.value is not None)
    expected |= {each.name: Quantity(each.value or 0.0, each.unit) for each in targets}
    right: list[str] = []
    wrong: list[str] = []
    for symbol, wanted in expected.items():
        stated = pick(working.statements, symbol)
        if stated is not None:
            error, _ = compare(Quantity(stated.value, stated.unit or wanted.unit), wanted)
            (right if error <= _SAME else wrong).append(symbol)
    evidence = f"right: {', '.join(right) or 'none'}; wrong: {', '.join(wrong) or 'none'}; {units.evidence}"
    if not right:
        return 0.0, evidence
    return (1.0 if wrong or units.points in (0, 1) else FULL), evidence
