"""RAG-EQ: lay the equations that fit the question's regime before it, with their conditions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.interventions.with_retriever import LayReferenceSheet
from ansatz.settings import Count, settings


@settings()
class EquationSearch:
    """How the equation base is searched: the settings of every switch that does so."""

    top: Count = 5
    traps: bool = True
    prerequisites: bool = True
    ranker: str | Callable[..., Any] = "regime"
    conditions: bool = True

    references: ClassVar[tuple[str, ...]] = ("ranker",)

    def __post_init__(self) -> None:
        from ansatz.knowledge_base.search import check_ranker

        check_ranker(self.ranker)

    async def sheet(self, question: str) -> str:
        """What is found for a question as a reference sheet, or a line that says why nothing is."""
        from ansatz.knowledge_base.search import get_searcher

        def found() -> str:
            shared = get_searcher(self.ranker, self.conditions)
            return shared.search(question, self.top, self.traps, self.prerequisites).sheet()

        return await asyncio.to_thread(found)


@settings()
class EquationRetrieval(EquationSearch, Intervention):
    """Retrieved equations with their conditions of validity as a reference sheet (RAG-EQ).

    `top` equations are shown; `traps` adds those that look alike but are excluded, with the reason;
    `prerequisites` adds those that yield what an equation needs and the question does not give. `ranker`
    judges relevance: a registered name such as "bm25", or what builds a ranker for a library; `conditions`
    lets the regime exclude and order entries on top of it. Where nothing in the base fits, no equation is
    laid and the note before the question says why.

    Example: `EquationRetrieval(top=3)`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(LayReferenceSheet(self.sheet)).instruct(prompt("equation_retrieval"))
