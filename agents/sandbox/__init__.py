"""Running Python that a model wrote, apart from our own process."""

from ansatz.agents.sandbox.runner import CodeRunner, Execution
from ansatz.agents.sandbox.subprocess_runner import SubprocessRunner

__all__ = ["CodeRunner", "Execution", "SubprocessRunner"]
