"""The same budget as a real intervention, without content: words, a tool slot and a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, prompt, tool_of

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class Placebo(Intervention):
    """The same budget as a real help without its content: words, a tool that only acknowledges, a note.

    About as long as the calculation protocol, with one tool that only acknowledges.

    Example: `one_at_a_time(CalculationProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(_notepad).instruct(prompt("placebo"))


def _notepad() -> BaseTool:
    async def notepad(text: str) -> str:
        """Keep a note for yourself.

        Args:
            text: The note.
        """
        return "Noted."

    return tool_of(notepad)
