"""Scaffold the formulation: what is given, what is sought, the approach and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Running
from ansatz.interventions.hints import ShowHint

_PROMPT = Path(__file__).with_name("formulation.md")
_NOTE = "Formulation of the problem:\n{hint}"


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
        shown = ShowHint("formulation", _NOTE)
        return plan.precede(shown if self.source == "reference" else WriteFormulation())


@dataclass(frozen=True)
class WriteFormulation:
    """Asks the model for a formulation in a call of its own, and lays it before the question."""

    name: ClassVar[str] = "write_formulation"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        context = runtime.context
        request = f"{_PROMPT.read_text(encoding='utf-8').strip()}\n\n{context.question.text}"
        written = await context.attempt.ask([HumanMessage(request)], node=self.name)
        return {"notes": [_NOTE.replace("{hint}", written.text.strip())]}
