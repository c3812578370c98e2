"""The scorer `tpbench`: 1 for an answer whose function returns what the reference returns, else 0."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import ClassVar

from ansatz.eval.benchmarks.tpbench.verification import ReferenceFault, Verifier
from ansatz.eval.score import Dimension, Score, ScoringContext
from ansatz.sandbox import Isolation, Sandbox
from ansatz.settings import Count, PositiveNumber, Share, check_settings


@dataclass(frozen=True)
class TPBenchScore:
    """Auto-verification. `timeout_seconds` and `memory_mb` bound every call of an answer's function.

    `relative` replaces the relative tolerance that the problems state. `isolation` is the least that the
    machine must offer: what the answers hold is code that nobody has read. A failure of the sandbox is one of
    infrastructure and raises.

    Details: `outcome` (one of `verification.OUTCOMES`), `detail`, `agreed`, `inputs` and `notes`; none where
    the reference itself fails.
    """

    timeout_seconds: PositiveNumber = 30.0
    memory_mb: Count = 512
    isolation: Isolation = "L2"
    relative: Share | None = None

    dimensions: ClassVar[tuple[Dimension, ...]] = (Dimension("auto", "function right on all test inputs"),)

    def __post_init__(self) -> None:
        check_settings(self)

    @cached_property
    def runner(self) -> Sandbox:
        return Sandbox.shared(self.timeout_seconds, self.memory_mb, self.isolation)

    @cached_property
    def verifier(self) -> Verifier:
        return Verifier(self.runner, self.relative)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        try:
            found = await self.verifier.verify(problem, transcript.answer)
        except ReferenceFault as fault:
            return (Score(dimension="auto", value=None, evidence=str(fault)),)
        details = {**asdict(found), "notes": list(found.notes)}
        value = float(found.outcome == "correct")
        return (Score(dimension="auto", value=value, evidence=found.sentence(), details=details),)
