"""What the runner tells of a question beside its text, laid before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ansatz.agents import AgentState, Running


@dataclass(frozen=True)
class ShowHint:
    """Lays the `hint` of that name before the question, in a `note` with a place for it: {hint}."""

    hint: str
    note: str

    @property
    def name(self) -> str:
        return f"show_{self.hint}"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        given = runtime.context.question.hints.get(self.hint)
        return {"notes": [self.note.replace("{hint}", given)]} if given else {}
