"""Scaffold the formulation: what is given, what is sought, the approach and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentContext, AgentPlan, AgentState

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

_PROMPT = Path(__file__).with_name("formulation.md")


@dataclass(frozen=True)
class FormulationScaffold:
    """A problem formulation before solving: the reference one, or one that the model writes first.

    `source` says which: "reference" or "self".

    Example: `FormulationScaffold("reference")`.
    """

    source: Literal["reference", "self"] = "self"

    def __post_init__(self) -> None:
        if self.source not in ("reference", "self"):
            raise ValueError(f"formulation: source must be 'reference' or 'self', not {self.source!r}")

    @property
    def discloses(self) -> frozenset[str]:
        return frozenset({"formulation"}) if self.source == "reference" else frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowFormulation() if self.source == "reference" else WriteFormulation())


@dataclass(frozen=True)
class ShowFormulation:
    """Lays the formulation that the problem discloses before the question."""

    @property
    def name(self) -> str:
        return "show_formulation"

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> dict[str, Any]:
        formulation = runtime.context.question.hints.get("formulation")
        return {"notes": [f"Formulation of the problem:\n{formulation}"]} if formulation else {}


@dataclass(frozen=True)
class WriteFormulation:
    """Asks the model for a formulation in a call of its own, and lays it before the question."""

    @property
    def name(self) -> str:
        return "write_formulation"

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> dict[str, Any]:
        context = runtime.context
        request = f"{_PROMPT.read_text(encoding='utf-8').strip()}\n\n{context.question.text}"
        written = await context.attempt.ask([HumanMessage(request)], node=self.name)
        return {"notes": [f"Formulation of the problem:\n{written.text.strip()}"]}
