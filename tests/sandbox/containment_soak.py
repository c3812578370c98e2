"""Thousands of calls in a row, a tenth of them hostile: nothing may grow and every benign answer must be right.

python -m tests.sandbox.containment_soak --calls 10000
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any

from tests.sandbox.containment_corpus import Attack, fill, load
from tests.sandbox.containment_runners import PRELOAD, open_sandbox
from tests.sandbox.containment_stage import Stage
from tests.sandbox.containment_watch import descendants

TIMEOUT, MEMORY_MB, WORKERS = 2.0, 128, 2
WARM_UP = 100
HOSTILE = 0.1  # of the calls


@dataclass(frozen=True)
class Size:
    """What must not grow. `blocks` are those of memory that Python holds; how many pages they lie on is chance."""

    processes: int
    descriptors: int
    blocks: int


@dataclass
class Soak:
    """`before` is taken after a warm-up of the same kind, when caches are filled; `after` at the end.

    A long one meets every attack in its warm-up: what reads one may be imported for it alone.
    """

    calls: int = 0
    hostile: int = 0
    seconds: float = 0.0
    before: Size | None = None
    after: Size | None = None
    wrong: list[str] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)
    left_at_the_end: list[str] = field(default_factory=list)

    def growth(self) -> dict[str, float]:
        """After over before, less one."""
        assert self.before and self.after
        pairs = (
            (name, getattr(self.before, name), getattr(self.after, name)) for name in asdict(self.before)
        )
        return {name: round(after / before - 1, 4) for name, before, after in pairs}


def size() -> Size:
    gc.collect()
    return Size(
        processes=len(descendants(os.getpid())) + 1,
        descriptors=len(os.listdir("/proc/self/fd")),
        blocks=sys.getallocatedblocks(),
    )


def benign(generator: random.Random) -> tuple[str, object]:
    """A calculation and its right answer."""
    a, b = generator.randrange(2, 1000), generator.randrange(2, 1000)
    choices: tuple[tuple[str, object], ...] = (
        (f"sum(k * {a} for k in range({b}))", a * b * (b - 1) // 2),
        (f"import math\nprint('root')\nmath.sqrt({a}.0 * {a}.0)", float(a)),
        (f"import numpy\nnumpy.full({b}, {a}.0).sum()", float(a * b)),
        (f"import sympy\nx = sympy.Symbol('x')\nint(sympy.integrate(2 * x, (x, 0, {a})))", a * a),
    )
    return generator.choice(choices)


def hostile(attack: Attack, stage: Stage) -> str:
    """The attack, aimed at this very process."""
    return fill(attack.code, stage.values() | {
        "HOST_PID": str(os.getpid()), "SUPERVISOR_PID": str(os.getppid()), "SHARED_MEMORY": "none",
        "SERVE_PORT": "9", "SECRET": stage.token, "KEY_NAME": "HOME",
    })  # fmt: skip


async def soak(calls: int) -> Soak:
    """Put the calls to a sandbox of two workers, both busy at once."""
    generator, found, started = random.Random(0), Soak(), time.monotonic()
    stage = Stage(os.getuid())
    attacks = [attack for attack in load() if not attack.host_is_killed]
    codes = cycle(hostile(attack, stage) for attack in generator.sample(attacks, len(attacks)))
    sandbox = open_sandbox(PRELOAD, WORKERS, TIMEOUT, MEMORY_MB)
    try:
        await _fill_buffers(sandbox, stage)
        await _work(sandbox, codes, Soak(), generator, max(WARM_UP, calls // 4))
        found.before = size()
        await _work(sandbox, codes, found, generator, calls)
        found.after = size()
    finally:
        await sandbox.aclose()
        stage.close()
    found.left_at_the_end = sorted(process.name for process in descendants(os.getpid()).values())
    found.seconds = round(time.monotonic() - started, 1)
    return found


async def _fill_buffers(sandbox: Any, stage: Stage) -> None:
    """Have the largest outputs and values once: memory that was needed is not given back, which is no growth."""
    for attack in load():
        if attack.name.startswith(("flood", "many", "costly", "pickled")):
            await asyncio.gather(*(sandbox.run(hostile(attack, stage)) for _ in range(WORKERS)))


async def _work(
    sandbox: Any, attacks: Iterator[str], found: Soak, generator: random.Random, calls: int
) -> None:
    """As many calls, mixed; then a few benign ones, so that a harmed worker is replaced before anything is counted."""
    pending = iter(range(calls))

    async def work() -> None:
        for _ in pending:
            found.calls += 1
            if generator.random() < HOSTILE:
                found.hostile += 1
                outcome = await sandbox.run(next(attacks))
                found.outcomes[outcome.status] = found.outcomes.get(outcome.status, 0) + 1
            else:
                await _ask(sandbox, found, *benign(generator))

    await asyncio.gather(*(work() for _ in range(WORKERS)))
    await asyncio.gather(
        *(_ask(sandbox, found, "import time\ntime.sleep(0.3)\n6 * 7", 42) for _ in range(WORKERS))
    )


async def _ask(sandbox: Any, found: Soak, code: str, right: object) -> None:
    outcome = await sandbox.run(code)
    if outcome.status != "ok" or outcome.value != right:
        found.wrong.append(f"{code!r} gave {outcome.status} {outcome.value!r} {outcome.error}"[:300])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    found = asyncio.run(soak(parser.parse_args().calls))
    print(json.dumps(asdict(found) | {"growth": found.growth()}, indent=1))
    healthy = not found.wrong and not found.left_at_the_end and max(found.growth().values()) <= 0.05
    return 0 if healthy else 1


if __name__ == "__main__":
    sys.exit(main())
