"""Polya's four phases as advice in the prompt: TPBench's extended prompt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ansatz.agents import AgentPlan

_PROMPT = Path(__file__).with_name("polya.md")


@dataclass(frozen=True)
class Polya:
    """The same form of answer as the simple prompt, with advice from G. Polya, How to Solve It (1945).

    TPBench's extended prompt (appendix B.1) has the first three phases; this one, in words of our own, looks
    back as well.
    """

    summary: ClassVar[str] = "advice on problem solving after Polya: understand, plan, carry out, look back"
    moves: ClassVar[tuple[str, ...]] = ("auto", "outcome", "G8")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(_PROMPT.read_text(encoding="utf-8"))
