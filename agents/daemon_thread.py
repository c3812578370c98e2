"""Run blocking code of users, such as a tool, so that a call that never returns holds up nothing else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")


async def run_in_daemon_thread(function: Callable[..., Result], *arguments: object) -> Result:
    """Run a blocking function in a separate thread and return its result.

    Unlike `asyncio.to_thread`, which shares a few threads, each call has its own. It delays neither other
    calls nor the end of the process, even if it never returns. Context variables are passed on.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()
    context = copy_context()

    def finish(result: Result | None, failure: BaseException | None) -> None:
        if done.cancelled():
            return
        if failure is None:
            done.set_result(result)  # type: ignore[arg-type]
        else:
            done.set_exception(failure)

    def work() -> None:
        result: Result | None = None
        failure: BaseException | None = None
        try:
            result = context.run(function, *arguments)
        except StopIteration as stopped:  # a future cannot have this exception
            failure = RuntimeError(f"StopIteration: {stopped}")
        except BaseException as raised:
            failure = raised
        with suppress(RuntimeError):  # the loop is closed: no one waits for the result
            loop.call_soon_threadsafe(finish, result, failure)

    threading.Thread(target=work, name="ansatz tool", daemon=True).start()
    return await done
