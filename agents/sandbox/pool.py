"""Warm workers behind a queue: threads, because a pool outlives the event loops that use it."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor

from ansatz.agents.client import InfrastructureError
from ansatz.agents.sandbox.execution import Finished
from ansatz.agents.sandbox.worker import Job, Worker, WorkerHung, WorkerLost, ZygoteSettings

_ATTEMPTS = 2


class Pool:
    """At most `size` workers with the same libraries, started when needed and replaced when they die."""

    def __init__(self, size: int, settings: ZygoteSettings) -> None:
        self._size, self._settings = size, settings
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._idle: list[Worker] = []
        self._running: set[Job] = set()
        self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="sandbox")

    def submit(self, job: Job) -> Future[Finished]:
        if os.getpid() != self._owner:  # a fork of the process that started them: they are not ours to use
            self._lock = threading.Lock()
            self._begin()
        return self._threads.submit(self._run, job)

    def close(self) -> None:
        """End what runs, then the workers. Nothing is left when this returns."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            running = list(self._running)
        for job in running:
            job.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
        while self._idle:
            self._idle.pop().close()

    def _run(self, job: Job) -> Finished:
        with self._lock:
            self._running.add(job)
        try:
            return self._attempt(job)
        finally:
            with self._lock:
                self._running.discard(job)

    def _attempt(self, job: Job) -> Finished:
        """A worker that died while it waited is replaced and the job repeated: it changes nothing outside."""
        for _ in range(_ATTEMPTS):
            worker = self._take()
            try:
                finished = job.run_on(worker)
            except WorkerHung:
                return job.overdue(worker.level)
            except WorkerLost as failure:
                reason = failure
                continue
            with self._lock:
                self._idle.append(worker)
            return finished
        raise InfrastructureError(f"the sandbox ended while it ran the code, {_ATTEMPTS} times: {reason}")

    def _take(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Worker(self._settings)
