"""Whether a set as a whole is ready, by the figures of three checks, of which none may say no-go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.data.candidate import Candidate
from ansatz.eval.data.dimensions import unstated_givens
from ansatz.eval.data.solvability import has_solution, missing_names
from ansatz.eval.data.splits import split
from ansatz.eval.item import Item
from ansatz.eval.problem import NumberTarget
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import find_statement

_WRITTEN = 1e-4  # the same after a value was written with six digits
_WORDS = {None: "not judged", True: "go", False: "no-go"}


@dataclass(frozen=True)
class ReadinessFigure:
    """One measured share of a check, and the least wanted; None where the set has nothing to measure."""

    check: str
    name: str
    value: float | None
    threshold: float
    detail: str

    @property
    def go(self) -> bool | None:
        """None is not judged."""
        return None if self.value is None else self.value >= self.threshold

    def row(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": _WORDS[self.go]}


def readiness(items: Sequence[Item], seed: int) -> Iterator[ReadinessFigure]:
    """Data quality, evaluation feasibility and reproducibility of a set; no item is a no-go everywhere."""
    candidates = [Candidate(item.id, item) for item in items]
    fields = ("level", "task_type", "domains", "given")
    used = [name for name in fields if any(getattr(item, name) for item in items)]
    filled = _share(has for item in items for has in _fields_filled(item, used))
    detail = ", ".join([*used, "targets with values"])
    yield ReadinessFigure("data_quality", "field_completeness", filled, 0.98, detail)
    solved = not items or any(item.reference_solution.steps for item in items)
    detail = "reference steps arrive at every value" if solved else "no item has reference steps"
    verifiable = _share(map(has_solution, items)) if solved else None
    yield ReadinessFigure("data_quality", "solution_verifiability", verifiable, 0.9, detail)
    contained = _share(not (unstated_givens(each) or missing_names(each)) for each in candidates)
    detail = "all givens stated, no symbol unexplained"
    yield ReadinessFigure("data_quality", "self_containedness", contained, 0.98, detail)
    numbers = [target for item in items for target in item.targets if isinstance(target, NumberTarget)]
    # A set of derivations alone has no number to read back.
    read = _share(_reads_back(each) for each in numbers if each.value is not None) if numbers else bool(items)
    detail = "a stated reference answer is read back"
    yield ReadinessFigure("evaluation_feasibility", "answer_extractability", float(read), 0.98, detail)
    stable, detail = _stability(items, seed)
    yield ReadinessFigure("experimental_reproducibility", "split_stability", stable, 1.0, detail)


def _fields_filled(item: Item, used: Sequence[str]) -> Iterator[bool]:
    """Whether the item has each field that the set `used`; one that no item has is no gap."""
    for name in used:
        yield bool(getattr(item, name)) or (name == "given" and item.task_type == "derivation")
    yield from (target.value is not None for target in item.targets)


def _reads_back(target: NumberTarget) -> bool:
    """Whether a number is found again in a line that states it, whatever its symbol and unit."""
    assert target.value is not None
    unit = "" if target.unit == "-" else f" {target.unit}"
    read = find_statement(f"Final answer: {target.name} = {target.value:.6g}{unit}", target.name)
    number = convert_value(read.value, read.unit or "-", target.unit) if read else None
    return number is not None and abs(number - target.value) <= _WRITTEN * abs(target.value)


def _stability(items: Sequence[Item], seed: int) -> tuple[float, str]:
    """Whether a split on trial is the same for the items in another order, and which it is."""
    problems = [item.problem() for item in items]
    try:
        first, second = (split(each, seed).manifest() for each in (problems, problems[::-1]))
    except InvalidData as error:
        return 0.0, str(error)
    return float(first == second), f"seed {seed}, manifest {str(first['sha256'])[:12]}"


def _share(found: Iterable[bool]) -> float:
    listed = list(found)
    return sum(listed) / len(listed) if listed else 0.0
