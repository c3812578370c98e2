"""A deterministic reviewer of engineering calculations: eight dimensions, each 0, 1 or 2, and their mean.

The dimensions and weights are those of TPS-CalcBench (section IV.2, table 6), which has a language model
judge them. Here G1 to G5 are computed from what the answer states: every fault that is found quotes the words
it rests on, and what could not be checked has no mark. G6 to G8 are matters of reading, which needs a person
or a model: their marks are coarse and tell whether words of one short list occur, not what is said with them.
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
"""All the words there are."""
_CUES = {name: re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.I) for name, words in CUES.items()}
_STEP = re.compile(
    r"^\W*(?:(?:step|given|find|formula|calculation|result|check|assumptions?)\b|\d+[.)])", re.I | re.M
)


def check_assumptions(working: Working) -> RuleScore:
    """2: an assumption and a reason. 1: an assumption. 0: none."""
    found = _CUES["assumption"].search(working.text)
    if not found:
        return RuleScore(0, f"no word of an assumption ({COARSE})")
    reason = _CUES["reason"].search(working.text)
    words = f"“{found.group()}”" + (f" and “{reason.group()}”" if reason else "")
    return RuleScore(2 if reason else 1, f"{words} ({COARSE})")


def check_interpretation(working: Working) -> RuleScore:
    """2: several words of what results mean. 1: one. 0: none."""
    found = dict.fromkeys(each.group().lower() for each in _CUES["meaning"].finditer(working.text))
    told = ", ".join(f"“{each}”" for each in list(found)[:4]) or "no word of what the results mean"
    return RuleScore(min(len(found), 2), f"{told} ({COARSE})")


def check_presentation(working: Working) -> RuleScore:
    """2: the results are stated and steps lead to them. 1: one of both. 0: neither."""
    stated = bool(working.finals) and len(working.finals) == len(working.targets)
    steps = len(working.terms) > 1 or len(_STEP.findall(working.text)) > 1
    said = f"results {'stated' if stated else 'not all stated'}, steps {'shown' if steps else 'not shown'}"
    return RuleScore(stated + steps, f"{said} ({COARSE})")


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
assumption justification, result interpretation, presentation; `kpi.WEIGHTS` says what each is worth."""
_SHOWN = ("G1", "G2", "G4")
"""Of the calculation, what a terse answer may leave unsaid. Units belong to the values."""


@dataclass(frozen=True)
class Verifier(Scorer):
    """Marks 0, 1, 2 are stored as 0, 0.5, 1. An attempt without an answer earns zero throughout.

    `kpi` is their weighted sum, in which form (G5 to G8) counts for a sound calculation alone: full marks on
    whatever of G1 to G4 could be judged, and final values within 10 % of the key. Where formula, parameters,
    units and arithmetic are right, the value must be: a far value with full marks means that a fault was
    overlooked. Right values whose working is not shown count as sound, with nothing for form.
    `kpi_published` is the sum as TPS-CalcBench has it, in which form makes up for substance. Both are None
    where none of G1 to G4 could be judged.

    Details: of each mark `points` (0, 1, 2 or null) and `error` (whether something wrong was met, null where
    that is not known); of `kpi` `is_right` (null where it was not asked for), `unshown`, `spoiled_by` and
    `not_judged`.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Verifier()])`.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = kpi_dimensions()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        marks = review(Working.of(problem, transcript))
        scores = [
            Score(
                dimension=name,
                value=None if mark.points is None else mark.points / 2,
                evidence=mark.evidence,
                details={
                    "points": mark.points,
                    "error": mark.error,
                    "findings": [finding.to_json() for finding in mark.findings],
                },
            )
            for name, mark in marks.items()
        ]
        return (*scores, *_compute_sums(marks, problem, transcript.complete_answer))


def format_findings(problem: Problem, transcript: Transcript) -> tuple[str, ...]:
    """What a judge may be told of a review: a line for each dimension that has a mark."""
    marks = review(Working.of(problem, transcript))
    return tuple(f"{name}: {mark.evidence}" for name, mark in marks.items() if mark.points is not None)


def review(working: Working) -> dict[str, RuleScore]:
    """The mark of an attempt on every dimension, in order."""
    if not working.answer.strip():
        return {name: RuleScore(0, f"no answer ({working.transcript.stop})") for name in CHECKS}
    return {name: check(working) for name, check in CHECKS.items()}


def _compute_sums(marks: Mapping[str, RuleScore], problem: Problem, answer: str) -> tuple[Score, Score]:
    shares = {name: mark.points / 2 for name, mark in marks.items() if mark.points is not None}
    left_out = [name for name in marks if name not in shares]
    told = f"; not judged: {', '.join(left_out)}" if left_out else ""
    value = compute_published_kpi(shares)
    if value is None:
        told = "none of G1 to G4 could be judged"
        first = Score(dimension="kpi", value=None, evidence=told, details={"not_judged": left_out})
        return first, Score(dimension="kpi_published", value=None, evidence=told)
    # Whether the values are right is asked only where it matters: closed forms take long to compare.
    is_right = None if any(marks[name].error for name in CORE) else is_answer_right(problem, answer)
    unshown = [name for name in _SHOWN if shares.get(name, 1) < 1 and not marks[name].error]
    spoiled = list(find_faults(shares, is_right, unshown))
    form = "sound, G5 to G8 count"
    if spoiled:
        form = f"G5 to G8 count as zero: {', '.join(spoiled)}"
    elif unshown:
        form = f"right, but nothing to see of {', '.join(unshown)}: G5 to G8 count as zero"
    details = {"is_right": is_right, "unshown": unshown, "spoiled_by": spoiled, "not_judged": left_out}
    evidence = f"weighted mean of {', '.join(shares)}{told}"
    return (
        Score(
            dimension="kpi",
            value=compute_kpi(shares, is_right, unshown),
            evidence=f"{form}{told}",
            details=details,
        ),
        Score(dimension="kpi_published", value=value, evidence=evidence),
    )
