"""Many questions, a few of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")


async def each_of(
    given: Iterable[Given],
    ask: Callable[[Given], Awaitable[Found]],
    done: Callable[[int], None] = lambda _: None,
    at_once: int = 8,
) -> list[Found]:
    """What is found for each, in order, so many `at_once`; `done` is told how many are."""
    gate = asyncio.Semaphore(at_once)
    finished = 0

    async def one(each: Given) -> Found:
        nonlocal finished
        async with gate:
            found = await ask(each)
        finished += 1
        done(finished)
        return found

    return list(await asyncio.gather(*map(one, given)))
