"""What went wrong: the error taxonomy of TPS-CalcBench (section IV.3), by rules instead of a judge's tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier.formula_selection import find_invented_formulas
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import RuleScore, Working

_JUDGED_BY = {
    "error.formula": "G1",
    "error.parameter": "G2",
    "error.unit": "G3",
    "error.arithmetic": "G4",
    "error.plausibility": "G5",
}
_HALLUCINATION = "error.hallucination"

TAGS = (*_JUDGED_BY, _HALLUCINATION)


@dataclass(frozen=True)
class Errors(Scorer):
    """Tags an attempt: 1 for an error that is present, 0 for one that is not, None where it cannot be told.

    Less is better, unlike for every other scorer. `error.formula`, a wrong governing equation;
    `error.parameter`, a given misread, left out or replaced; `error.unit`, a wrong unit or conversion;
    `error.arithmetic`, an equality that does not hold; `error.plausibility`, a value beyond its limits or a
    false check; `error.hallucination`, a formula for a quantity of the problem that is none of the
    reference's, none of the knowledge base's, and follows from neither. The first five rest on the marks
    G1 to G5 of the verifier, with their evidence: what is merely left out costs marks there and is no error
    here.
    An attempt may bear several tags; one without an answer bears none.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = tuple(
        Dimension(name, f"answers with {name.removeprefix('error.')} errors", better="lower", role="error")
        for name in TAGS
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        if not transcript.answer.strip():
            return tuple(
                Score(dimension=name, value=None, evidence=f"no answer ({transcript.stop})") for name in TAGS
            )
        working = Working.of(problem, transcript)
        marks = review(working)
        tags = {name: (marks[by].error, marks[by].evidence) for name, by in _JUDGED_BY.items()}
        tags[_HALLUCINATION] = _hallucination(working, marks["G1"])
        return tuple(
            Score(dimension=name, value=None if present is None else float(present), evidence=evidence)
            for name, (present, evidence) in tags.items()
        )


def _hallucination(working: Working, formula: RuleScore) -> tuple[bool | None, str]:
    if formula.points == 2:
        return False, f"the formulas are the reference's: {formula.evidence}"
    if found := find_invented_formulas(working):
        return True, f"matches nothing known: {'; '.join(found)}"
    if any(term.formula.names for term in working.terms):
        return False, "every formula is a known one"
    return None, "no formula in symbols is shown"
