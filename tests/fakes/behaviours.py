"""What a fake provider does with one request: an answer, or a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Tokens:
    """`input` includes `cached`, and `output` includes `reasoning`, whatever the protocol calls them."""

    input: int = 10
    output: int = 5
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True)
class Answer:
    """Text, tool calls as (name, arguments), or both. `finish` is in the words of chat completions."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    tokens: Tokens = Tokens()
    finish: str | None = None
    refusal: str | None = None

    @property
    def finish_reason(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Failure:
    """An error status with the provider's own error body."""

    status: int
    message: str = "the fake has to fail"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Exactly these bytes as the body, such as broken JSON."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Written:
    """Whatever stands on the wire, from the status line on: pieces as they come, until the client hangs up."""

    pieces: Callable[[], Iterable[bytes]]
    pause: float = 0.0  # seconds after each piece


@dataclass(frozen=True)
class Recorded:
    """A status and a body that a real provider gave."""

    status: int
    body: dict[str, Any] | str


@dataclass(frozen=True)
class Dropped:
    """The connection closes: before any answer, or with `midway` in the middle of the body."""

    midway: bool = False


@dataclass(frozen=True)
class Slow:
    """Something else, after a while."""

    seconds: float
    then: Behaviour = Answer("late")


Behaviour = Answer | Failure | Raw | Written | Recorded | Dropped | Slow


@dataclass(frozen=True)
class Request:
    """What the server received. `earlier` counts the requests before it with the very same body."""

    number: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    earlier: int

    @property
    def text(self) -> str:
        """The whole body as JSON, for looking things up in it."""
        return json.dumps(self.body, ensure_ascii=False)


Script = Sequence[Behaviour] | Callable[[Request], Behaviour]
