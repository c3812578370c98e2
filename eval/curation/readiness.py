"""Decide whether a whole set is ready: three checks, each with measured shares and thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.curation.candidate import Candidate
from ansatz.eval.curation.dimensions import find_unstated_givens
from ansatz.eval.curation.solvability import find_missing_symbols, has_solution
from ansatz.eval.curation.splits import split_problems
from ansatz.eval.problem import NumberTarget
from ansatz.eval.problem_schema import Item
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import find_statement

_SAME = 1e-4  # relative difference of a value that was written with six digits
_VERDICTS = {None: "not judged", True: "go", False: "no-go"}


@dataclass(frozen=True)
class ReadinessFigure:
    """One measured share of a check."""

    check: str
    """One of the three checks, such as "data_quality"."""
    name: str
    """Name of the share."""
    value: float | None
    """The share; None if the set has nothing to measure."""
    threshold: float
    """The lowest share for a go."""
    detail: str
    """What was measured."""

    @property
    def go(self) -> bool | None:
        """Whether the share reaches its threshold; None without a share."""
        return None if self.value is None else self.value >= self.threshold

    def row(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": _VERDICTS[self.go]}


def measure_readiness(items: Sequence[Item], seed: int) -> Iterator[ReadinessFigure]:
    """Measure data quality, evaluation feasibility and reproducibility of a set. An empty set fails all."""
    candidates = [Candidate(item.id, item) for item in items]
    fields = ("level", "task_type", "domains", "given")
    used = [name for name in fields if any(getattr(item, name) for item in items)]
    filled = _share(has for item in items for has in _fields_filled(item, used))
    detail = ", ".join([*used, "targets with values"])
    yield ReadinessFigure("data_quality", "field_completeness", filled, 0.98, detail)
    solved = not items or any(item.reference_solution.steps for item in items)
    detail = "reference steps produce every value" if solved else "no item has reference steps"
    verifiable = _share(map(has_solution, items)) if solved else None
    yield ReadinessFigure("data_quality", "solution_verifiability", verifiable, 0.9, detail)
    contained = _share(not (find_unstated_givens(each) or find_missing_symbols(each)) for each in candidates)
    detail = "all givens stated, all symbols explained"
    yield ReadinessFigure("data_quality", "self_containedness", contained, 0.98, detail)
    numbers = [target for item in items for target in item.targets if isinstance(target, NumberTarget)]
    # A set of derivations has no number to read.
    read = (
        _share(_is_read_correctly(each) for each in numbers if each.value is not None)
        if numbers
        else bool(items)
    )
    detail = "a stated reference answer is read correctly"
    yield ReadinessFigure("evaluation_feasibility", "answer_extractability", float(read), 0.98, detail)
    stable, detail = _check_stability(items, seed)
    yield ReadinessFigure("experimental_reproducibility", "split_stability", stable, 1.0, detail)


def _fields_filled(item: Item, used: Sequence[str]) -> Iterator[bool]:
    """Yield whether the item has each field that some item of the set uses, and each target's value."""
    for name in used:
        yield bool(getattr(item, name)) or (name == "given" and item.task_type == "derivation")
    yield from (target.value is not None for target in item.targets)


def _is_read_correctly(target: NumberTarget) -> bool:
    """Whether the number is read correctly from a line that states it with its symbol and unit."""
    assert target.value is not None
    unit = "" if target.unit == "-" else f" {target.unit}"
    read = find_statement(f"Final answer: {target.name} = {target.value:.6g}{unit}", target.name)
    number = convert_value(read.value, read.unit or "-", target.unit) if read else None
    return number is not None and abs(number - target.value) <= _SAME * abs(target.value)


def _check_stability(items: Sequence[Item], seed: int) -> tuple[float, str]:
    """Check that a trial split does not depend on the order of the items, and identify the split."""
    problems = [item.to_problem() for item in items]
    try:
        first, second = (split_problems(each, seed).manifest() for each in (problems, problems[::-1]))
    except InvalidData as error:
        return 0.0, str(error)
    return float(first == second), f"seed {seed}, manifest {str(first['sha256'])[:12]}"


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
