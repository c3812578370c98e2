"""RAG-EQ: lay the equations that fit the question's regime before it, with their conditions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from langgraph.runtime import Runtime

from ansatz.agents import AgentContext, AgentPlan, AgentState

_PROMPT = Path(__file__).with_name("equation_retrieval.md")

Retrieve = Callable[[str], Awaitable[str]]
"""From the text of a question to a reference sheet."""


@dataclass(frozen=True)
class EquationRetrieval:
    """`top` equations are shown; `traps` adds those that look alike but are excluded, with the reason."""

    top: int = 5
    traps: bool = True

    summary: ClassVar[str] = "retrieved equations with applicability conditions as a reference sheet (RAG-EQ)"
    moves: ClassVar[tuple[str, ...]] = ("G1", "G5", "outcome")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        step = LayReferenceSheet(_regime_aware(self.top, self.traps), f"top={self.top}, traps={self.traps}")
        return plan.precede(step).instruct(_PROMPT.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class LayReferenceSheet:
    """Retrieves for the question and adds the sheet to the notes before it. Any retriever will do."""

    retrieve: Retrieve
    settings: str

    @property
    def name(self) -> str:
        return "retrieve_equations"

    def __repr__(self) -> str:
        return f"LayReferenceSheet({self.settings})"

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> dict[str, Any]:
        sheet = await self.retrieve(runtime.context.question.text)
        return {"notes": [f"Reference sheet:\n\n{sheet}"]} if sheet else {}


def _regime_aware(top: int, traps: bool) -> Retrieve:
    async def retrieve(question: str) -> str:
        from ansatz.knowledge_base.search import searcher

        found = await asyncio.to_thread(lambda: searcher().search(question, top))
        return (found if traps else replace(found, excluded=())).sheet()

    return retrieve
