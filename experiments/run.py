"""Run a prepared study: every outcome is committed as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ansatz.agents import Agent, Transcript
from ansatz.agents.failures import ModelError
from ansatz.eval import Problem, Score, Scorer
from ansatz.experiments.prepare import Prepared
from ansatz.experiments.record import State, Unit
from ansatz.experiments.remembering import RememberingClient
from ansatz.experiments.store import Ledger


async def run(prepared: Prepared, ledger: Ledger, on_outcome: Callable[[State], None]) -> None:
    """Do every unit that the ledger does not hold as scored; `on_outcome` hears of each.

    Raises ModelError when a model cannot be used at all (a wrong key or name, a spent quota): asking on would
    fail every unit.
    """
    done = ledger.finished()
    todo = [unit for unit in prepared.units if unit.key not in done]
    runner = _Runner(prepared, ledger, {name: Agent.of(arm.plan) for name, arm in prepared.arms.items()})
    try:
        async with asyncio.TaskGroup() as group:
            for model in prepared.models.values():
                queue = iter([unit for unit in todo if unit.model == model.title])
                for _ in range(model.concurrency):
                    group.create_task(_work(queue, runner, on_outcome))
    except* ModelError as failures:
        raise failures.exceptions[0] from None
    finally:
        for model in prepared.models.values():
            await model.client.aclose()


async def rescore(prepared: Prepared, ledger: Ledger) -> int:
    """Score all kept transcripts of the plan again; returns how many. For a change of scorers."""
    units = {(unit.model, unit.arm, unit.problem, unit.repeat): unit for unit in prepared.units}
    records = [record for record in ledger.records() if record.state == "scored" and record.transcript]
    for record in records:
        assert record.transcript is not None
        scores = await _scores(prepared.scorers, prepared.problems[record.problem], record.transcript)
        unit = units[record.model, record.arm, record.problem, record.repeat]
        ledger.record(unit, transcript=record.transcript, scores=scores)
    return len(records)


async def _work(queue: Iterator[Unit], runner: _Runner, on_outcome: Callable[[State], None]) -> None:
    for unit in queue:
        on_outcome(await runner.do(unit))
        await asyncio.sleep(0)  # a model that never waits must not keep the display or Ctrl-C waiting


@dataclass(frozen=True)
class _Runner:
    prepared: Prepared
    ledger: Ledger
    agents: Mapping[str, Agent]

    async def do(self, unit: Unit) -> State:
        """A failure is not a wrong answer: it is recorded without scores, and tried again on resume."""
        problem = self.prepared.problems[unit.problem]
        client = RememberingClient(self.prepared.models[unit.model].client, self.ledger, unit.repeat)
        transcript = None
        try:
            question = problem.ask(self.prepared.arms[unit.arm].discloses)
            transcript = await self.agents[unit.arm].run(question, client)
            scores = await _scores(self.prepared.scorers, problem, transcript)
        except ModelError:
            raise
        except Exception as failure:
            self.ledger.record(unit, transcript=transcript, error=f"{type(failure).__name__}: {failure}")
            return "error"
        self.ledger.record(unit, transcript=transcript, scores=scores)
        return "scored"


async def _scores(scorers: Sequence[Scorer], problem: Problem, transcript: Transcript) -> list[Score]:
    return [score for scorer in scorers for score in await scorer.score(problem, transcript)]
