"""The plan of an agent as plain data: instructions, tools, steps before the answer, reviews after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.answer_form import SUBMIT, AnswerForm
from ansatz.agents.attempt import Limits
from ansatz.agents.client import describe_tool
from ansatz.agents.identity import identity
from ansatz.agents.langchain_types import is_tool
from ansatz.agents.state import ReviewStep, Step
from ansatz.errors import NoIdentity, PlanError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool

STAGES = ("answer", "vote", "check", "critic")
"""Reviews run in this order of their attribute `stage`. The default is the first."""


@dataclass(frozen=True)
class AgentPlan:
    """A description of an agent. Each method returns a changed copy.

    Example: `AgentPlan().instruct("Answer in one line.")`.
    """

    instructions: tuple[str, ...] = ()
    """The paragraphs of the system message."""
    equipment: tuple[BaseTool | Callable[[], BaseTool], ...] = ()
    """Tools, or functions that make them."""
    before: tuple[Step, ...] = ()
    """Steps before the first request."""
    reviews: tuple[ReviewStep, ...] = ()
    """Steps that review an answer."""
    limits: Limits = field(default_factory=Limits)
    """Limits of an attempt."""
    agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any] | None = None
    """Another agent that answers in place of the steps, or a function that makes it for a chat model. It may
    send requests to any model."""
    answer: AnswerForm = "block"
    """The form of the answer."""
    model_settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings that replace those of the model."""
    consulted: tuple[str, ...] = ()
    """Further models that steps send requests to."""

    def instruct(self, text: str) -> AgentPlan:
        """Add a paragraph to the instructions. An empty text adds none."""
        return replace(self, instructions=(*self.instructions, text.strip())) if text else self

    @cached_property
    def tools(self) -> tuple[BaseTool, ...]:
        """The tools that the model may call. Raises PlanError if two have the same name."""
        tools = tuple(item if is_tool(item) else item() for item in self.equipment)
        names = [tool.name for tool in tools] + ([SUBMIT] if self.answer == "tool" else [])
        for name in names:
            if names.count(name) > 1:
                raise PlanError(f"two tools are called {name!r}; rename one of them")
        return tools

    def equip(self, *tools: BaseTool | Callable[[], BaseTool]) -> AgentPlan:
        """Add tools, or functions that make them when the arm first runs or is described."""
        return replace(self, equipment=(*self.equipment, *tools))

    def precede(self, step: Step) -> AgentPlan:
        """Add a step before the first request."""
        return replace(self, before=(*self.before, step))

    def review(self, step: ReviewStep) -> AgentPlan:
        """Add a review at its place in the order of `STAGES`.

        Raises PlanError if there is a review of that name, because reviews count their rounds by name.
        """
        if step.name in (review.name for review in self.reviews):
            raise PlanError(f"two reviews are called {step.name!r}; there is room for one")
        by_stage = sorted(
            (*self.reviews, step), key=lambda review: STAGES.index(getattr(review, "stage", STAGES[0]))
        )
        return replace(self, reviews=tuple(by_stage))

    def replace_with_agent(
        self, agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]
    ) -> AgentPlan:
        """Let another agent answer, within the limits, in place of instructions, tools, steps and reviews.

        Raises PlanError if there is one already.
        """
        if self.agent is not None:
            raise PlanError("two agents cannot answer one question; there is room for one")
        return replace(self, agent=agent)

    def set_model_settings(self, settings: Mapping[str, Any]) -> AgentPlan:
        """Replace settings of the model, by name. Raises PlanError for a setting that is already replaced."""
        if repeated := [name for name in settings if name in self.model_settings]:
            raise PlanError(f"{repeated[0]} of the model is set twice")
        return replace(self, model_settings={**self.model_settings, **settings})

    def consult(self, model: str) -> AgentPlan:
        """Declare that a step sends requests to another model, "provider:model"."""
        return replace(self, consulted=(*self.consulted, model))

    def set_limits(self, limits: Limits) -> AgentPlan:
        """Replace the limits of an attempt."""
        return replace(self, limits=limits)

    def describe(self) -> dict[str, Any]:
        """Return the plan as plain JSON data, which identifies the treatment of an arm."""
        return {
            "instructions": list(self.instructions),
            "tools": [describe_tool(tool) for tool in self.tools],
            "before": [_describe(step) for step in self.before],
            "reviews": [_describe(step) for step in self.reviews],
            "limits": asdict(self.limits),
            **({} if self.answer == "block" else {"answer": self.answer}),
            **({"model": identity(self.model_settings)} if self.model_settings else {}),
        }


def _describe(step: Step | ReviewStep) -> dict[str, Any]:
    """Describe a step by its settings. If they have no identity, that of the intervention identifies it."""
    try:
        return {"name": step.name, "settings": identity(step)}
    except NoIdentity:
        return {"name": step.name}


def base_plan(answer: AnswerForm = "block") -> AgentPlan:
    """Return the zero-shot baseline that every arm starts from, with the instruction for an answer form."""
    files = ["base.md"] if answer == "free" else ["base.md", f"answer_{answer}.md"]
    texts = (Path(__file__).with_name(name).read_text(encoding="utf-8").strip() for name in files)
    return AgentPlan(answer=answer).instruct("\n".join(texts))
