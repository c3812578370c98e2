"""Which of several independent answers is asked for.

A provider's model draws at random by itself. The offline model, which does not, tells draws apart by this.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DRAW: ContextVar[int] = ContextVar("draw", default=0)


@contextmanager
def drawing(number: int) -> Iterator[None]:
    """Requests made within are of an attempt's answer of this number."""
    token = _DRAW.set(number)
    try:
        yield
    finally:
        _DRAW.reset(token)


def draw() -> int:
    """The number of the answer that is asked for, from 0."""
    return _DRAW.get()
