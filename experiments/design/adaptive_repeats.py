"""Repeats that depend on the problem: more where two further answers of the baseline are not both right.

The answers that decide are not counted in any difference. If they were, the number of repeats would depend on
counted answers, and differences would be biased. The same holds for repeats where an arm's own answers
disagree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from ansatz.errors import StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.study_settings import Repeats
from ansatz.experiments.ledger import Ledger, PlannedAttempt

_ROUNDING = 1e-9


def check_repeats(design: Design) -> None:
    """Raise StudyError if repeats cannot depend on the baseline."""
    if design.settings.adaptive_repeats is None:
        return
    reasons = {
        "a screening design has no baseline": design.pairs is not None,
        "design: leave_one_out asks each arm about some problems only": design.paths is not None,
        "interim analyses need the same repeats of all problems": design.settings.stop is not None,
        "an arm builds on earlier answers": any(arm.builds_on for arm in design.arms.values()),
        "no scorer reports a quality": not any(each.role == "quality" for each in design.dimensions),
    }
    for reason in (reason for reason, applies in reasons.items() if applies):
        raise StudyError(f"repeats: {reason}; write one number", ("repeats",))


def count_attempts(design: Design) -> tuple[int, int] | None:
    """Return the least and the most attempts; None if all problems have the same number of repeats."""
    repeats = design.settings.adaptive_repeats
    if repeats is None:
        return None
    depending = sum(repeats.least <= each.repeat < repeats.most for each in design.attempts)
    return len(design.attempts) - depending, len(design.attempts)


def plan_repeats(
    design: Design, repeats: Repeats, ledger: Ledger, report: Callable[[str], None] = lambda line: None
) -> Iterator[Sequence[PlannedAttempt]]:
    """Yield the baseline's further answers, then the attempts that they decide on.

    The decision follows from stored scores alone, so a resumed run makes it again with the same result. The
    plan of the finished run has the counted attempts only.
    """
    flags = [each for each in design.attempts if each.repeat >= repeats.most]
    yield flags
    unsure = _find_unsure(design, flags, ledger)
    counted = [
        each
        for each in design.attempts
        if each.repeat < repeats.least
        or (each.repeat < repeats.most and (each.model, each.problem) in unsure)
    ]
    ledger.plan(counted, design.problems.values())
    asked = len(design.models) * len(design.problems)
    about = {"unsure": len(unsure), "asked": asked, "flags": len(flags)}
    ledger.describe({"repeats": {**about, "least": repeats.least, "most": repeats.most}})
    report(f"the baseline is unsure on {len(unsure)} of {asked} problems, which get {repeats.most} repeats")
    yield counted


def _find_unsure(design: Design, flags: Sequence[PlannedAttempt], ledger: Ledger) -> set[tuple[str, str]]:
    """Return the models and problems with an answer below the best score on the first dimension that counts.

    A problem without both scores is not unsure: a resumed run asks the missing answer again.
    """
    quality = [each for each in design.dimensions if each.role == "quality"]
    first = next((each for each in quality if each.name in design.primary), None)
    dimension = first or next((each for each in quality if not each.detail), quality[0])
    scores: defaultdict[tuple[str, str], list[float | None]] = defaultdict(list)
    for flag in flags:
        answered = ledger.find_answer(flag.key)
        score = None if answered is None else answered[1].get(dimension.name)
        scores[flag.model, flag.problem].append(score)
    best = 1.0 if dimension.better == "higher" else 0.0
    return {
        place
        for place, found in scores.items()
        if None not in found and any(score is not None and abs(score - best) > _ROUNDING for score in found)
    }
