"""Score an answer by asking language models, as TPS-CalcBench does (section IV.2): one judge or a panel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from ansatz.agents import ModelClient, Transcript
from ansatz.eval.judges.asking import all_of, ask, check_panel
from ansatz.eval.judges.models import JudgeModel, JudgeModels
from ansatz.eval.judges.opinion import Opinion
from ansatz.eval.judges.panel import Combination, Verdict, disputes
from ansatz.eval.judges.request import Case, case_of, messages, order_of
from ansatz.eval.judges.rubric import DIMENSIONS, prompt_hash
from ansatz.eval.outcome import answer_is_right
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, ScoringContext
from ansatz.eval.verifier.kpi import dimensions, faults

_NOBODY = JudgeModels(())


@dataclass(frozen=True)
class Judge:
    """Marks by language models on the eight rubric dimensions; a panel where several are named.

    `models` are the judges, each "provider:model" or a mapping with name, settings and prices. A panel's
    marks are combined by median or mean; where two judges differ by two points, `adjudicator` (if given)
    judges that dimension afresh and its mark counts. With `grounded`, the judges see what the deterministic
    verifier found. `prefix` stands before every dimension, `seed` draws the order in which a judge is shown
    them, and `asks` bounds the requests to one judge for one answer. Points 0, 1, 2 are stored as 0, 0.5, 1.

    An answer that no judge could mark is unscored. A failed request is a failure of infrastructure: it
    raises, so that the attempt is scored again when the run is resumed.
    """

    models: JudgeModels = _NOBODY
    adjudicator: JudgeModel | None = None
    combine: Combination = "median"
    grounded: bool = False
    prefix: str = "judge."
    seed: int = 0
    asks: int = 2

    def __post_init__(self) -> None:
        check_panel(self.wanted_models, self.asks)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return dimensions(self.prefix)

    @property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        """Every model that has to be connected before answers can be scored."""
        return (*self.models.root, *([self.adjudicator] if self.adjudicator else []))

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the prompts, which are part of what a score means."""
        return prompt_hash()

    def connected(self, clients: Mapping[str, ModelClient]) -> ConnectedJudge:
        """The judge with a client for each of its models, by title. Raises ValueError where it has none."""
        if not self.models.root:
            raise ValueError("judge needs models: name at least one, such as models: [openai:gpt-5.2]")
        return ConnectedJudge(self, clients)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Always raises: a judge has to be connected first."""
        raise ValueError("a judge asks models: connect it with `connected(clients)` before it scores")


@dataclass(frozen=True)
class ConnectedJudge:
    """A judge that can ask its models. One instance scores any number of answers."""

    judge: Judge
    clients: Mapping[str, ModelClient]

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return self.judge.dimensions

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where a model cannot be reached. An empty answer earns zero unasked."""
        problem, transcript = context.problem, context.transcript
        if not transcript.answer.strip():
            return self._nothing(transcript)
        return self._scores(await self.review(problem, transcript))

    async def review(self, problem: Problem, transcript: Transcript) -> Verdict:
        """What every judge says of an answer, and the adjudicator where they are at odds."""
        case = case_of(problem, transcript, grounded=self.judge.grounded)
        panel = [model.title for model in self.judge.models.root]
        orders = [order_of(case, self.judge.seed, title) for title in panel]
        given = await all_of(map(self._opinion, panel, [case] * len(panel), orders))
        opinions = dict(zip(panel, given, strict=True))
        disputed = disputes(opinions.values())
        adjudication = None
        if disputed and self.judge.adjudicator:
            title = self.judge.adjudicator.title
            order = [name for name in order_of(case, self.judge.seed, title) if name in disputed]
            adjudication = {title: await self._opinion(title, case, order)}
        is_right = answer_is_right(problem, transcript.answer)
        return Verdict(opinions, self.judge.combine, disputed, adjudication, is_right)

    async def _opinion(self, title: str, case: Case, order: Sequence[str]) -> Opinion:
        def request(missing: Sequence[str], again: bool) -> list[BaseMessage]:
            return messages(case, missing, again=again)

        return await ask(self.clients[title], order, self.judge.asks, request)

    def _scores(self, verdict: Verdict) -> tuple[Score, ...]:
        prefix, record = self.judge.prefix, verdict.record()
        marks = [(name, verdict.shares.get(name), verdict.evidence(name)) for name in DIMENSIONS]
        sums = [
            ("kpi", verdict.kpi, _whole(verdict)),
            ("kpi_published", verdict.kpi_published, _ended(verdict)),
        ]
        return tuple(
            Score(
                dimension=f"{prefix}{name}",
                value=value,
                evidence=evidence,
                details=record if name == "kpi" else {},
            )
            for name, value, evidence in (*marks, *sums)
        )

    def _nothing(self, transcript: Transcript) -> tuple[Score, ...]:
        evidence = f"no answer ({transcript.stop})"
        return tuple(Score(dimension=each.name, value=0.0, evidence=evidence) for each in self.dimensions)


def _whole(verdict: Verdict) -> str:
    """A line for people, and the whole record as JSON on the next."""
    spoiled = faults(verdict.shares, verdict.is_right)
    reason = f"; G5 to G8 count as zero: {', '.join(spoiled)}" if spoiled and verdict.kpi is not None else ""
    return f"{_ended(verdict)}{reason}\n{json.dumps(verdict.record(), ensure_ascii=False)}"


def _ended(verdict: Verdict) -> str:
    """How the judgement ended, and what the sums are from."""
    marked = list(verdict.shares)
    if verdict.kpi is None:
        return f"failed: {verdict.faults or 'no marks'}"
    if not marked or verdict.status == "ok":
        return f"{verdict.status}: {'weighted mean of all dimensions' if marked else 'overall mark alone'}"
    return f"ok_partial: from {', '.join(marked)}; {verdict.faults}"
