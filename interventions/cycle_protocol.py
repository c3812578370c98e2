"""Have the model work through thermodynamic devices and cycles state by state, and close its balances."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ansatz.agents import AgentPlan

_PROMPT = Path(__file__).with_name("cycle_protocol.md")


@dataclass(frozen=True)
class CycleProtocol:
    """Eight steps from a sketch to a closed balance; it holds no formula and no property value."""

    summary: ClassVar[str] = (
        "a protocol for devices and cycles in the prompt: states, balances, closing check"
    )
    moves: ClassVar[tuple[str, ...]] = ("outcome", "published", "strict")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(_PROMPT.read_text(encoding="utf-8"))
