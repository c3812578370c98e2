"""What it means to run model-written code: one call in, one outcome out."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict


class Execution(BaseModel):
    """The outcome of one run. `error` is the last line of a traceback, or why the run was ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Literal["ok", "error", "timeout", "crash"]
    stdout: str
    stderr: str
    error: str | None
    truncated: bool
    seconds: float


class CodeRunner(Protocol):
    """Runs Python source and returns what it printed; a last bare expression is printed, as in a console.

    A program's own failure is an outcome. Raises InfrastructureError when the runner itself fails.
    """

    async def run(self, code: str) -> Execution: ...
