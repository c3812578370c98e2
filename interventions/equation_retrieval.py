"""RAG-EQ: prepend the equations that fit the question's regime, with their conditions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.interventions.notes import PrependContext
from ansatz.settings import Count, settings


@settings()
class EquationSearch:
    """Settings of every switch that searches the equation base."""

    top: Count = 5
    """How many equations are shown."""
    traps: bool = True
    """Also show similar equations that the regime excludes, with the reason."""
    prerequisites: bool = True
    """Also show equations for quantities that an equation needs and the question does not state."""
    ranker: str | Callable[..., Any] = "regime"
    """Ranks by relevance: a registered name such as "bm25", or a function that builds a ranker."""
    conditions: bool = True
    """Whether the regime of the question excludes and reorders the ranked equations."""

    encoder: str = "default"
    """Encodes question and equations: "default", "sentence-transformers:NAME" or "package.module:object"."""
    reranker: str | None = None
    """Orders the best equations: "sentence-transformers:NAME" or "package.module:object"; by default none."""

    references: ClassVar[tuple[str, ...]] = ("ranker",)

    def __post_init__(self) -> None:
        from ansatz.knowledge_base.search import check_ranker

        check_ranker(self.ranker, self.encoder)

    async def find_sheet(self, question: str) -> str:
        """Search for a question, and return a reference sheet or one line that states why there is none."""
        from ansatz.knowledge_base.search import get_searcher

        def search() -> str:
            searcher = get_searcher(self.ranker, self.conditions, self.encoder, self.reranker)
            return searcher.search(question, self.top, self.traps, self.prerequisites).sheet()

        return await asyncio.to_thread(search)


@settings()
class EquationRetrieval(EquationSearch, Intervention):
    """Retrieved equations with their conditions of validity as a reference sheet (RAG-EQ).

    If nothing in the base fits, the note contains no equation and states the reason.

    Example: `EquationRetrieval(top=3)`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(PrependContext(self.find_sheet)).instruct(read_prompt("equation_retrieval"))
