"""A second extraction of an answer's values, by a model: the reading by a model, of many answers at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import BaseTool

from ansatz.agents.client import ModelClient
from ansatz.eval.benchmarks.thermoqa.extraction import Reading
from ansatz.eval.judging.model_reading import read_by_model
from ansatz.eval.problem import Problem
from ansatz.eval.score import Extraction

_AT_ONCE = 8
PHASES = (
    *("subcooled_liquid", "saturated_liquid", "wet_steam", "saturated_vapor"),
    *("superheated_vapor", "supercritical"),
)


@dataclass(frozen=True)
class LLMExtractor:
    """Asks a model to copy the values that an answer states, in two passes."""

    client: ModelClient

    async def extract(self, problem: Problem, answer: str) -> Extraction:
        """One answer read. Raises ModelError where no request will ever do, such as with a wrong key."""
        return await read_by_model(self._ask, problem, answer, PHASES)

    async def extract_all(
        self, problems: Sequence[Problem], answers: Sequence[str], done: Callable[[int], None] | None = None
    ) -> list[Extraction]:
        """Each answer read, a few at a time; `done` is told how many are."""
        gate = asyncio.Semaphore(_AT_ONCE)
        finished = 0

        async def one(problem: Problem, answer: str) -> Extraction:
            nonlocal finished
            async with gate:
                extraction = await self.extract(problem, answer)
            finished += 1
            if done:
                done(finished)
            return extraction

        return list(await asyncio.gather(*map(one, problems, answers)))

    async def _ask(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        return (await self.client.reply(messages, tools)).message


def readings(extraction: Extraction) -> dict[str, Reading]:
    """What a model read, as what the rules read is given."""
    return {
        name: Reading(each.value, each.unit, f"by the model: {each.value} {each.unit}".rstrip())
        for name, each in extraction.values.items()
    }
