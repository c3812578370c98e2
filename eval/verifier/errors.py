"""The scorer `errors`: the kinds of error of TPS-CalcBench (section IV.3), found by rules."""

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
    """Finds kinds of error: 1 if the error is present, 0 if not, None if that is unknown. Lower is better.

    - `error.formula`: a wrong governing equation.
    - `error.parameter`: a given that is misread, omitted or replaced.
    - `error.unit`: a wrong unit or conversion.
    - `error.arithmetic`: an equality that does not hold.
    - `error.plausibility`: a value beyond its limits.
    - `error.hallucination`: a formula for a quantity of the problem that matches neither the reference
      solution nor the knowledge base, and follows from neither.

    The first five use the verifier's scores G1 to G5 and their evidence. An omission costs points there, but
    is not an error here. An attempt may have several errors; without an answer all values are None.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Errors()])`.
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
        working = Working.read(problem, transcript)
        scores = review(working)
        tags = {name: (scores[by].error, scores[by].evidence) for name, by in _JUDGED_BY.items()}
        tags[_HALLUCINATION] = _find_hallucination(working, scores["G1"])
        return tuple(
            Score(dimension=name, value=None if present is None else float(present), evidence=evidence)
            for name, (present, evidence) in tags.items()
        )


def _find_hallucination(working: Working, formula: RuleScore) -> tuple[bool | None, str]:
    if formula.points == 2:
        return False, f"the formulas are the reference's: {formula.evidence}"
    if found := find_invented_formulas(working):
        return True, f"matches nothing known: {'; '.join(found)}"
    if any(term.formula.names for term in working.terms):
        return False, "every formula is a known one"
    return None, "no formula in symbols is shown"
