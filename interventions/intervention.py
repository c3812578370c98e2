"""The interface of an intervention, one switchable change to an AgentPlan, and helpers to write one."""

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

    The first line of the docstring is its summary in lists; a string literal below a field describes the
    field. An intervention that shows fields of a problem to the model names them in `discloses`, a
    frozenset. The only such field is "formulation". If the behaviour changes but no setting does, change
    the class attribute `version`, which is part of the identity.

    Example:

        @dataclass(frozen=True)
        class Brevity:
            "Ask for a short answer."

            def apply(self, plan: AgentPlan) -> AgentPlan:
                return plan.instruct("Answer in one line.")
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        """Return a changed copy of the plan."""
        ...


@runtime_checkable
class BuildsOnEarlier(Protocol):
    """An intervention that needs the hint `earlier`: the arm's own answers to earlier questions of a set.

    The runner works on the questions of a set in order, and passes on the answers that score high enough.
    """

    @property
    def judged_by(self) -> str:
        """The dimension whose score decides."""
        ...

    @property
    def at_least(self) -> float:
        """The smallest score of an answer that is passed on."""
        ...

    @property
    def show(self) -> Literal["solution", "answer"]:
        """Whether the whole solution or only the final answer is passed on."""
        ...


def read_prompt(name: str) -> str:
    """Read a prompt of this folder, `<name>.md`."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8").strip()


def make_tool(function: Callable[..., Awaitable[Any]], **options: Any) -> BaseTool:
    """Make a LangChain tool of an async function, whose docstring describes the tool and its arguments."""
    from langchain_core.tools import StructuredTool  # most users of switches do not need LangChain's tools

    return StructuredTool.from_function(coroutine=function, parse_docstring=True, **options)


def get_switch_name(switch: object) -> str:
    """Return the registered name of a switch, or the name of its class in snake case.

    If the switch has a property `label`, the label is its name.
    """
    label = getattr(switch, "label", None)
    if isinstance(label, str):
        return label
    kind = type(switch)
    registered = _load_registered_names().get(f"{kind.__module__}:{kind.__qualname__}")
    return registered or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


@cache
def _load_registered_names() -> dict[str, str]:
    return {each.value: each.name for each in entry_points(group="ansatz.interventions")}


def apply_all(plan: AgentPlan, interventions: Iterable[Intervention]) -> AgentPlan:
    """Apply interventions one after the other.

    Callers sort them by name first, so that the order in which an arm lists them does not matter.

    Example: `apply_all(AgentPlan(), [Calculator(), WithPrompt("Use SI units.")])`.
    """
    return reduce(lambda changed, intervention: intervention.apply(changed), interventions, plan)
