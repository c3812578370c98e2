"""An event loop of our own, for those who have none and for those who have one that is busy."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
_FAREWELL = 2.0  # seconds
_beginning = threading.Lock()  # threads that come first at once must not get a loop each


def in_background(work: Coroutine[Any, Any, T]) -> T:
    """Wait for work on our own event loop, which lives on: so it works inside a running loop too.

    A chat model's kept-alive connections belong to one loop; a second run in the same process finds it open.
    """
    task = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return task.result()
    except KeyboardInterrupt:
        task.cancel()
        asyncio.run_coroutine_threadsafe(_rest_ended(), _loop()).result()
        raise


async def _rest_ended() -> None:
    """Wait a moment until what was cancelled has closed its ledger and connections."""
    if others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others, timeout=_FAREWELL)


def _loop() -> asyncio.AbstractEventLoop:
    with _beginning:
        return _begun(os.getpid())


@cache
def _begun(process: int) -> asyncio.AbstractEventLoop:
    """That of a process: one that was forked has no thread that would run the loop of the other."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="ansatz", daemon=True).start()
    return loop
