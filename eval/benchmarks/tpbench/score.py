"""The scorer `tpbench`: 1 for an answer whose function returns what the reference returns, else 0.

Both run in the sandbox, never together: every input is a call of its own in a process of its own, for the
answer and for the reference alike. No state lasts from one call to the next, and the answer shares no process
with the reference or with the comparison, which is done here, on values that were handed over as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from ansatz.errors import InfrastructureError, ReferenceFault
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, Program, assemble
from ansatz.eval.benchmarks.tpbench.returned_values import difference, leaves, scales
from ansatz.eval.problem import CallableTarget, Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.sandbox import Execution, Isolation, Sandbox, encoding
from ansatz.settings import Count, PositiveNumber, settings

Ending = Literal[
    "correct",
    "wrong value",
    "wrong shape or type",
    "exception",
    "timeout",
    "no code",
    "signature mismatch",
]
OUTCOMES: tuple[Ending, ...] = get_args(Ending)

_FEWEST_DRAWN = 3  # inputs at which the reference has a value; fewer verify nothing
_FLOOR = 1e-12  # f of the comparison, see returned_values.py


@dataclass(frozen=True)
class Verification:
    """What became of one answer. The outcome is that of the first input, in their order, that fails.

    `agreed` counts the inputs before it, of `inputs` in all; `notes` say what was mended in the code.
    """

    outcome: Ending
    detail: str = ""
    agreed: int = 0
    inputs: int = 0
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """One line, which begins with the outcome and a colon."""
        counted = f"{self.agreed} of {self.inputs} inputs agree" if self.inputs else ""
        return f"{self.outcome}: " + "; ".join(filter(None, (self.detail, counted, *self.notes)))


@dataclass(frozen=True)
class Expected:
    """The reference's values at the inputs that count."""

    inputs: Sequence[dict[str, Any]]
    values: Sequence[Any]
    floors: Sequence[float]


@settings()
class TPBenchScore(Scorer):
    """Auto-verification. `timeout_seconds` and `memory_mb` bound every call of an answer's function.

    `isolation` is the least that the machine must offer: what the answers hold is code that nobody has read.
    A failure of the sandbox is one of infrastructure and raises.

    Details: `outcome` (one of `OUTCOMES`), `detail`, `agreed`, `inputs` and `notes`; none where the reference
    itself fails.
    """

    timeout_seconds: PositiveNumber = 30.0
    memory_mb: Count = 512
    isolation: Isolation = "landlock"

    dimensions: ClassVar[tuple[Dimension, ...]] = (Dimension("auto", "function right on all test inputs"),)

    @cached_property
    def runner(self) -> Sandbox:
        return Sandbox.shared(self.timeout_seconds, self.memory_mb, self.isolation)

    @cached_property
    def _expected(self) -> dict[tuple[str, str], Expected]:
        return {}

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        try:
            found = await self.verified(context)
        except ReferenceFault as fault:
            return (Score(dimension="auto", value=None, evidence=str(fault)),)
        details = {**asdict(found), "notes": list(found.notes)}
        value = float(found.outcome == "correct")
        return (Score(dimension="auto", value=value, evidence=found.sentence(), details=details),)

    async def verified(self, context: ScoringContext) -> Verification:
        """What becomes of the attempt's answer; run once, whichever scorer with these settings asks first."""
        if self not in context.found:
            context.found[self] = await self.verify(context.problem, context.transcript.answer)
        verification: Verification = context.found[self]
        return verification

    async def verify(self, problem: Problem, answer: str) -> Verification:
        """Raises InfrastructureError where the sandbox fails, and ReferenceFault where the reference does."""
        [target, *others] = problem.targets
        if not isinstance(target, CallableTarget) or others:
            raise ReferenceFault("the problem asks for no function")
        program = assemble(answer, target.name, target.parameters)
        if isinstance(program, NoProgram):
            return Verification(program.outcome, program.reason)
        return await self._compared(program, target, await self.expected(target))

    async def expected(self, target: CallableTarget) -> Expected:
        """What the reference returns. Raises ReferenceFault where an input that was chosen has no value."""
        key = (target.value, repr(target.inputs))
        if key not in self._expected:
            inputs = [encoding.decode(each) for each in target.inputs]
            runs = await self.runner.call(target.value, target.name, inputs)
            usable = [
                (each, run.value) for each, run in zip(inputs, runs, strict=True) if _is_usable(run, target)
            ]
            if len(usable) < min(len(inputs), _FEWEST_DRAWN):
                raise ReferenceFault(f"the reference has a finite value at only {len(usable)} inputs")
            values = [value for _, value in usable]
            floors = [_FLOOR * scale for scale in scales([leaves(value) or [] for value in values])]
            self._expected[key] = Expected([each for each, _ in usable], values, floors)
        return self._expected[key]

    async def _compared(self, program: Program, target: CallableTarget, expected: Expected) -> Verification:
        """The first input alone, so that code that hangs or fails everywhere is run only once."""
        count = len(expected.inputs)
        for part in (slice(0, 1), slice(1, count)):
            runs = await self.runner.call(program.source, program.function, expected.inputs[part])
            for at, run in enumerate(runs, start=part.start):
                fault = _failure(run) or difference(
                    run.value, expected.values[at], target.tolerance, expected.floors
                )
                if fault is not None:
                    outcome, detail = fault
                    where = f"{detail} at {_shown(expected.inputs[at])}"
                    return Verification(outcome, where, at, count, program.notes)
        return Verification("correct", "", count, count, program.notes)


def _is_usable(run: Execution, target: CallableTarget) -> bool:
    """Whether the reference has a value here. An input that the author chose has to have one."""
    if run.status in ("timeout", "killed"):
        raise InfrastructureError(f"the reference of {target.name} did not finish: {run.error}")
    numbers = leaves(run.value) if run.status == "ok" else None
    usable = bool(numbers) and not any(np.isnan(leaf).any() for leaf in numbers or ())
    if not usable and not target.drawn:
        raise ReferenceFault(f"the reference fails: {run.error or f'it returns {run.value!r}'}"[:300])
    return usable


def _failure(run: Execution) -> tuple[Ending, str] | None:
    """What kept a call from returning a value: any other end than a deadline counts as an exception."""
    if run.status == "ok":
        return None
    return "timeout" if run.verdict == "timeout" else "exception", (run.error or run.status)[:300]


def _shown(inputs: dict[str, Any]) -> str:
    text = ", ".join(f"{name} = {value}" for name, value in inputs.items()) or "no input"
    return " ".join(text.split())[:200]
