"""Blocking code of users: its results, its failures, and calls that never return."""

import asyncio
import threading

import pytest

from ansatz.agents.daemon_thread import run_in_daemon_thread


async def test_calls_that_never_return_hold_up_nothing():
    """`asyncio.to_thread` has at most 32 threads, and the interpreter waits for them at its end."""
    release = threading.Event()
    stuck = [asyncio.ensure_future(run_in_daemon_thread(release.wait)) for _ in range(40)]
    await asyncio.sleep(0)
    assert await run_in_daemon_thread(max, 2, 3) == 3
    waiting = [each for each in threading.enumerate() if each.name == "ansatz tool"]
    assert len(waiting) >= 40 and all(each.daemon for each in waiting)
    release.set()
    assert await asyncio.gather(*stuck) == [True] * 40


@pytest.mark.parametrize(("failure", "seen"), [(ValueError, ValueError), (StopIteration, RuntimeError)])
async def test_failures_are_raised_where_the_call_waits(failure, seen):
    def fail():
        raise failure("no")

    with pytest.raises(seen, match="no"):
        await run_in_daemon_thread(fail)
