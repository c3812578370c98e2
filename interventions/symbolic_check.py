"""Check steps by computer algebra: SymPy that the model writes runs, and its results come back.

TPBench tried this with a chat framework (section 3.3) and left it open. Here the programs are blocks in the
model's messages, not calls of a tool, so that every chat model can write them.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Running
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.interventions.sandboxed import Sandboxed
from ansatz.sandbox import CodeRunner, Execution
from ansatz.settings import Count, settings

_BLOCK = re.compile(
    r"^[ \t]*```[ \t]*sympy[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_HEADER = "Results of the checks:"
_LONGEST = 4000  # characters of one result


@settings()
class SymbolicCheck(Sandboxed, Intervention):
    """SymPy checks of single steps, run and sent back into the conversation.

    `rounds` is how often results are sent back; the rest bounds each program and says where it runs.

    Example: `SymbolicCheck(rounds=2)`.
    """

    rounds: Count = 4

    def apply(self, plan: AgentPlan) -> AgentPlan:
        settings = f"{self.timeout_seconds:g} s, {self.memory_mb} MB, {self.isolation}, {self.sandbox}"
        text = prompt("symbolic_check").replace("{rounds}", str(self.rounds))
        return plan.instruct(text).review(RunChecks(self.runner, self.rounds, settings))


@dataclass(frozen=True)
class RunChecks:
    """Runs the checks in the last message and sends the results back, until there are none or rounds are up.

    A check that fails is a result too; only a fault of the sandbox raises.
    """

    runner: CodeRunner = field(repr=False, compare=False)
    rounds: int
    settings: str

    name: ClassVar[str] = "symbolic_check"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        messages = state["messages"]
        done = sum(isinstance(one, HumanMessage) and one.text.startswith(_HEADER) for one in messages)
        checks = _BLOCK.findall(messages[-1].text)
        if not checks or done >= self.rounds:
            return {}
        runs = await asyncio.gather(*(self.runner.run(check) for check in checks))
        runtime.context.attempt.checked += sum(run.wall for run in runs)
        told = [f"Check {number}:\n{_result(run)}" for number, run in enumerate(runs, 1)]
        left = self.rounds - done - 1
        then = (
            f"You may check {left} more times."
            if left
            else "This was the last check; now write the solution."
        )
        return {"messages": [HumanMessage("\n\n".join([_HEADER, *told, then]))]}


def _result(run: Execution) -> str:
    told = run.stdout.rstrip()
    if run.status != "ok":
        told = f"{told}\nError: {run.error}".strip()
    told = told or "(nothing was printed; use print)"
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}\n[cut: {len(told)} characters in all]"
