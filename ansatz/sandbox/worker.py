"""The parent's side of a zygote: start it, run one execution at a time, and end it.

All functions block and are called from a pool's threads. Streams are always read up to a limit, so that a
program that prints without end cannot fill the memory.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import socket
import threading
import time
from dataclasses import asdict, replace
from typing import Any, Protocol

from ansatz.errors import InfrastructureError
from ansatz.sandbox.encoding import MAXIMUM_BYTES
from ansatz.sandbox.execution import Finished, Output
from ansatz.sandbox.launch import Launched
from ansatz.sandbox.limits import Bounds

_START_TIMEOUT = 120.0  # CoolProp takes seconds to import, and longer on a busy machine
_GRACE = 2.0  # the zygote enforces the deadline; if it takes longer than this, the zygote hangs
FLOOD = 16 * 1024 * 1024


class WorkerLost(Exception):
    """The zygote ended, or no longer answers."""


class WorkerHung(WorkerLost):
    """The zygote let a deadline pass."""


class Executor(Protocol):
    """A worker of a pool, which runs one execution at a time."""

    @property
    def isolation(self) -> str: ...

    def execute(self, job: Job) -> Finished: ...

    def end(self, request: int) -> None: ...

    def close(self) -> None: ...


class Job:
    """A planned execution with its payload and limits; another thread can cancel it."""

    _ids = itertools.count(1)

    def __init__(self, payload: bytes, bounds: Bounds, output_bytes: int) -> None:
        self.payload, self.bounds, self.output_bytes = payload, bounds, output_bytes
        self.id = next(self._ids)
        self._lock = threading.Lock()
        self._worker: Executor | None = None
        self._cancelled = False

    def run_on(self, worker: Executor) -> Finished:
        """Run on a worker; blocks until the execution ends. Raises WorkerLost."""
        with self._lock:
            self._worker = worker
            if self._cancelled:
                self.bounds = replace(self.bounds, timeout=0.0)
        try:
            return worker.execute(self)
        finally:
            with self._lock:
                self._worker = None

    def cancel(self) -> None:
        """End the execution now, or as soon as it begins."""
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                self._worker.end(self.id)

    def report_overdue(self, isolation: str) -> Finished:
        """Report a timeout if the zygote itself no longer answers."""
        reply: dict[str, Any] = {"code": 0, "ended_by": "deadline", "fault": "", "cpu": 0.0, "max_rss": 0}
        reply["wall"] = self.bounds.timeout + _GRACE
        return Finished(Output(0), Output(0), Output(0), reply, isolation, self.bounds.timeout)


class Worker:
    """A running zygote at its `level`, with the `reasons` why better levels fail.

    The constructor waits until the zygote is ready. Raises InfrastructureError if it cannot be set up.
    """

    def __init__(self, launched: Launched) -> None:
        self._socket, self._end, self._within = launched.socket, launched.end, launched.within
        self._lock = threading.Lock()
        self._socket.settimeout(_START_TIMEOUT)
        try:
            message = self._socket.recv(65536)
        except OSError:  # timed out, or ended during the message
            message = b""
        found: dict[str, Any] = json.loads(message) if message else {"failed": "it ended without a message"}
        if "failed" in found:
            self.close()
            raise InfrastructureError(f"the sandbox could not be started: {found['failed']}")
        self.level: str | None = found["level"]
        self.reasons: dict[str, str | None] = found["reasons"]
        self._socket.settimeout(None)

    def execute(self, job: Job) -> Finished:
        """Run one payload. Raises WorkerLost if the zygote has ended; the worker is then closed."""
        outputs: dict[int, Output] = {}
        given: list[int] = []
        try:
            for limit in (job.output_bytes, job.output_bytes, MAXIMUM_BYTES + 65536):
                reads, writes = os.pipe2(os.O_CLOEXEC)
                outputs[reads] = Output(limit)
                given.append(writes)
            given.insert(2, _memory_file(job.payload))
            self._request(job, given)
            while given:
                os.close(given.pop())
            stdout, stderr, result = outputs.values()
            reply = self._converse(job, outputs, time.monotonic() + job.bounds.timeout + _GRACE)
        except BaseException:
            self.close()
            raise
        finally:
            for descriptor in (*outputs, *given):
                os.close(descriptor)
        return Finished(stdout, stderr, result, reply, self.isolation, job.bounds.timeout)

    @property
    def isolation(self) -> str:
        return f"{self._within}{self.level}"

    def _request(self, job: Job, descriptors: list[int]) -> None:
        message = json.dumps({"kind": "run", "id": job.id, "bounds": asdict(job.bounds)}).encode()
        try:
            socket.send_fds(self._socket, [message], descriptors)
        except OSError as failure:
            raise WorkerLost(str(failure)) from failure

    def end(self, request: int) -> None:
        """Request the end of an execution; the zygote ignores this after the execution has ended."""
        with contextlib.suppress(OSError), self._lock:
            self._socket.send(json.dumps({"kind": "end", "id": request}).encode())

    def close(self) -> None:
        """End the zygote and its execution."""
        self._socket.close()
        self._end()

    def _converse(self, job: Job, outputs: dict[int, Output], deadline: float) -> dict[str, Any]:
        """Read all streams to their ends, and the zygote's reply, in any order."""
        poll, control, reading = select.poll(), self._socket.fileno(), dict(outputs)
        for descriptor in (*reading, control):
            poll.register(descriptor, select.POLLIN)
        reply: dict[str, Any] | None = None
        while reading or reply is None:
            left = deadline - time.monotonic()
            ready = poll.poll(max(left, 0) * 1000)
            if not ready and left <= 0:
                raise WorkerHung("no answer in time")
            for descriptor, _ in ready:
                if descriptor == control:
                    reply = self._reply()
                    poll.unregister(control)
                elif not self._read(descriptor, reading[descriptor], job):
                    poll.unregister(descriptor)
                    del reading[descriptor]
        return reply

    def _reply(self) -> dict[str, Any]:
        try:
            message = self._socket.recv(65536)
        except OSError as failure:
            raise WorkerLost(f"the zygote ended: {failure.strerror}") from failure
        if not message:
            raise WorkerLost("the zygote ended")
        reply: dict[str, Any] = json.loads(message)
        return reply

    def _read(self, descriptor: int, output: Output, job: Job) -> bool:
        chunk = os.read(descriptor, 65536)
        before, after = output.total, output.total + len(chunk)
        output.add(chunk)
        if before <= FLOOD < after:
            self.end(job.id)
        return bool(chunk)


def _memory_file(content: bytes) -> int:
    """Put the payload into an unnamed file that can no longer be changed."""
    import fcntl

    descriptor = os.memfd_create("payload", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    return descriptor
