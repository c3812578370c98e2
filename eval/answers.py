"""Answers that were gathered elsewhere: read from a file, and scored like our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ansatz.agents import InfrastructureError, Transcript
from ansatz.agents.failures import ModelError
from ansatz.eval.benchmarks.validation import explain
from ansatz.eval.concurrency import each_of
from ansatz.eval.outcome import Verdict, judge_answer
from ansatz.eval.problem import CallableTarget, MessageTarget, NumberTarget, Problem
from ansatz.eval.problem_files import read_objects
from ansatz.eval.score import Ask, Score, Scorer, ScoringContext, nobody
from ansatz.eval.verifier.kpi import WEIGHTS
from ansatz.quantities.did_you_mean import nearest

_HINTS = 20  # unknown problems for which the nearest known one is sought


class Answer(BaseModel):
    """One answer, to one problem; a problem may have many."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    answer_id: str = Field(min_length=1)
    problem_id: str = Field(min_length=1)
    text: Annotated[str, BeforeValidator(lambda text: "" if text is None else text)]

    def transcript(self) -> Transcript:
        """The answer as an attempt of which nothing but the text is known."""
        stop = "answered" if self.text.strip() else "empty"
        return Transcript(
            answer=self.text, stop=stop, messages=(), model_calls=(), tool_calls=(), seconds=0.0
        )


@dataclass(frozen=True)
class Answers:
    """The answers that can be scored, and a line on each that cannot.

    `unknown` are answers to no known problem, `faults` lines that are no answers.
    """

    found: tuple[Answer, ...]
    unknown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def read_answers(file: Path, problems: Mapping[str, Problem]) -> Answers:
    """Every answer of a JSON Lines file: `answer_id`, `problem_id` and `text` on each line.

    Ids may be whole numbers, a text may be null, and further fields may stand beside them, as programs that
    gather answers write them. Raises InvalidData where the file cannot be read at all.
    """
    found: dict[str, Answer] = {}
    places: dict[str, str] = {}
    unknown: list[str] = []
    faults: list[str] = []
    for place, content in read_objects(file):
        answer = _answer(content) if isinstance(content, dict) else [content]
        if isinstance(answer, list):
            faults += [f"{place}: {fault}" for fault in answer]
        elif answer.answer_id in found:
            faults.append(f"{place}: answer_id: {answer.answer_id!r} is already {places[answer.answer_id]}")
        elif answer.problem_id not in problems:
            hint = nearest(answer.problem_id, problems, shown=0) if len(unknown) < _HINTS else ""
            unknown.append(f"{place}: problem_id: {answer.problem_id!r} is not among the problems{hint}")
        else:
            found[answer.answer_id], places[answer.answer_id] = answer, place
    return Answers(tuple(found.values()), tuple(unknown), tuple(faults))


def _answer(content: dict[str, Any]) -> Answer | list[str]:
    """An answer, or what is wrong with each field."""
    try:
        return Answer.model_validate(content)
    except ValidationError as error:
        others = [name for name in content if name not in Answer.model_fields]
        return [
            f"{fault}{nearest(fault.partition(':')[0], others, shown=0)}" if "is missing" in fault else fault
            for fault in explain(error, Answer)
        ]


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer: a verdict by target, None where a target has no key; and scores by dimension.

    `failure` says why a judge that could not be reached gave no marks.
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

    def percent(self, dimension: str) -> float | None:
        """From 0 to 100: `kpi`, in which G5 to G8 count for a sound calculation alone, or `kpi_published`."""
        score = self.scores.get(dimension)
        return None if score is None or score.value is None else round(100 * score.value, 6)

    def to_json(self) -> dict[str, Any]:
        """What programs read; `reasons` say in words why each target and dimension got what it got."""
        reasons = {name: verdict.evidence for name, verdict in self.targets.items() if verdict}
        reasons |= {name: self.scores[name].evidence for name in WEIGHTS if name in self.scores}
        return {
            "answer_id": self.answer.answer_id,
            "problem_id": self.answer.problem_id,
            "targets": {name: _target(verdict) for name, verdict in self.targets.items()},
            "dimensions": {name: self.points(name) for name in WEIGHTS},
            "kpi": self.percent("kpi"),
            "kpi_published": self.percent("kpi_published"),
            "reasons": reasons,
        }


async def score_answers(
    answers: Sequence[Answer],
    problems: Mapping[str, Problem],
    scorer: Scorer,
    done: Callable[[int], None],
    ask: Ask = nobody,
) -> list[ScoredAnswer]:
    """Each answer scored, a few at a time; `done` is told how many are, and `ask` asks for the scorer.

    A judge that cannot be reached for one answer leaves that without marks. Raises ModelError where it can be
    reached for none.
    """

    async def one(answer: Answer) -> ScoredAnswer:
        context = ScoringContext(problems[answer.problem_id], answer.transcript(), ask)
        return await _score(context, answer, scorer)

    return await each_of(answers, one, done)


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
