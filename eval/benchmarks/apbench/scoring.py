"""APBench scores in two columns: the published rule with its adaptive margin, and a strict one with units."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import ClassVar

from ansatz.eval.benchmarks.apbench.rules import Judged, MarginRule, published, strict
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, parse_judges
from ansatz.eval.judging.panel import ask_judge
from ansatz.eval.judging.request import fence
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.problem import MessageTarget, Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.settings import Count, Share, settings

THRESHOLD = 0.6
"""A likeness above it is right (APBench, evaluation criteria)."""
_WORDS = {None: "unscored", True: "right", False: "wrong"}


@dataclass(frozen=True)
class Likeness:
    """How alike an answer and its key are: the cosine of their vectors in [0, 1], and a judge's mark there.

    `mark` is None where no judge was asked; the cosine then stands alone.
    """

    cosine: float
    mark: float | None = None
    reason: str = ""

    @property
    def value(self) -> float:
        return self.cosine if self.mark is None else 0.5 * (self.mark + self.cosine)

    @property
    def is_right(self) -> bool:
        return self.value > THRESHOLD

    @property
    def evidence(self) -> str:
        verdict = f"{'above' if self.is_right else 'not above'} {THRESHOLD:g}"
        if self.mark is None:
            return f"embedding alone, no judge: cosine {self.cosine:.3f}, {verdict}"
        return (
            f"0.5 (judge {self.mark:.1f} + cosine {self.cosine:.3f}) = {self.value:.3f}, {verdict}; "
            f"judge: {self.reason}"
        )


@settings()
class APBenchScore(Scorer):
    """Scores numeric, choice and message answers; a question is right if all that it asks for is.

    `published` is the paper's rule: the bare number against the adaptive margin (`margin`: as the paper says
    or as its code does), and a message by its likeness above 0.6. `strict` reads units and converts them, and
    accepts a deviation of `relative`; it has no rule for messages. `message` is the likeness of a message:
    0.5 (judge + cosine), or the cosine alone where no `judge` is named, which the evidence says; `cosine` is
    the embedding's part of it.

    Details: of `published` and `strict` `targets`, by name, each with right (null where the rule has no
    verdict), value and unit as written, and of `strict` also error (see rules.py); of `message` cosine, mark
    (the judge's, null without one) and reason.
    """

    judge: JudgeLike | None = None
    margin: MarginRule = "paper"
    relative: Share = 0.01
    asks: Count = 2

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's rule"),
        Dimension("strict", "by the rule that also demands units"),
        Dimension("message", "answers in words, by the judge or their likeness to the key"),
        Dimension("cosine", "likeness of answers in words to the key", detail=True),
    )

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return () if self.judge is None else parse_judges(self.judge)

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("apbench").sha256

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where the judge cannot be reached."""
        problem, answer = context.problem, context.transcript.answer
        target = problem.targets[0]
        if isinstance(target, MessageTarget):
            return await self._message(context, target.value)
        return (
            _all_right("published", published(problem, answer, self.margin)),
            _all_right("strict", strict(problem, context.transcript.complete_answer, self.relative)),
            *(_score(name, None, "no message is asked for") for name in ("message", "cosine")),
        )

    async def _message(self, context: ScoringContext, key: str) -> tuple[Score, ...]:
        answer = context.transcript.answer
        no_rule = _score("strict", None, "a message has no strict rule; see message")
        if not answer.strip():
            right, message, alike = (_score(n, 0.0, "no answer") for n in ("published", "message", "cosine"))
            return right, no_rule, message, alike
        likeness = Likeness(await cosine(answer, key))
        alike = _score("cosine", likeness.cosine, "of the vectors of answer and key")
        for model in self.wanted_models:
            rubric, shown = Rubric.load("apbench"), _shown(context.problem, answer, key)
            opinion = await ask_judge(context.ask, model.title, rubric, shown, self.asks)
            if (points := opinion.points.get("likeness")) is None:
                why = f"the judge's replies hold no mark that can be read ({', '.join(opinion.faults)})"
                return _score("published", None, why), no_rule, _score("message", None, why), alike
            mark, reason = rubric.criteria["likeness"].share(points), opinion.justifications["likeness"]
            likeness = replace(likeness, mark=mark, reason=reason)
        told = likeness.evidence
        message = Score(dimension="message", value=likeness.value, evidence=told, details=asdict(likeness))
        return _score("published", float(likeness.is_right), told), no_rule, message, alike


async def cosine(answer: str, key: str) -> float:
    """The cosine of the vectors of all-MiniLM-L6-v2, in a thread of its own; a negative one counts as 0."""

    def cosine_of_vectors() -> float:
        from ansatz.knowledge_base.search import embed_question

        return min(1.0, max(0.0, float(embed_question(answer) @ embed_question(key))))

    return await asyncio.to_thread(cosine_of_vectors)


def _shown(problem: Problem, answer: str, key: str) -> tuple[str, ...]:
    """What a judge of the rubric "apbench" is shown: the same for equal answers, whichever arm gave them."""
    return (
        f"# Question\n\n{problem.ask().text}",
        f"# Reference answer\n\n{key}",
        f"# Answer\n\n{fence(answer, 'ANSWER')}",
    )


def _all_right(dimension: str, judged: Sequence[Judged]) -> Score:
    evidence = "; ".join(f"{each.name}: {_WORDS[each.right]} ({each.evidence})" for each in judged)
    scorable = judged and all(each.right is not None for each in judged)
    return Score(
        dimension=dimension,
        value=float(all(each.right for each in judged)) if scorable else None,
        evidence=evidence or "no target that this rule can score",
        details={"targets": {each.name: each.details() for each in judged}},
    )


def _score(dimension: str, value: float | None, evidence: str) -> Score:
    return Score(dimension=dimension, value=value, evidence=evidence)
