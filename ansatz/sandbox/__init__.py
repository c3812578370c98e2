"""Run Python code that a model wrote in a separate, isolated process.

Each worker is a warm fork server, and each execution is a locked-down child of it. On Linux the isolation
consists of namespaces, Landlock and a system call filter. This package knows nothing about models, problems
and studies; of Ansatz, it imports only the errors.
"""

from ansatz.sandbox.code_runner import CodeRunner, Place, RunsCode, Sandbox
from ansatz.sandbox.encoding import EncodingError, Opaque, Symbolic
from ansatz.sandbox.execution import Execution
from ansatz.sandbox.isolation import Isolation, recording_isolation, trusting

__all__ = [
    "CodeRunner",
    "EncodingError",
    "Execution",
    "Isolation",
    "Opaque",
    "Place",
    "RunsCode",
    "Sandbox",
    "Symbolic",
    "recording_isolation",
    "trusting",
]
