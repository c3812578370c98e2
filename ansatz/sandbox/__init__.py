"""The room for Python that a model wrote: it runs apart from our own process, or not at all.

A warm fork-server per worker and a locked child per execution, on Linux by namespaces, Landlock and a system
call filter. It knows nothing of models, problems or studies, and imports nothing of ours but the errors.
"""

from ansatz.sandbox.code_runner import CodeRunner, Place, RunsCode, Sandbox
from ansatz.sandbox.encoding import EncodingError, Opaque, Symbolic
from ansatz.sandbox.execution import Execution
from ansatz.sandbox.isolation import Isolation, trusting

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
    "trusting",
]
