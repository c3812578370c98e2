"""What it means to run model-written code: one call in, one outcome out."""

from __future__ import annotations

from typing import Literal, Protocol

from ansatz.sandbox.docker import DockerLauncher
from ansatz.sandbox.execution import Execution
from ansatz.sandbox.isolation import require
from ansatz.sandbox.sandbox import Sandbox
from ansatz.sandbox.subprocess_runner import SubprocessRunner


class CodeRunner(Protocol):
    """Runs Python source and returns what it printed; a last bare expression is printed, as in a console.

    A program's own failure is an outcome. Raises InfrastructureError when the runner itself fails.
    """

    async def run(self, code: str) -> Execution: ...


Isolation = Literal["L3", "L2", "L1", "none"]
Place = Literal["local", "docker"]
_INTERPRETER_MB = 1024  # a plain process's limit counts the interpreter and its libraries as well


def code_runner(isolation: Isolation, place: Place, timeout: float, memory_mb: int) -> CodeRunner:
    """The runner that a setting names, on workers shared by the whole process.

    Raises SandboxUnavailable at once where this machine does not reach the isolation: no study is to learn
    that halfway. "none" is a plain subprocess, which bounds accidents and stops no attack.
    """
    if isolation == "none":
        return SubprocessRunner(timeout_seconds=timeout, memory_mb=memory_mb + _INTERPRETER_MB)
    if place == "docker":
        launcher = DockerLauncher()
        launcher.require_engine()
        return Sandbox.in_docker(launcher, timeout, memory_mb)
    require(isolation)
    return Sandbox.shared(timeout, memory_mb, isolation)
