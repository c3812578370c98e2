"""TPBench's simple prompt: step by step, in LaTeX, with a marked final answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ansatz.agents import AgentPlan

_PROMPT = Path(__file__).with_name("simple_prompt.md")


@dataclass(frozen=True)
class SimplePrompt:
    """The form of answer alone, after the simple prompt of TPBench (appendix B.1), in words of our own."""

    summary: ClassVar[str] = "asks for a step-by-step derivation with a marked final answer"
    moves: ClassVar[tuple[str, ...]] = ("G8",)
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(_PROMPT.read_text(encoding="utf-8"))
