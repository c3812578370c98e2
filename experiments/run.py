"""Run a prepared study: every outcome is committed as it comes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from ansatz.agents import Agent, Transcript, is_simulated
from ansatz.agents.failures import ModelError
from ansatz.eval import Problem, Score
from ansatz.eval.judges import AsksModels
from ansatz.experiments.earlier import EarlierAnswers, in_order
from ansatz.experiments.prepare import Prepared
from ansatz.experiments.record import State, Unit
from ansatz.experiments.remembering import RememberingClient
from ansatz.experiments.store import Ledger
from ansatz.sandbox import trusting

T = TypeVar("T")


async def run(prepared: Prepared, ledger: Ledger, on_outcome: Callable[[State], None]) -> None:
    """Do every unit that the ledger does not hold as scored; `on_outcome` hears of each.

    Raises ModelError when a model cannot be used at all (a wrong key or name, a spent quota), and
    sqlite3.Error when the ledger cannot be written (a full disk): asking on would fail every unit.
    """
    done = ledger.finished()
    todo = [unit for unit in prepared.units if unit.key not in done]
    if todo:
        await prepared.start_sandboxes()
    agents = {name: Agent.of(arm.plan) for name, arm in prepared.arms.items()}
    runner = _Runner(prepared, ledger, agents, EarlierAnswers.of(prepared, ledger))
    chains = in_order(todo, prepared)
    queues = {
        model.title: iter([chain for chain in chains if chain[0].model == model.title])
        for model in prepared.models.values()
    }
    await _work_off(prepared, lambda title: _work(queues[title], runner.do, on_outcome))


async def rescore(
    prepared: Prepared, ledger: Ledger, on_outcome: Callable[[State], None] | None = None
) -> int:
    """Score all kept transcripts of the plan again; returns how many. For a change of scorers.

    One that cannot be scored now, because a judge cannot be reached, is kept as an error with its transcript;
    `run` tries to score it again.
    """
    units = {(unit.model, unit.arm, unit.problem, unit.repeat): unit for unit in prepared.units}
    runner = _Runner(prepared, ledger, {}, EarlierAnswers.of(prepared, ledger))
    kept = [record for record in ledger.records() if record.state == "scored" and record.transcript]
    queue = iter(
        [[(units[each.model, each.arm, each.problem, each.repeat], each.transcript)] for each in kept]
    )

    async def again(item: tuple[Unit, Transcript | None]) -> State:
        return await runner.settle(item[0], item[1])

    await _work_off(prepared, lambda title: _work(queue, again, on_outcome or (lambda state: None)))
    return len(kept)


async def _work_off(prepared: Prepared, worker: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    """As many workers for each model as may ask it at once; then every connection is given back."""
    try:
        async with asyncio.TaskGroup() as group:
            for model in prepared.models.values():
                for _ in range(model.concurrency):
                    group.create_task(worker(model.title))
    except* (ModelError, sqlite3.Error) as failures:
        raise failures.exceptions[0] from None
    finally:
        for client in (*(model.client for model in prepared.models.values()), *prepared.judges.values()):
            await client.aclose()


async def _work(
    queue: Iterator[Sequence[T]], do: Callable[[T], Awaitable[State]], on_outcome: Callable[[State], None]
) -> None:
    """Take what has to be done in order, and do it, until nothing is left."""
    for chain in queue:
        for item in chain:
            on_outcome(await do(item))
            await asyncio.sleep(0)  # a model that never waits must not keep the display or Ctrl-C waiting


@dataclass(frozen=True)
class _Runner:
    prepared: Prepared
    ledger: Ledger
    agents: Mapping[str, Agent]
    earlier: EarlierAnswers
    asked: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def do(self, unit: Unit) -> State:
        """Answer and score. An answer of an earlier start that could not be scored is only scored."""
        return await self.settle(unit, self.ledger.unscored(unit.key))

    async def settle(self, unit: Unit, transcript: Transcript | None) -> State:
        """Score an attempt, made first if there is none, and record it.

        A failure is not a wrong answer: it is recorded without scores, and tried again on resume.
        """
        try:
            if transcript is None:
                transcript = await self._attempt(unit)
            with trusting(is_simulated(self.prepared.models[unit.model].client)):
                scores = await self._scores(self.prepared.problems[unit.problem], transcript)
        except (ModelError, sqlite3.Error):
            raise
        except Exception as failure:
            self.ledger.record(unit, transcript=transcript, error=f"{type(failure).__name__}: {failure}")
            return "error"
        self.ledger.record(unit, transcript=transcript, scores=scores)
        return "scored"

    async def _attempt(self, unit: Unit) -> Transcript:
        client = RememberingClient(self.prepared.models[unit.model].client, self.ledger, unit.repeat)
        question = self.earlier.question(unit)
        return await self.agents[unit.arm].run(question, client)

    async def _scores(self, problem: Problem, transcript: Transcript) -> list[Score]:
        """Judges are asked through the ledger, without the repeat: equal answers get equal judgements."""
        judges = {
            title: RememberingClient(client, self.ledger, repeat=0, judge=title, asked=self.asked)
            for title, client in self.prepared.judges.items()
        }
        scorers = [
            scorer.connected(judges) if isinstance(scorer, AsksModels) else scorer
            for scorer in self.prepared.scorers
        ]
        return [score for scorer in scorers for score in await scorer.score(problem, transcript)]
