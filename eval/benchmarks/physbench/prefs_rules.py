"""P-REFS without a language model: ratings from the verifier, the outcome and the parser.

Rules see less than a judge. They see that an assumption is stated, but not whether it fits. They cannot
read an explanation, so they score only the final answer of conceptual questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.physbench.answer_parts import AnswerParts, read_answer
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    FULL,
    Assessment,
    assess_no_answer,
    criteria_of,
    dimensions_of,
    is_conceptual,
    score_assessment,
)
from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Problem, Target
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier.formula_selection import collect_evidence
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import RuleScore, Working
from ansatz.quantities.scales import Quantity, compare_quantities
from ansatz.quantities.statements import pick_statement

_FAR = 0.10  # relative deviation above which a result is wrong
_SAME = 0.02  # relative deviation of an intermediate value: three digits over several operations
_NOT_STATED = re.compile(r"^\W*(?:none|no assumptions?|n/?a|nothing)\b", re.IGNORECASE)

Rating = tuple[float | None, str]


@dataclass(frozen=True)
class PrefsRules(Scorer):
    """The dimensions of `prefs` by rules, for studies without a judge.

    It has no dimensions that only conceptual questions have, because these need a judge.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs_rules.", conceptual=False)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        answer = read_answer(transcript.answer)
        return score_assessment(self.dimensions, problem, answer, _assessment(problem, transcript, answer))


def _assessment(problem: Problem, transcript: Transcript, answer: AnswerParts) -> Assessment:
    final = {"final": score_final_answer(problem, answer)}
    if is_conceptual(problem):  # before the empty answer, so that its other criteria stay unscored too
        unread = (None, "rules do not read explanations")
        found = dict.fromkeys((each.name for each in criteria_of(problem)), unread)
        return Assessment(found | final, about="by rules, only the final answer: ")
    if not transcript.answer.strip():
        return assess_no_answer(problem, transcript.stop)
    working = Working.read(problem, transcript)
    ratings = dict(_rate_criteria(working, review(working), answer))
    return Assessment(ratings | final, about="by rules: ")


def score_final_answer(problem: Problem, answer: AnswerParts) -> Rating:
    """Rate the final answer; None for an answer in words, which needs a judge.

    2: every requested result is correct in value and unit, or the correct option is chosen.
    1: some are correct, or a unit is missing.
    """
    targets = [target for target in problem.targets if not isinstance(target, MessageTarget)]
    if not targets:
        return None, "an answer in words needs a judge"
    verdicts = judge_targets(targets, _final_text(answer, targets))
    ratings = [FULL if each.exact and each.unit is not False else float(each.exact) for each in verdicts]
    rating = FULL if min(ratings) == FULL else 1.0 if max(ratings) > 0 else 0.0
    return rating, "; ".join(each.evidence for each in verdicts)


def names_option(problem: Problem, answer: AnswerParts) -> bool:
    """Whether the answer names an option, right or wrong, by its letter or its words."""
    choices = [each for each in problem.targets if isinstance(each, ChoiceTarget)]
    verdicts = judge_targets(choices, _final_text(answer, problem.targets))
    return any(found.stated in each.options for each, found in zip(choices, verdicts, strict=True))


def _final_text(answer: AnswerParts, targets: Sequence[Target]) -> str:
    """Return the answer's text; for a choice only its final part, which can be a bare option."""
    is_choice = any(isinstance(target, ChoiceTarget) for target in targets)
    return f"answer: {answer.parts['final']}" if is_choice and answer.parts.get("final") else answer.text


def _rate_criteria(
    working: Working, checks: Mapping[str, RuleScore], answer: AnswerParts
) -> Iterator[tuple[str, Rating]]:
    """Rate each criterion that applies to the problem by the verifier's checks."""

    def check(name: str) -> tuple[float, str]:
        """Rate what the answer does not show as zero."""
        return float(checks[name].points or 0), f"{name}: {checks[name].evidence}"

    formulas, reason = check("G1")
    if any(not isinstance(given.value, str) for given in working.problem.givens):
        yield "interpretation", check("G2")
    stated = answer.formulation.get("assumptions", "")
    assumed = bool(checks["G6"].points) or bool(stated and not _NOT_STATED.match(stated))
    evidence = f"assumptions are {'stated' if assumed else 'not stated'}; {reason}"
    yield "modeling", (1.0 + assumed if formulas else 0.0, evidence)
    # relations of the reference that are used at all, even in a wrong variant
    found = collect_evidence(working)
    needed = sum(bool(step.equation) for step in working.problem.reference.steps)
    used = len(found.steps) + bool(found.variant)
    relevance = FULL if needed and used >= needed else 1.0 if used and not found.trap else 0.0
    yield "relevance", (formulas if formulas == FULL else relevance, reason)
    if checks["G2"].error:
        formulas, reason = min(formulas, 1.0), f"{reason}; values are misread"
    elif formulas == checks["G4"].points == FULL and working.finals and not working.is_near(_FAR):
        formulas, reason = 1.0, f"{reason}; the arithmetic is correct, but a result is not"
    yield "application", (formulas, reason)
    yield "calculation", check("G4")
    yield "correctness", _correctness(working, checks["G3"])
    if working.targets:  # the order of an argument in words needs a judge
        yield "coherence", check("G8")


def _correctness(working: Working, units: RuleScore) -> Rating:
    """Compare the values that the answer states with the reference, including their units."""
    problem = working.problem
    expected = {step.symbol: Quantity(step.value, step.unit) for step in problem.reference.steps}
    targets = (each for each in problem.targets if isinstance(each, NumberTarget) and each.value is not None)
    expected |= {each.name: Quantity(each.value or 0.0, each.unit) for each in targets}
    right: list[str] = []
    wrong: list[str] = []
    for symbol, wanted in expected.items():
        stated = pick_statement(working.statements, symbol)
        if stated is not None:
            error, _ = compare_quantities(Quantity(stated.value, stated.unit or wanted.unit), wanted)
            (right if error <= _SAME else wrong).append(symbol)
    evidence = f"right: {', '.join(right) or 'none'}; wrong: {', '.join(wrong) or 'none'}; {units.evidence}"
    if not right:
        return 0.0, evidence
    return (1.0 if wrong or units.points in (0, 1) else FULL), evidence
