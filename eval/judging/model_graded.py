"""The scorer `model_graded`: criteria of one's own, marked by a language model or by a panel of them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, JudgesLike, judge_models
from ansatz.eval.judging.panel import Combination, PanelVerdict, ask_judge
from ansatz.eval.judging.reply import Opinion
from ansatz.eval.judging.request import blinded, case, drawn_by
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.score import Scale as Shown
from ansatz.settings import Count, settings

_ENOUGH = 0.5  # of the weights must be marked for a score of the whole


@settings(kw_only=True)
class JudgePanel:
    """What scorers have that let language models mark by a rubric.

    `models` are those of a panel, whose points are combined by median or mean. Where two are apart by more
    than half the scale, `adjudicator` (if given) marks afresh, and its points count. Each is asked `asks`
    times at most, for what is missing. `seed` draws the order of criteria for each answer.
    """

    models: JudgesLike = ()
    combine: Combination = "median"
    adjudicator: JudgeLike | None = None
    seed: int = 0
    asks: Count = 2

    scorer: ClassVar[str]

    def __post_init__(self) -> None:
        titles = [model.title for model in self.wanted_models]
        for title in titles:
            if titles.count(title) > 1:
                raise ValueError(f"two judges are called {title!r}; give one of them another label")

    @cached_property
    def panel(self) -> tuple[JudgeModel, ...]:
        """The judges, without the adjudicator."""
        return judge_models(self.models)

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        """Every model that has to be connected before answers can be scored."""
        return (*self.panel, *(() if self.adjudicator is None else judge_models(self.adjudicator)))

    def check(self) -> None:
        """Raises ValueError where it is not said who judges."""
        if not self.panel:
            raise ValueError(f"{self.scorer} needs a model: name one, such as models: [openai:gpt-5.2]")

    async def verdict(
        self, context: ScoringContext, rubric: Rubric, *, reference: bool = True, findings: bool = False
    ) -> PanelVerdict:
        """What every judge says of an answer, and the adjudicator where they are at odds.

        Raises InfrastructureError where a model cannot be reached.
        """
        from ansatz.eval.verifier.verifier import findings_of

        problem, blind = context.problem, blinded(context.transcript)
        found = findings_of(problem, blind) if findings else ()
        parts = case(problem, blind.answer, key=reference, findings=found)

        async def asked(title: str, criteria: Collection[str]) -> Opinion:
            drawn = drawn_by(self.seed, title, problem, blind.answer)
            order = [
                name for name in drawn.sample([*rubric.criteria], len(rubric.criteria)) if name in criteria
            ]
            return await ask_judge(context.ask, title, rubric.of(*order), parts, self.asks)

        titles = [model.title for model in self.panel]
        given = await asyncio.gather(
            *(asked(each, rubric.criteria) for each in titles), return_exceptions=True
        )
        opinions = {}
        for title, opinion in zip(titles, given, strict=True):
            if isinstance(opinion, BaseException):  # raised when all have answered: no paid reply is lost
                raise opinion
            opinions[title] = opinion
        verdict = PanelVerdict(opinions, rubric.criteria, self.combine)
        for other in self.wanted_models[len(titles) :] if verdict.disputed else ():
            verdict = replace(verdict, adjudication={other.title: await asked(other.title, verdict.disputed)})
        return verdict


@settings()
class ModelGraded(JudgePanel, Scorer):
    """Criteria marked by a language model, or by a panel of several.

    `criteria` says in words what is to be marked, from `scale[0]` to `scale[1]` points; `rubric` names a file
    (.md, .yaml) with several criteria, anchors and examples instead, or a shipped one such as "tps" or
    "prefs". `model` is "provider:model", a mapping with name, settings and prices, or a LangChain chat model;
    `models`, `combine`, `adjudicator`, `asks` and `seed` are those of a `JudgePanel`.

    A judge sees the problem, the answer behind a fence, the key if `reference`, and what the verifier found
    if `findings`; never the arm or the model. It may say that it cannot tell if `abstain`.

    The dimension is called `name`; with several criteria, it is their weighted mean, beside `name.criterion`
    for each. No mark, no score: an answer that no judge could mark, or of which none can tell, has none, with
    the reason. An empty answer earns the lowest mark unasked. A failed request raises InfrastructureError.

    Details: of a criterion status (ok, abstained or failed), points by judge, disputed; of the whole the
    record of `PanelVerdict.record`.

    Example: `ModelGraded("Are key assumptions stated and justified?", model="anthropic:claude-opus-4-1")`.
    """

    criteria: str = ""
    scale: tuple[int, int] = (0, 2)
    model: JudgeLike | None = None
    _: KW_ONLY
    name: str = "graded"
    rubric: str = ""
    reference: bool = True
    findings: bool = False
    abstain: bool = True
    content: Rubric | None = field(init=False, default=None, repr=False)

    paths: ClassVar[tuple[str, ...]] = ("rubric",)
    scorer: ClassVar[str] = "model_graded"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.criteria and self.rubric:
            raise ValueError("criteria and rubric cannot both be given")
        if self.scale[0] >= self.scale[1]:
            raise ValueError(f"a scale goes up, unlike {self.scale[0]} to {self.scale[1]}")
        if self.rubric or self.criteria:
            held = Rubric.load(self.rubric) if self.rubric else Rubric.of_text(self.criteria, self.scale)
            object.__setattr__(self, "content", held.may_abstain() if self.abstain else held)

    @cached_property
    def panel(self) -> tuple[JudgeModel, ...]:
        alone = () if self.model is None else judge_models(self.model)
        return (*alone, *judge_models(self.models))

    @property
    def prompt_hash(self) -> str:
        return self.content.sha256 if self.content else ""

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        scales = {name: each.scale for name, each in self.content.criteria.items()} if self.content else {}
        if len(scales) < 2:
            [scale] = scales.values() or [self.scale]
            return (Dimension(self.name, " ".join(self.criteria.split()), Shown.between(*scale)),)
        own = (Dimension(f"{self.name}.{name}", scale=Shown.between(*each)) for name, each in scales.items())
        return (Dimension(self.name, "weighted mean of the criteria"), *own)

    def check(self) -> None:
        """Raises ValueError where it is not said what to mark, or by whom."""
        if self.content is None:
            raise ValueError("model_graded needs criteria, or a rubric")
        super().check()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        self.check()
        assert self.content is not None
        if not context.transcript.answer.strip():
            return unanswered(self.dimensions, context.transcript)
        verdict = await self.verdict(context, self.content, reference=self.reference, findings=self.findings)
        names = list(self.content.criteria)
        if len(names) == 1:
            mark = verdict.score(self.name, names[0])
            return (mark.model_copy(update={"details": mark.details | verdict.record()}),)
        return (self._whole(verdict), *(verdict.score(f"{self.name}.{name}", name) for name in names))

    def _whole(self, verdict: PanelVerdict) -> Score:
        shares, weights = verdict.shares, {name: each.weight for name, each in verdict.criteria.items()}
        marked = sum(weights[name] for name in shares)
        is_enough = bool(marked) and marked >= _ENOUGH * sum(weights.values())
        missing = [name for name in weights if name not in shares]
        told = [f"weighted mean of {', '.join(shares) or 'none'}"]
        told += [f"not marked: {', '.join(missing)}"] if missing else []
        told += [verdict.faults] if verdict.faults else []
        total = sum(weights[name] * share for name, share in shares.items())
        return Score(
            dimension=self.name,
            value=min(1.0, total / marked) if is_enough else None,
            evidence=f"{verdict.status}: {'; '.join(told)}",
            details=verdict.record(),
        )


def unanswered(dimensions: Iterable[Dimension], transcript: Transcript) -> tuple[Score, ...]:
    """The lowest mark for an attempt without an answer; no judge is asked about nothing."""
    evidence = f"no answer ({transcript.stop})"
    return tuple(Score(dimension=each.name, value=0.0, evidence=evidence) for each in dimensions)
