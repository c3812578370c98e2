"""Small studies over scripted clients, for tests of the runner."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage

from ansatz.agents import Reply
from ansatz.eval import Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import Dimension
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.interventions.placebo import Placebo


@dataclass
class CountingClient:
    """Answers with what the question asks for; `faults` maps the number of a request to what it raises."""

    faults: dict[int, Exception] = field(default_factory=dict)
    delay: float = 0.0
    settings: dict[str, float] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    @property
    def identity(self):
        return {"model": "counting", **self.settings}

    async def reply(self, messages, tools, context=None):
        self.requests.append(messages[-1].text)
        fault = self.faults.get(len(self.requests))
        if fault is not None:
            raise fault
        await asyncio.sleep(self.delay)
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        return Reply(
            AIMessage(messages[-1].text.rsplit(" ", 1)[-1], usage_metadata=usage), seconds=self.delay
        )

    async def aclose(self):
        pass


@dataclass(frozen=True)
class AnswerLength:
    dimensions = (Dimension("short"),)

    async def score(self, context):
        answer = context.transcript.answer
        return (Score(dimension="short", value=1 / len(answer), evidence=answer),)


def problem(number: int) -> Problem:
    target = NumberTarget(name="Q", unit="kJ", weight=1.0, value=float(number))
    return Problem(
        id=f"heat#{number}",
        family="heat",
        benchmark="own",
        question=f"State {'9' * number}",
        targets=(target,),
    )


def study(client, *, problems=3, repeats=1, arms=("baseline", "placebo"), concurrency=4) -> Design:
    return Design(
        settings=StudySettings(name="small", repeats=repeats),
        models={"test:counting": Model(client, label="test:counting", concurrency=concurrency)},
        arms={name: Arm.of(name, () if name == "baseline" else Placebo()) for name in arms},
        problems={each.id: each for each in map(problem, range(1, problems + 1))},
        scorers=(AnswerLength(),),
    )
