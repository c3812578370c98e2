"""How long calls take, beside the plain subprocess that they replace, in one run on one machine."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from ansatz.sandbox.code_runner import CodeRunner, Sandbox

# Not what the workers are warmed with: the libraries are warm, the answers are not known.
PROGRAMS = {
    "trivial": "print(6 * 7)",
    "sympy integrate": "from sympy import *\nx = symbols('x')\nprint(integrate(x * sin(x), x))",
    "CoolProp": "from CoolProp.CoolProp import PropsSI\nprint(PropsSI('H', 'P', 2e6, 'T', 600, 'Water'))",
}
_CALLS = {"trivial": 100, "sympy integrate": 30, "CoolProp": 30}
_COLD_CALLS = {"trivial": 10, "sympy integrate": 5, "CoolProp": 3}
_AT_ONCE = 200


@dataclass(frozen=True)
class Timing:
    """Times in milliseconds; `ratio` is how many times longer the median plain subprocess takes."""

    program: str
    median: float
    p99: float
    plain: float
    ratio: float


async def measure(sandbox: Sandbox, told: Callable[[str], None]) -> dict[str, Any]:
    """Median and 99th percentile of each program, calls per second on two workers, and the ratios."""
    rows = []
    for name, code in PROGRAMS.items():
        told(f"{name}: {_CALLS[name]} calls in the sandbox, {_COLD_CALLS[name]} in plain subprocesses")
        await sandbox.run(code)
        warm = await _times(sandbox, code, _CALLS[name])
        cold = await _times(
            Sandbox(timeout=60, memory_mb=1024, min_isolation="none"), code, _COLD_CALLS[name]
        )
        median, plain = statistics.median(warm), statistics.median(cold)
        rows.append(Timing(name, median, _percentile(warm, 99), plain, plain / median))
    level = (await sandbox.run("")).isolation
    rates = {}
    for name in ("trivial", "sympy integrate"):
        calls = _AT_ONCE if name == "trivial" else _CALLS[name]
        rates[name] = calls / await _seconds(_together(sandbox, PROGRAMS[name], calls))
    return {"isolation": level, "milliseconds": [asdict(row) for row in rows], "calls_per_second": rates}


async def _times(runner: CodeRunner, code: str, calls: int) -> list[float]:
    return [1000 * await _seconds(_succeed(runner, code)) for _ in range(calls)]


async def _together(runner: CodeRunner, code: str, calls: int) -> None:
    await asyncio.gather(*(_succeed(runner, code) for _ in range(calls)))


async def _succeed(runner: CodeRunner, code: str) -> None:
    execution = await runner.run(code)
    if execution.status != "ok":
        raise RuntimeError(f"a program of the benchmark failed: {execution.error}")


async def _seconds(work: Awaitable[None]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def _percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
