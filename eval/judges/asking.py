"""Asking judges for marks: one until all are had, and all of them before a failure is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from langchain_core.messages import BaseMessage

from ansatz.agents import ModelClient
from ansatz.eval.judges.models import JudgeModel
from ansatz.eval.judges.opinion import Opinion, merged, read
from ansatz.eval.judges.request import ERROR_TAGS, tool

Request = Callable[[Sequence[str], bool], list[BaseMessage]]
"""The messages that ask for marks on some dimensions, and whether they ask again."""


def check_panel(models: Sequence[JudgeModel], asks: int) -> None:
    """Raises ValueError where nothing may be asked, or two judges share a name."""
    if asks < 1:
        raise ValueError("asks must be 1 or more")
    titles = [model.title for model in models]
    for title in titles:
        if titles.count(title) > 1:
            raise ValueError(f"two judges are called {title!r}; give one of them another label")


async def ask(
    client: ModelClient, names: Sequence[str], asks: int, request: Request, tags: Sequence[str] = ERROR_TAGS
) -> Opinion:
    """What a judge says of all the names, asked again for those still missing, `asks` times at most."""
    opinion = Opinion(order=tuple(names))
    while opinion.asks < asks:
        missing = [name for name in names if name not in opinion.marks]
        reply = await client.reply(request(missing, opinion.asks > 0), [tool(missing, tags)])
        opinion = merged(opinion, read(reply.message, missing, tags))
        if opinion.status(names) == "ok":
            break
    return opinion


async def all_of(asked: Iterable[Awaitable[Opinion]]) -> list[Opinion]:
    """Every opinion; a failure is raised when all have answered, so that no paid reply is lost."""
    given = await asyncio.gather(*asked, return_exceptions=True)
    for opinion in given:
        if isinstance(opinion, BaseException):
            raise opinion
    return [opinion for opinion in given if isinstance(opinion, Opinion)]
