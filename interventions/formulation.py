"""Scaffold the formulation: what is given, what is sought, the approach and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Running
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.interventions.notes import ShowHint
from ansatz.settings import settings

_NOTE = "Formulation of the problem:\n{hint}"


@settings()
class FormulationScaffold(Intervention):
    """A problem formulation before solving: the reference, or one that the model writes first.

    Example: `FormulationScaffold("reference")`.
    """

    source: Literal["reference", "self"] = "self"
    """Either "reference", from the problem's solution, or "self", written by the model in a first call."""

    @property
    def discloses(self) -> frozenset[str]:
        return frozenset({"formulation"}) if self.source == "reference" else frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        step = ShowHint("formulation", _NOTE) if self.source == "reference" else WriteFormulation()
        return plan.precede(step)


@dataclass(frozen=True)
class WriteFormulation:
    """Requests a formulation from the model in a separate call, and prepends it to the question."""

    name: ClassVar[str] = "write_formulation"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        context = runtime.context
        request = f"{read_prompt('formulation')}\n\n{context.question.text}"
        reply = await context.attempt.ask([HumanMessage(request)], node=self.name)
        return {"notes": [_NOTE.replace("{hint}", reply.text.strip())]}
