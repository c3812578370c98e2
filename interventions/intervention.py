"""What an intervention is: one switchable change to an AgentPlan."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from functools import cache, reduce
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from ansatz.agents import AgentPlan

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class Intervention(Protocol):
    """A switchable change to an agent: a frozen dataclass whose fields are its settings.

    The first line of the docstring says what it does. One that shows fields of a problem to the model names
    them in `discloses`, a frozenset; the only field there is, is "formulation". A class attribute `version`
    is part of the identity, for changes that no setting shows.

    Example:

        @dataclass(frozen=True)
        class Brevity:
            "Ask for a short answer."

            def apply(self, plan: AgentPlan) -> AgentPlan:
                return plan.instruct("Answer in one line.")
    """

    def apply(self, plan: AgentPlan) -> AgentPlan: ...


@runtime_checkable
class BuildsOnEarlier(Protocol):
    """An intervention that wants the hint `earlier`: the arm's own answers to the questions before in a set.

    The runner gives those that score `at_least` so much on the dimension `judged_by`, whole or the final
    answer alone as `show` says, and works on the questions of a set in order.
    """

    @property
    def judged_by(self) -> str: ...

    @property
    def at_least(self) -> float: ...

    @property
    def show(self) -> Literal["solution", "answer"]: ...


def prompt(name: str) -> str:
    """A text of this folder: what a switch says to the model."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8").strip()


def tool_of(function: Callable[..., Awaitable[Any]], **about: Any) -> BaseTool:
    """A function as a tool: its docstring is what the model is told of it and of its arguments."""
    from langchain_core.tools import StructuredTool  # who makes switches alone does without

    return StructuredTool.from_function(coroutine=function, parse_docstring=True, **about)


def switch_name(switch: object) -> str:
    """The name that a switch is registered under, or that of its class in snake case.

    A switch made from objects says its own name in a property `label`.
    """
    label = getattr(switch, "label", None)
    if isinstance(label, str):
        return label
    kind = type(switch)
    registered = _registered().get(f"{kind.__module__}:{kind.__qualname__}")
    return registered or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


@cache
def _registered() -> dict[str, str]:
    return {each.value: each.name for each in entry_points(group="ansatz.interventions")}


def apply_all(plan: AgentPlan, interventions: Iterable[Intervention]) -> AgentPlan:
    """Apply each in turn. Callers keep one fixed order (sorted by name), so that an arm is a set.

    Example: `apply_all(AgentPlan(), [Calculator(), WithPrompt("Use SI units.")])`.
    """
    return reduce(lambda changed, intervention: intervention.apply(changed), interventions, plan)
