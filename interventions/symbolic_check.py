"""Check steps by computer algebra: run SymPy programs that the model writes, and send the results back.

TPBench tried this with a chat framework (section 3.3) and left the question open. The programs are blocks
in the model's messages instead of tool calls, so that every chat model can write them.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import ClassVar

from langchain_core.messages import HumanMessage

from ansatz.agents import Accept, AgentPlan, AgentState, Running, SendBack, Verdict
from ansatz.interventions.calculator import Sandboxed
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.sandbox import CodeRunner, Execution
from ansatz.settings import Count, settings

_BLOCK = re.compile(
    r"^[ \t]*```[ \t]*sympy[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_HEADER = "Results of the checks:"
_MAX_RESULT = 4000  # characters of one result


@settings()
class SymbolicCheck(Sandboxed, Intervention):
    """SymPy checks of single steps, run and sent back into the conversation.

    Example: `SymbolicCheck(rounds=2)`.
    """

    rounds: Count = 4
    """How often results are sent back at most."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        settings = f"{self.timeout_seconds:g} s, {self.memory_mb} MB, {self.isolation}, {self.sandbox}"
        text = read_prompt("symbolic_check").replace("{rounds}", str(self.rounds))
        return plan.instruct(text).review(RunChecks(self.runner, self.rounds, settings))


@dataclass(frozen=True)
class RunChecks:
    """Runs the checks of the last message and sends their results back, while rounds are left.

    A check that fails is a result too. Only a fault of the sandbox raises an error.
    """

    runner: CodeRunner = field(repr=False, compare=False)
    rounds: int
    """How often results are sent back at most."""
    settings: str
    """The limits of the runner, as part of the identity."""

    name: ClassVar[str] = "symbolic_check"

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict:
        messages = state["messages"]
        done = sum(
            isinstance(message, HumanMessage) and message.text.startswith(_HEADER) for message in messages
        )
        checks = _BLOCK.findall(messages[-1].text)
        if not checks or done >= self.rounds:
            return Accept()
        runs = await asyncio.gather(*(self.runner.run(check) for check in checks))
        runtime.context.attempt.check_seconds += sum(run.wall for run in runs)
        results = [f"Check {number}:\n{_format_result(run)}" for number, run in enumerate(runs, 1)]
        left = self.rounds - done - 1
        next_step = (
            f"You may check {left} more times."
            if left
            else "This was the last check; now write the solution."
        )
        return SendBack("\n\n".join([_HEADER, *results, next_step]))


def _format_result(run: Execution) -> str:
    text = run.stdout.rstrip()
    if run.status != "ok":
        text = f"{text}\nError: {run.error}".strip()
    text = text or "(nothing was printed; use print)"
    return text if len(text) <= _MAX_RESULT else f"{text[:_MAX_RESULT]}\n[cut: {len(text)} characters in all]"
