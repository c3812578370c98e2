"""Where code that a model wrote runs, and what it may take: settings of every intervention that runs some."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.sandbox import CodeRunner, Isolation, Place, SandboxUnavailable, code_runner
from ansatz.settings import Count, PositiveNumber, check_settings


@dataclass(frozen=True, kw_only=True)
class Sandboxed:
    """`timeout_seconds` and `memory_mb` bound each run of the model's code.

    `isolation` is the least that the machine must offer (L3, L2 or L1), or none; `sandbox` is where the code
    runs. A study on a machine that offers less fails before its first question.
    """

    timeout_seconds: PositiveNumber = 30.0
    memory_mb: Count = 512
    isolation: Isolation = "L2"
    sandbox: Place = "local"

    def __post_init__(self) -> None:
        check_settings(self)
        try:
            self.runner()
        except SandboxUnavailable as failure:
            raise ValueError(str(failure)) from failure

    def runner(self) -> CodeRunner:
        return code_runner(self.isolation, self.sandbox, self.timeout_seconds, self.memory_mb)
