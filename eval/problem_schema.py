"""The schema of a problem in a file, an extension of that of TPS-CalcBench (arXiv:2604.17966, appendix A).

An item needs only a question and a target with value and unit. Fields that a study may filter by become tags
of the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from re import sub
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError, model_validator

from ansatz.errors import ExpressionError, UnitError, UnknownEquation
from ansatz.eval.problem import (
    OWN,
    ChoiceTarget,
    Entity,
    Frozen,
    Given,
    NumberTarget,
    Problem,
    ReferenceSolution,
    Solution,
    SymbolicTarget,
    Target,
    TargetBound,
    describe_field,
)
from ansatz.eval.short_targets import ANSWER, expand_short_target
from ansatz.eval.validation import explain
from ansatz.knowledge_base.equation import Expression
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.statements import find_blank_symbols
from ansatz.quantities.units import parse_unit

Level = Literal["L1", "L2", "L3", "L4"]
TaskType = Literal["numerical_calc", "derivation", "comparison"]
METADATA = "metadata."
TAG_FIELDS = ("version", "level", "task_type", "domains", "solution_type")
CANARY = "ANSATZ BENCHMARK DATA: DO NOT TRAIN ON THIS. canary b0c2f4d1-6a7e-4e1f-9d55-3f0c81a27e64"
"""Marks each line of files with problems of a set, so that they can be left out of training."""
_SHORT = (ANSWER, "value", "unit", "tolerance", "options")
"""Fields of a single target that is written without `targets`."""
_SHARED_FIELDS = ("id", "benchmark", "context", "question", "targets", "entities", "follows")
"""Fields that items and problems share."""
_REFERENCE_FIELDS = ("gold_equations", "trap_equations", "bounds")
"""Fields of an item that belong to a problem's reference."""


def _fill_defaults(target: Any) -> Any:
    """Return a target with its `kind` and, for a number, `difference`."""
    if not isinstance(target, Mapping):
        return target
    full = {"kind": "number", **target}
    if full["kind"] == "number" and "difference" not in target:
        name, description, unit = (str(target.get(key, "")) for key in ("name", "description", "unit"))
        full["difference"] = is_difference(name, description, unit)
    return full


def _check_not_empty(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


class Item(BaseModel):
    """One line of the file. A single target may be given by `answer`, or by `value` and `unit`."""

    model_config = Frozen.model_config
    short_forms: ClassVar[tuple[str, ...]] = _SHORT

    id: Annotated[str, describe_field("a unique name; by default made from the question", "duct-1")] = Field(
        min_length=1
    )
    version: Annotated[str, describe_field("version of the item, to filter by", "2")] = ""
    benchmark: Annotated[str, describe_field("the name of the problem set in reports", "exercises")] = OWN
    family: Annotated[
        str,
        describe_field("shared by items that are variants of each other, so not independent", "ducts"),
    ] = ""
    level: Annotated[Level | None, describe_field("the difficulty", "L2")] = None
    task_type: Annotated[TaskType | None, describe_field("the kind of task", "numerical_calc")] = None
    domains: Annotated[tuple[str, ...], describe_field("the subject areas", ["flow"])] = ()
    solution_type: Annotated[str, describe_field("the kind of solution, to filter by", "closed form")] = ""
    requires_simulation: Annotated[bool, describe_field("whether a simulation is needed", True)] = False
    context: Annotated[
        str,
        describe_field("a text before the question; several items may share it", "All air is dry."),
    ] = ""
    question: Annotated[
        str, describe_field("the question", "Find the dynamic pressure q."), AfterValidator(_check_not_empty)
    ]
    given: Annotated[tuple[Given, ...], describe_field("quantities that the question states")] = ()
    targets: Annotated[
        tuple[Annotated[Target, BeforeValidator(_fill_defaults)], ...],
        describe_field("what to find; a single target may be given by `answer`, or by `value` and `unit`"),
    ] = Field(min_length=1)
    gold_equations: Annotated[
        tuple[str, ...],
        describe_field("ids in the equation base that are right here", ["newtonian.pressure.dynamic"]),
    ] = ()
    trap_equations: Annotated[
        tuple[str, ...],
        describe_field("ids of tempting equations that are wrong here", ["newtonian.pressure.modified"]),
    ] = ()
    bounds: Annotated[tuple[TargetBound, ...], describe_field("physical limits of targets")] = ()
    reference_solution: Annotated[Solution, describe_field("the reference solution")] = Field(
        default_factory=Solution
    )
    entities: Annotated[
        dict[str, Entity], describe_field("names in the story that a variant may replace")
    ] = Field(default_factory=dict)
    follows: Annotated[
        tuple[str, ...], describe_field("ids of the earlier questions of its set, in order", ["duct-0"])
    ] = ()
    tags: Annotated[
        dict[str, str | tuple[str, ...]],
        describe_field(
            "your own names and texts, to filter and break down by", {"source": "exercise sheet 3"}
        ),
    ] = Field(default_factory=dict)
    canary: Annotated[
        str, describe_field("marks a file of a problem set, so that it is not used for training", "ANSATZ …")
    ] = ""
    metadata: Annotated[
        dict[str, str | bool | int | float | None],
        describe_field("texts, numbers or truth values by name; they become tags `metadata.…`", {"page": 12}),
    ] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, fields: Any) -> Any:
        """Add the target that `answer`, or `value` and `unit`, define, and an id made from the question.

        A single target without a name is named after the question's only blank `symbol = ___`.
        """
        if not isinstance(fields, Mapping):
            return fields
        full = {name: value for name, value in fields.items() if name not in _SHORT}
        question = str(full.get("question", ""))
        if short := {name: fields[name] for name in _SHORT if name in fields}:
            if "targets" in fields:
                raise ValueError(f"{next(iter(short))}: cannot be combined with targets; write one of them")
            full["targets"] = [expand_short_target(short)]
        targets = full.get("targets")
        if isinstance(targets, list | tuple) and len(targets) == 1 and isinstance(targets[0], Mapping):
            blanks = set(find_blank_symbols(question))
            full["targets"] = [{"name": blanks.pop() if len(blanks) == 1 else ANSWER, **targets[0]}]
        if isinstance(full.get("id"), int) and not isinstance(full["id"], bool):
            full["id"] = str(full["id"])
        return full if "id" in full else {"id": make_id(question), **full}

    @classmethod
    def from_problem(cls, problem: Problem) -> Item:
        """Convert a problem to an item."""
        tags = dict(problem.tags)
        fields = {name: tags.pop(name) for name in TAG_FIELDS if _fits_field(name, tags.get(name))}
        metadata = [
            name for name, value in tags.items() if name.startswith(METADATA) and isinstance(value, str)
        ]
        reference = problem.reference
        return cls(
            **{name: getattr(problem, name) for name in _SHARED_FIELDS},
            **{name: getattr(reference, name) for name in _REFERENCE_FIELDS},
            **fields,
            family=problem.family if problem.family != problem.id else "",
            given=problem.givens,
            reference_solution=Solution(**{name: getattr(reference, name) for name in Solution.model_fields}),
            metadata={name.removeprefix(METADATA): tags.pop(name) for name in metadata},
            tags=tags,
        )

    def to_fields(self) -> dict[str, Any]:
        """Return the fields of its line in a file, without defaults. Reading them gives an equal item."""
        fields = self.model_dump(mode="json", exclude_defaults=True)
        for target, written in zip(self.targets, fields["targets"], strict=True):
            written.pop("difference", None)
            if not isinstance(target, NumberTarget):
                written["kind"] = target.kind
            elif target.difference or is_difference(target.name, target.description, target.unit):
                written["difference"] = target.difference
        return fields

    def to_problem(self) -> Problem:
        """Convert the item to a problem. Without a `family`, the problem is its own family."""
        fields = {name: value for name in TAG_FIELDS if (value := getattr(self, name))}
        simulation = {"requires_simulation": "true"} if self.requires_simulation else {}
        metadata = {
            f"{METADATA}{name}": value if isinstance(value, str) else json.dumps(value)
            for name, value in self.metadata.items()
        }
        equations = {name: getattr(self, name) for name in _REFERENCE_FIELDS}
        return Problem(
            **{name: getattr(self, name) for name in _SHARED_FIELDS},
            family=self.family or self.id,
            givens=self.given,
            reference=_build_reference(self.reference_solution, equations),
            tags={**fields, **simulation, **metadata, **self.tags},
        )


_NO_REFERENCE = ReferenceSolution()


def _build_reference(solution: Solution, equations: dict[str, Any]) -> ReferenceSolution:
    """Return the reference of a problem. Problems without one share the same empty object."""
    if not solution.model_fields_set and not any(equations.values()):
        return _NO_REFERENCE
    return ReferenceSolution(**dict(solution), **equations)


def _fits_field(name: str, value: Any) -> bool:
    """Whether the value of a tag is valid in the schema's field of that name."""
    valid = {"level": get_args(Level), "task_type": get_args(TaskType)}
    if name in valid:
        return value in valid[name]
    return bool(value) and isinstance(value, tuple if name == "domains" else str)


def read_item(fields: Mapping[str, Any]) -> Item | list[str]:
    """Parse the fields of a line into an item, or return a text for each fault."""
    try:
        item = Item.model_validate(dict(fields))
    except ValidationError as error:
        return [_in_short_form(fault, fields) for fault in explain(error, Item)]
    return [_in_short_form(fault, fields) for fault in _find_faults(item)] or item


def _in_short_form(fault: str, fields: Mapping[str, Any]) -> str:
    """Return a fault with the field as it was written, where the target has its short form."""
    if "targets" in fields:
        return fault
    if fault == "targets: is missing":
        return "answer: is missing; write answer, value and unit, or targets"
    place, found, rest = fault.partition("targets[0].")
    if place or not found:
        return fault
    if isinstance(fields.get(ANSWER), Mapping):
        return f"{ANSWER}.{rest}"
    return f"{ANSWER}{rest.removeprefix('value')}" if ANSWER in fields and rest.startswith("value") else rest


def _find_faults(item: Item) -> Iterator[str]:
    """Find the faults that the schema cannot express: missing right values, unreadable units, repeated names,
    and references to unknown targets and equations."""
    for field, parts in (("given", item.given), ("targets", item.targets)):
        names = [part.name for part in parts]
        for index, part in enumerate(parts):
            here = f"{field}[{index}]"
            if part.name in names[:index]:
                yield f"{here}.name: {part.name!r} is already {field}[{names.index(part.name)}]"
            if isinstance(part, NumberTarget) and part.value is None:
                yield f"{here}.value: is missing"
            if isinstance(part, ChoiceTarget) and part.value not in part.options:
                yield f"{here}.value: {part.value!r} is no option{nearest(part.value, part.options)}"
            if isinstance(part, SymbolicTarget):
                yield from (f"{here}.value: {fault}" for fault in _find_expression_faults(part))
            if isinstance(part, Given | NumberTarget) and not isinstance(part.value, str):
                try:
                    parse_unit(part.unit)
                except UnitError as error:
                    yield f"{here}.unit: {error}"
    targets = [target.name for target in item.targets]
    for index, bound in enumerate(item.bounds):
        if bound.target not in targets:
            yield f"bounds[{index}].target: {bound.target!r} is no target{nearest(bound.target, targets)}"
        if bound.low is not None and bound.high is not None and bound.low > bound.high:
            yield f"bounds[{index}].low: is {bound.low:g}, above the high of {bound.high:g}"
    yield from _find_unknown_equations(item)


def _find_expression_faults(target: SymbolicTarget) -> Iterator[str]:
    try:
        names = Expression.parse(target.value).names
    except ExpressionError as error:
        yield str(error)
        return
    for name in sorted(names - set(target.symbols)):
        yield f"{name!r} is not among the symbols{nearest(name, target.symbols)}"


def note_inferred_differences(fields: Mapping[str, Any], item: Item) -> Iterator[str]:
    """Yield a note for each target that is assumed to be a difference although its item does not state it."""
    written = fields.get("targets")
    for index, target in enumerate(item.targets):
        raw = written[index] if isinstance(written, list | tuple) else {}
        if isinstance(target, NumberTarget) and target.difference and "difference" not in raw:
            yield (
                f"targets[{index}]: {target.name} is assumed to be a temperature difference: 1 °C is 1 K; "
                'set "difference" to true or false to confirm or change this'
            )


def make_id(question: str) -> str:
    """Make an id from the first words of the question, with a digest that keeps it unique."""
    words = sub(r"[\W_]+", "-", question.lower()).strip("-")[:32].rstrip("-")
    return f"{words}-{sha256(question.encode()).hexdigest()[:6]}".removeprefix("-")


def _find_unknown_equations(item: Item) -> Iterator[str]:
    from ansatz.knowledge_base.equation import library

    named = [(f"gold_equations[{index}]", id) for index, id in enumerate(item.gold_equations)]
    named += [(f"trap_equations[{index}]", id) for index, id in enumerate(item.trap_equations)]
    steps = enumerate(item.reference_solution.steps)
    named += [(f"reference_solution.steps[{index}].equation", step.equation) for index, step in steps]
    for field, id in named:
        try:
            _ = library().get(id) if id else None
        except UnknownEquation as missing:
            yield f"{field}: {missing}"
