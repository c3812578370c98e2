"""Give the model a Python interpreter for its arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, prompt, tool_of
from ansatz.interventions.sandboxed import Sandboxed
from ansatz.sandbox import CodeRunner, Execution
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings()
class Calculator(Sandboxed, Intervention):
    """A Python tool (run_python) for exact arithmetic.

    The settings bound each run of the model's code and say where it runs.

    Example: `Calculator(timeout_seconds=5)`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(partial(python_tool, self.runner)).instruct(prompt("calculator"))


def python_tool(runner: CodeRunner) -> BaseTool:
    """The `run_python` tool over any CodeRunner."""

    async def run_python(code: str) -> tuple[str, Execution]:
        """Run Python code and return what it prints.

        Each call starts afresh, without network or files; numpy, scipy, sympy, pint and CoolProp are there.

        Args:
            code: A complete program. Print what you need; the value of a last bare expression is printed.
        """
        execution = await runner.run(code)
        return _message(execution), execution

    return tool_of(run_python, response_format="content_and_artifact")


def _message(execution: Execution) -> str:
    if execution.status == "ok":
        return execution.stdout or "(nothing was printed; use print)"
    told = f"{execution.stdout.rstrip()}\nError: {execution.error}".strip()
    _, found, lines = execution.stderr.rpartition("Traceback (most recent call last):\n")
    where = lines.rstrip().rpartition("\n")[0]  # in the model's own code; the last line says what is told
    return f"{told}\n{where}" if where and found and execution.status == "error" else told
