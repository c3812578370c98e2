"""The same budget as a real intervention, without content: words, a tool slot and a note."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_PROMPT = Path(__file__).with_name("placebo.md")


@dataclass(frozen=True)
class Placebo:
    """The same budget as a real help without its content: words, a tool that only acknowledges, a note.

    About as long as the calculation protocol, with one tool that only acknowledges.

    Example: `one_at_a_time(CalculationProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(_notepad).instruct(_PROMPT.read_text(encoding="utf-8"))


def _notepad() -> BaseTool:
    from langchain_core.tools import StructuredTool

    async def notepad(text: str) -> str:
        """Keep a note for yourself.

        Args:
            text: The note.
        """
        return "Noted."

    return StructuredTool.from_function(coroutine=notepad, parse_docstring=True)
