"""Where code that a model wrote runs, and what it may take: settings of every intervention that runs some."""

from __future__ import annotations

from functools import cached_property

from ansatz.sandbox import Isolation, Place, Sandbox
from ansatz.settings import Count, PositiveNumber, settings


@settings(kw_only=True)
class Sandboxed:
    """`timeout_seconds` and `memory_mb` bound each run of the model's code.

    `isolation` is the level that the machine must reach (full, landlock, filter or seatbelt), or none;
    `sandbox` is where the code runs. With a real model, a study on a machine that does not reach the level
    fails before its first question.
    """

    timeout_seconds: PositiveNumber = 30.0
    memory_mb: Count = 512
    isolation: Isolation = "landlock"
    sandbox: Place = "local"

    @cached_property
    def runner(self) -> Sandbox:
        return Sandbox.shared(self.timeout_seconds, self.memory_mb, self.isolation, self.sandbox)
