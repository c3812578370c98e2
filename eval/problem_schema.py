"""The schema of a problem in a file: that of TPS-CalcBench (arXiv:2604.17966, appendix A), widened.

A question and a target with value and unit are all that an item needs. It may also have a `family`,
`context`, `follows`, `gold_equations`, `trap_equations`, `bounds` and a `reference_solution`. What a study
may filter by becomes a tag of the problem.
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
from ansatz.eval.validation import explain
from ansatz.knowledge_base.equation import Expression
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.statements import find_blank_symbols
from ansatz.quantities.units import parse_unit, read_number_and_unit

Level = Literal["L1", "L2", "L3", "L4"]
TaskType = Literal["numerical_calc", "derivation", "comparison"]
METADATA = "metadata."
TAG_FIELDS = ("version", "level", "task_type", "domains", "solution_type")
ANSWER = "answer"
"""The name of a target without name or blank: "answer = 1.51 kW", "Answer: 1.51 kW" or a box state it."""
_SHORT = ("answer", "value", "unit")
_SHARED_FIELDS = ("id", "benchmark", "context", "question", "targets", "entities", "follows")
"""Fields that an item and a problem have alike."""
_REFERENCE_FIELDS = ("gold_equations", "trap_equations", "bounds")
"""Fields of an item that stand in a problem's reference."""


def _fill_defaults(target: Any) -> Any:
    """A target may leave out its kind and whether it is a difference."""
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
    """One line of the file. The one target may be written without `targets`, in its short forms."""

    model_config = Frozen.model_config
    short_forms: ClassVar[tuple[str, ...]] = _SHORT

    id: Annotated[
        str, describe_field("a name that no other item has; by default made of the question", "duct-1")
    ] = Field(min_length=1)
    version: Annotated[str, describe_field("of the item, to filter by", "2")] = ""
    benchmark: Annotated[str, describe_field("the name in reports", "exercises")] = "file"
    family: Annotated[
        str,
        describe_field("shared by items that are variants of one another and so not independent", "ducts"),
    ] = ""
    level: Annotated[Level | None, describe_field("how hard it is", "L2")] = None
    task_type: Annotated[TaskType | None, describe_field("what kind of task it is", "numerical_calc")] = None
    domains: Annotated[tuple[str, ...], describe_field("what it is about", ["flow"])] = ()
    solution_type: Annotated[str, describe_field("how it is solved, to filter by", "closed form")] = ""
    requires_simulation: Annotated[bool, describe_field("whether a simulation is needed", True)] = False
    context: Annotated[
        str,
        describe_field("a text before the question, such as one that several items share", "All air is dry."),
    ] = ""
    question: Annotated[
        str, describe_field("what is asked", "Find the dynamic pressure q."), AfterValidator(_check_not_empty)
    ]
    given: Annotated[tuple[Given, ...], describe_field("stated quantities")] = ()
    targets: Annotated[
        tuple[Annotated[Target, BeforeValidator(_fill_defaults)], ...],
        describe_field("what is to be found; `answer`, or `value` and `unit`, stand for one alone"),
    ] = Field(min_length=1)
    gold_equations: Annotated[
        tuple[str, ...],
        describe_field("ids in the equation base that are right here", ["newtonian.pressure.dynamic"]),
    ] = ()
    trap_equations: Annotated[
        tuple[str, ...], describe_field("ids that tempt and are wrong here", ["newtonian.pressure.modified"])
    ] = ()
    bounds: Annotated[tuple[TargetBound, ...], describe_field("physical limits of targets")] = ()
    reference_solution: Annotated[Solution, describe_field("how the answer is reached")] = Solution()
    entities: Annotated[
        dict[str, Entity], describe_field("names of the story that a retelling may exchange")
    ] = {}
    follows: Annotated[
        tuple[str, ...], describe_field("ids of the questions before it in its set, in order", ["duct-0"])
    ] = ()
    tags: Annotated[
        dict[str, str | tuple[str, ...]],
        describe_field(
            "names and texts of one's own, to filter and break down by", {"source": "exercise sheet 3"}
        ),
    ] = {}
    metadata: Annotated[
        dict[str, str | bool | float | None],
        describe_field(
            "names and texts, numbers or truth values; they become tags `metadata.…`", {"page": 12}
        ),
    ] = {}

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, fields: Any) -> Any:
        """With the target that `answer`, or `value` and `unit`, stand for, and an id made of the question.

        A lone target without a name is called as the question's one blank `symbol = ___` has it.
        """
        if not isinstance(fields, Mapping):
            return fields
        full = {name: value for name, value in fields.items() if name not in _SHORT}
        question = str(full.get("question", ""))
        if short := {name: fields[name] for name in _SHORT if name in fields}:
            if "targets" in fields:
                raise ValueError(f"{next(iter(short))}: stands beside targets; write one of them")
            full["targets"] = [_expand_short_target(short)]
        targets = full.get("targets")
        if isinstance(targets, list | tuple) and len(targets) == 1 and isinstance(targets[0], Mapping):
            blanks = set(find_blank_symbols(question))
            full["targets"] = [{"name": blanks.pop() if len(blanks) == 1 else ANSWER, **targets[0]}]
        if isinstance(full.get("id"), int) and not isinstance(full["id"], bool):
            full["id"] = str(full["id"])
        return {"id": _make_id(question), **full}

    @classmethod
    def from_problem(cls, problem: Problem) -> Item:
        """The item that a problem is."""
        tags = dict(problem.tags)
        own = {name: tags.pop(name) for name in TAG_FIELDS if _fits_field(name, tags.get(name))}
        noted = [name for name, value in tags.items() if name.startswith(METADATA) and isinstance(value, str)]
        reference = problem.reference
        return cls(
            **{name: getattr(problem, name) for name in _SHARED_FIELDS},
            **{name: getattr(reference, name) for name in _REFERENCE_FIELDS},
            **own,
            family=problem.family if problem.family != problem.id else "",
            given=problem.givens,
            reference_solution=Solution(**{name: getattr(reference, name) for name in Solution.model_fields}),
            metadata={name.removeprefix(METADATA): tags.pop(name) for name in noted},
            tags=tags,
        )

    def to_fields(self) -> dict[str, Any]:
        """The fields of its line in a file, without those at their default; read back, they are this item."""
        fields = self.model_dump(mode="json", exclude_defaults=True)
        for target, written in zip(self.targets, fields["targets"], strict=True):
            written.pop("difference", None)
            if not isinstance(target, NumberTarget):
                written["kind"] = target.kind
            elif target.difference or is_difference(target.name, target.description, target.unit):
                written["difference"] = target.difference
        return fields

    def to_problem(self) -> Problem:
        """The item as a problem; without a `family` of its own it is one."""
        named = {name: value for name in TAG_FIELDS if (value := getattr(self, name))}
        simulated = {"requires_simulation": "true"} if self.requires_simulation else {}
        noted = {
            f"{METADATA}{name}": value if isinstance(value, str) else json.dumps(value)
            for name, value in self.metadata.items()
        }
        by_what = {name: getattr(self, name) for name in _REFERENCE_FIELDS}
        return Problem(
            **{name: getattr(self, name) for name in _SHARED_FIELDS},
            family=self.family or self.id,
            givens=self.given,
            reference=ReferenceSolution(**dict(self.reference_solution), **by_what),
            tags={**named, **simulated, **noted, **self.tags},
        )


def _fits_field(name: str, value: Any) -> bool:
    """Whether a tag can stand in the schema's own field of that name."""
    valid = {"level": get_args(Level), "task_type": get_args(TaskType)}
    if name in valid:
        return value in valid[name]
    return bool(value) and isinstance(value, tuple if name == "domains" else str)


def read_item(fields: Mapping[str, Any]) -> Item | list[str]:
    """The item of a line's fields, or what is wrong with them, a text for each fault."""
    try:
        item = Item.model_validate(dict(fields))
    except ValidationError as error:
        return explain(error, Item)
    return list(_find_faults(item)) or item


def _find_faults(item: Item) -> Iterator[str]:
    """What the schema alone cannot tell: keys that are missing, unreadable units, repeated names, and
    references to nothing."""
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
        yield f"{name!r} is none of the symbols{nearest(name, target.symbols)}"


def note_inferred_differences(fields: Mapping[str, Any], item: Item) -> Iterator[str]:
    """A note for each target that is taken for a difference although its item does not say so."""
    written = fields.get("targets")
    for index, target in enumerate(item.targets):
        raw = written[index] if isinstance(written, list | tuple) else {}
        if isinstance(target, NumberTarget) and target.difference and "difference" not in raw:
            yield (
                f"targets[{index}]: {target.name} is taken for a temperature difference: 1 °C is 1 K; "
                '"difference": true or false settles it'
            )


def _expand_short_target(short: Mapping[str, Any]) -> Any:
    """The target that is written without `targets`. Raises ValueError where its answer is no quantity."""
    if ANSWER not in short:
        return dict(short)
    answer = short[ANSWER]
    if "value" in short:
        raise ValueError("answer: stands beside value; write one of them")
    if isinstance(answer, Mapping) and "unit" not in short:
        return dict(answer)
    if not isinstance(answer, int | float | str) or isinstance(answer, bool):
        raise ValueError(f"answer: must be a quantity such as '1.51 kW', or a target, not {answer!r}")
    try:
        value, unit = read_number_and_unit(answer) if isinstance(answer, str) else (answer, "")
    except UnitError as error:
        choice = '{"kind": "choice", "value": "B", "options": {"A": "rises", "B": "falls"}}'
        raise ValueError(f"answer: {error}; a choice or a word is written as a target: {choice}") from None
    if unit and short.get("unit", unit) != unit:
        raise ValueError(f"answer: has the unit {unit}, beside a unit of {short['unit']}")
    return {"value": value, "unit": unit or short.get("unit", "-")}


def _make_id(question: str) -> str:
    """An id of the question's first words; the digest tells those apart that begin alike."""
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
