"""Many questions, a few of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")


async def map_concurrently(
    given: Iterable[Input],
    ask: Callable[[Input], Awaitable[Output]],
    on_done: Callable[[int], None] = lambda _: None,
    at_once: int = 8,
) -> list[Output]:
    """What is found for each, in order, so many `at_once`; `done` is told how many are."""
    gate = asyncio.Semaphore(at_once)
    finished = 0

    async def one(each: Input) -> Output:
        nonlocal finished
        async with gate:
            found = await ask(each)
        finished += 1
        on_done(finished)
        return found

    return list(await asyncio.gather(*map(one, given)))
