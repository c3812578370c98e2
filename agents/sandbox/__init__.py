"""Running Python that a model wrote, apart from our own process."""

from ansatz.agents.sandbox.execution import Execution, SandboxUnavailable
from ansatz.agents.sandbox.runner import CodeRunner, Isolation, Place, code_runner
from ansatz.agents.sandbox.sandbox import Sandbox
from ansatz.agents.sandbox.subprocess_runner import SubprocessRunner
from ansatz.agents.sandbox.values import EncodingError, Opaque, Quantity, Symbolic

__all__ = [
    "CodeRunner",
    "EncodingError",
    "Execution",
    "Isolation",
    "Opaque",
    "Place",
    "Quantity",
    "Sandbox",
    "SandboxUnavailable",
    "SubprocessRunner",
    "Symbolic",
    "code_runner",
]
