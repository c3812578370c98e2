"""Run a study: every outcome is committed as it comes."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ansatz.agents.models.failures import clean_message
from ansatz.agents.models.traffic import Rates, Traffic
from ansatz.errors import BudgetSpent, LedgerError, ModelError, RunStopped, StudyError
from ansatz.eval import Score
from ansatz.experiments.design.asked_models import BATCHED_AT_ONCE, by_batches
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.prior_answers import EarlierAnswers, in_order
from ansatz.experiments.ledger import Ledger, PlannedAttempt
from ansatz.experiments.ledger.recording_client import LedgerReplies
from ansatz.experiments.running.spending import Spending
from ansatz.experiments.running.workbench import ENDS_A_RUN, Bench, Workbench, reason
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from distributed import Client

MAX_IDENTICAL_FAILURES = 10
_SCORED_AT_ONCE = 8

Tell = Callable[[str | None], None]
"""Hears of each outcome: None for an attempt that was scored, or why one failed."""


async def run(
    design: Design,
    ledger: Ledger,
    tell: Tell,
    max_identical_failures: int = MAX_IDENTICAL_FAILURES,
    spending: Spending | None = None,
    executor: Client | str | None = None,
) -> None:
    """Do every attempt that the ledger does not hold as scored, on the workers of `executor` if there is one.

    Raises ModelError when a model cannot be used at all (a wrong key or name, a spent quota), RunStopped
    after so many failures alike in a row of one model, once the others are done, BudgetSpent where `spending`
    allows no more, and sqlite3.Error when the ledger cannot be written (a full disk): asking on would fail
    every attempt.
    """
    done = ledger.finished()
    todo = [attempt for attempt in design.attempts if attempt.key not in done]
    if not todo:
        return
    for client in _patient(design):  # before the first request, whatever model it is of
        client.demand_key()
    spending = spending or Spending(design, ledger)
    place = {family: at for at, family in enumerate(design.shuffled_families)}
    chains = in_order(todo, design)
    chains.sort(key=lambda chain: place[design.problems[chain[0].problem].family])
    async with _bench(design, ledger, spending, executor) as bench:
        runner = _Runner(design, ledger, EarlierAnswers(design, ledger), bench, tell, max_identical_failures)
        crews = [
            runner.crew(title, [each for each in chains if each[0].model == title], model.at_once)
            for title, model in design.models.items()
        ]
        await _work_off(design, spending, crews)


@asynccontextmanager
async def _bench(
    design: Design, ledger: Ledger, spending: Spending, executor: Client | str | None
) -> AsyncIterator[Bench]:
    """Where attempts are done: here, or on the workers of a cluster."""
    for title, model in design.models.items():
        for arm in design.arms if model.batch else ():
            by_batches(design.clients[title, arm], title, ledger.batches(title))
    for title in design.batched_judges:
        by_batches(design.judges[title], title, ledger.batches(title))
    replies = LedgerReplies(ledger, spending)
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
) -> None:
    """Score all kept transcripts of the ledger's plan again. For a change of scorers.

    One that cannot be scored now, because a judge cannot be reached, is kept as an error with its transcript;
    `run` tries to score it again. Of the design only problems, scorers and judges are needed.
    """
    spending = spending or Spending(design, ledger)
    kept = [(attempt,) for attempt in ledger.planned_attempts(answered=True)]
    at_once = BATCHED_AT_ONCE if design.batched_judges else _SCORED_AT_ONCE
    async with _bench(design, ledger, spending, executor) as bench:
        runner = _Runner(design, ledger, EarlierAnswers(design, ledger), bench, tell, again=True)
        await _work_off(design, spending, [runner.crew("the scorers", kept, at_once)])


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


def shared_traffic(design: Design) -> list[Traffic]:
    """The traffic to each provider key of a study, whose text is what goes on there."""
    return list(dict.fromkeys(client.traffic for client in _patient(design) if client.traffic is not None))


def _patient(design: Design) -> list[Any]:
    """The clients that keep to the rates of a provider; others, such as a stand-in of ours, have none."""
    inner: list[Any] = [getattr(client, "client", client) for client in design.all_clients]
    return [client for client in inner if hasattr(client, "traffic")]


_NUMBER = re.compile(r"(?P<kept>\b\d{3}:|\b[a-z_]+:\w[\w.:/-]*)|[\d.]+")
Stops = Sequence[BudgetSpent | RunStopped]


async def _work_off(design: Design, spending: Spending, crews: Iterable[Coroutine[Any, Any, Stops]]) -> None:
    """All crews side by side; then every connection is given back.

    What stops one crew, the others outlive. Raises BudgetSpent or RunStopped after the last.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(crew) for crew in crews]
    except* (ModelError, StudyError, LedgerError, sqlite3.Error) as failures:
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


@dataclass(frozen=True)
class _Runner:
    """Does attempts, and tells of each; `again` are those scored again whose answers are kept."""

    design: Design
    ledger: Ledger
    earlier: EarlierAnswers
    bench: Bench
    tell: Tell
    max_identical_failures: int = MAX_IDENTICAL_FAILURES
    again: bool = False

    async def crew(self, within: str, chains: Sequence[Sequence[PlannedAttempt]], at_once: int) -> Stops:
        """Workers who each take what has to be done in order, until nothing is left or one stops; and why.

        They stop all at once where it fails in one way again and again. Where what is next costs too much,
        the others finish what they have paid for.
        """
        queue, kind, alike = iter(chains), "", 0

        async def work() -> BudgetSpent | None:
            nonlocal kind, alike
            for attempt in (attempt for chain in queue for attempt in chain):
                try:
                    failure = await self._settle(attempt)
                except BudgetSpent as stop:
                    return stop
                self.tell(failure)
                before, kind = kind, kind_of(failure or "")
                alike = alike + 1 if kind and kind == before else int(bool(kind))
                if alike >= self.max_identical_failures:
                    raise RunStopped(
                        f"stopped after {alike} failures alike in a row with {within}: {failure}; "
                        "what is finished is kept, and the same command goes on once this is mended"
                    )
                await asyncio.sleep(0)  # a model that never waits must not keep the display or Ctrl-C waiting
            return None

        broken: list[BudgetSpent | RunStopped] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(work()) for _ in range(min(at_once, len(chains)))]
        except* RunStopped as failures:
            broken += [each for each in failures.exceptions if isinstance(each, RunStopped)]
        except* (ModelError, StudyError, LedgerError, sqlite3.Error) as failures:
            raise failures.exceptions[0] from None
        return broken[:1] or [stop for task in tasks if (stop := task.result())]

    async def _settle(self, attempt: PlannedAttempt) -> str | None:
        """Score an attempt, made first if there is none, and record it; returns why it failed, if it did.

        An answer of an earlier start that could not be scored is only scored. A failure is not a wrong
        answer: it is recorded without scores, and tried again on resume.
        """
        transcript = self.ledger.transcript(attempt.key, unscored=not self.again)
        scores: Sequence[Score] = ()
        try:
            given = self.earlier.question(attempt) if transcript is None else transcript
            problem = self.design.problems[attempt.problem]
            transcript, scores, why = await self.bench.execute(attempt, problem, given)
        except ENDS_A_RUN:
            raise
        except Exception as failure:
            why = reason(failure)
        self.ledger.record(attempt, transcript=transcript, scores=scores, error=why)
        return None if why is None else clean_message(why)


def kind_of(failure: str) -> str:
    """A failure without the numbers in which equal ones differ. Names of models and status codes stay."""
    return _NUMBER.sub(lambda found: found["kept"] or "#", failure)[:160]
