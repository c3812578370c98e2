"""Steps that prepend notes to the question: a fixed text, a hint of the problem, or a retrieved context."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ansatz.agents import AgentState, Running


@dataclass(frozen=True)
class ShowHint:
    """Prepends one hint of the question as a note; does nothing if the question has no such hint.

    Example: `ShowHint("formulation", "Formulation of the problem:\\n{hint}")`.
    """

    hint: str
    """The name of the hint, such as "formulation"."""
    note: str
    """The text of the note, with the placeholder {hint}; without it, a fixed text for all questions."""

    @property
    def name(self) -> str:
        return f"show_{self.hint}"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        if "{hint}" not in self.note:
            return {"notes": [self.note]}
        hint = runtime.context.question.hints.get(self.hint)
        return {"notes": [self.note.replace("{hint}", hint)]} if hint else {}


@dataclass(frozen=True)
class PrependContext:
    """Retrieves a context for the question and prepends it as a note; does nothing if the context is empty.

    The settings of its switch identify what is retrieved.
    """

    retrieve: Callable[[str], Awaitable[str]] = field(compare=False)
    """From the question's text to the context."""
    heading: str = "Reference sheet:"
    """The first line of the note."""

    name: ClassVar[str] = "retrieve"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        context = await self.retrieve(runtime.context.question.text)
        return {"notes": [f"{self.heading}\n\n{context}"]} if context else {}
