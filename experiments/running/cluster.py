"""Attempts on the workers of a Dask cluster, for those whom one machine is not enough.

The data flow is that of one process. An attempt is a task. The run submits it and records its result.
What one process shares stays with the run: the ledger, the budget and the traffic to providers. A worker asks
for them by messages to a server within the run: it says what it is about to ask a model, is given the reply
that was paid for or told to go on, and brings the new reply back. Only when the ledger has kept it does the
worker's graph see it. Whoever may connect to the server may run code in the run, as with all parts of a
cluster: on an open network give Dask its TLS certificates, which it uses too.
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
from ansatz.agents.models.retry import RESERVATION, Transient
from ansatz.agents.models.traffic import Learned, Traffic
from ansatz.errors import InfrastructureError, RunStopped, StudyError
from ansatz.eval import Problem
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import PlannedAttempt
from ansatz.experiments.ledger.recording_client import Replies, Request
from ansatz.experiments.running.workbench import Settled, Workbench

_Key = tuple[str, str | None]
_Go = Callable[[], Awaitable[Any]]


class Place(NamedTuple):
    """Where the server of a run is, and which run it is."""

    address: str
    run: str


@asynccontextmanager
async def cluster(executor: Client | str, design: Design, replies: Replies) -> AsyncIterator[Cluster]:
    """The bench that a cluster is, while the run keeps its server open.

    Raises StudyError for what cannot be done on other machines, RunStopped where there is no scheduler.
    """
    server = _RunServer(replies, _traffic(design), _portable(design))
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
                await client.run(_leave, place, on_error="ignore")


@dataclass(frozen=True)
class Cluster:
    """Hands attempts to whichever worker is free; Dask gives a lost worker's to another."""

    client: Client
    place: Place

    async def execute(
        self, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
    ) -> Settled:
        task = self.client.submit(_on_worker, self.place, attempt, problem, given, pure=False)
        try:
            done: Settled = await task
            return done
        except Exception:
            if not task.cancelled():
                raise
            kept = "what is finished is kept, and the same command goes on"
            raise RunStopped(f"the connection to the Dask scheduler is lost; {kept}") from None
        finally:
            task.release()


def _traffic(design: Design) -> dict[_Key, Traffic]:
    return {each.key: each.traffic for each in design.all_clients if getattr(each, "traffic", None)}  # type: ignore[attr-defined]


def _portable(design: Design) -> bytes:
    """All that workers need, without problems, which come with the attempts. Raises StudyError."""
    for model in design.models.values():
        if model.batch or model.record:
            wrong = "batch" if model.batch else "record"
            raise StudyError(f"executor: {wrong} of {model.title} needs one process; leave one of them out")
    models = {title: replace(model) for title, model in design.models.items()}  # no open connections
    try:
        portable: bytes = cloudpickle.dumps(replace(design, models=models, problems={}))
    except Exception as failure:
        told = "a model given as an object may be given as a function that makes it"
        raise StudyError(f"executor: the study cannot be sent to workers: {failure}; {told}") from failure
    return portable


@dataclass(frozen=True)
class _RunServer:
    """The run's side. Each connection of a worker is served by one task, which a lost worker ends."""

    replies: Replies
    traffic: Mapping[_Key, Traffic]
    design: bytes

    async def serve(self, connection: Comm) -> None:
        async def go() -> Any:
            """Have the worker ask a model; what it returns or raises."""
            await connection.write(pickle.dumps(("go", None)))
            reservation = RESERVATION.get()
            try:
                while (message := pickle.loads(await connection.read()))[0] == "keep":
                    kept = reservation and partial(reservation.keep, renew=message[1])
                    await connection.write(pickle.dumps(await _outcome(kept) if kept else (None, None)))
                _, (failure, found) = message
            except CommClosedError:  # it is lost, and what it asked may be billed
                raise asyncio.CancelledError from None
            if failure is not None:
                raise failure
            return found

        with suppress(CommClosedError, asyncio.CancelledError):
            while True:
                what, *about = pickle.loads(await connection.read())
                try:
                    found = "done", await getattr(self, what)(*about, go)
                except Exception as failure:
                    found = "raised", failure
                await connection.write(pickle.dumps(found))

    async def answer(self, request: Request, go: _Go) -> Reply:
        return await self.replies.answer(request, go)

    async def pass_by(self, key: _Key, tokens: float, go: _Go) -> None:
        traffic = self.traffic[key]

        async def passed() -> None:
            learned, failure = await go()
            for headers, used in learned:
                traffic.learn(headers, used)
            if failure is not None:
                raise failure

        await traffic.run(tokens, passed)

    async def study(self, go: _Go) -> bytes:
        return self.design


@dataclass(frozen=True)
class _Connections:
    """A worker's connections to the server of a run: each carries one conversation at a time."""

    address: str
    security: Mapping[str, Any]
    idle: list[Comm] = field(default_factory=list)

    async def answer(self, request: Request, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        """As the `Replies` of the run do it."""
        reply: Reply = await self.say("answer", request, ask=ask)
        return reply

    async def aclose(self) -> None:
        while self.idle:
            await self.idle.pop().close()

    async def say(self, what: str, *about: Any, ask: Callable[[], Awaitable[Any]] | None = None) -> Any:
        """What the server answers; in between it may have `ask` done, whose result it then hears."""
        connection = self.idle.pop() if self.idle else await connect(self.address, **self.security)
        try:
            await connection.write(pickle.dumps((what, *about)))
            told, found = pickle.loads(await connection.read())
            if told == "go":
                assert ask is not None
                token = RESERVATION.set(_RemoteReservation(connection))
                try:
                    outcome = await _outcome(ask)
                finally:
                    RESERVATION.reset(token)
                await connection.write(pickle.dumps(("done", outcome)))
                told, found = pickle.loads(await connection.read())
        except BaseException as failure:
            connection.abort()
            if isinstance(failure, CommClosedError):
                raise InfrastructureError("the connection to the run is lost") from failure
            raise
        self.idle.append(connection)
        if told == "raised":
            raise found
        return found


@dataclass(frozen=True)
class _RemoteReservation:
    """The run's reservation for the request that a conversation is about."""

    connection: Comm

    async def keep(self, *, renew: bool) -> None:
        await self.connection.write(pickle.dumps(("keep", renew)))
        failure, _ = pickle.loads(await self.connection.read())
        if failure is not None:
            raise failure


async def _outcome(ask: Callable[[], Awaitable[Any]]) -> tuple[Exception | None, Any]:
    """The failure or the result. A failure has to be one that can travel."""
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
    """Stands for the run's traffic of one provider key, as `Traffic` does in one process."""

    connections: _Connections
    key: _Key
    learned: list[Learned] = field(default_factory=list)

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        told = {name: value for name, value in headers.items() if "ratelimit" in name}
        self.learned.append((told, tokens))

    async def run(self, tokens: float, ask: Callable[[], Awaitable[Any]]) -> Any:
        found = None

        async def asked() -> tuple[list[Learned], Transient | None]:
            nonlocal found
            failure = None
            try:
                found = await ask()
            except Transient as passing:
                failure = passing
            learned = self.learned[:]
            self.learned.clear()
            return learned, failure

        await self.connections.say("pass_by", self.key, tokens, ask=asked)
        return found


_BENCHES: dict[Place, asyncio.Task[Workbench]] = {}
"""Of a worker process: a bench for each run."""


async def _on_worker(
    place: Place, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
) -> Settled:
    """A Dask task, on the worker's own event loop: in a thread it would mostly wait, at a higher cost."""
    if place not in _BENCHES:
        security = get_worker().security.get_connection_args("worker")
        _BENCHES[place] = asyncio.create_task(_bench(_Connections(place.address, security)))
    try:
        bench = await _BENCHES[place]
    except BaseException:
        _BENCHES.pop(place, None)
        raise
    return await bench.execute(attempt, problem, given)


async def _bench(connections: _Connections) -> Workbench:
    portable = await connections.say("study")
    design: Design = await asyncio.to_thread(pickle.loads, portable)  # imports for seconds
    for asked in design.all_clients:
        if hasattr(asked, "traffic"):
            asked.traffic = _RemoteTraffic(connections, asked.key)  # type: ignore[attr-defined]
    await design.start_sandboxes()
    return Workbench(design, connections)


async def _leave(place: Place) -> None:
    """A run is over: close what a worker holds open for it."""
    if place in _BENCHES:
        bench = await _BENCHES.pop(place)
        assert isinstance(bench.replies, _Connections)
        await bench.replies.aclose()
        for client in bench.design.all_clients:
            await client.aclose()
