"""Map an asynchronous function over many inputs, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")
_CONCURRENCY = 8


async def map_concurrently(
    inputs: Iterable[Input],
    function: Callable[[Input], Awaitable[Output]],
    on_done: Callable[[int], None] = lambda _: None,
) -> list[Output]:
    """Return the results in the order of the inputs. `on_done` receives the number of finished calls."""
    semaphore = asyncio.Semaphore(_CONCURRENCY)
    finished = 0

    async def call(value: Input) -> Output:
        nonlocal finished
        async with semaphore:
            result = await function(value)
        finished += 1
        on_done(finished)
        return result

    return list(await asyncio.gather(*map(call, inputs)))
