"""The number of an independent answer within an attempt.

A provider's model samples at random. The offline model does not, so it varies its answer by this number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DRAW: ContextVar[int] = ContextVar("draw", default=0)


@contextmanager
def drawing(number: int) -> Iterator[None]:
    """Mark the requests made within as part of the answer with this number."""
    token = _DRAW.set(number)
    try:
        yield
    finally:
        _DRAW.reset(token)


def draw() -> int:
    """Return the number of the answer that is requested, from 0."""
    return _DRAW.get()
