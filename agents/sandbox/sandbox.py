"""The sandbox as the rest of ansatz uses it: run code, call its functions, compare symbolic answers."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import weakref
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from ansatz.agents.sandbox import encoding
from ansatz.agents.sandbox.execution import Execution, SandboxUnavailable
from ansatz.agents.sandbox.limits import Bounds
from ansatz.agents.sandbox.pool import Pool
from ansatz.agents.sandbox.values import Symbolic
from ansatz.agents.sandbox.worker import Job, Worker, ZygoteSettings

Level = Literal["L3", "L2", "L1"]
LEVELS: tuple[Level, ...] = ("L3", "L2", "L1")
_OUTPUT_BYTES = 64 * 1024
# Libraries too slow to import for each call and too large for every worker: pools of their own, on demand.
_ON_DEMAND = {"CoolProp": ("CoolProp.CoolProp",)}


@lru_cache(maxsize=8)
def reached(levels: tuple[Level, ...] = LEVELS) -> tuple[Level | None, dict[str, str]]:
    """The best of these levels that the machine reaches, tried once a process, and why none before it."""
    worker = Worker(ZygoteSettings(levels, probe_only=True))
    try:
        worker.wait_until_ready()
        return worker.level, worker.reasons  # type: ignore[return-value]
    finally:
        worker.close()


def require(minimum: Level, level: Level | None = None) -> Level:
    """The level that executions will have. Raises SandboxUnavailable where it is below `minimum`.

    `level` forces one, which may be lower than what the machine reaches.
    """
    found, reasons = reached((level,) if level else LEVELS)
    if found is not None and LEVELS.index(found) <= LEVELS.index(minimum):
        return found
    wanted = level or minimum
    why = "; ".join(f"{each}: {reason}" for each, reason in reasons.items()) or f"{found} was asked for"
    raise SandboxUnavailable(
        f"model-written code cannot be isolated at {wanted} here, only at {found or 'no level'} ({why}). "
        f"See `ansatz sandbox doctor` for how to get it"
        + (f", or accept less with isolation: {found}" if found else ", or accept none with isolation: none")
    )


class Sandbox:
    """Runs model-written Python on warm workers, each execution in a locked child process of its own.

    `preload` is imported before any code runs; other libraries can be imported by the code, except at L1.
    `timeout` is wall-clock seconds and `memory_mb` megabytes for each execution. `min_isolation` is the level
    below which nothing is run; `level` forces a lower one than the machine reaches. Workers start with the
    first call and end with `aclose`, or with the process. Usable from any event loop, by any number of tasks.
    """

    def __init__(
        self,
        workers: int = 2,
        preload: Sequence[str] = ("numpy", "sympy"),
        timeout: float = 30.0,
        memory_mb: int = 512,
        min_isolation: Level = "L2",
        *,
        level: Level | None = None,
    ) -> None:
        self._workers, self._preload = workers, tuple(preload)
        self._bounds = Bounds(timeout, memory_mb)
        self._minimum, self._level = min_isolation, level
        self._pools: dict[tuple[str, ...], Pool] = {}
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _close_all, self._pools)

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def run(self, code: str) -> Execution:
        """Execute a program; the value of a last bare expression is printed and returned.

        A failure of the code is an outcome. Raises InfrastructureError when the sandbox itself fails, and its
        subclass SandboxUnavailable when this machine cannot isolate code well enough.
        """
        return await self._execute({"kind": "run", "code": code}, code)

    async def call(self, code: str, function: str, inputs: Sequence[Mapping[str, Any]]) -> list[Execution]:
        """Execute a program and call its function once per set of keyword arguments, each time afresh.

        Every input has its own process, deadline and memory. Arguments and values may be complex, not finite,
        NumPy scalars and arrays, tuples, and expressions (`Symbolic`). Raises as `run` does.
        """
        payloads = [
            {
                "kind": "call",
                "code": code,
                "function": function,
                "arguments": json.loads(encoding.dumps(dict(each))),
            }
            for each in inputs
        ]
        return list(await asyncio.gather(*(self._execute(payload, code) for payload in payloads)))

    async def equal(self, left: str, right: str, *, positive: bool = False) -> Execution:
        """Whether two SymPy expressions, given as text, agree for all values of their symbols.

        The value is True, False, or None where it stays open. `positive` takes all symbols as positive.
        Neither text is evaluated as Python, and neither author's code runs beside the other's expression.
        """
        return await self._execute({"kind": "equal", "left": left, "right": right, "positive": positive}, "")

    async def compare(
        self, code: str, reference: str, function: str, symbols: Sequence[str], *, positive: bool = False
    ) -> Execution:
        """Whether a function of `code` makes the same expression of these symbols as that of `reference`.

        The two run in separate processes, so that the code never shares one with the answer. An execution
        that fails is returned as it is.
        """
        arguments = [{name: Symbolic(name) for name in symbols}]
        texts = []
        for source in (code, reference):
            [execution] = await self.call(source, function, arguments)
            if execution.status != "ok":
                return execution
            texts.append(str(execution.value))
        return await self.equal(texts[0], texts[1], positive=positive)

    async def aclose(self) -> None:
        """End all workers. The sandbox may be used again; it then starts new ones."""
        with self._lock:
            pools, self._pools = self._pools, {}
        self._finalizer.detach()
        self._finalizer = weakref.finalize(self, _close_all, self._pools)
        await asyncio.to_thread(_close_all, pools)

    async def _execute(self, payload: dict[str, Any], code: str) -> Execution:
        job = Job(json.dumps(payload).encode(), self._bounds, _OUTPUT_BYTES)
        pool = await asyncio.to_thread(self._pool, code) if not self._pools else self._pool(code)
        try:
            finished = await asyncio.wrap_future(pool.submit(job))
        except asyncio.CancelledError:
            job.cancel()
            raise
        return finished.execution()

    def _pool(self, code: str) -> Pool:
        level = require(self._minimum, self._level)
        extra = (modules for word, modules in _ON_DEMAND.items() if re.search(rf"\b{word}\b", code))
        preload = tuple(dict.fromkeys((*self._preload, *(name for modules in extra for name in modules))))
        with self._lock:
            if preload not in self._pools:
                settings = ZygoteSettings((level,), preload, tried=True)
                self._pools[preload] = Pool(self._workers, settings)
            return self._pools[preload]


def _close_all(pools: dict[tuple[str, ...], Pool]) -> None:
    while pools:
        pools.popitem()[1].close()
