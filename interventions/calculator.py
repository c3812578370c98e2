"""Give the model a Python interpreter for its arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from langchain_core.tools import BaseTool, StructuredTool

from ansatz.agents import AgentPlan
from ansatz.agents.sandbox import CodeRunner, Execution, SubprocessRunner

_PROMPT = Path(__file__).with_name("calculator.md")


@dataclass(frozen=True)
class Calculator:
    """`timeout_seconds` and `memory_mb` bound each run of the model's code."""

    timeout_seconds: float = 10.0
    memory_mb: int = 2048

    summary: ClassVar[str] = "a Python tool (run_python) for exact arithmetic"
    moves: ClassVar[tuple[str, ...]] = ("G4", "exact", "outcome")
    discloses: ClassVar[frozenset[str]] = frozenset()

    def apply(self, plan: AgentPlan) -> AgentPlan:
        runner = SubprocessRunner(timeout_seconds=self.timeout_seconds, memory_mb=self.memory_mb)
        return plan.equip(python_tool(runner)).instruct(_PROMPT.read_text(encoding="utf-8"))


def python_tool(runner: CodeRunner) -> BaseTool:
    """The `run_python` tool over any CodeRunner."""

    async def run_python(code: str) -> str:
        """Run Python code and return what it prints.

        Each call starts afresh; numpy, scipy and sympy are there.

        Args:
            code: A complete program. Print what you need; the value of a last bare expression is printed.
        """
        return _message(await runner.run(code))

    return StructuredTool.from_function(coroutine=run_python, parse_docstring=True)


def _message(execution: Execution) -> str:
    cut = "\n[output cut]" if execution.truncated else ""
    if execution.status == "ok":
        return (execution.stdout or "(nothing was printed; use print)") + cut
    return f"{execution.stdout}{cut}\nError: {execution.error}".strip()
