"""The interface of the sandbox: run code, and call its functions."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol, runtime_checkable

from ansatz.errors import SandboxUnavailable
from ansatz.sandbox import encoding, isolation, seatbelt
from ansatz.sandbox.docker import DockerLauncher
from ansatz.sandbox.execution import Execution
from ansatz.sandbox.isolation import LEVELS, Isolation, Level
from ansatz.sandbox.launch import Launched, ZygoteSettings, launch
from ansatz.sandbox.limits import Bounds
from ansatz.sandbox.plain import PlainWorker
from ansatz.sandbox.pool import Pool, Pools
from ansatz.sandbox.worker import Job, Worker

_OUTPUT_BYTES = 64 * 1024
_MOST_SHARED_WORKERS = 8
_COOLPROP = "CoolProp.CoolProp"
_IN_CONTAINER = "docker"

Place = Literal["local", "docker"]
Launcher = Callable[[ZygoteSettings], Launched]


class CodeRunner(Protocol):
    """Runs Python source and returns its output; a last bare expression is printed, as in a console.

    A failure of the code is an outcome. `run` raises InfrastructureError if the runner itself fails.
    """

    async def run(self, code: str) -> Execution: ...


@runtime_checkable
class RunsCode(Protocol):
    """A switch or a scorer that runs model-written code."""

    @property
    def runner(self) -> Sandbox | None:
        """The sandbox, which is checked and warmed before a run; None if these settings run no code."""
        ...


@lru_cache(maxsize=1)
def shared_pools() -> Pools:
    """Return the workers that all arms share. They start on first use and end with the process."""
    return Pools(shared_workers())


def shared_workers() -> int:
    """Return how many programs run at the same time."""
    return min(max(os.cpu_count() or 1, 2), _MOST_SHARED_WORKERS)


class Sandbox:
    """Runs model-written Python on warm workers, each execution in a separate, locked-down child process.

    Workers start with `start` or the first call, and end with `aclose` or the process. A sandbox works from
    any event loop and for any number of tasks.

    Parameters
    ----------
    workers
        Number of workers.
    preload
        Modules to import before any code runs. The code can import others, except at level `filter`.
    timeout
        Wall-clock limit of an execution in seconds.
    memory_mb
        Memory limit of an execution in megabytes.
    min_isolation
        The level below which no code runs, except trusted code (see `trusting`).
    level
        Forces a level below the one that the machine reaches.
    """

    def __init__(
        self,
        workers: int = 2,
        preload: Sequence[str] = ("numpy", "sympy"),
        timeout: float = 30.0,
        memory_mb: int = 512,
        min_isolation: Isolation = "landlock",
        *,
        level: Level | None = None,
    ) -> None:
        self._preload, self._bounds = tuple(preload), Bounds(timeout, memory_mb)
        self._minimum, self._level = min_isolation, level
        self._launcher: Launcher | None = None
        self._found: dict[bool, str] = {}
        self._pools, self._is_shared = Pools(workers), False

    @classmethod
    def shared(
        cls,
        timeout: float = 30.0,
        memory_mb: int = 512,
        min_isolation: Isolation = "landlock",
        place: Place = "local",
    ) -> Sandbox:
        """Make a sandbox with separate limits on the workers that the whole process shares.

        With the place "docker" the workers are in containers, and use the layers that work inside.
        """
        sandbox = cls(timeout=timeout, memory_mb=memory_mb, min_isolation=min_isolation)
        sandbox._pools, sandbox._is_shared = shared_pools(), True
        if place == "docker" and min_isolation != "none":
            sandbox._launcher = DockerLauncher()
        return sandbox

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore in another process, which has separate workers and may have another isolation."""
        vars(self).update(state, _found={})
        if self._is_shared:
            self._pools = shared_pools()

    def require(self) -> str:
        """Return the isolation on this machine: full, landlock, filter, docker, seatbelt or none.

        This starts no worker. Raises SandboxUnavailable, with a remedy, if the isolation is below the
        minimum; trusted code may still run.
        """
        try:
            if self._launcher is None:
                return isolation.require(self._minimum, self._level)
            if isinstance(self._launcher, DockerLauncher):
                self._launcher.require_engine()
            return _IN_CONTAINER
        except SandboxUnavailable:
            if not isolation.is_trusted():
                raise
            return isolation.reached()[0] or "none"

    async def start(self) -> str:
        """Start all workers, so that no call has to wait. Returns the isolation, as `require` does."""
        pool = await self._pool("")
        await asyncio.to_thread(pool.start)
        return self._found[isolation.is_trusted()]

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def run(self, code: str) -> Execution:
        """Execute a program; the value of a last bare expression is printed and returned.

        A failure of the code is an outcome.

        Raises
        ------
        SandboxUnavailable
            If this machine cannot isolate code well enough.
        InfrastructureError
            If the sandbox itself fails.
        """
        return await self._execute({"kind": "run", "code": code}, code)

    async def call(self, code: str, function: str, inputs: Sequence[Mapping[str, Any]]) -> list[Execution]:
        """Execute a program and call its function for each set of keyword arguments.

        Every input has a separate process, deadline and memory limit. Arguments may be complex, infinite or
        NaN, NumPy scalars and arrays, and tuples; values may also be expressions (`Symbolic`). Raises as
        `run` does, and EncodingError for an argument that cannot be encoded.
        """
        about = {"kind": "call", "code": code, "function": function}
        arguments = [json.loads(encoding.dumps(dict(each))) for each in inputs]
        calls = (self._execute({**about, "arguments": each}, code) for each in arguments)
        return list(await asyncio.gather(*calls))

    async def aclose(self) -> None:
        """End this sandbox's workers, unless they are shared. The next call starts new ones."""
        if not self._is_shared:
            await asyncio.to_thread(self._pools.close)

    async def _execute(self, payload: dict[str, Any], code: str) -> Execution:
        job = Job(json.dumps(payload).encode(), self._bounds, _OUTPUT_BYTES)
        pool = await self._pool(code)
        try:
            finished = await asyncio.wrap_future(pool.submit(job))
        except asyncio.CancelledError:
            job.cancel()
            raise
        isolation.record_isolation(self._found[isolation.is_trusted()])
        return finished.execution()

    async def _pool(self, code: str) -> Pool:
        """Return the workers for a program; they have CoolProp if the program mentions it."""
        is_trusted = isolation.is_trusted()
        if is_trusted not in self._found:  # one entry for each: trust in one call does not extend to the next
            self._found[is_trusted] = await asyncio.to_thread(self.require)
        found = self._found[is_trusted]
        if found == "none":
            return self._pools.pool(found, PlainWorker)
        if found == "seatbelt":
            return self._pools.pool(found, seatbelt.worker)
        # CoolProp is too slow to import for each call and too large for every worker: it has a separate pool.
        is_wanted = re.search(r"\bCoolProp\b", code) and _COOLPROP not in self._preload
        preload = (*self._preload, _COOLPROP) if is_wanted else self._preload
        if found == _IN_CONTAINER:
            settings, launcher = ZygoteSettings(LEVELS, preload, "choose"), self._launcher or launch
        else:
            settings, launcher = ZygoteSettings((found,), preload, "serve"), launch
        return self._pools.pool((settings, launcher), lambda: Worker(launcher(settings)))
