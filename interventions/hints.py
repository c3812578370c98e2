"""Notes laid before the question: the same for all, or what the runner tells of one beside its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ansatz.agents import AgentState, Running


@dataclass(frozen=True)
class ShowHint:
    """Lays the `hint` of that name before the question, in a `note` with a place for it: {hint}.

    A note without that place is laid as it is, whatever the question.
    """

    hint: str
    note: str

    @property
    def name(self) -> str:
        return f"show_{self.hint}"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        if "{hint}" not in self.note:
            return {"notes": [self.note]}
        given = runtime.context.question.hints.get(self.hint)
        return {"notes": [self.note.replace("{hint}", given)]} if given else {}
