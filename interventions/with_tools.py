"""Any tools as a switch: plain functions with type hints and a docstring, or LangChain tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ansatz.agents import AgentPlan
from ansatz.agents.client import describe_tool
from ansatz.agents.langchain_types import is_retriever, is_tool
from ansatz.errors import PlanError
from ansatz.interventions.intervention import Intervention
from ansatz.interventions.with_retriever import WithRetriever

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_RESERVED = ("config", "run_manager", "callbacks")
Tool: TypeAlias = "Callable[..., Any] | BaseTool"


@dataclass(frozen=True, init=False)
class WithTools(Intervention):
    """Tools of one's own, which the model may call.

    A function needs type hints and a docstring: they are what the model is told of it. `prompt` joins the
    instructions. A `name` is needed where a tool holds something that has no identity, such as a connection.

    Example: `WithTools(friction_factor, prompt="Use friction_factor for pressure losses.")`.
    """

    tools: tuple[Tool, ...]
    prompt: str = ""
    name: str = ""

    references: ClassVar[tuple[str, ...]] = ("tools",)

    def __init__(self, *tools: Tool, prompt: str = "", name: str = "") -> None:
        if not tools:
            raise PlanError("WithTools needs a tool: a function, or a LangChain tool")
        object.__setattr__(self, "tools", tools)
        object.__setattr__(self, "prompt", prompt)
        object.__setattr__(self, "name", name)

    @classmethod
    def of_settings(cls, tools: list[Any] | Any, prompt: str = "", name: str = "") -> WithTools:
        """As a study file has it: one tool or a list of them."""
        return cls(*(tools if isinstance(tools, list | tuple) else [tools]), prompt=prompt, name=name)

    @property
    def label(self) -> str:
        return f"with_tools({self.name or ', '.join(_as_tool(each).name for each in self.tools)})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(*map(_as_tool, self.tools)).instruct(self.prompt)


def as_switch(given: Any) -> Any:
    """A switch as it is; a function or tool, and a retriever, as the switch that it amounts to."""
    if hasattr(given, "apply"):
        return given
    if is_retriever(given):
        return WithRetriever(given)
    return WithTools(given) if is_tool(given) or inspect.isroutine(given) else given


def _as_tool(given: Tool) -> BaseTool:
    """A function as a LangChain tool. Raises PlanError."""
    if is_tool(given):
        return given
    from langchain_core.tools import StructuredTool

    name = getattr(given, "__name__", type(given).__name__)
    if not callable(given):
        raise PlanError(f"{given!r} is neither a function nor a LangChain tool")
    if not inspect.getdoc(given):
        raise PlanError(f"{name} needs a docstring: it is what the model is told of the tool")
    for each in inspect.signature(given).parameters.values():
        if each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise PlanError(f"{name} cannot be a tool: a model cannot state {each} by a name")
        if each.name in _RESERVED or each.name.startswith("_"):
            raise PlanError(f"{name} cannot be a tool: LangChain hands on no {each.name!r}; rename it")
    is_async = inspect.iscoroutinefunction(given)
    try:
        tool = StructuredTool.from_function(
            func=None if is_async else given, coroutine=given if is_async else None, name=name
        )
        describe_tool(tool)  # some types have none
    except Exception as failure:
        said = str(failure).splitlines()[0]
        raise PlanError(f"{name} cannot be a tool: {said}; it needs type hints") from failure
    return tool
