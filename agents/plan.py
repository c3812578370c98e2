"""What an agent is told, may call, does before it first speaks, and has its answer checked by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.answer_form import SUBMIT, AnswerForm
from ansatz.agents.attempt import Limits
from ansatz.agents.client import describe_tool
from ansatz.agents.identity import canonical_text, identity
from ansatz.agents.langchain_types import is_tool
from ansatz.agents.state import Step
from ansatz.errors import NoIdentity, PlanError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool

STAGES = ("answer", "vote", "check", "critic")
"""What a review may say of itself in `stage`; without one it is part of answering."""


@dataclass(frozen=True)
class AgentPlan:
    """A description of an agent; interventions return changed copies of it.

    Example: `AgentPlan().instruct("Answer in one line.")`.
    """

    instructions: tuple[str, ...] = ()
    equipment: tuple[BaseTool | Callable[[], BaseTool], ...] = ()
    before: tuple[Step, ...] = ()
    reviews: tuple[Step, ...] = ()
    limits: Limits = field(default_factory=Limits)
    agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any] | None = None
    answer: AnswerForm = "block"
    model_settings: Mapping[str, Any] = field(default_factory=dict)
    consulted: tuple[str, ...] = ()

    def instruct(self, text: str) -> AgentPlan:
        """Told this too; an empty text tells nothing."""
        return replace(self, instructions=(*self.instructions, text.strip())) if text else self

    @cached_property
    def tools(self) -> tuple[BaseTool, ...]:
        """What the model may call. Raises PlanError where it could not tell one from another."""
        made = tuple(each if is_tool(each) else each() for each in self.equipment)
        names = [each.name for each in made] + ([SUBMIT] if self.answer == "tool" else [])
        for name in names:
            if names.count(name) > 1:
                raise PlanError(f"two tools are called {name!r}; rename one of them")
        return made

    def equip(self, *tools: BaseTool | Callable[[], BaseTool]) -> AgentPlan:
        """With further tools, or functions that make them when an arm is asked or described."""
        return replace(self, equipment=(*self.equipment, *tools))

    def precede(self, step: Step) -> AgentPlan:
        return replace(self, before=(*self.before, step))

    def review(self, step: Step) -> AgentPlan:
        """Reviews run in the order of their stages, whatever the order in which they are added.

        They count their rounds by name: raises PlanError for a second one of a name.
        """
        if step.name in (each.name for each in self.reviews):
            raise PlanError(f"two reviews are called {step.name!r}; there is room for one")
        by_stage = sorted(
            (*self.reviews, step), key=lambda each: STAGES.index(getattr(each, "stage", "answer"))
        )
        return replace(self, reviews=tuple(by_stage))

    def replace_with_agent(
        self, agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]
    ) -> AgentPlan:
        """An agent that is not made of the four slots: it answers in their place, within the limits.

        Raises PlanError where there is one already.
        """
        if self.agent is not None:
            raise PlanError("two agents cannot answer one question; there is room for one")
        return replace(self, agent=agent)

    def set_model_settings(self, settings: Mapping[str, Any]) -> AgentPlan:
        """The model is asked with these settings in place of its own, by their names.

        Raises PlanError for one that is set already.
        """
        if twice := [name for name in settings if name in self.model_settings]:
            raise PlanError(f"{twice[0]} of the model is set twice")
        return replace(self, model_settings={**self.model_settings, **settings})

    def consult(self, model: str) -> AgentPlan:
        """A step asks another model, by its name "provider:model"."""
        return replace(self, consulted=(*self.consulted, model))

    def set_limits(self, limits: Limits) -> AgentPlan:
        return replace(self, limits=limits)

    def describe(self) -> dict[str, Any]:
        """The plan as plain JSON data: what identifies an arm's treatment."""
        return {
            "instructions": list(self.instructions),
            "tools": [describe_tool(tool) for tool in self.tools],
            "before": [_describe(step) for step in self.before],
            "reviews": [_describe(step) for step in self.reviews],
            "limits": asdict(self.limits),
            **({} if self.answer == "block" else {"answer": self.answer}),
            **({"model": identity(self.model_settings)} if self.model_settings else {}),
        }

    def fingerprint(self) -> str:
        """SHA-256 of the description: two arms with the same fingerprint are the same treatment."""
        return hashlib.sha256(canonical_text(self.describe()).encode()).hexdigest()


def _describe(step: Step) -> dict[str, Any]:
    """A step that holds objects is told apart by its switch, which has to say what they are."""
    try:
        return {"name": step.name, "settings": identity(step)}
    except NoIdentity:
        return {"name": step.name}


def base_plan(answer: AnswerForm = "block") -> AgentPlan:
    """The zero-shot baseline that every arm starts from, with the form in which answers are to be stated."""
    shown = ["base.md"] if answer == "free" else ["base.md", f"answer_{answer}.md"]
    texts = (Path(__file__).with_name(name).read_text(encoding="utf-8").strip() for name in shown)
    return AgentPlan(answer=answer).instruct("\n".join(texts))


BASE_PLAN = base_plan()
