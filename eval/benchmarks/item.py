"""The item schema of TPS-CalcBench (arXiv:2604.17966, appendix A), widened by what scoring needs.

A target may carry its `value`, and an item its `family`, `context`, `gold_equations`, `trap_equations`,
`bounds` and `reference_solution`. All that a study may filter by becomes a tag of the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ansatz.eval.benchmarks.validation import missing_equation
from ansatz.eval.problem import (
    Bound,
    DerivationStep,
    Entity,
    Formulation,
    Given,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
    Target,
)
from ansatz.quantities.did_you_mean import nearest

Level = Literal["L1", "L2", "L3", "L4"]
TaskType = Literal["numerical_calc", "derivation", "comparison"]
METADATA = "metadata."
TAG_FIELDS = ("version", "level", "task_type", "domains", "solution_type")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _number_by_default(target: Any) -> Any:
    return {"kind": "number", **target} if isinstance(target, Mapping) else target


class Solution(_Frozen):
    formulation: Formulation | None = None
    steps: tuple[SolutionStep, ...] = ()
    derivation: tuple[DerivationStep, ...] = ()
    trap: str = ""
    text: str = ""
    final_answer: str = ""
    key_points: tuple[str, ...] = ()
    misconceptions: dict[str, str] = {}


class Item(_Frozen):
    """One line of the file."""

    id: str = Field(min_length=1)
    version: str = ""
    benchmark: str = "items"
    family: str = ""
    level: Level | None = None
    task_type: TaskType | None = None
    domains: tuple[str, ...] = ()
    solution_type: str = ""
    requires_simulation: bool = False
    context: str = ""
    question: str = Field(min_length=1)
    given: tuple[Given, ...] = ()
    targets: tuple[Annotated[Target, BeforeValidator(_number_by_default)], ...] = Field(min_length=1)
    gold_equations: tuple[str, ...] = ()
    trap_equations: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    reference_solution: Solution = Solution()
    entities: dict[str, Entity] = {}
    tags: dict[str, str | tuple[str, ...]] = {}
    metadata: dict[str, str | bool | float | None] = {}

    def problem(self) -> Problem:
        """The item as a problem; without a `family` of its own it is one."""
        return Problem(
            id=self.id,
            family=self.family or self.id,
            benchmark=self.benchmark,
            question=self.question,
            context=self.context,
            givens=self.given,
            targets=self.targets,
            reference=ReferenceSolution(
                **dict(self.reference_solution),
                gold_equations=self.gold_equations,
                trap_equations=self.trap_equations,
                bounds=self.bounds,
            ),
            entities=self.entities,
            tags=self._all_tags(),
        )

    def _all_tags(self) -> dict[str, str | tuple[str, ...]]:
        named = {name: getattr(self, name) for name in TAG_FIELDS}
        simulated = {"requires_simulation": "true"} if self.requires_simulation else {}
        metadata = {f"{METADATA}{name}": _text(value) for name, value in self.metadata.items()}
        return {
            **{name: value for name, value in named.items() if value},
            **simulated,
            **metadata,
            **self.tags,
        }


def faults(item: Item) -> Iterator[str]:
    """What the schema alone cannot tell: unreadable units, repeated names, and references to nothing."""
    yield from _unreadable_units(item)
    for field in ("given", "targets"):
        names = [part.name for part in getattr(item, field)]
        for index, name in enumerate(names):
            if name in names[:index]:
                yield f"{field}[{index}].name: {name!r} is already {field}[{names.index(name)}]"
    targets = [target.name for target in item.targets]
    for index, bound in enumerate(item.bounds):
        if bound.target not in targets:
            yield f"bounds[{index}].target: {bound.target!r} is no target{nearest(bound.target, targets)}"
        if is_reversed(bound):
            yield f"bounds[{index}].low: is {bound.low:g}, above the high of {bound.high:g}"
    yield from _unknown_equations(item)


def is_reversed(bound: Bound) -> bool:
    """Whether the low end of a bound is above the high one, so that no value would do."""
    return bound.low is not None and bound.high is not None and bound.low > bound.high


def _unreadable_units(item: Item) -> Iterator[str]:
    from ansatz.quantities.units import UnitError, parse_unit

    givens = [(f"given[{index}]", given) for index, given in enumerate(item.given)]
    targets = [(f"targets[{index}]", target) for index, target in enumerate(item.targets)]
    units = [(field, given.unit) for field, given in givens if not isinstance(given.value, str)]
    units += [(field, target.unit) for field, target in targets if isinstance(target, NumberTarget)]
    for field, unit in units:
        try:
            parse_unit(unit)
        except UnitError as error:
            yield f"{field}.unit: {error}"


def _unknown_equations(item: Item) -> Iterator[str]:
    from ansatz.knowledge_base.library import library

    named = [(f"gold_equations[{index}]", id) for index, id in enumerate(item.gold_equations)]
    named += [(f"trap_equations[{index}]", id) for index, id in enumerate(item.trap_equations)]
    steps = enumerate(item.reference_solution.steps)
    named += [(f"reference_solution.steps[{index}].equation", step.equation) for index, step in steps]
    for field, id in named:
        if id and (missing := missing_equation(id, library())):
            yield f"{field}: {missing}"


def _text(value: str | bool | float | None) -> str:
    return value if isinstance(value, str) else json.dumps(value)
