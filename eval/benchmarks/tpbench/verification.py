"""Does the function in an answer return what the reference returns? Both run in the sandbox, never together.

Every input is a call of its own in a process of its own, for the answer and for the reference alike: no state
lasts from one call to the next, and the answer shares no process with the reference or with the comparison,
which is done here, on values that were handed over as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from ansatz.agents import InfrastructureError
from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, Program, assemble
from ansatz.eval.benchmarks.tpbench.returned_values import difference, leaves, scales
from ansatz.eval.problem import CallableTarget, Problem, Tolerance
from ansatz.sandbox import Execution, Sandbox, decoding

Outcome = Literal[
    "correct",
    "wrong value",
    "wrong shape or type",
    "exception",
    "timeout",
    "no code",
    "signature mismatch",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

_FEWEST_DRAWN = 3  # inputs at which the reference has a value; fewer verify nothing


class ReferenceFault(AnsatzError, ValueError):
    """The reference gives nothing to compare with: the problem cannot be scored, whatever the answer."""


@dataclass(frozen=True)
class Verification:
    """What became of one answer. The outcome is that of the first input, in their order, that fails.

    `agreed` counts the inputs before it, of `inputs` in all; `notes` say what was mended in the code.
    """

    outcome: Outcome
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


@dataclass(frozen=True)
class Verifier:
    """Verifies answers to callable targets in one sandbox; references are run once for each target.

    `relative` overrides the tolerance of the problems where it is given; `floor` is f in the comparison.
    """

    sandbox: Sandbox
    relative: float | None = None
    floor: float = 1e-12
    _expected: dict[CallableTargetKey, Expected] = field(default_factory=dict, compare=False, repr=False)

    async def verify(self, problem: Problem, answer: str) -> Verification:
        """Raises InfrastructureError where the sandbox fails, and ReferenceFault where the reference does."""
        target = callable_target(problem)
        if target is None:
            raise ReferenceFault("the problem asks for no function")
        program = assemble(answer, target.name, target.parameters)
        if isinstance(program, NoProgram):
            return Verification(program.outcome, program.reason)
        return await self._compared(program, target, await self.expected(target))

    async def expected(self, target: CallableTarget) -> Expected:
        """What the reference returns. Raises ReferenceFault where an input that was chosen has no value."""
        key = (target.value, repr(target.inputs))
        if key not in self._expected:
            inputs = [decoding.decode(each) for each in target.inputs]
            executions = await self.sandbox.call(target.value, target.name, inputs)
            pairs = [
                (each, run.value)
                for each, run in zip(inputs, executions, strict=True)
                if _is_usable(run, target)
            ]
            if len(pairs) < min(len(inputs), _FEWEST_DRAWN):
                raise ReferenceFault(f"the reference has a finite value at only {len(pairs)} inputs")
            found = [leaves(value) or [] for _, value in pairs]
            floors = [self.floor * scale for scale in scales(found)]
            self._expected[key] = Expected([each for each, _ in pairs], [value for _, value in pairs], floors)
        return self._expected[key]

    async def _compared(self, program: Program, target: CallableTarget, expected: Expected) -> Verification:
        """The first input alone, so that code that hangs or fails everywhere is run only once."""
        tolerance = target.tolerance
        if self.relative is not None:
            tolerance = Tolerance(relative=self.relative, absolute=tolerance.absolute)
        count = len(expected.inputs)
        for part in (slice(0, 1), slice(1, count)):
            runs = await self.sandbox.call(program.source, program.function, expected.inputs[part])
            for at, run in enumerate(runs, start=part.start):
                fault = _failure(run) or difference(
                    run.value, expected.values[at], tolerance, expected.floors
                )
                if fault is not None:
                    outcome, detail = fault
                    where = f"{detail} at {_shown(expected.inputs[at])}"
                    return Verification(outcome, where, at, count, program.notes)
        return Verification("correct", "", count, count, program.notes)


CallableTargetKey = tuple[str, str]


def callable_target(problem: Problem) -> CallableTarget | None:
    """The function that a problem asks for; None where it does not ask for exactly one thing, a function."""
    [first, *others] = problem.targets
    return first if isinstance(first, CallableTarget) and not others else None


def _is_usable(run: Execution, target: CallableTarget) -> bool:
    """Whether the reference has a value here. An input that the author chose has to have one."""
    if run.status in ("timeout", "killed"):
        raise InfrastructureError(f"the reference of {target.name} did not finish: {run.error}")
    numbers = leaves(run.value) if run.status == "ok" else None
    usable = bool(numbers) and not any(np.isnan(leaf).any() for leaf in numbers or ())
    if not usable and not target.drawn:
        raise ReferenceFault(f"the reference fails: {run.error or f'it returns {run.value!r}'}"[:300])
    return usable


def _failure(run: Execution) -> tuple[Outcome, str] | None:
    """What kept a call from returning a value: any other end than a deadline counts as an exception."""
    if run.status == "ok":
        return None
    return "timeout" if run.verdict == "timeout" else "exception", (run.error or run.status)[:300]


def _shown(inputs: dict[str, Any]) -> str:
    text = ", ".join(f"{name} = {value}" for name, value in inputs.items()) or "no input"
    return " ".join(text.split())[:200]
