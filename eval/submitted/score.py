"""Score answers of strangers: what they state for each target, and the marks of a reviewer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ansatz.agents import InfrastructureError
from ansatz.agents.failures import ModelError
from ansatz.eval.outcome import Verdict, judge_answer
from ansatz.eval.problem import CallableTarget, MessageTarget, NumberTarget, Problem
from ansatz.eval.rubrics.kpi import WEIGHTS
from ansatz.eval.score import Ask, Score, Scorer, ScoringContext, nobody
from ansatz.eval.submitted.answers import Answer

_AT_ONCE = 8


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer: a verdict by target, None where a target has no key; and scores by dimension.

    `failure` says why a reviewer that could not be reached gave no marks.
    """

    answer: Answer
    targets: Mapping[str, Verdict | None]
    scores: Mapping[str, Score] = field(default_factory=dict)
    failure: str = ""

    def points(self, dimension: str) -> float | None:
        """Points from 0 to 2; a whole number but for the middle of a panel."""
        score = self.scores.get(dimension)
        if score is None or score.value is None:
            return None
        points = 2 * score.value
        return int(points) if points == int(points) else points

    @property
    def kpi(self) -> float | None:
        """From 0 to 100; G5 to G8 count for a sound calculation alone."""
        return self._percent("kpi")

    @property
    def kpi_published(self) -> float | None:
        """From 0 to 100, as TPS-CalcBench has it: form may make up for substance."""
        return self._percent("kpi_published")

    def to_json(self) -> dict[str, Any]:
        return {
            "answer_id": self.answer.answer_id,
            "problem_id": self.answer.problem_id,
            "targets": {name: _target(verdict) for name, verdict in self.targets.items()},
            "dimensions": {name: self.points(name) for name in WEIGHTS},
            "kpi": self.kpi,
            "kpi_published": self.kpi_published,
        }

    def _percent(self, dimension: str) -> float | None:
        score = self.scores.get(dimension)
        return None if score is None or score.value is None else round(100 * score.value, 6)


async def score_answers(
    answers: Sequence[Answer],
    problems: Mapping[str, Problem],
    scorer: Scorer,
    done: Callable[[int], None],
    ask: Ask = nobody,
) -> list[ScoredAnswer]:
    """Each answer scored, a few at a time; `done` is told how many are, and `ask` asks for the scorer.

    A reviewer that cannot be reached for one answer leaves that without marks. Raises ModelError where it can
    be reached for none.
    """
    gate = asyncio.Semaphore(_AT_ONCE)
    finished = 0

    async def one(answer: Answer) -> ScoredAnswer:
        nonlocal finished
        async with gate:
            scored = await _score(
                ScoringContext(problems[answer.problem_id], answer.transcript(), ask), answer, scorer
            )
        finished += 1
        done(finished)
        return scored

    return list(await asyncio.gather(*map(one, answers)))


def verdicts(problem: Problem, text: str) -> dict[str, Verdict | None]:
    """What an answer states for each target; None for one that has no key, or needs another scorer."""
    targets = problem.targets
    readable = [target for target in targets if not isinstance(target, MessageTarget | CallableTarget)]
    found = dict(zip((target.name for target in readable), judge_answer(problem, text), strict=True))
    unkeyed = {t.name for t in targets if isinstance(t, NumberTarget) and t.value is None}
    return {target.name: None if target.name in unkeyed else found.get(target.name) for target in targets}


async def _score(context: ScoringContext, answer: Answer, scorer: Scorer) -> ScoredAnswer:
    targets = verdicts(context.problem, answer.text)
    try:
        scores = await scorer.score(context)
    except ModelError:
        raise
    except InfrastructureError as failure:
        return ScoredAnswer(answer, targets, failure=str(failure))
    return ScoredAnswer(answer, targets, {score.dimension: score for score in scores})


def _target(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"value": None, "unit": None, "band": None, "unit_ok": None}
    unit = None if verdict.stated is None else verdict.stated_unit
    return {"value": verdict.stated, "unit": unit, "band": verdict.band, "unit_ok": verdict.unit}
