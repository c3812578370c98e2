"""Have the model write its answer in the parts of PhysBench's template, so that each can be judged alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ansatz.agents import AgentPlan

_PROMPT = Path(__file__).with_name("answer_template.md")


@dataclass(frozen=True)
class AnswerTemplate:
    """The answer template of PhysBench (Scaria et al., figure 7): formulation, steps, final answer."""

    summary: ClassVar[str] = "a template for the answer: formulation, numbered steps, final answer"
    moves: ClassVar[tuple[str, ...]] = ("prefs.score", "prefs.template")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(_PROMPT.read_text(encoding="utf-8"))
