"""An event loop in a thread, for callers without one, and for callers whose loop is running."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
_SECONDS_TO_CLOSE = 2.0
_starting = threading.Lock()  # of several threads, only one starts the loop


def in_background(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background event loop and wait for its result.

    This also works inside a running loop, as in notebooks. The loop stays open, because a chat model's
    open connections belong to one loop, and a second run in the same process uses them again.
    """
    task = asyncio.run_coroutine_threadsafe(work, _get_loop())
    try:
        return task.result()
    except KeyboardInterrupt:
        task.cancel()
        asyncio.run_coroutine_threadsafe(_wait_for_cancelled(), _get_loop()).result()
        raise


async def _wait_for_cancelled() -> None:
    """Wait until cancelled tasks have closed their ledger and connections."""
    if cancelled := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(cancelled, timeout=_SECONDS_TO_CLOSE)


def _get_loop() -> asyncio.AbstractEventLoop:
    with _starting:
        return _start_loop(os.getpid())


@cache
def _start_loop(process: int) -> asyncio.AbstractEventLoop:
    """Start the loop of a process. A forked process needs its own, because threads are not copied."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="ansatz", daemon=True).start()
    return loop
