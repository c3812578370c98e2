"""Providers' batch interfaces: requests are collected, sent together at half the price, answered hours later.

A transport beneath the SDK stands for the provider: to LangChain an answer out of a batch is an answer.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import httpx2

from ansatz.agents.models.failures import check_size
from ansatz.agents.models.retry import log_wait
from ansatz.agents.models.token_counts import remove_odd_counts
from ansatz.agents.models.wire import current_request
from ansatz.errors import InfrastructureError, ModelError, ResponseTooLarge

if TYPE_CHECKING:
    from ansatz.agents.models.connections import Transport

_MOST = 10_000  # requests of a batch; the providers take 50,000 and 100,000, of 200 MB
_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
_REFUSED = (400, 401, 403, 404)
_FINAL = frozenset({"completed", "failed", "expired", "cancelled", "ended"})
_LASTING = 424  # for a batch that cannot be sent or read now: it would be paid for again if sent again
_AGAIN = 503  # for what a batch left undone: expired, cancelled, or lost


class SentBatch(NamedTuple):
    """A batch that was or is being sent: our name for it, the provider's, and the names of its requests."""

    token: str
    id: str | None
    requests: Sequence[str]
    at: float


class BatchStore(Protocol):
    """Keeps what was sent, so that a run that is killed finds it again."""

    def save(self, batch: SentBatch) -> None: ...

    def list_sent(self) -> Sequence[SentBatch]: ...


class Result(NamedTuple):
    """Of one request: its name, and the answer as the provider would have given it at once."""

    request: str
    status: int
    body: Any


@dataclass(frozen=True)
class OpenAIBatches:
    """Of an `openai.AsyncOpenAI`: a file of requests, a batch of it, files of results and of errors."""

    sdk: Any

    async def send(self, token: str, path: str, requests: Mapping[str, Any]) -> str:
        rows = [
            {"custom_id": name, "method": "POST", "url": path, "body": body}
            for name, body in requests.items()
        ]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file = await self.sdk.files.create(file=(f"{token}.jsonl", text.encode()), purpose="batch")
        made = await self.sdk.batches.create(
            input_file_id=file.id, endpoint=path, completion_window="24h", metadata={"token": token}
        )
        return str(made.id)

    async def state(self, id: str) -> str:
        return str((await self.sdk.batches.retrieve(id)).status)

    async def results(self, id: str) -> AsyncGenerator[Result]:
        batch = await self.sdk.batches.retrieve(id)
        for file in filter(None, (batch.output_file_id, batch.error_file_id)):
            async with self.sdk.files.with_streaming_response.content(file) as response:
                async for line in _lines(response.iter_bytes()):
                    if (result := _openai_result(line)) is not None:
                        yield result

    async def find(self, batch: SentBatch, known: Sequence[str]) -> str | None:
        async for each in self.sdk.batches.list(limit=100):
            if (each.metadata or {}).get("token") == batch.token:
                return str(each.id)
            if each.created_at < batch.at - 3600:
                return None
        return None


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines that end with a line feed: in a text of JSON, other separators may stand within one."""
    parts: list[bytes] = []
    async for piece in pieces:
        *ends, start = piece.split(b"\n")
        for end in ends:
            line = b"".join([*parts, end])
            check_size(line)
            yield line
            parts.clear()
        parts.append(start)
    line = b"".join(parts)
    check_size(line)
    yield line


def _openai_result(line: bytes) -> Result | None:
    """A row of OpenAI's file of results; None for one that cannot be read, whose request is then open."""
    try:
        row = json.loads(line)
        response = row.get("response") or {}
        body = response.get("body") or {"error": row.get("error")}
        return Result(str(row["custom_id"]), int(response.get("status_code") or _AGAIN), body)
    except _UNREADABLE:
        return None


def _anthropic_result(line: bytes) -> Result | None:
    """A row of Anthropic's results; None for one that cannot be read, whose request is then open."""
    try:
        row = json.loads(line)
        name, result = str(row["custom_id"]), row["result"]
        if result["type"] == "succeeded":
            return Result(name, 200, result["message"])
        if result["type"] == "errored":
            error = result["error"]
            wrong = (error.get("error") or {}).get("type") == "invalid_request_error"
            return Result(name, 400 if wrong else _AGAIN, error)
        return Result(name, _AGAIN, _error(f"the request {result['type']}"))
    except _UNREADABLE:
        return None


@dataclass(frozen=True)
class AnthropicBatches:
    """Of an `anthropic.AsyncAnthropic`: its batches have no name of ours, but those of their requests."""

    sdk: Any

    async def send(self, token: str, path: str, requests: Mapping[str, Any]) -> str:
        rows = [{"custom_id": name, "params": body} for name, body in requests.items()]
        return str((await self.sdk.messages.batches.create(requests=rows)).id)

    async def state(self, id: str) -> str:
        return str((await self.sdk.messages.batches.retrieve(id)).processing_status)

    async def results(self, id: str) -> AsyncGenerator[Result]:
        # Its own decoder of lines takes time with the square of their length.
        async with self.sdk.messages.batches.with_streaming_response.results(id) as response:
            async for line in _lines(response.iter_bytes()):
                if (result := _anthropic_result(line)) is not None:
                    yield result

    async def find(self, batch: SentBatch, known: Sequence[str]) -> str | None:
        """Find an unknown later batch with the same number of requests, whose results have our names."""
        async for each in self.sdk.messages.batches.list(limit=100):
            if each.created_at.timestamp() < batch.at - 3600:
                return None
            size = sum(vars(each.request_counts).values())
            if each.id in known or size not in (0, len(batch.requests)):
                continue
            while await self.state(each.id) not in _FINAL:
                await asyncio.sleep(1)
            async with aclosing(self.results(each.id)) as results:
                async for result in results:
                    if result.request in batch.requests:
                        return str(each.id)
                    break
        return None


@dataclass
class BatchTransport(httpx2.AsyncBaseTransport):
    """Collects requests for answers until none has come for `quiet` seconds; all else goes through.

    `poll` seconds lie between two looks at a batch.
    """

    inner: Transport
    store: BatchStore
    name: str
    quiet: float = 5.0
    poll: float = 30.0
    api: OpenAIBatches | AnthropicBatches | None = None
    _answers: dict[str, asyncio.Future[Result]] = field(default_factory=dict)  # asked for, or early
    _open: dict[str, dict[str, Any]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _sent: dict[str, SentBatch] | None = None
    _watched: set[str] = field(default_factory=set)
    _last: float = 0.0

    def use_sdk(self, provider: str, sdk: Any) -> None:
        self.api = (OpenAIBatches if provider == "openai" else AnthropicBatches)(sdk)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        name, path = current_request().key, request.url.path
        if name is None or not path.endswith(("/chat/completions", "/responses", "/messages")):
            return await self._pass_on(request)
        result = await self._answer(name, path, json.loads(await request.aread()))
        remove_odd_counts(result.body)
        content = json.dumps(result.body).encode()
        headers = {"content-type": "application/json", "x-should-retry": "false"}
        current_request().seconds = 0.0  # the provider does not report how long it worked
        return httpx2.Response(result.status, headers=headers, content=content, request=request)

    async def _pass_on(self, request: httpx2.Request) -> httpx2.Response:
        """Make a request about batches. A lasting failure becomes a status that the SDK does not retry."""
        are_results = request.url.path.endswith(("/content", "/results"))
        try:
            home = self.api.sdk.base_url.host if self.api else request.url.host
            if request.url.host != home:
                raise ModelError(f"the results of a batch are at another host, {request.url.host!r}")
            if are_results:
                return await self.inner.stream_lines(request)
            return await self.inner.handle_async_request(request)
        except InfrastructureError as lasting:
            content = json.dumps(_error(str(lasting))).encode()
            headers = {"content-type": "application/json", "x-should-retry": "false"}
            return httpx2.Response(_LASTING, headers=headers, content=content, request=request)

    async def aclose(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.inner.aclose()

    async def _answer(self, name: str, path: str, body: Any) -> Result:
        sent, answer = self._known().pop(name, None), self._future(name)
        if sent is not None:
            self._watch(sent)
        elif not answer.done():
            waiting = self._open.setdefault(path, {})
            waiting[name] = body
            self._last = asyncio.get_running_loop().time()
            if len(waiting) == 1:
                self._start(self._collect(path))
            elif len(waiting) >= _MOST:
                self._start(self._send(path, self._open.pop(path)))
        try:
            return await answer
        finally:
            self._answers.pop(name, None)

    def _future(self, name: str) -> asyncio.Future[Result]:
        return self._answers.setdefault(name, asyncio.get_running_loop().create_future())

    def _known(self) -> dict[str, SentBatch]:
        """By request, the last batch in which an earlier start sent it."""
        if self._sent is None:
            self._sent = {request: batch for batch in self.store.list_sent() for request in batch.requests}
        return self._sent

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _collect(self, path: str) -> None:
        """Send the requests once no further one arrives: every attempt then waits for an answer."""
        while (left := self._last + self.quiet - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(left)
        if requests := self._open.pop(path, None):
            await self._send(path, requests)

    async def _send(self, path: str, requests: Mapping[str, Any]) -> None:
        assert self.api is not None
        batch = SentBatch(secrets.token_hex(8), None, [*requests], time.time())
        self.store.save(batch)
        try:
            place = path[path.index("/v1/") :] if "/v1/" in path else path
            batch = batch._replace(id=await self.api.send(batch.token, place, requests))
        except Exception as failure:
            for name in requests:
                self._resolve(Result(name, getattr(failure, "status_code", _AGAIN), _error(str(failure))))
            return
        self.store.save(batch)
        log_wait(f"{self.name}: batch {batch.id} of {len(requests):,} requests was sent, and is waited for")
        self._watch(batch)

    def _watch(self, batch: SentBatch) -> None:
        if batch.token not in self._watched:
            self._watched.add(batch.token)
            self._start(self._wait_for(batch))

    async def _wait_for(self, batch: SentBatch) -> None:
        """Until the batch has ended; what it holds no answer to is asked again."""
        assert self.api is not None
        id = batch.id
        try:
            if id is None:  # we were killed while it was being sent
                id = await self.api.find(batch, [each.id for each in self.store.list_sent() if each.id])
            if id is not None:
                self.store.save(batch._replace(id=id))
                while (state := await self._state(id)) not in _FINAL:
                    log_wait(f"{self.name}: batch {id} of {len(batch.requests):,} requests: {state}")
                    await asyncio.sleep(self.poll)
                await self._read_results(id, batch)
        except Exception as failure:
            status = getattr(failure, "status_code", _LASTING)
            message = f"batch {id} could not be read, and is looked up again on resume: {failure}"
            for name in batch.requests:
                if name in self._answers:
                    self._resolve(Result(name, status if status in _REFUSED else _LASTING, _error(message)))
        finally:
            for name in batch.requests:
                if self._known().get(name) is batch:
                    del self._known()[name]
                if name in self._answers:
                    self._resolve(Result(name, _AGAIN, _error("the batch ended without an answer")))

    async def _read_results(self, id: str, batch: SentBatch) -> None:
        assert self.api is not None
        rows = 0
        async with aclosing(self.api.results(id)) as results:
            async for result in results:
                rows += 1
                if rows > len(batch.requests):
                    raise ResponseTooLarge("it has more results than requests")
                if result.request in batch.requests:
                    self._resolve(result)

    async def _state(self, id: str) -> str:
        assert self.api is not None
        try:
            return await self.api.state(id)
        except Exception as failure:  # it goes on without us
            if getattr(failure, "status_code", 500) in (*_REFUSED, _LASTING):
                raise
            return f"state unknown ({type(failure).__name__})"

    def _resolve(self, result: Result) -> None:
        if not (answer := self._future(result.request)).done():
            answer.set_result(result)


def _error(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": message, "type": "batch"}}
