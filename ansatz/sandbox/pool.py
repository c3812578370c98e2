"""Warm workers behind a queue. Threads run them, because a pool outlives the event loops that use it."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor

from ansatz.errors import InfrastructureError
from ansatz.sandbox.execution import Finished
from ansatz.sandbox.worker import Executor, Job, WorkerHung, WorkerLost

_ATTEMPTS = 2
Start = Callable[[], Executor]


class Pool:
    """At most `size` workers with the same libraries, started when needed and replaced when they die."""

    def __init__(self, size: int, start: Start) -> None:
        self._size, self._start = size, start
        self._lock = threading.Lock()
        self._idle: list[Executor] = []
        self._running: set[Job] = set()
        self._closed = False
        self._here = threading.local()  # marks the pool's own threads
        self._threads = ThreadPoolExecutor(
            size,
            thread_name_prefix="sandbox",
            initializer=setattr,
            initargs=(self._here, "is_own", True),
        )

    def submit(self, job: Job) -> Future[Finished]:
        return self._threads.submit(self._run, job)

    def start(self) -> None:
        """Start the missing workers. Blocks until they are ready, and raises the error of one that fails."""
        with self._lock:
            missing = self._size - len(self._idle) - len(self._running)
        start = [self._threads.submit(lambda: self._put_back(self._start())) for _ in range(missing)]
        for started in start:
            started.result()

    def close(self) -> None:
        """End running executions, then the workers. No process remains when this returns.

        Garbage collection may call this in one of the pool's threads, which cannot wait for itself. A running
        execution then ends its worker when it is done.
        """
        with self._lock:
            self._closed = True
            running = list(self._running)
        for job in running:
            job.cancel()
        self._threads.shutdown(wait=not getattr(self._here, "is_own", False), cancel_futures=True)
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
        """Run a job; if the worker dies, repeat it on a new one, since a job changes nothing outside."""
        for _ in range(_ATTEMPTS):
            worker = self._take()
            try:
                finished = job.run_on(worker)
            except WorkerHung:
                return job.report_overdue(worker.isolation)
            except WorkerLost as failure:
                reason = failure
                continue
            self._put_back(worker)
            return finished
        raise InfrastructureError(f"the sandbox ended while it ran the code, {_ATTEMPTS} times: {reason}")

    def _put_back(self, worker: Executor) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < self._size:
                self._idle.append(worker)
                return
        worker.close()

    def _take(self) -> Executor:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._start()


class Pools:
    """The pools of one owner or of a whole process, one for each kind of worker.

    They end with `close`, with their owner, or with the process.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._begin()

    def _begin(self) -> None:
        self._pools: dict[Hashable, Pool] = {}
        self._lock = threading.Lock()
        self._owner = os.getpid()
        weakref.finalize(self, _close_all, self._pools, self._owner)

    def __reduce__(self) -> tuple[type[Pools], tuple[int]]:
        """Pickle without workers; another process starts new ones."""
        return Pools, (self._workers,)

    def pool(self, kind: Hashable, start: Start) -> Pool:
        """Return the pool of one kind of worker; `start` starts one worker."""
        if os.getpid() != self._owner:  # after a fork, the workers belong to the other process
            self._begin()
        with self._lock:
            if kind not in self._pools:
                self._pools[kind] = Pool(self._workers, start)
            return self._pools[kind]

    def close(self) -> None:
        """End all workers; later calls of `pool` make new pools."""
        _close_all(self._pools, self._owner)


def _close_all(pools: dict[Hashable, Pool], owner: int) -> None:
    while pools and os.getpid() == owner:
        pools.popitem()[1].close()
