"""Running Python that a model wrote, apart from our own process."""

from ansatz.sandbox.execution import Execution, SandboxUnavailable
from ansatz.sandbox.runner import CodeRunner, Isolation, Place, code_runner
from ansatz.sandbox.sandbox import Sandbox
from ansatz.sandbox.subprocess_runner import SubprocessRunner
from ansatz.sandbox.values import EncodingError, Opaque, Quantity, Symbolic

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
