"""Scaffold the formulation: what is given, what is sought, the approach and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Running
from ansatz.interventions.hints import ShowHint
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.settings import settings

_NOTE = "Formulation of the problem:\n{hint}"


@settings()
class FormulationScaffold(Intervention):
    """A problem formulation before solving: the reference one, or one that the model writes first.

    `source` says which: "reference" or "self".

    Example: `FormulationScaffold("reference")`.
    """

    source: Literal["reference", "self"] = "self"

    @property
    def discloses(self) -> frozenset[str]:
        return frozenset({"formulation"}) if self.source == "reference" else frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        shown = ShowHint("formulation", _NOTE)
        return plan.precede(shown if self.source == "reference" else WriteFormulation())


@dataclass(frozen=True)
class WriteFormulation:
    """Asks the model for a formulation in a call of its own, and lays it before the question."""

    name: ClassVar[str] = "write_formulation"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        context = runtime.context
        request = f"{prompt('formulation')}\n\n{context.question.text}"
        written = await context.attempt.ask([HumanMessage(request)], node=self.name)
        return {"notes": [_NOTE.replace("{hint}", written.text.strip())]}
