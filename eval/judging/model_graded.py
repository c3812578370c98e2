"""The scorer `model_graded`: criteria of one's own, marked by a language model or by a panel of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, JudgesLike, judge_models
from ansatz.eval.judging.panel import Combination, PanelVerdict, ask_judge
from ansatz.eval.judging.reply import Opinion
from ansatz.eval.judging.request import blinded, case, drawn_by
from ansatz.eval.judging.rubric import Criterion, Rubric
from ansatz.eval.score import Dimension, Score, ScoringContext
from ansatz.eval.score import Scale as Shown

_ENOUGH = 0.5  # of the weights must be marked for a score of the whole


@dataclass(frozen=True)
class ModelGraded:
    """Criteria marked by a language model, or by a panel of several.

    `criteria` says in words what is to be marked, from `scale[0]` to `scale[1]` points; `rubric` names a file
    (.md, .yaml) with several criteria, anchors and examples instead, or a shipped one such as "tps" or
    "prefs". `model` is "provider:model", a mapping with name, settings and prices, or a LangChain chat model;
    `models` are those of a panel, whose points are combined by median or mean. Where two are apart by more
    than half the scale, `adjudicator` (if given) marks afresh, and its points count.

    A judge sees the problem, the answer behind a fence, the key if `reference`, and what the verifier found
    if `findings`; never the arm or the model. It may say that it cannot tell if `abstain`. It is asked
    `asks` times at most, for what is missing. `seed` draws the order of criteria for each answer.

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
    models: JudgesLike = ()
    name: str = "graded"
    rubric: str = ""
    reference: bool = True
    findings: bool = False
    abstain: bool = True
    combine: Combination = "median"
    adjudicator: JudgeLike | None = None
    seed: int = 0
    asks: int = 2
    content: Rubric | None = field(init=False, default=None, repr=False)

    paths: ClassVar[tuple[str, ...]] = ("rubric",)

    def __post_init__(self) -> None:
        if self.criteria and self.rubric:
            raise ValueError("criteria and rubric cannot both be given")
        if self.asks < 1:
            raise ValueError("asks must be 1 or more")
        if self.scale[0] >= self.scale[1]:
            raise ValueError(f"a scale goes up, unlike {self.scale[0]} to {self.scale[1]}")
        titles = [model.title for model in self.wanted_models]
        for title in titles:
            if titles.count(title) > 1:
                raise ValueError(f"two judges are called {title!r}; give one of them another label")
        if self.rubric or self.criteria:
            held = Rubric.load(self.rubric) if self.rubric else Rubric.of_text(self.criteria, self.scale)
            object.__setattr__(self, "content", held.may_abstain() if self.abstain else held)

    @cached_property
    def panel(self) -> tuple[JudgeModel, ...]:
        """The judges, without the adjudicator."""
        alone = () if self.model is None else judge_models(self.model)
        return (*alone, *judge_models(self.models))

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        """Every model that has to be connected before answers can be scored."""
        return (*self.panel, *(() if self.adjudicator is None else judge_models(self.adjudicator)))

    @property
    def prompt_hash(self) -> str:
        return self.content.sha256 if self.content else ""

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        if self.content is None or len(self.content.criteria) == 1:
            scale = self.content.criteria[0].scale if self.content else self.scale
            return (Dimension(self.name, " ".join(self.criteria.split()), Shown.between(*scale)),)
        own = (
            Dimension(f"{self.name}.{c.name}", scale=Shown.between(*c.scale)) for c in self.content.criteria
        )
        return (Dimension(self.name, "weighted mean of the criteria"), *own)

    def check(self) -> None:
        """Raises ValueError where it is not said what to mark, or by whom."""
        if self.content is None:
            raise ValueError("model_graded needs criteria, or a rubric")
        if not self.panel:
            raise ValueError("model_graded needs a model: name one, such as model: openai:gpt-5.2")

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        self.check()
        assert self.content is not None
        if not context.transcript.answer.strip():
            return unanswered(self.dimensions, context.transcript)
        verdict = await self.verdict(context, self.content)
        if len(self.content.criteria) == 1:
            mark = verdict.score(self.name, self.content.criteria[0].name)
            return (mark.model_copy(update={"details": mark.details | verdict.record()}),)
        marks = (verdict.score(f"{self.name}.{each.name}", each.name) for each in self.content.criteria)
        return (self._whole(verdict), *marks)

    async def verdict(self, context: ScoringContext, rubric: Rubric) -> PanelVerdict:
        """What every judge says of an answer, and the adjudicator where they are at odds."""
        from ansatz.eval.verifier.verifier import findings_of

        problem, blind = context.problem, blinded(context.transcript)
        findings = findings_of(problem, blind) if self.findings else ()
        parts = case(problem, blind.answer, key=self.reference, findings=findings)

        async def asked(title: str, criteria: Sequence[Criterion]) -> Opinion:
            drawn = drawn_by(self.seed, title, problem, blind.answer)
            order = [each for each in drawn.sample(rubric.criteria, len(rubric.criteria)) if each in criteria]
            return await ask_judge(context.ask, title, rubric, parts, self.asks, order)

        titles = [model.title for model in self.wanted_models]
        panel, others = titles[: len(self.panel)], titles[len(self.panel) :]
        given = await asyncio.gather(
            *(asked(title, rubric.criteria) for title in panel), return_exceptions=True
        )
        opinions = {}
        for title, opinion in zip(panel, given, strict=True):
            if isinstance(opinion, BaseException):  # raised when all have answered: no paid reply is lost
                raise opinion
            opinions[title] = opinion
        verdict = PanelVerdict(opinions, rubric.criteria, self.combine)
        if not verdict.disputed or not others:
            return verdict
        disputed = [each for each in rubric.criteria if each.name in verdict.disputed]
        return replace(verdict, adjudication={others[0]: await asked(others[0], disputed)})

    def _whole(self, verdict: PanelVerdict) -> Score:
        shares, weights = verdict.shares, {each.name: each.weight for each in verdict.criteria}
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


@dataclass(frozen=True)
class RubricJudge:
    """A panel on a shipped rubric, for a scorer that makes sums of its own of the marks.

    Settings are those of `ModelGraded`; `grounded` shows the judges the verifier's findings, and a subclass
    has a `prefix` that stands before every dimension.
    """

    models: JudgesLike = ()
    adjudicator: JudgeLike | None = None
    combine: Combination = "median"
    grounded: bool = False
    seed: int = 0
    asks: int = 2

    name: ClassVar[str]
    rubric: ClassVar[str]

    def __post_init__(self) -> None:
        self.graded  # noqa: B018 - settings that cannot be are refused here

    @cached_property
    def graded(self) -> ModelGraded:
        return ModelGraded(
            rubric=self.rubric,
            models=self.models,
            adjudicator=self.adjudicator,
            combine=self.combine,
            findings=self.grounded,
            abstain=False,
            seed=self.seed,
            asks=self.asks,
        )

    @property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return self.graded.wanted_models

    @property
    def prompt_hash(self) -> str:
        return self.graded.prompt_hash

    def check(self) -> None:
        """Raises ValueError where no judge is named."""
        if not self.graded.panel:
            raise ValueError(f"{self.name} needs models: name at least one, such as models: [openai:gpt-5.2]")
