"""The scorer `reviews`: did a review correct or spoil the answer, and how far do several answers agree?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ansatz.eval.outcome import is_answer_right
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext

_VOTE = "self_consistency"


@dataclass(frozen=True)
class Reviews(Scorer):
    """Compares the answer that was reviewed first with the final answer.

    - `corrected` is 1 if the first answer was wrong and the final one is right, otherwise 0.
    - `spoiled` is 1 if the first answer was right and the final one is wrong, otherwise 0.
    - `agreement` is the share of independent answers that agree with the final one, averaged over targets. It
      is None without a vote. The report shows how well this confidence is calibrated.

    An answer is right if every target is within its tolerance, or within 10 % if it has none.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Outcome(), Reviews()])`.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("corrected", "wrong answers that a review made right", role="error", detail=True),
        Dimension(
            "spoiled", "right answers that a review made wrong", better="lower", role="error", detail=True
        ),
        Dimension("agreement", "share of answers that agree", role="resource", detail=True),
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        return (*_score_revision(context), _score_agreement(context))


def _score_revision(context: ScoringContext) -> Iterator[Score]:
    reviews = [each for each in context.transcript.reviews if each.step != _VOTE]
    if not reviews:
        yield from _score_both(0.0, "no review")
        return
    before = is_answer_right(context.problem, reviews[0].answer)
    after = is_answer_right(context.problem, context.transcript.complete_answer)
    if before is None or after is None:
        yield from _score_both(None, "no key to compare with")
        return
    rounds = sum(each.sent_back for each in reviews)
    first, final = ("right" if is_right else "not right" for is_right in (before, after))
    evidence = f"{first}, then {final}; {rounds} sent back"
    details = {"sent_back": rounds, "before": before, "after": after}
    yield Score(dimension="corrected", value=float(after and not before), evidence=evidence, details=details)
    yield Score(dimension="spoiled", value=float(before and not after), evidence=evidence, details=details)


def _score_both(value: float | None, evidence: str) -> Iterator[Score]:
    for name in ("corrected", "spoiled"):
        yield Score(dimension=name, value=value, evidence=evidence)


def _score_agreement(context: ScoringContext) -> Score:
    votes = [each.details for each in context.transcript.reviews if each.step == _VOTE and not each.sent_back]
    targets = votes[-1].get("targets", {}) if votes else {}
    if not targets:
        return Score(dimension="agreement", value=None, evidence="no vote")
    shares = [each["share"] for each in targets.values()]
    ties = [name for name, each in targets.items() if each["tie"]]
    by_target = "; ".join(f"{name}: {each['share']:.0%}" for name, each in targets.items())
    tied = f"; tied: {', '.join(ties)}" if ties else ""
    return Score(dimension="agreement", value=sum(shares) / len(shares), evidence=f"{by_target}{tied}")
