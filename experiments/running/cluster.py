"""Runs attempts on the workers of a Dask cluster, if one machine is not enough.

The data flow is the same as in one process. An attempt is a Dask task; the run submits it and records its
result. The ledger, the budget and the rate limits stay in the process of the run, which has a server for the
workers. Before a request, a worker sends it to this server. The server returns a stored reply, or lets the
worker make the request. The worker then returns the new reply, and the server stores it before the worker's
graph continues.

As with all parts of a cluster, a process that can connect to the server can run code in the run. On an open
network, give Dask TLS certificates; the server uses them, too.
"""

from __future__ import annotations

import asyncio
import pickle
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import cloudpickle
from distributed import Client, get_worker
from distributed.comm import Comm, CommClosedError, connect, get_local_address_for, listen

from ansatz.agents import Question, Reply, Transcript
from ansatz.agents.client import Reservation
from ansatz.agents.models.retry import Transient
from ansatz.agents.models.traffic import Learned, Traffic
from ansatz.errors import InfrastructureError, RunStopped, StudyError
from ansatz.eval import Problem
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import PlannedAttempt
from ansatz.experiments.ledger.recording_client import Ask, Replies, Request
from ansatz.experiments.running.executor import AttemptResult, LocalExecutor

_Key = tuple[str, str | None]
_RunOnWorker = Callable[[Reservation | None], Awaitable[Any]]


class Place(NamedTuple):
    """The address of the server of a run, and a name for the run."""

    address: str
    run: str


@asynccontextmanager
async def cluster(executor: Client | str, design: Design, replies: Replies) -> AsyncIterator[Cluster]:
    """Open a server for the workers and yield an executor that submits attempts to the cluster.

    Raises StudyError for a study that needs one process, RunStopped if there is no scheduler.
    """
    server = _RunServer(replies, _find_traffic(design), _serialize(design))
    address = executor if isinstance(executor, str) else executor.scheduler.address
    security = None if isinstance(executor, str) else executor.security
    try:
        client = await Client(address, security=security, asynchronous=True, set_as_default=False)
    except OSError as failure:
        raise RunStopped(f"executor: there is no Dask scheduler at {address}: {failure}") from failure
    listening = client.security.get_listen_args("client")
    async with client, listen(get_local_address_for(address), server.serve, **listening) as listener:
        place = Place(listener.contact_address, secrets.token_hex(8))
        try:
            yield Cluster(client, place)
        finally:
            if client.status == "running":
                await client.run(_close_executor, place, on_error="ignore")


@dataclass(frozen=True)
class Cluster:
    """Submits attempts to the cluster. Dask resubmits the attempts of a lost worker."""

    client: Client
    place: Place

    async def execute(
        self, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
    ) -> AttemptResult:
        task = self.client.submit(_on_worker, self.place, attempt, problem, given, pure=False)
        try:
            done: AttemptResult = await task
            return done
        except Exception:
            if not task.cancelled():
                raise
            advice = "finished attempts are stored; run the same command again"
            raise RunStopped(f"the connection to the Dask scheduler is lost; {advice}") from None
        finally:
            task.release()


def _find_traffic(design: Design) -> dict[_Key, Traffic]:
    return {each.key: each.traffic for each in design.all_clients if getattr(each, "traffic", None)}  # type: ignore[attr-defined]


def _serialize(design: Design) -> bytes:
    """Serialize the design for workers. Problems are sent with the attempts. Raises StudyError."""
    for model in design.models.values():
        if model.batch or model.record:
            wrong = "batch" if model.batch else "record"
            raise StudyError(f"executor: {wrong} of {model.title} needs one process; leave one of them out")
    models = {title: replace(model) for title, model in design.models.items()}  # no open connections
    try:
        portable: bytes = cloudpickle.dumps(replace(design, models=models, problems={}))
    except Exception as failure:
        advice = "give a function that makes the model instead of the model"
        raise StudyError(f"executor: the study cannot be sent to workers: {failure}; {advice}") from failure
    return portable


@dataclass(frozen=True)
class _RunServer:
    """The server of a run. One task serves each connection of a worker and ends with it."""

    replies: Replies
    traffic: Mapping[_Key, Traffic]
    design: bytes

    async def serve(self, connection: Comm) -> None:
        async def go(reservation: Reservation | None) -> Any:
            """Let the worker make the request; return its result or raise its failure."""
            await connection.write(pickle.dumps(("go", None)))
            try:
                while (message := pickle.loads(await connection.read()))[0] == "keep":
                    keep = reservation and partial(reservation.keep, renew=message[1])
                    await connection.write(pickle.dumps(await _capture(keep) if keep else (None, None)))
                _, (failure, found) = message
            except CommClosedError:  # the worker is lost, and its request may be billed
                raise asyncio.CancelledError from None
            if failure is not None:
                raise failure
            return found

        with suppress(CommClosedError, asyncio.CancelledError):
            while True:
                method, *arguments = pickle.loads(await connection.read())
                try:
                    found = "done", await getattr(self, method)(*arguments, go)
                except Exception as failure:
                    found = "raised", failure
                await connection.write(pickle.dumps(found))

    async def answer(self, request: Request, go: _RunOnWorker) -> Reply:
        return await self.replies.answer(request, go)

    async def limit_rate(self, key: _Key, tokens: float, go: _RunOnWorker) -> None:
        traffic = self.traffic[key]

        async def run_on_worker() -> None:
            learned, failure = await go(None)
            for headers, used in learned:
                traffic.learn(headers, used)
            if failure is not None:
                raise failure

        await traffic.run(tokens, run_on_worker)

    async def send_design(self, go: _RunOnWorker) -> bytes:
        return self.design


@dataclass(frozen=True)
class _Connections:
    """A worker's connections to the server of a run. Each serves one call at a time."""

    address: str
    security: Mapping[str, Any]
    idle: list[Comm] = field(default_factory=list)

    async def answer(self, request: Request, ask: Ask) -> Reply:
        """Return the reply to a request, as `Replies` of the run does."""
        reply: Reply = await self.call("answer", request, ask=ask)
        return reply

    async def aclose(self) -> None:
        while self.idle:
            await self.idle.pop().close()

    async def call(self, method: str, *arguments: Any, ask: _RunOnWorker | None = None) -> Any:
        """Call a method of the server. On its demand run `ask` and send the result."""
        connection = self.idle.pop() if self.idle else await connect(self.address, **self.security)
        try:
            await connection.write(pickle.dumps((method, *arguments)))
            status, found = pickle.loads(await connection.read())
            if status == "go":
                assert ask is not None
                outcome = await _capture(partial(ask, _RemoteReservation(connection)))
                await connection.write(pickle.dumps(("done", outcome)))
                status, found = pickle.loads(await connection.read())
        except BaseException as failure:
            connection.abort()
            if isinstance(failure, CommClosedError):
                raise InfrastructureError("the connection to the run is lost") from failure
            raise
        self.idle.append(connection)
        if status == "raised":
            raise found
        return found


@dataclass(frozen=True)
class _RemoteReservation:
    """The run's budget reservation for the request of a call."""

    connection: Comm

    async def keep(self, *, renew: bool) -> None:
        await self.connection.write(pickle.dumps(("keep", renew)))
        failure, _ = pickle.loads(await self.connection.read())
        if failure is not None:
            raise failure


async def _capture(ask: Callable[[], Awaitable[Any]]) -> tuple[Exception | None, Any]:
    """Await a function; return its failure, converted to one that can be pickled, or its result."""
    try:
        return None, await ask()
    except Exception as failure:
        try:
            pickle.loads(pickle.dumps(failure))
        except Exception:
            return InfrastructureError(f"{type(failure).__name__}: {failure}"), None
        return failure, None


@dataclass(frozen=True)
class _RemoteTraffic:
    """The rate limits of one provider key, which the run applies for all workers."""

    connections: _Connections
    key: _Key
    learned: list[Learned] = field(default_factory=list)

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        rates = {name: value for name, value in headers.items() if "ratelimit" in name}
        self.learned.append((rates, tokens))

    async def run(self, tokens: float, ask: Callable[[], Awaitable[Any]]) -> Any:
        found = None

        async def run_request(_: Reservation | None) -> tuple[list[Learned], Transient | None]:
            nonlocal found
            failure = None
            try:
                found = await ask()
            except Transient as transient:
                failure = transient
            learned = self.learned[:]
            self.learned.clear()
            return learned, failure

        await self.connections.call("limit_rate", self.key, tokens, ask=run_request)
        return found


_EXECUTORS: dict[Place, asyncio.Task[LocalExecutor]] = {}
"""The executors of a worker process, one for each run."""


async def _on_worker(
    place: Place, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
) -> AttemptResult:
    """Run an attempt as a Dask task on the worker's event loop, which costs less than a thread."""
    if place not in _EXECUTORS:
        security = get_worker().security.get_connection_args("worker")
        _EXECUTORS[place] = asyncio.create_task(_open_executor(_Connections(place.address, security)))
    try:
        executor = await _EXECUTORS[place]
    except BaseException:
        _EXECUTORS.pop(place, None)
        raise
    return await executor.execute(attempt, problem, given)


async def _open_executor(connections: _Connections) -> LocalExecutor:
    serialized = await connections.call("send_design")
    design: Design = await asyncio.to_thread(pickle.loads, serialized)  # imports for seconds
    for client in design.all_clients:
        if hasattr(client, "traffic"):
            client.traffic = _RemoteTraffic(connections, client.key)  # type: ignore[attr-defined]
    await design.start_sandboxes()
    return LocalExecutor(design, connections)


async def _close_executor(place: Place) -> None:
    """Close the connections and clients of a worker at the end of a run."""
    if place in _EXECUTORS:
        executor = await _EXECUTORS.pop(place)
        assert isinstance(executor.replies, _Connections)
        await executor.replies.aclose()
        for client in executor.design.all_clients:
            await client.aclose()
