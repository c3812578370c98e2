"""The scorer `model_graded`: your own criteria, scored by a language model or a panel."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import KW_ONLY, field, replace
from functools import cached_property
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, JudgesLike, parse_judges
from ansatz.eval.judging.opinion import Opinion
from ansatz.eval.judging.panel import Combination, PanelVerdict, ask_judge
from ansatz.eval.judging.request import blind_transcript, build_parts, make_order_generator
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.score import Scale as ScoreScale
from ansatz.settings import Count, settings

_MIN_WEIGHT = 0.5  # share of the weights that must be scored for a weighted mean


@settings(kw_only=True)
class JudgePanel:
    """Settings shared by scorers whose scores come from language models."""

    models: JudgesLike = ()
    """The models of the panel."""
    combine: Combination = "median"
    """How the points of a panel are combined."""
    adjudicator: JudgeLike | None = None
    """A further model that scores if two judges differ by more than half the scale; its points count."""
    seed: int = 0
    """Seed of the order of criteria, which differs between answers and judges."""
    asks: Count = 2
    """The most requests to one judge for one answer; the second request asks for what is missing."""

    scorer: ClassVar[str]

    def __post_init__(self) -> None:
        titles = [model.title for model in self.wanted_models]
        for title in titles:
            if titles.count(title) > 1:
                raise ValueError(f"two judges are called {title!r}; give one of them another label")

    @cached_property
    def panel(self) -> tuple[JudgeModel, ...]:
        """The judges, without the adjudicator."""
        return parse_judges(self.models)

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        """All models that a run has to connect before it scores answers."""
        return (*self.panel, *(() if self.adjudicator is None else parse_judges(self.adjudicator)))

    def check(self) -> None:
        """Raise ValueError if no judge is named."""
        if not self.panel:
            raise ValueError(f"{self.scorer} needs a model: name one, such as models: [openai:gpt-5.2]")

    async def ask_judges(
        self, context: ScoringContext, rubric: Rubric, *, reference: bool = True, findings: bool = False
    ) -> PanelVerdict:
        """Request every judge's opinion on an answer, and the adjudicator's on disputed criteria.

        Parameters
        ----------
        reference
            Whether the judges see the reference solution.
        findings
            Whether the judges see the verifier's findings.

        Raises
        ------
        InfrastructureError
            If a model cannot be reached.
        """
        from ansatz.eval.verifier.verifier import format_findings

        problem, blind = context.problem, blind_transcript(context.transcript)
        found = format_findings(problem, blind) if findings else ()
        parts = build_parts(problem, blind.answer, with_reference=reference, findings=found)

        async def ask(title: str, criteria: Collection[str]) -> Opinion:
            generator = make_order_generator(self.seed, title, problem, blind.answer)
            shuffled = generator.sample([*rubric.criteria], len(rubric.criteria))
            order = [name for name in shuffled if name in criteria]
            return await ask_judge(context.ask, title, rubric.select(*order), parts, self.asks)

        titles = [model.title for model in self.panel]
        results = await asyncio.gather(
            *(ask(title, rubric.criteria) for title in titles), return_exceptions=True
        )
        opinions = {}
        for title, result in zip(titles, results, strict=True):
            if isinstance(result, BaseException):  # raised after all have replied: no paid reply is lost
                raise result
            opinions[title] = result
        verdict = PanelVerdict(opinions, rubric.criteria, self.combine)
        for model in self.wanted_models[len(titles) :] if verdict.disputed else ():
            verdict = replace(verdict, adjudication={model.title: await ask(model.title, verdict.disputed)})
        return verdict


@settings()
class ModelGraded(JudgePanel, Scorer):
    """Your own criteria, scored by a language model or a panel.

    A judge sees the problem and the answer between two lines with a code, but neither the arm nor the model.
    A rubric with several criteria gives their weighted mean as `name`, and each criterion as
    `name.criterion`.

    If no judge returns a score, the answer is unscored, with the reason. An empty answer gets the lowest
    score without a request. If a request fails, `score` raises InfrastructureError.

    Details: each criterion has status (ok, abstained or failed), points by judge, and disputed. The whole has
    `PanelVerdict.record`.

    Example: `ModelGraded("Are key assumptions stated and justified?", model="anthropic:claude-opus-4-1")`.
    """

    criteria: str = ""
    """What to score, in words."""
    scale: tuple[int, int] = (0, 2)
    """The lowest and the highest number of points."""
    model: JudgeLike | None = None
    """The judge: "provider:model", a mapping with name, settings and prices, or a LangChain chat model."""
    _: KW_ONLY
    name: str = "graded"
    """Name of the dimension."""
    rubric: str = ""
    """In place of `criteria` and `scale`: a file (.md, .yaml), or a rubric of Ansatz such as "tps"."""
    reference: bool = True
    """Whether the judges see the key: results, steps, equations and worked solution."""
    findings: bool = False
    """Whether the judges see what the rule-based verifier found."""
    abstain: bool = True
    """Whether a judge may answer that it cannot decide."""
    content: Rubric | None = field(init=False, default=None, repr=False)

    paths: ClassVar[tuple[str, ...]] = ("rubric",)
    scorer: ClassVar[str] = "model_graded"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.criteria and self.rubric:
            raise ValueError("criteria and rubric cannot both be given")
        if self.scale[0] >= self.scale[1]:
            raise ValueError(f"scale: {self.scale[0]} is not below {self.scale[1]}")
        if self.rubric or self.criteria:
            content = Rubric.load(self.rubric) if self.rubric else Rubric.from_text(self.criteria, self.scale)
            object.__setattr__(self, "content", content.with_abstention() if self.abstain else content)

    @cached_property
    def panel(self) -> tuple[JudgeModel, ...]:
        single = () if self.model is None else parse_judges(self.model)
        return (*single, *parse_judges(self.models))

    @property
    def prompt_hash(self) -> str:
        return self.content.sha256 if self.content else ""

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        scales = {name: each.scale for name, each in self.content.criteria.items()} if self.content else {}
        if len(scales) < 2:
            [scale] = scales.values() or [self.scale]
            return (Dimension(self.name, " ".join(self.criteria.split()), ScoreScale.between(*scale)),)
        criteria = (
            Dimension(f"{self.name}.{name}", scale=ScoreScale.between(*scale))
            for name, scale in scales.items()
        )
        return (Dimension(self.name, "weighted mean of the criteria"), *criteria)

    def check(self) -> None:
        """Raise ValueError if there are no criteria or no judges."""
        if self.content is None:
            raise ValueError("model_graded needs criteria, or a rubric")
        super().check()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        self.check()
        assert self.content is not None
        if not context.transcript.answer.strip():
            return score_empty_answer(self.dimensions, context.transcript)
        verdict = await self.ask_judges(
            context, self.content, reference=self.reference, findings=self.findings
        )
        names = list(self.content.criteria)
        if len(names) == 1:
            score = verdict.score(self.name, names[0])
            return (score.model_copy(update={"details": score.details | verdict.record()}),)
        return (self._score_mean(verdict), *(verdict.score(f"{self.name}.{name}", name) for name in names))

    def _score_mean(self, verdict: PanelVerdict) -> Score:
        shares, weights = verdict.shares, {name: each.weight for name, each in verdict.criteria.items()}
        scored = sum(weights[name] for name in shares)
        is_enough = bool(scored) and scored >= _MIN_WEIGHT * sum(weights.values())
        missing = [name for name in weights if name not in shares]
        evidence = [f"weighted mean of {', '.join(shares) or 'none'}"]
        evidence += [f"not scored: {', '.join(missing)}"] if missing else []
        evidence += [verdict.faults] if verdict.faults else []
        total = sum(weights[name] * share for name, share in shares.items())
        return Score(
            dimension=self.name,
            value=min(1.0, total / scored) if is_enough else None,
            evidence=f"{verdict.status}: {'; '.join(evidence)}",
            details=verdict.record(),
        )


def score_empty_answer(dimensions: Iterable[Dimension], transcript: Transcript) -> tuple[Score, ...]:
    """Give an attempt without an answer the lowest score on every dimension."""
    evidence = f"no answer ({transcript.stop})"
    return tuple(Score(dimension=each.name, value=0.0, evidence=evidence) for each in dimensions)
