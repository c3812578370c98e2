"""The scorer `tpbench`: 1 for an answer whose function returns what the reference returns, else 0.

Answer and reference run in the sandbox, separately: every call, of one input, has its own process. No state
lasts from one call to the next. The comparison runs here, on values that are passed as data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ansatz.errors import InfrastructureError, ReferenceFault
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, Program, assemble
from ansatz.eval.problem import CallableTarget, Problem, Tolerance
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.sandbox import Execution, Isolation, Sandbox, Symbolic, encoding
from ansatz.settings import Count, PositiveNumber, settings

VerificationOutcome = Literal[
    "correct",
    "wrong value",
    "wrong shape or type",
    "exception",
    "timeout",
    "no code",
    "signature mismatch",
]
OUTCOMES: tuple[VerificationOutcome, ...] = get_args(VerificationOutcome)
Array = NDArray[np.complex128]
Difference = tuple[Literal["wrong value", "wrong shape or type"], str]

_FEWEST_SAMPLED = 3  # sampled inputs at which the reference has a value; fewer verify nothing
_FLOOR = 1e-12  # f of the comparison, see find_difference
_NONE = np.zeros(0, np.complex128)


@dataclass(frozen=True)
class Verification:
    """The result of verifying one answer."""

    outcome: VerificationOutcome
    """The outcome at the first input that fails, in the order of inputs."""
    detail: str = ""
    agreed: int = 0
    """The number of inputs before the first that fails."""
    inputs: int = 0
    """The number of all inputs."""
    notes: tuple[str, ...] = ()
    """The corrections that were made to the code."""

    def format(self) -> str:
        """Return one line, which starts with the outcome and a colon."""
        counted = f"{self.agreed} of {self.inputs} inputs agree" if self.inputs else ""
        return f"{self.outcome}: " + "; ".join(filter(None, (self.detail, counted, *self.notes)))


@dataclass(frozen=True)
class ExpectedValues:
    """The values of the reference."""

    inputs: Sequence[dict[str, Any]]
    """The inputs at which the reference has a value."""
    values: Sequence[Any]
    floors: Sequence[float]
    """The absolute floor of the comparison for each component of a value."""


@settings()
class TPBenchScore(Scorer):
    """Auto-verification. Raises InfrastructureError if the sandbox fails.

    Details: `outcome` (one of `OUTCOMES`), `detail`, `agreed`, `inputs` and `notes`; none if the reference
    itself fails.
    """

    timeout_seconds: PositiveNumber = 30.0
    """The limit of each call of an answer's function."""
    memory_mb: Count = 512
    """The memory of each call, MB."""
    isolation: Isolation = "landlock"
    """The least isolation that the machine must offer, because no one has read the code of the answers."""

    dimensions: ClassVar[tuple[Dimension, ...]] = (Dimension("auto", "function right on all test inputs"),)

    @cached_property
    def runner(self) -> Sandbox:
        return Sandbox.shared(self.timeout_seconds, self.memory_mb, self.isolation)

    @cached_property
    def _expected(self) -> dict[tuple[str, str], ExpectedValues]:
        return {}

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        try:
            found = await self.verify_once(context)
        except ReferenceFault as fault:
            return (Score(dimension="auto", value=None, evidence=str(fault)),)
        details = {**asdict(found), "notes": list(found.notes)}
        value = float(found.outcome == "correct")
        return (Score(dimension="auto", value=value, evidence=found.format(), details=details),)

    async def verify_once(self, context: ScoringContext) -> Verification:
        """Verify the attempt's answer; scorers with equal settings share the result."""
        if self not in context.found:
            context.found[self] = await self.verify(context.problem, context.transcript.answer)
        verification: Verification = context.found[self]
        return verification

    async def verify(self, problem: Problem, answer: str) -> Verification:
        """Verify an answer. Raises InfrastructureError for the sandbox, ReferenceFault for the reference."""
        [target, *others] = problem.targets
        if not isinstance(target, CallableTarget) or others:
            raise ReferenceFault("the problem asks for no function")
        program = assemble(answer, target.name, target.parameters)
        if isinstance(program, NoProgram):
            return Verification(program.outcome, program.reason)
        return await self._compare(program, target, await self.run_reference(target))

    async def run_reference(self, target: CallableTarget) -> ExpectedValues:
        """Return the reference's values. Raises ReferenceFault if it has none at an input of the author."""
        key = (target.value, repr(target.inputs))
        if key not in self._expected:
            inputs = [encoding.decode(each) for each in target.inputs]
            runs = await self.runner.call(target.value, target.name, inputs)
            usable = [
                (each, run.value) for each, run in zip(inputs, runs, strict=True) if _is_usable(run, target)
            ]
            if len(usable) < min(len(inputs), _FEWEST_SAMPLED):
                raise ReferenceFault(f"the reference has a finite value at only {len(usable)} inputs")
            values = [value for _, value in usable]
            scales = find_scales([split_components(value) or [] for value in values])
            floors = [_FLOOR * scale for scale in scales]
            self._expected[key] = ExpectedValues([each for each, _ in usable], values, floors)
        return self._expected[key]

    async def _compare(
        self, program: Program, target: CallableTarget, expected: ExpectedValues
    ) -> Verification:
        """Run the first input alone, so that code that hangs or fails everywhere runs only once."""
        count = len(expected.inputs)
        for part in (slice(0, 1), slice(1, count)):
            runs = await self.runner.call(program.source, program.function, expected.inputs[part])
            for at, run in enumerate(runs, start=part.start):
                fault = _find_failure(run) or find_difference(
                    run.value, expected.values[at], target.tolerance, expected.floors
                )
                if fault is not None:
                    outcome, detail = fault
                    where = f"{detail} at {_format_inputs(expected.inputs[at])}"
                    return Verification(outcome, where, at, count, program.notes)
        return Verification("correct", "", count, count, program.notes)


def _is_usable(run: Execution, target: CallableTarget) -> bool:
    """Whether the reference has a value at an input. It must have one at an input of the author."""
    if run.status in ("timeout", "killed"):
        raise InfrastructureError(f"the reference of {target.name} did not finish: {run.error}")
    components = split_components(run.value) if run.status == "ok" else None
    usable = bool(components) and not any(np.isnan(each).any() for each in components or ())
    if not usable and not target.drawn:
        raise ReferenceFault(f"the reference fails: {run.error or f'it returns {run.value!r}'}"[:300])
    return usable


def _find_failure(run: Execution) -> tuple[VerificationOutcome, str] | None:
    """Return why a call has no value; every reason except the time limit counts as an exception."""
    if run.status == "ok":
        return None
    return "timeout" if run.verdict == "timeout" else "exception", (run.error or run.status)[:300]


def _format_inputs(inputs: dict[str, Any]) -> str:
    text = ", ".join(f"{name} = {value}" for name, value in inputs.items()) or "no input"
    return " ".join(text.split())[:200]


def split_components(value: Any) -> list[Array] | None:
    """Return the arrays that a reference's value consists of; None if it has anything else."""
    if isinstance(value, tuple | list):
        parts = [split_components(each) for each in value]
        return [array for part in parts for array in part or ()] if None not in parts else None
    array = _to_array(value)
    return None if array is None else [array]


def find_scales(expected: Sequence[Sequence[Array]]) -> list[float]:
    """Return the largest finite magnitude of each component over all inputs; 0 if there is none."""
    return [
        max(float(np.abs(array[np.isfinite(array)]).max(initial=0.0)) for array in component)
        for component in zip_longest(*expected, fillvalue=_NONE)
    ]


def find_difference(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Sequence[float]
) -> Difference | None:
    """Return the first difference of a value from the expected one: numbers, arrays, and tuples of these.

    A number a equals the expected e if |a − e| ≤ max(r·|e|, t, f·S). r and t are the tolerance of the
    problem. f·S is a floor for results that are zero except for rounding, where S is the largest |e| of the
    component over all test inputs. Complex numbers are compared in the complex plane, so a function can
    return a real number as a complex one. Only the same infinity equals an infinity; NaN equals nothing.
    Shapes must agree. A list or a tuple can replace an array, and an array a tuple.

    `floors` has one absolute floor for each component of `split_components(expected)`.
    """
    return next(_differences(answered, expected, tolerance, iter(floors)), None)


def _differences(
    answered: Any, expected: Any, tolerance: Tolerance, floors: Iterator[float]
) -> Iterator[Difference]:
    if isinstance(expected, tuple | list):
        values = list(answered) if isinstance(answered, np.ndarray) and answered.ndim else answered
        if not isinstance(values, tuple | list):
            yield "wrong shape or type", f"{_kind(answered)} instead of {len(expected)} values"
        elif len(values) != len(expected):
            yield "wrong shape or type", f"{len(values)} values instead of {len(expected)}"
        else:
            for one, other in zip(values, expected, strict=True):
                yield from _differences(one, other, tolerance, floors)
        return
    wanted, found, floor = _to_array(expected), _to_array(answered), next(floors)
    assert wanted is not None
    if found is None or found.shape != wanted.shape:
        yield "wrong shape or type", f"{_kind(answered)} instead of {_kind(expected)}"
        return
    with np.errstate(all="ignore"):
        allowed = np.maximum(tolerance.relative * np.abs(wanted), max(tolerance.absolute, floor))
        close = np.where(np.isfinite(wanted), np.abs(found - wanted) <= allowed, found == wanted)
    if not close.all():
        at = int(np.argmin(close))
        yield "wrong value", f"{_format_number(found.ravel()[at])} for {_format_number(wanted.ravel()[at])}"


def _to_array(value: Any) -> Array | None:
    """Return a number, an array or nested lists of numbers as complex numbers; None for anything else."""
    if isinstance(value, Symbolic):
        value = value.number
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind in "iufc":
            return np.asarray(value, np.complex128)
        return _to_array(value.tolist()) if value.dtype.kind == "O" else None
    if isinstance(value, list | tuple):
        parts = [part for each in value if (part := _to_array(each)) is not None]
        is_regular = len(parts) == len(value) and len({part.shape for part in parts}) < 2
        return np.array(parts, np.complex128) if is_regular else None
    if isinstance(value, bool) or not isinstance(value, int | float | complex | Fraction | Decimal):
        return None
    try:
        return np.asarray(value, np.complex128)
    except OverflowError:
        return np.asarray(np.inf if value > 0 else -np.inf, np.complex128)  # type: ignore[operator]


def _kind(value: Any) -> str:
    array = _to_array(value)
    if array is None:
        return f"a value of type {type(value).__name__}"
    return f"an array of shape {array.shape}" if array.ndim else "a number"


def _format_number(number: complex) -> str:
    return f"{number.real:.8g}" if number.imag == 0 else f"{number:.8g}"
