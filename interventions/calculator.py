"""Give the model a Python interpreter for its arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import prompt
from ansatz.interventions.sandboxed import Sandboxed
from ansatz.sandbox import CodeRunner, Execution

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class Calculator(Sandboxed):
    """A Python tool (run_python) for exact arithmetic.

    The settings bound each run of the model's code and say where it runs.

    Example: `Calculator(timeout_seconds=5)`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(partial(python_tool, self.runner)).instruct(prompt("calculator"))


def python_tool(runner: CodeRunner) -> BaseTool:
    """The `run_python` tool over any CodeRunner."""
    from langchain_core.tools import StructuredTool

    async def run_python(code: str) -> tuple[str, Execution]:
        """Run Python code and return what it prints.

        Each call starts afresh, without network or files; numpy, scipy, sympy, pint and CoolProp are there.

        Args:
            code: A complete program. Print what you need; the value of a last bare expression is printed.
        """
        execution = await runner.run(code)
        return _message(execution), execution

    return StructuredTool.from_function(
        coroutine=run_python, parse_docstring=True, response_format="content_and_artifact"
    )


def _message(execution: Execution) -> str:
    if execution.status == "ok":
        return execution.stdout or "(nothing was printed; use print)"
    told = f"{execution.stdout.rstrip()}\nError: {execution.error}".strip()
    return f"{told}\n{where}" if (where := _own_lines(execution)) else told


def _own_lines(execution: Execution) -> str:
    """Where in the model's own code it failed: the traceback without its first and last line."""
    _, found, lines = execution.stderr.rpartition("Traceback (most recent call last):\n")
    return lines.rstrip().rpartition("\n")[0] if found and execution.status == "error" else ""
