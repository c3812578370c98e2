"""The scorer `verifier`: rules score engineering calculations on eight dimensions, 0 to 2 points each.

The dimensions and weights are those of TPS-CalcBench (section IV.2, table 6), where a language model scores
them. Here G1 to G5 are computed from the numbers and formulas in the answer. Every fault quotes the text that
shows it, and what cannot be checked has no score. G6 to G8 would require a reader; their scores only show
whether words of a short list occur.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.outcome import is_answer_right
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier import computed_checks, formula_selection
from ansatz.eval.verifier.kpi import CORE, compute_kpi, compute_published_kpi, find_faults, kpi_dimensions
from ansatz.eval.verifier.working import RuleScore, Working

COARSE = "coarse, by presence of words"
CUES = {
    "assumption": r"assum\w+|neglect\w*|negligib\w+|ideal gas|steady|suppos\w+|treat\w* as|假设|忽略",
    "reason": r"because|since|due to|as the|so that|justif\w+|valid\w*|因为|由于",
    "meaning": r"mean(?:s|ing)|impl(?:y|ies)|indicat\w+|suggest\w*|reasonabl\w+|plausib\w+|expected"
    r"|typical\w*|consistent|compar\w+|physical\w*|exceeds?|说明|表明|合理",
}
"""The words that G6 and G7 count."""
_CUES = {name: re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.I) for name, words in CUES.items()}
_STEP = re.compile(
    r"^\W*(?:(?:step|given|find|formula|calculation|result|check|assumptions?)\b|\d+[.)])", re.I | re.M
)


def check_assumptions(working: Working) -> RuleScore:
    """Score G6. 2: an assumption and a reason. 1: an assumption. 0: none."""
    found = _CUES["assumption"].search(working.text)
    if not found:
        return RuleScore(0, f"no word of an assumption ({COARSE})")
    reason = _CUES["reason"].search(working.text)
    words = f"“{found.group()}”" + (f" and “{reason.group()}”" if reason else "")
    return RuleScore(2 if reason else 1, f"{words} ({COARSE})")


def check_interpretation(working: Working) -> RuleScore:
    """Score G7. 2: several words that interpret results. 1: one. 0: none."""
    found = dict.fromkeys(match.group().lower() for match in _CUES["meaning"].finditer(working.text))
    words = ", ".join(f"“{word}”" for word in list(found)[:4]) or "no word of what the results mean"
    return RuleScore(min(len(found), 2), f"{words} ({COARSE})")


def check_presentation(working: Working) -> RuleScore:
    """Score G8. 2: all results are stated and steps are shown. 1: one of the two. 0: neither."""
    stated = bool(working.finals) and len(working.finals) == len(working.targets)
    steps = len(working.terms) > 1 or len(_STEP.findall(working.text)) > 1
    reason = f"results {'stated' if stated else 'not all stated'}, steps {'shown' if steps else 'not shown'}"
    return RuleScore(stated + steps, f"{reason} ({COARSE})")


CHECKS: Mapping[str, Callable[[Working], RuleScore]] = {
    "G1": formula_selection.check_formulas,
    "G2": computed_checks.check_parameters,
    "G3": computed_checks.check_units,
    "G4": computed_checks.check_arithmetic,
    "G5": computed_checks.check_plausibility,
    "G6": check_assumptions,
    "G7": check_interpretation,
    "G8": check_presentation,
}
"""Formula selection, parameter identification, unit consistency, calculation accuracy, physical plausibility,
assumption justification, result interpretation, presentation. `kpi.WEIGHTS` has their weights."""
_OPTIONAL = ("G1", "G2", "G4")
"""The dimensions of the calculation that a terse answer may not show. Units are part of the values."""


@dataclass(frozen=True)
class Verifier(Scorer):
    """Scores the calculation in an answer by rules, without a model.

    - `G1` to `G8` have 0, 1 or 2 points, stored as 0, 0.5 or 1. An attempt without an answer gets 0.
    - `kpi` is their weighted sum. Form (G5 to G8) counts only for sound calculations: full scores on all
      scored dimensions of G1 to G4, and final values within 10 % of the right ones. Right values without
      working count as sound, without credit for form.
    - `kpi_published` is the sum of TPS-CalcBench, in which form can compensate for substance.

    Both sums are None if none of G1 to G4 could be scored.

    Details of `G1` to `G8`: `points` (0, 1, 2 or null), `error` (whether something is wrong, null if unknown)
    and `findings`. Details of `kpi`: `is_right` (null if it was not needed), `unshown`, `spoiled_by` and
    `not_judged`.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Verifier()])`.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = kpi_dimensions()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        by_rules = review(Working.read(problem, transcript))
        scores = [
            Score(
                dimension=name,
                value=None if rule_score.points is None else rule_score.points / 2,
                evidence=rule_score.evidence,
                details={
                    "points": rule_score.points,
                    "error": rule_score.error,
                    "findings": [finding.to_json() for finding in rule_score.findings],
                },
            )
            for name, rule_score in by_rules.items()
        ]
        return (*scores, *_compute_sums(by_rules, problem, transcript.complete_answer))


def format_findings(problem: Problem, transcript: Transcript) -> tuple[str, ...]:
    """Format the evidence of a review for a judge: one line for each dimension that has a score."""
    scores = review(Working.read(problem, transcript))
    return tuple(f"{name}: {each.evidence}" for name, each in scores.items() if each.points is not None)


def review(working: Working) -> dict[str, RuleScore]:
    """Score an attempt on every dimension, in order."""
    if not working.answer.strip():
        return {name: RuleScore(0, f"no answer ({working.transcript.stop})") for name in CHECKS}
    return {name: check(working) for name, check in CHECKS.items()}


def _compute_sums(by_rules: Mapping[str, RuleScore], problem: Problem, answer: str) -> tuple[Score, Score]:
    """Compute `kpi` and `kpi_published`."""
    scores = {name: each.points / 2 for name, each in by_rules.items() if each.points is not None}
    unscored = [name for name in by_rules if name not in scores]
    suffix = f"; not judged: {', '.join(unscored)}" if unscored else ""
    published = compute_published_kpi(scores)
    if published is None:
        reason = "none of G1 to G4 could be judged"
        kpi = Score(dimension="kpi", value=None, evidence=reason, details={"not_judged": unscored})
        return kpi, Score(dimension="kpi_published", value=None, evidence=reason)
    # Comparing closed forms is slow, so the values are judged only if that matters.
    is_right = None if any(by_rules[name].error for name in CORE) else is_answer_right(problem, answer)
    unshown = [name for name in _OPTIONAL if scores.get(name, 1) < 1 and not by_rules[name].error]
    faults = list(find_faults(scores, is_right, unshown))
    form = "sound, G5 to G8 count"
    if faults:
        form = f"G5 to G8 count as zero: {', '.join(faults)}"
    elif unshown:
        form = f"right, but {', '.join(unshown)} not shown: G5 to G8 count as zero"
    details = {"is_right": is_right, "unshown": unshown, "spoiled_by": faults, "not_judged": unscored}
    evidence = f"weighted mean of {', '.join(scores)}{suffix}"
    return (
        Score(
            dimension="kpi",
            value=compute_kpi(scores, is_right, unshown),
            evidence=f"{form}{suffix}",
            details=details,
        ),
        Score(dimension="kpi_published", value=published, evidence=evidence),
    )
