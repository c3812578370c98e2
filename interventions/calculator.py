"""Give the model a Python interpreter for its arithmetic."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, make_tool, read_prompt
from ansatz.sandbox import CodeRunner, Execution, Isolation, Place, Sandbox
from ansatz.settings import Count, PositiveNumber, settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings(kw_only=True)
class Sandboxed:
    """Settings of every intervention that runs code written by a model."""

    timeout_seconds: PositiveNumber = 30.0
    """The longest run time of one program, in seconds."""
    memory_mb: Count = 512
    """The most memory of one program, in megabytes."""
    isolation: Isolation = "landlock"
    """The isolation that the machine must reach. With a real model, a study fails before its first request if
    the machine does not reach it; "none" runs code without isolation."""
    sandbox: Place = "local"
    """Where the code runs."""

    @cached_property
    def runner(self) -> Sandbox:
        return Sandbox.shared(self.timeout_seconds, self.memory_mb, self.isolation, self.sandbox)


@settings()
class Calculator(Sandboxed, Intervention):
    """A Python tool (run_python) for exact arithmetic.

    Example: `Calculator(timeout_seconds=5)`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(partial(make_python_tool, self.runner)).instruct(read_prompt("calculator"))


def make_python_tool(runner: CodeRunner) -> BaseTool:
    """Make the tool `run_python`, which runs code on any CodeRunner."""

    async def run_python(code: str) -> tuple[str, Execution]:
        """Run Python code and return what it prints.

        Each call starts afresh, without network or files; numpy, scipy, sympy, pint and CoolProp are there.

        Args:
            code: A complete program. Print what you need; the value of a last bare expression is printed.
        """
        execution = await runner.run(code)
        return _format_output(execution), execution

    return make_tool(run_python, response_format="content_and_artifact")


def _format_output(execution: Execution) -> str:
    if execution.status == "ok":
        return execution.stdout or "(nothing was printed; use print)"
    message = f"{execution.stdout.rstrip()}\nError: {execution.error}".strip()
    _, found, lines = execution.stderr.rpartition("Traceback (most recent call last):\n")
    location = lines.rstrip().rpartition("\n")[0]  # in the model's code; the last line repeats the error
    return f"{message}\n{location}" if location and found and execution.status == "error" else message
