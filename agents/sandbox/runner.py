"""What it means to run model-written code: one call in, one outcome out."""

from __future__ import annotations

from typing import Protocol

from ansatz.agents.sandbox.execution import Execution


class CodeRunner(Protocol):
    """Runs Python source and returns what it printed; a last bare expression is printed, as in a console.

    A program's own failure is an outcome. Raises InfrastructureError when the runner itself fails.
    """

    async def run(self, code: str) -> Execution: ...
