"""Your own tools as a switch: functions with type hints and a docstring, or LangChain tools."""

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
    """Your own tools, which the model may call.

    A function needs type hints and a docstring, which describe it to the model.

    Example: `WithTools(friction_factor, prompt="Use friction_factor for pressure losses.")`.
    """

    tools: tuple[Tool, ...]
    """Functions or LangChain tools."""
    prompt: str = ""
    """Added to the instructions."""
    name: str = ""
    """Identifies tools that Ansatz cannot hash, such as one with a database connection."""

    references: ClassVar[tuple[str, ...]] = ("tools",)

    def __init__(self, *tools: Tool, prompt: str = "", name: str = "") -> None:
        if not tools:
            raise PlanError("WithTools needs a tool: a function, or a LangChain tool")
        object.__setattr__(self, "tools", tools)
        object.__setattr__(self, "prompt", prompt)
        object.__setattr__(self, "name", name)

    @classmethod
    def of_settings(cls, tools: list[Any] | Any, prompt: str = "", name: str = "") -> WithTools:
        """Build from the settings of a study file: one tool or a list of tools."""
        return cls(*(tools if isinstance(tools, list | tuple) else [tools]), prompt=prompt, name=name)

    @property
    def label(self) -> str:
        return f"with_tools({self.name or ', '.join(_make_tool(tool).name for tool in self.tools)})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(*map(_make_tool, self.tools)).instruct(self.prompt)


def make_switch(given: Any) -> Any:
    """Make a switch of a function, a tool or a retriever; return anything else unchanged."""
    if hasattr(given, "apply"):
        return given
    if is_retriever(given):
        return WithRetriever(given)
    return WithTools(given) if is_tool(given) or inspect.isroutine(given) else given


def _make_tool(given: Tool) -> BaseTool:
    """Make a LangChain tool of a function; return a tool unchanged. Raises PlanError."""
    if is_tool(given):
        return given
    from langchain_core.tools import StructuredTool

    name = getattr(given, "__name__", type(given).__name__)
    if not callable(given):
        raise PlanError(f"{given!r} is neither a function nor a LangChain tool")
    if not inspect.getdoc(given):
        raise PlanError(f"{name} needs a docstring, which describes the tool to the model")
    for parameter in inspect.signature(given).parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise PlanError(f"{name} cannot be a tool: a model cannot pass {parameter} by name")
        if parameter.name in _RESERVED or parameter.name.startswith("_"):
            raise PlanError(f"{name} cannot be a tool: LangChain does not pass {parameter.name!r}; rename it")
    is_async = inspect.iscoroutinefunction(given)
    try:
        tool = StructuredTool.from_function(
            func=None if is_async else given, coroutine=given if is_async else None, name=name
        )
        describe_tool(tool)  # fails for types without a JSON schema
    except Exception as failure:
        reason = str(failure).splitlines()[0]
        raise PlanError(f"{name} cannot be a tool: {reason}; it needs type hints") from failure
    return tool
