"""What became of a tool result or a retrieved passage, as `tracing` finds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Use = Literal["used", "converted", "copied wrongly", "ignored", "unknown", "failed"]
Recovery = Literal["by a retry", "by another tool", "by hand"]


@dataclass(frozen=True)
class TextPlace:
    """A passage of the conversation that shows what became of a result."""

    message: int
    """The number of the message, from 0."""
    text: str
    """The passage."""


@dataclass(frozen=True)
class SourceUse:
    """What became of one tool call or one retrieved passage."""

    kind: Literal["tool", "equation", "passage"]
    name: str
    """The tool, the id of the equation, or the source of the passage."""
    number: int
    """The number of the call or passage within the attempt, from 1."""
    use: Use
    """`used` as it is or rounded, `converted` to another unit, `copied wrongly`, `ignored`, `failed`, or
    `unknown` if the conversation leaves it open."""
    in_answer: bool | None
    """Whether the result, or a value that was computed with it, is a value of the answer."""
    right: bool | None
    """Whether the answer is right; None if no scorer decided."""
    redundant: bool = False
    """Whether it brought nothing that the conversation did not have before, or nothing but unused values.
    Then its use is `unknown` if such a value appears later, because it may be from either source."""
    converted: bool = False
    """Whether what the model wrote of it is rounded or in another unit."""
    recovered: Recovery | None = None
    """How the attempt recovered from a failed call."""
    result: int | None = None
    """The number of the message with the result."""
    places: tuple[TextPlace, ...] = ()
    """Where the result appears later."""
    in_notes: bool = False
    """Whether it is a passage that the arm put before the question."""

    @property
    def decisive(self) -> bool | None:
        """Whether a right answer rests on it: it was used, and brought something new."""
        if self.use in ("used", "converted") and not self.redundant:
            return None if self.in_answer is None or self.right is None else self.in_answer and self.right
        is_open = self.use == "unknown" and self.in_answer is not False and not self.redundant
        return None if is_open else False
