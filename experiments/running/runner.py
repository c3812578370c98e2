"""Run a study: every outcome is committed as it comes."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ansatz.agents import Transcript
from ansatz.agents.models.failures import ModelError, cleaned
from ansatz.agents.models.traffic import Rates, Traffic
from ansatz.eval import Score
from ansatz.experiments.design.asked_models import BATCHED_AT_ONCE, by_batches
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.prior_answers import EarlierAnswers, in_order
from ansatz.experiments.design.study_error import StudyError
from ansatz.experiments.ledger import Ledger, Unit
from ansatz.experiments.ledger.recording_client import LedgerReplies, Replies
from ansatz.experiments.running.spending import BudgetSpent, Spending
from ansatz.experiments.running.workbench import ENDS_A_RUN, Bench, RunStopped, Workbench, reason
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
STOP_AFTER = 10
_SCORED_AT_ONCE = 8

Tell = Callable[[str | None], None]
"""Hears of each outcome: None for an attempt that was scored, or why one failed."""


async def run(
    design: Design,
    ledger: Ledger,
    tell: Tell,
    stop_after: int = STOP_AFTER,
    spending: Spending | None = None,
    executor: Client | str | None = None,
) -> None:
    """Do every unit that the ledger does not hold as scored, on the workers of `executor` if there is one.

    Raises ModelError when a model cannot be used at all (a wrong key or name, a spent quota), RunStopped
    after so many failures alike in a row of one model, once the others are done, BudgetSpent where `spending`
    allows no more, and sqlite3.Error when the ledger cannot be written (a full disk): asking on would fail
    every unit.
    """
    done = ledger.finished()
    todo = [unit for unit in design.units if unit.key not in done]
    if not todo:
        return
    spending = spending or Spending(design, ledger)
    chains = _shuffled(in_order(todo, design), design)
    queues = {title: iter([each for each in chains if each[0].model == title]) for title in design.models}
    breakers = {title: _Breaker(tell, title, stop_after) for title in design.models}
    _ask_by_batches(design, ledger)
    async with _bench(design, LedgerReplies(ledger, spending), executor) as bench:
        do = _Runner(design, ledger, bench, EarlierAnswers.of(design, ledger)).do
        crews = [
            [_work(queues[title], do, breakers[title]) for _ in range(min(model.at_once, len(chains)))]
            for title, model in design.models.items()
        ]
        await _work_off(design, spending, crews)


def _ask_by_batches(design: Design, ledger: Ledger) -> None:
    for title, model in design.models.items():
        for arm in design.arms if model.batch else ():
            by_batches(design.clients[title, arm], title, ledger.batches(title))
    for title in design.batched_judges:
        by_batches(design.judges[title], title, ledger.batches(title))


@asynccontextmanager
async def _bench(design: Design, replies: Replies, executor: Client | str | None) -> AsyncIterator[Bench]:
    """Where units are done: here, or on the workers of a cluster."""
    if executor is None:
        await design.start_sandboxes()
        yield Workbench(design, replies)
        return
    from ansatz.experiments.running.cluster import cluster  # brings Dask, which few need

    async with cluster(executor, design, replies) as bench:
        yield bench


async def rescore(
    design: Design,
    ledger: Ledger,
    tell: Tell = lambda failure: None,
    spending: Spending | None = None,
    executor: Client | str | None = None,
) -> int:
    """Score all kept transcripts of the ledger's plan again; returns how many. For a change of scorers.

    One that cannot be scored now, because a judge cannot be reached, is kept as an error with its transcript;
    `run` tries to score it again. Of the design only problems, scorers and judges are needed.
    """
    spending = spending or Spending(design, ledger)
    kept = ledger.units(answered=True)
    queue = iter([[unit] for unit in kept])
    breaker = _Breaker(tell, "the scorers", STOP_AFTER)
    _ask_by_batches(design, ledger)
    at_once = min(BATCHED_AT_ONCE if design.batched_judges else _SCORED_AT_ONCE, len(kept))
    async with _bench(design, LedgerReplies(ledger, spending), executor) as bench:
        runner = _Runner(design, ledger, bench, EarlierAnswers.of(design, ledger))

        async def again(unit: Unit) -> str | None:
            return await runner.settle(unit, ledger.transcript(unit.key))

        await _work_off(design, spending, [[_work(queue, again, breaker) for _ in range(at_once)]])
    return len(kept)


def check_rates(design: Design, rates: Mapping[str, Rates]) -> None:
    """Raises StudyError for the rates of a provider that nobody asks."""
    providers = {client.key[0] for client in _patient(design)}
    for provider in rates:
        if provider not in providers:
            hint = nearest(provider, sorted(providers))
            raise StudyError(f"rates: no model is asked of {provider!r}{hint}", ("rates", provider))


def share_traffic(design: Design, rates: Mapping[str, Rates]) -> None:
    """Have the models and judges of one provider key keep its rates together."""
    at_once = sum(model.concurrency for model in design.models.values())
    patient = _patient(design)
    shared = {each.key: Traffic(at_once, rates.get(each.key[0])) for each in patient}
    for client in patient:
        client.traffic = shared[client.key]


def _patient(design: Design) -> list[Any]:
    """The clients that keep to the rates of a provider; others, such as a stand-in of ours, have none."""
    inner: list[Any] = [getattr(client, "client", client) for client in design.all_clients]
    return [client for client in inner if hasattr(client, "traffic")]


def _shuffled(chains: Sequence[tuple[Unit, ...]], design: Design) -> list[tuple[Unit, ...]]:
    place = {family: at for at, family in enumerate(design.shuffled_families)}
    return sorted(chains, key=lambda chain: place[design.problems[chain[0].problem].family])


Worker = Coroutine[Any, Any, BudgetSpent | None]


async def _work_off(design: Design, spending: Spending, crews: Iterable[Iterable[Worker]]) -> None:
    """All crews side by side; then every connection is given back.

    What stops one crew, the others outlive. Raises BudgetSpent or RunStopped after the last.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_as_crew(workers)) for workers in crews]
    except* (ModelError, StudyError, sqlite3.Error) as failures:
        raise failures.exceptions[0] from None
    finally:
        for client in design.all_clients:
            await client.aclose()
    stopped = [stop for task in tasks for stop in task.result()]
    for stop in stopped:
        if isinstance(stop, RunStopped):
            raise stop
    if stopped:
        most = max(stop.most for stop in stopped if isinstance(stop, BudgetSpent))
        raise BudgetSpent(spending.farewell(most))


async def _as_crew(workers: Iterable[Worker]) -> Sequence[BudgetSpent | RunStopped]:
    """The workers of one model, and why they stopped, if they did. Failures alike stop all at once."""
    broken: list[BudgetSpent | RunStopped] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(worker) for worker in workers]
    except* RunStopped as failures:
        broken += [each for each in failures.exceptions if isinstance(each, RunStopped)]
    except* (ModelError, StudyError, sqlite3.Error) as failures:
        raise failures.exceptions[0] from None
    return broken[:1] or [stop for task in tasks if (stop := task.result())]


async def _work(
    queue: Iterator[Sequence[T]], do: Callable[[T], Awaitable[str | None]], tell: Tell
) -> BudgetSpent | None:
    """Take what has to be done in order, and do it, until nothing is left, or what is next costs too much.

    The others then finish what they have paid for.
    """
    for items in queue:
        for item in items:
            try:
                tell(await do(item))
            except BudgetSpent as stop:
                return stop
            await asyncio.sleep(0)  # a model that never waits must not keep the display or Ctrl-C waiting
    return None


@dataclass
class _Breaker:
    """Passes outcomes on, and stops the run where it fails in one way again and again."""

    tell: Tell
    within: str
    stop_after: int
    kind: str = ""
    alike: int = 0

    def __call__(self, failure: str | None) -> None:
        self.tell(failure)
        kind = kind_of(failure) if failure else ""
        self.alike = self.alike + 1 if kind and kind == self.kind else int(bool(kind))
        self.kind = kind
        if self.alike >= self.stop_after:
            raise RunStopped(
                f"stopped after {self.alike} failures alike in a row with {self.within}: {failure}; "
                "what is finished is kept, and the same command goes on once this is mended"
            )


def kind_of(failure: str) -> str:
    """A failure without what differs from one to the next: numbers, and what is long."""
    return re.sub(r"[\d.]+", "#", failure)[:120]


@dataclass(frozen=True)
class _Runner:
    design: Design
    ledger: Ledger
    bench: Bench
    earlier: EarlierAnswers

    async def do(self, unit: Unit) -> str | None:
        """Answer and score. An answer of an earlier start that could not be scored is only scored."""
        return await self.settle(unit, self.ledger.transcript(unit.key, unscored=True))

    async def settle(self, unit: Unit, transcript: Transcript | None) -> str | None:
        """Score an attempt, made first if there is none, and record it; returns why it failed, if it did.

        A failure is not a wrong answer: it is recorded without scores, and tried again on resume.
        """
        scores: Sequence[Score] = ()
        try:
            given = self.earlier.question(unit) if transcript is None else transcript
            problem = self.design.problems[unit.problem]
            transcript, scores, why = await self.bench.attempt(unit, problem, given)
        except ENDS_A_RUN:
            raise
        except Exception as failure:
            why = reason(failure)
        self.ledger.record(unit, transcript=transcript, scores=scores, error=why)
        return None if why is None else cleaned(why)
