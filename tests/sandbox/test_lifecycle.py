"""Workers die, tasks are cancelled, loops end and processes exit: nothing is lost, and nothing is left."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from ansatz.errors import InfrastructureError
from ansatz.sandbox import Sandbox

pytestmark = pytest.mark.long

ENDLESS = "while True: pass"


def process_ids():
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def zygotes_of(parent):
    """Zygotes started by a process, found by their command line."""
    found = []
    for process in process_ids():
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"zygote.py" in command and f'"parent": {parent},'.encode() in command:
            found.append(process)
    return found


def wait_until(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not (reached := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return reached


def kill(processes):
    """Kill processes, parents first, so that no parent reports a killed child.

    A process of another sandbox may already have ended.
    """
    for process in sorted(processes):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@pytest.fixture
async def own():
    """A sandbox of the test's own, whose workers it may harm."""
    async with Sandbox(preload=(), timeout=20.0, min_isolation="filter") as sandbox:
        yield sandbox


async def test_dead_worker_is_replaced(own):
    await own.run("1")
    before = set(zygotes_of(os.getpid()))
    await own.aclose()
    await own.run("1")
    kill(set(zygotes_of(os.getpid())) - before)
    assert (await own.run("6 * 7")).value == 42


async def test_worker_that_dies_during_a_call_is_replaced(own):
    before = set(zygotes_of(os.getpid()))
    task = asyncio.create_task(own.run("import time\ntime.sleep(1.5)\n6 * 7"))
    await asyncio.sleep(1.0)
    kill(set(zygotes_of(os.getpid())) - before)
    assert (await task).value == 42


async def test_worker_that_cannot_start_is_an_infrastructure_error(own, monkeypatch):
    own._found[False] = "landlock"
    monkeypatch.setattr("ansatz.sandbox.launch.ZYGOTE", Path("/no/such/zygote.py"))
    with pytest.raises(InfrastructureError, match="could not be started"):
        await own.run("1")


async def test_hung_zygote_is_a_timeout_and_is_replaced(own, monkeypatch):
    monkeypatch.setattr("ansatz.sandbox.worker._GRACE", 0.2)
    others = set(zygotes_of(os.getpid()))
    await own.run("1")
    own._bounds = type(own._bounds)(timeout=1.0)
    task = asyncio.create_task(own.run("import time\ntime.sleep(0.8)"))
    await asyncio.sleep(0.3)
    for process in set(zygotes_of(os.getpid())) - others:
        os.kill(process, signal.SIGSTOP)
    execution = await task
    assert execution.status == "timeout"
    assert (await own.run("6 * 7")).value == 42


async def test_cancelled_call_ends_its_program_and_frees_the_worker(own):
    await asyncio.gather(*(own.run("1") for _ in range(2)))
    tasks = [asyncio.create_task(own.run(ENDLESS)) for _ in range(4)]  # two running, two waiting
    await asyncio.sleep(0.3)
    for task in tasks:
        task.cancel()
    assert all(
        isinstance(each, asyncio.CancelledError)
        for each in await asyncio.gather(*tasks, return_exceptions=True)
    )
    async with asyncio.timeout(10):
        assert (await own.run("6 * 7")).value == 42


async def test_a_hundred_tasks_share_two_workers(own):
    executions = await asyncio.gather(*(own.run(f"print({n})\n{n} * 2") for n in range(100)))
    assert [each.value for each in executions] == [2 * n for n in range(100)]
    assert [each.stdout for each in executions] == [f"{n}\n{2 * n}\n" for n in range(100)]


def test_sandbox_works_in_several_event_loops():
    sandbox = Sandbox(preload=(), min_isolation="filter")

    async def use():
        return (await sandbox.run("6 * 7")).value

    values = [asyncio.run(use()), asyncio.run(use())]
    thread = threading.Thread(target=lambda: values.append(asyncio.run(use())))
    thread.start()
    thread.join()
    asyncio.run(sandbox.aclose())
    assert values == [42, 42, 42]


def test_sandbox_works_in_a_forked_process():
    sandbox = Sandbox(preload=(), min_isolation="filter")
    asyncio.run(sandbox.run("1"))
    child = os.fork()
    if child == 0:
        os._exit(asyncio.run(sandbox.run("6 * 7")).value)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
    assert asyncio.run(sandbox.run("6 * 7")).value == 42
    asyncio.run(sandbox.aclose())


async def test_no_process_or_descriptor_remains_after_closing():
    processes, descriptors = set(zygotes_of(os.getpid())), len(os.listdir("/proc/self/fd"))
    async with Sandbox(preload=(), min_isolation="filter") as sandbox:
        await asyncio.gather(*(sandbox.run("1") for _ in range(4)))
        assert set(zygotes_of(os.getpid())) - processes
    assert wait_until(lambda: not set(zygotes_of(os.getpid())) - processes)
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_unreferenced_sandbox_ends_its_workers():
    before = set(zygotes_of(os.getpid()))
    sandbox = Sandbox(preload=(), min_isolation="filter")
    asyncio.run(sandbox.run("1"))
    del sandbox
    assert wait_until(lambda: not set(zygotes_of(os.getpid())) - before)


PARENT = """
    import asyncio, os, sys
    from ansatz.sandbox import Sandbox
    sandbox = Sandbox(preload=(), min_isolation="filter", timeout=60)
    asyncio.run(sandbox.run("1"))
    {then}
"""


def parent(then):
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(PARENT).format(then=then)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "then",
    [
        "",
        "sys.exit(0)",
        "os._exit(0)",
        "async def cut():\n    await asyncio.wait_for(sandbox.run('while True: pass'), 0.3)\ntry: asyncio.run(cut())\nexcept TimeoutError: pass",
    ],
    ids=["end", "exit", "hard exit", "in a call"],
)
def test_no_process_remains_after_the_parent_exits(then):
    with parent(then) as process:
        output = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, ("", ""))
    assert wait_until(lambda: not zygotes_of(process.pid))


def test_no_process_remains_after_the_parent_is_killed():
    with parent("print('ready', flush=True)\nasyncio.run(sandbox.run('while True: pass'))") as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert zygotes_of(process.pid)
        process.kill()
        process.communicate()
    assert wait_until(lambda: not zygotes_of(process.pid))
