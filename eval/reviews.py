"""What reviews did to an answer: mended it or spoiled it, and how far several answers agreed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ansatz.eval.outcome import answer_is_right
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext

_VOTE = "self_consistency"


@dataclass(frozen=True)
class Reviews(Scorer):
    """Holds an answer as it was first reviewed against what became of it.

    `mended` is 1 where it was not right and became so, `spoiled` where it was right and is no more, else 0;
    an answer is right if every target is exact or acceptable. `agreement` is the share of independent answers
    that agree with the one given, averaged over targets, None where there was no vote: a confidence, whose
    calibration the report shows.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Outcome(), Reviews()])`.
    """

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("mended", "answers that a review made right", role="error", detail=True),
        Dimension("spoiled", "answers a review made wrong", better="lower", role="error", detail=True),
        Dimension("agreement", "share of answers that agree", role="resource", detail=True),
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        return (*_revised(context), _agreement(context))


def _revised(context: ScoringContext) -> Iterator[Score]:
    reviews = [each for each in context.transcript.reviews if each.step != _VOTE]
    if not reviews:
        yield from (Score(dimension=name, value=0.0, evidence="no review") for name in ("mended", "spoiled"))
        return
    before = answer_is_right(context.problem, reviews[0].answer)
    after = answer_is_right(context.problem, context.transcript.complete_answer)
    if before is None or after is None:
        why = "no key to compare with"
        yield from (Score(dimension=name, value=None, evidence=why) for name in ("mended", "spoiled"))
        return
    rounds = sum(each.sent_back for each in reviews)
    said = (
        f"{'right' if before else 'not right'}, then {'right' if after else 'not right'}; {rounds} sent back"
    )
    details = {"sent_back": rounds, "before": before, "after": after}
    yield Score(dimension="mended", value=float(after and not before), evidence=said, details=details)
    yield Score(dimension="spoiled", value=float(before and not after), evidence=said, details=details)


def _agreement(context: ScoringContext) -> Score:
    votes = [each.details for each in context.transcript.reviews if each.step == _VOTE and not each.sent_back]
    targets = votes[-1].get("targets", {}) if votes else {}
    if not targets:
        return Score(dimension="agreement", value=None, evidence="no vote")
    shares = [each["share"] for each in targets.values()]
    ties = [name for name, each in targets.items() if each["tie"]]
    told = "; ".join(f"{name}: {each['share']:.0%}" for name, each in targets.items())
    tied = f"; tied: {', '.join(ties)}" if ties else ""
    return Score(dimension="agreement", value=sum(shares) / len(shares), evidence=f"{told}{tied}")
