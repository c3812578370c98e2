"""The same budget as a real intervention without its content: words, a tool and a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, make_tool, read_prompt

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class Placebo(Intervention):
    """The same budget as a real intervention without its content: instructions and a tool without effect.

    The instructions are about as long as the calculation protocol.

    Example: `one_at_a_time(CalculationProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(_make_notepad).instruct(read_prompt("placebo"))


def _make_notepad() -> BaseTool:
    async def notepad(text: str) -> str:
        """Keep a note for yourself.

        Args:
            text: The note.
        """
        return "Noted."

    return make_tool(notepad)
