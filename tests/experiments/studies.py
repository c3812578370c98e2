"""Small prepared studies over scripted clients, for tests of the runner."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage

from ansatz.agents import Reply
from ansatz.eval import Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import Dimension
from ansatz.experiments.config import ModelChoice, ProblemChoice, Study
from ansatz.experiments.prepare import Model, Prepared, list_units, make_arm


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

    async def reply(self, messages, tools):
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
    dimensions: tuple[Dimension, ...] = (Dimension("short"),)

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


def study(client, *, problems=3, repeats=1, arms=("baseline", "placebo"), concurrency=4) -> Prepared:
    chosen = Study(
        name="small",
        models=(ModelChoice(name="test:counting", concurrency=concurrency),),
        problems=(ProblemChoice(benchmark="own"),),
        arms={name: {} if name == "baseline" else {name: {}} for name in arms},
        repeats=repeats,
    )
    made = {
        name: make_arm(name, interventions, chosen.limits)
        for name, interventions in chosen.all_arms().items()
    }
    models = {"test:counting": Model("test:counting", client, concurrency)}
    items = {each.id: each for each in map(problem, range(1, problems + 1))}
    return Prepared(
        chosen, models, made, items, [AnswerLength()], tuple(list_units(chosen, models, made, items))
    )
