"""Batch interfaces of providers: requests are collected and sent together, at half the price.

Answers arrive hours later. A transport under the SDK collects the requests, so LangChain and the SDK work as
with single requests.
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
_PAID = 424  # the batch cannot be read now: its requests would be paid twice if they were sent again
_RETRY = 503  # the batch has no answer: the request expired, was cancelled or got lost


class SentBatch(NamedTuple):
    """A batch that was sent, or is being sent."""

    token: str
    """Ansatz's name for it."""
    id: str | None
    """The provider's name for it; None while it is being sent."""
    requests: Sequence[str]
    """The keys of its requests."""
    at: float
    """When it was sent, as a Unix time."""


class BatchStore(Protocol):
    """Stores batches, so that a resumed run finds them."""

    def save(self, batch: SentBatch) -> None:
        """Store a batch, in place of one with the same token."""

    def list_sent(self) -> Sequence[SentBatch]:
        """Return all batches in the order in which they were sent."""


class Result(NamedTuple):
    """The result of one request in a batch."""

    request: str
    """The key of the request."""
    status: int
    """The HTTP status that a single request would have got."""
    body: Any
    """The body that a single request would have got."""


@dataclass(frozen=True)
class OpenAIBatches:
    """The batch interface of `openai.AsyncOpenAI`, with files of requests, results and errors."""

    sdk: Any

    async def send(self, token: str, path: str, requests: Mapping[str, Any]) -> str:
        rows = [
            {"custom_id": name, "method": "POST", "url": path, "body": body}
            for name, body in requests.items()
        ]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file = await self.sdk.files.create(file=(f"{token}.jsonl", text.encode()), purpose="batch")
        batch = await self.sdk.batches.create(
            input_file_id=file.id, endpoint=path, completion_window="24h", metadata={"token": token}
        )
        return str(batch.id)

    async def read_state(self, id: str) -> str:
        return str((await self.sdk.batches.retrieve(id)).status)

    async def read_results(self, id: str) -> AsyncGenerator[Result]:
        batch = await self.sdk.batches.retrieve(id)
        for file in filter(None, (batch.output_file_id, batch.error_file_id)):
            async with self.sdk.files.with_streaming_response.content(file) as response:
                async for line in _split_lines(response.iter_bytes()):
                    if (result := _parse_openai_result(line)) is not None:
                        yield result

    async def find(self, batch: SentBatch, known: Sequence[str]) -> str | None:
        """Return the provider's name of a batch, or None if it was not sent."""
        async for candidate in self.sdk.batches.list(limit=100):
            if (candidate.metadata or {}).get("token") == batch.token:
                return str(candidate.id)
            if candidate.created_at < batch.at - 3600:
                return None
        return None


async def _split_lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Split at line feeds only, because a JSON text may contain other line separators."""
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


def _parse_openai_result(line: bytes) -> Result | None:
    """Parse a row of OpenAI's results; returns None for an unreadable row."""
    try:
        row = json.loads(line)
        response = row.get("response") or {}
        body = response.get("body") or {"error": row.get("error")}
        return Result(str(row["custom_id"]), int(response.get("status_code") or _RETRY), body)
    except _UNREADABLE:
        return None


def _parse_anthropic_result(line: bytes) -> Result | None:
    """Parse a row of Anthropic's results; returns None for an unreadable row."""
    try:
        row = json.loads(line)
        name, result = str(row["custom_id"]), row["result"]
        if result["type"] == "succeeded":
            return Result(name, 200, result["message"])
        if result["type"] == "errored":
            error = result["error"]
            is_invalid = (error.get("error") or {}).get("type") == "invalid_request_error"
            return Result(name, 400 if is_invalid else _RETRY, error)
        return Result(name, _RETRY, _error(f"the request {result['type']}"))
    except _UNREADABLE:
        return None


@dataclass(frozen=True)
class AnthropicBatches:
    """The batch interface of `anthropic.AsyncAnthropic`. A batch has no name, but its requests have."""

    sdk: Any

    async def send(self, token: str, path: str, requests: Mapping[str, Any]) -> str:
        rows = [{"custom_id": name, "params": body} for name, body in requests.items()]
        return str((await self.sdk.messages.batches.create(requests=rows)).id)

    async def read_state(self, id: str) -> str:
        return str((await self.sdk.messages.batches.retrieve(id)).processing_status)

    async def read_results(self, id: str) -> AsyncGenerator[Result]:
        # The SDK's decoder of lines takes quadratic time in the length of a line.
        async with self.sdk.messages.batches.with_streaming_response.results(id) as response:
            async for line in _split_lines(response.iter_bytes()):
                if (result := _parse_anthropic_result(line)) is not None:
                    yield result

    async def find(self, batch: SentBatch, known: Sequence[str]) -> str | None:
        """Return the provider's name of a batch, or None if it was not sent.

        It is a later batch that is not `known`, has the same number of requests, and results with their keys.
        """
        async for candidate in self.sdk.messages.batches.list(limit=100):
            if candidate.created_at.timestamp() < batch.at - 3600:
                return None
            size = sum(vars(candidate.request_counts).values())
            if candidate.id in known or size not in (0, len(batch.requests)):
                continue
            while await self.read_state(candidate.id) not in _FINAL:
                await asyncio.sleep(1)
            async with aclosing(self.read_results(candidate.id)) as results:
                async for result in results:
                    if result.request in batch.requests:
                        return str(candidate.id)
                    break
        return None


@dataclass
class BatchTransport(httpx2.AsyncBaseTransport):
    """Collects requests to a model and sends them in batches. Other requests pass through."""

    inner: Transport
    """The transport to the provider."""
    store: BatchStore
    """Stores what was sent."""
    name: str
    """The model, for messages."""
    quiet: float = 5.0
    """A batch is sent when no further request has come for this many seconds."""
    poll: float = 30.0
    """Seconds between two requests for the state of a batch."""
    api: OpenAIBatches | AnthropicBatches | None = None
    """The batch interface of the provider's SDK."""
    _answers: dict[str, asyncio.Future[Result]] = field(default_factory=dict)  # by key; some arrive early
    _unsent: dict[str, dict[str, Any]] = field(default_factory=dict)  # bodies by path and key
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _earlier: dict[str, SentBatch] | None = None  # batches of an earlier start, by key
    _watched: set[str] = field(default_factory=set)  # tokens
    _last: float = 0.0  # when the last request came

    def use_sdk(self, provider: str, sdk: Any) -> None:
        """Set the batch interface."""
        self.api = (OpenAIBatches if provider == "openai" else AnthropicBatches)(sdk)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        key, path = current_request().key, request.url.path
        if key is None or not path.endswith(("/chat/completions", "/responses", "/messages")):
            return await self._pass_on(request)
        result = await self._answer(key, path, json.loads(await request.aread()))
        remove_odd_counts(result.body)
        content = json.dumps(result.body).encode()
        headers = {"content-type": "application/json", "x-should-retry": "false"}
        current_request().seconds = 0.0  # the provider does not report how long it worked
        return httpx2.Response(result.status, headers=headers, content=content, request=request)

    async def _pass_on(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request about batches. A permanent failure becomes a status that the SDK does not retry."""
        are_results = request.url.path.endswith(("/content", "/results"))
        try:
            home = self.api.sdk.base_url.host if self.api else request.url.host
            if request.url.host != home:
                raise ModelError(f"the results of a batch are at another host, {request.url.host!r}")
            if are_results:
                return await self.inner.stream_lines(request)
            return await self.inner.handle_async_request(request)
        except InfrastructureError as failure:
            content = json.dumps(_error(str(failure))).encode()
            headers = {"content-type": "application/json", "x-should-retry": "false"}
            return httpx2.Response(_PAID, headers=headers, content=content, request=request)

    async def aclose(self) -> None:
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # before the session closes
        await self.inner.aclose()

    async def _answer(self, name: str, path: str, body: Any) -> Result:
        """Return the result of a request from an earlier batch, or add the request to the next batch."""
        sent, answer = self._load_earlier().pop(name, None), self._find_answer(name)
        if sent is not None:
            self._watch(sent)
        elif not answer.done():
            waiting = self._unsent.setdefault(path, {})
            waiting[name] = body
            self._last = asyncio.get_running_loop().time()
            if len(waiting) == 1:
                self._start(self._collect(path))
            elif len(waiting) >= _MOST:
                self._start(self._send(path, self._unsent.pop(path)))
        try:
            return await answer
        finally:
            self._answers.pop(name, None)

    def _find_answer(self, name: str) -> asyncio.Future[Result]:
        return self._answers.setdefault(name, asyncio.get_running_loop().create_future())

    def _load_earlier(self) -> dict[str, SentBatch]:
        """Return, for each request of an earlier start, the last batch that has it."""
        if self._earlier is None:
            self._earlier = {request: batch for batch in self.store.list_sent() for request in batch.requests}
        return self._earlier

    def _start(self, work: Any) -> None:
        """Run a coroutine as a task that ends with the transport."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _collect(self, path: str) -> None:
        """Send the requests once no further one arrives, because every attempt then waits for an answer."""
        while (left := self._last + self.quiet - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(left)
        if requests := self._unsent.pop(path, None):
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
                self._resolve(Result(name, getattr(failure, "status_code", _RETRY), _error(str(failure))))
            return
        self.store.save(batch)
        log_wait(f"{self.name}: batch {batch.id} of {len(requests):,} requests was sent; waiting for answers")
        self._watch(batch)

    def _watch(self, batch: SentBatch) -> None:
        if batch.token not in self._watched:
            self._watched.add(batch.token)
            self._start(self._wait_for(batch))

    async def _wait_for(self, batch: SentBatch) -> None:
        """Wait until the batch has ended and read its results. A request without an answer is sent again."""
        assert self.api is not None
        id = batch.id
        try:
            if id is None:  # the run was killed while it sent the batch
                id = await self.api.find(batch, [sent.id for sent in self.store.list_sent() if sent.id])
            if id is not None:
                self.store.save(batch._replace(id=id))
                while (state := await self._read_state(id)) not in _FINAL:
                    log_wait(f"{self.name}: batch {id} of {len(batch.requests):,} requests: {state}")
                    await asyncio.sleep(self.poll)
                await self._read_results(id, batch)
        except Exception as failure:
            status = getattr(failure, "status_code", _PAID)
            message = f"batch {id} could not be read, and is looked up again on resume: {failure}"
            for name in batch.requests:
                if name in self._answers:
                    self._resolve(Result(name, status if status in _REFUSED else _PAID, _error(message)))
        finally:
            for name in batch.requests:
                if self._load_earlier().get(name) is batch:
                    del self._load_earlier()[name]
                if name in self._answers:
                    self._resolve(Result(name, _RETRY, _error("the batch ended without an answer")))

    async def _read_results(self, id: str, batch: SentBatch) -> None:
        assert self.api is not None
        rows = 0
        async with aclosing(self.api.read_results(id)) as results:
            async for result in results:
                rows += 1
                if rows > len(batch.requests):
                    raise ResponseTooLarge("it has more results than requests")
                if result.request in batch.requests:
                    self._resolve(result)

    async def _read_state(self, id: str) -> str:
        assert self.api is not None
        try:
            return await self.api.read_state(id)
        except Exception as failure:  # the batch goes on
            if getattr(failure, "status_code", 500) in (*_REFUSED, _PAID):
                raise
            return f"state unknown ({type(failure).__name__})"

    def _resolve(self, result: Result) -> None:
        if not (answer := self._find_answer(result.request)).done():
            answer.set_result(result)


def _error(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": message, "type": "batch"}}
