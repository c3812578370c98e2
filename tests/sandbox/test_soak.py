"""Thousands of calls in a row, a tenth of them hostile: nothing may grow and every benign answer must be right.

`python -m tests.sandbox.test_soak CALLS` is one, in a process of its own whose memory no test fills.
"""

import asyncio
import gc
import itertools
import json
import os
import random
import subprocess
import sys

import pytest

from ansatz.sandbox import Sandbox
from tests.sandbox.containment_corpus import fill, load
from tests.sandbox.containment_machine import ROOT
from tests.sandbox.containment_runners import PRELOAD, refusal_of
from tests.sandbox.containment_stage import Stage
from tests.sandbox.containment_watch import descendants

pytestmark = pytest.mark.long

WORKERS, WARM_UP, HOSTILE = 2, 100, 0.1


@pytest.mark.parametrize("calls", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_soak_has_no_growth_and_right_results(calls):
    if refusal := refusal_of("full"):
        pytest.skip(f"full isolation: {refusal}")
    command = [sys.executable, "-m", "tests.sandbox.test_soak", str(calls)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert (found["wrong"], found["left"]) == ([], [])
    assert found["hostile"] > calls / 20
    grown = {name: found["after"][name] / before - 1 for name, before in found["before"].items()}
    assert max(grown.values()) <= 0.05, (grown, found)


def size():
    """What must not grow. `blocks` are those of memory that Python holds; how many pages they lie on is chance."""
    gc.collect()
    return {
        "processes": len(descendants(os.getpid())) + 1,
        "descriptors": len(os.listdir("/proc/self/fd")),
        "blocks": sys.getallocatedblocks(),
    }


def benign(generator):
    """A calculation and its right answer."""
    a, b = generator.randrange(2, 1000), generator.randrange(2, 1000)
    return generator.choice([
        (f"sum(k * {a} for k in range({b}))", a * b * (b - 1) // 2),
        (f"import math\nprint('root')\nmath.sqrt({a}.0 * {a}.0)", float(a)),
        (f"import numpy\nnumpy.full({b}, {a}.0).sum()", float(a * b)),
        (f"import sympy\nx = sympy.Symbol('x')\nint(sympy.integrate(2 * x, (x, 0, {a})))", a * a),
    ])  # fmt: skip


async def soak(calls):
    """Put the calls to a sandbox of two workers, both busy at once.

    Sizes are taken after a warm-up of the same kind, when caches are filled, and at the end. A long one meets every
    attack in its warm-up: what reads one may be imported for it alone. The attacks aim at this very process.
    """
    generator, stage, found = random.Random(0), Stage(os.getuid()), {"hostile": 0, "wrong": []}
    aims = {
        "HOST_PID": str(os.getpid()), "SUPERVISOR_PID": str(os.getppid()), "SHARED_MEMORY": "none",
        "SERVE_PORT": "9", "SECRET": stage.token, "KEY_NAME": "HOME",
    }  # fmt: skip
    attacks = {each.id: fill(each.code, stage.values() | aims) for each in load() if not each.ending}
    hostile = itertools.cycle(generator.sample([*attacks.values()], len(attacks)))

    async def ask(code, right):
        outcome = await sandbox.run(code)
        if (outcome.status, outcome.value) != ("ok", right):
            found["wrong"].append(f"{code!r} gave {outcome.status} {outcome.value!r} {outcome.error}"[:300])

    async def work(pending):
        for _ in pending:
            if generator.random() < HOSTILE:
                found["hostile"] += 1
                await sandbox.run(next(hostile))
            else:
                await ask(*benign(generator))

    async def mixed(calls):
        """A few benign ones in the end, so that a harmed worker is replaced before anything is counted."""
        pending = iter(range(calls))
        await asyncio.gather(*(work(pending) for _ in range(WORKERS)))
        await asyncio.gather(*(ask("import time\ntime.sleep(0.3)\n6 * 7", 42) for _ in range(WORKERS)))

    try:
        async with Sandbox(WORKERS, PRELOAD, timeout=2.0, memory_mb=128, min_isolation="filter") as sandbox:
            # The largest outputs and values once: memory that was needed is not given back, which is no growth.
            for name, code in attacks.items():
                if name.partition("/")[2].startswith(("flood", "many", "costly", "pickled")):
                    await asyncio.gather(*(sandbox.run(code) for _ in range(WORKERS)))
            await mixed(max(WARM_UP, calls // 4))
            found |= {"before": size(), "hostile": 0}
            await mixed(calls)
            found["after"] = size()
    finally:
        stage.close()
    return {**found, "left": sorted(process.name for process in descendants(os.getpid()).values())}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(soak(int(sys.argv[1])))))
