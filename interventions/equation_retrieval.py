"""RAG-EQ: lay the equations that fit the question's regime before it, with their conditions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from ansatz.agents import AgentPlan
from ansatz.interventions.with_retriever import LayReferenceSheet
from ansatz.settings import Count, check_settings

_PROMPT = Path(__file__).with_name("equation_retrieval.md")


@dataclass(frozen=True)
class EquationRetrieval:
    """Retrieved equations with their conditions of validity as a reference sheet (RAG-EQ).

    `top` equations are shown; `traps` adds those that look alike but are excluded, with the reason.

    Example: `EquationRetrieval(top=3)`.
    """

    top: Count = 5
    traps: bool = True

    def __post_init__(self) -> None:
        check_settings(self)

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(LayReferenceSheet(self._sheet)).instruct(_PROMPT.read_text(encoding="utf-8"))

    async def _sheet(self, question: str) -> str:
        from ansatz.knowledge_base.search import searcher

        found = await asyncio.to_thread(lambda: searcher().search(question, self.top))
        return (found if self.traps else replace(found, excluded=())).sheet()
