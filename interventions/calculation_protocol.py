"""PA-CoT: have the model work by a seven-step engineering calculation protocol."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ansatz.agents import AgentPlan

_PROMPT = Path(__file__).with_name("calculation_protocol.md")


@dataclass(frozen=True)
class CalculationProtocol:
    """The protocol of TPS-CalcBench (arXiv:2604.17966, section VII.3): seven steps behind G1-G7."""

    summary: ClassVar[str] = "a seven-step engineering calculation protocol in the prompt (PA-CoT)"
    moves: ClassVar[tuple[str, ...]] = ("G5", "G6", "G7")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(_PROMPT.read_text(encoding="utf-8"))
