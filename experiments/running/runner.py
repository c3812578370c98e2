"""Run a study. The ledger stores each outcome as soon as it is known."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from inspect import isfunction
from typing import TYPE_CHECKING, Any, TypeAlias

from ansatz.agents.models.failures import clean_message
from ansatz.agents.models.traffic import Rates, Traffic
from ansatz.errors import BudgetSpent, LedgerError, ModelError, RunStopped, StudyError
from ansatz.eval import Score
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.models import BATCHED_AT_ONCE, use_batches
from ansatz.experiments.ledger import Ledger, PlannedAttempt
from ansatz.experiments.ledger.recording_client import LedgerReplies, Replies
from ansatz.experiments.running.earlier_answers import EarlierAnswers, sequence_attempts
from ansatz.experiments.running.executor import ENDS_A_RUN, AttemptExecutor, LocalExecutor, describe_failure
from ansatz.experiments.running.spending import Spending
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from distributed import Client

MAX_IDENTICAL_FAILURES = 10
_SCORED_AT_ONCE = 8

Executor: TypeAlias = "Client | str | Callable[[Design, Replies], AttemptExecutor]"
OutcomeCallback = Callable[[str | None], None]
"""Called after each attempt: with None if it was scored, or with the reason why it failed."""


async def run(
    design: Design,
    ledger: Ledger,
    on_outcome: OutcomeCallback,
    spending: Spending | None = None,
    executor: Executor | None = None,
    attempts: Sequence[PlannedAttempt] | None = None,
) -> None:
    """Run every attempt that the ledger does not have as scored.

    Args:
        design: The study.
        ledger: Stores outcomes and replies.
        on_outcome: Called after each attempt.
        spending: The account of the run with its budget.
        executor: A Dask client, or the address of a scheduler, whose workers run the attempts; or a function
            that makes what runs them in this process.
        attempts: The attempts to run, by default all of the study.

    Raises:
        ModelError: A model cannot be used at all (a wrong key or name, a spent quota).
        RunStopped: The attempts of one model failed repeatedly; those of the other models are finished.
        BudgetSpent: The budget allows no further request.
        sqlite3.Error: The ledger cannot be written, for example because the disk is full.
    """
    done = ledger.finished_keys()
    planned = design.attempts if attempts is None else attempts
    todo = [attempt for attempt in planned if attempt.key not in done]
    if not todo:
        return
    demand_keys(design)
    spending = spending or Spending(design, ledger)
    place = {family: at for at, family in enumerate(design.shuffled_families)}
    chains = sequence_attempts(todo, design)
    chains.sort(key=lambda chain: place[design.problems[chain[0].problem].family])
    async with _open_executor(design, ledger, spending, executor) as attempt_executor:
        runner = _Runner(
            design,
            ledger,
            EarlierAnswers(design, ledger),
            attempt_executor,
            on_outcome,
            design.settings.max_identical_failures,
        )
        pools = [
            runner.run_pool(
                title, [each for each in chains if each[0].model == title], model.concurrent_attempts
            )
            for title, model in design.models.items()
        ]
        await _run_pools(design, spending, pools)


def demand_keys(design: Design) -> None:
    """Check that every model has the key that it needs, before any request. Raises ModelError."""
    for client in _limited_clients(design):
        client.demand_key()


@asynccontextmanager
async def _open_executor(
    design: Design, ledger: Ledger, spending: Spending, executor: Executor | None
) -> AsyncIterator[AttemptExecutor]:
    """Open the executor that runs attempts: this process, or the workers of a cluster."""
    for title, model in design.models.items():
        for arm in design.arms if model.batch else ():
            use_batches(design.clients[title, arm], title, ledger.batches(title))
    for title in design.batched_judges:
        use_batches(design.judges[title], title, ledger.batches(title))
    replies = LedgerReplies(ledger, spending)
    if executor is None or isfunction(executor):
        await design.start_sandboxes()
        yield LocalExecutor(design, replies) if executor is None else executor(design, replies)
        return
    from ansatz.experiments.running.cluster import cluster  # imports Dask, which few studies need

    async with cluster(executor, design, replies) as attempt_executor:
        yield attempt_executor


async def rescore(
    design: Design,
    ledger: Ledger,
    on_outcome: OutcomeCallback = lambda failure: None,
    spending: Spending | None = None,
    executor: Client | str | None = None,
) -> None:
    """Score all stored transcripts of the planned attempts again, after a change of scorers.

    A transcript that cannot be scored, for example because a judge is unavailable, is stored as an error.
    `run` then scores it again. The design needs only problems, scorers and judges.
    """
    spending = spending or Spending(design, ledger)
    chains = [(attempt,) for attempt in ledger.planned_attempts(answered=True)]
    concurrency = BATCHED_AT_ONCE if design.batched_judges else _SCORED_AT_ONCE
    async with _open_executor(design, ledger, spending, executor) as attempt_executor:
        runner = _Runner(
            design, ledger, EarlierAnswers(design, ledger), attempt_executor, on_outcome, again=True
        )
        await _run_pools(design, spending, [runner.run_pool("the scorers", chains, concurrency)])


def list_providers(design: Design) -> set[str]:
    """Return the providers of the models and judges with rate limits."""
    return {client.key[0] for client in _limited_clients(design)}


def check_rates(providers: Collection[str], rates: Mapping[str, Rates]) -> None:
    """Check that each provider with rates has a model in the study. Raises StudyError."""
    for provider in rates:
        if provider not in providers:
            hint = nearest(provider, sorted(providers))
            raise StudyError(f"rates: the study has no model of {provider!r}{hint}", ("rates", provider))


def share_traffic(design: Design, rates: Mapping[str, Rates]) -> None:
    """Let all models and judges of one provider key share its rate limits."""
    at_once = sum(model.concurrency for model in design.models.values())
    patient = _limited_clients(design)
    shared = {each.key: Traffic(at_once, rates.get(each.key[0])) for each in patient}
    for client in patient:
        client.traffic = shared[client.key]


def shared_traffic(design: Design) -> list[Traffic]:
    """Return the rate limiter of each provider key; `str` of one describes its state."""
    return list(
        dict.fromkeys(client.traffic for client in _limited_clients(design) if client.traffic is not None)
    )


def _limited_clients(design: Design) -> list[Any]:
    """Return the clients with rate limits. The offline model, for example, has none."""
    inner: list[Any] = [getattr(client, "client", client) for client in design.all_clients]
    return [client for client in inner if hasattr(client, "traffic")]


_VARYING = re.compile(
    r"(?P<name>\b\d{3}:|\b[a-z_]+:\w[\w.:/-]*)"  # a status code, or "provider:model"
    r"|\b(?=[\w-]*\d)[\w-]{16,}"  # an id, such as that of a request: a long word with digits
    r"|[\d.]+"
)
Stops = Sequence[BudgetSpent | RunStopped]


async def _run_pools(design: Design, spending: Spending, pools: Iterable[Coroutine[Any, Any, Stops]]) -> None:
    """Run all worker pools concurrently, then close every connection.

    A pool that stops does not stop the others. Raises BudgetSpent or RunStopped after the last one.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run_pool) for run_pool in pools]
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
        raise BudgetSpent(spending.budget_exhausted_message(most))


@dataclass(frozen=True)
class _Runner:
    """Runs attempts in worker pools."""

    design: Design
    ledger: Ledger
    earlier: EarlierAnswers
    attempt_executor: AttemptExecutor
    on_outcome: OutcomeCallback
    max_identical_failures: int = MAX_IDENTICAL_FAILURES
    again: bool = False
    """Whether stored answers are scored again."""

    async def run_pool(self, name: str, chains: Sequence[Sequence[PlannedAttempt]], workers: int) -> Stops:
        """Run chains of attempts with several workers; return why they stopped early, if they did.

        After repeated identical failures all workers stop. A worker whose next request exceeds the budget
        stops alone: the others finish the attempts that they have begun.
        """
        queue, kind, count = iter(chains), "", 0

        async def work() -> BudgetSpent | None:
            nonlocal kind, count
            for attempt in (attempt for chain in queue for attempt in chain):
                try:
                    failure = await self.process_attempt(attempt)
                except BudgetSpent as stop:
                    return stop
                self.on_outcome(failure)
                previous, kind = kind, normalize_failure(failure or "")
                count = count + 1 if kind and kind == previous else int(bool(kind))
                if count >= self.max_identical_failures:
                    raise RunStopped(
                        f"stopped after {count} identical consecutive failures with {name}: {failure}; "
                        "finished attempts are stored: fix the cause and run the same command again"
                    )
                await asyncio.sleep(0)  # lets the display and Ctrl-C in if the model never waits
            return None

        stopped: list[BudgetSpent | RunStopped] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(work()) for _ in range(min(workers, len(chains)))]
        except* RunStopped as failures:
            stopped += [each for each in failures.exceptions if isinstance(each, RunStopped)]
        except* (ModelError, StudyError, LedgerError, sqlite3.Error) as failures:
            raise failures.exceptions[0] from None
        return stopped[:1] or [stop for task in tasks if (stop := task.result())]

    async def process_attempt(self, attempt: PlannedAttempt) -> str | None:
        """Run, score and record an attempt; return the reason if it failed.

        A stored answer that could not be scored is scored without a new request. A failure is not a wrong
        answer: it is recorded without scores, and a resumed run tries the attempt again.
        """
        transcript = self.ledger.transcript(attempt.key, unscored=not self.again)
        scores: Sequence[Score] = ()
        try:
            given = self.earlier.question(attempt) if transcript is None else transcript
            problem = self.design.problems[attempt.problem]
            result = await self.attempt_executor.execute(attempt, problem, given)
            transcript, scores, why = result.transcript, result.scores, result.failure
            self.ledger.add_isolation(result.isolation)
        except ENDS_A_RUN:
            raise
        except Exception as failure:
            why = describe_failure(failure)
        self.ledger.record(attempt, transcript=transcript, scores=scores, error=why)
        return None if why is None else clean_message(why)


def normalize_failure(failure: str) -> str:
    """Replace the numbers and ids in which failures of one kind differ. Model names and status codes stay."""
    return _VARYING.sub(lambda found: found["name"] or "#", failure)[:160]
