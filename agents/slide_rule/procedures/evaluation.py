"""Working a plan out, in rounds: all that can be done at once is done at once.

Arithmetic goes to a bound Python tool or is done by head; states go to a bound property tool or are read
off the remembered tables. Each round's requests depend only on what is known by then, so that the same
conversation is always followed to the same point.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    NotCalculable,
    evaluate,
    substituted,
)
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.execution import Call
from ansatz.agents.slide_rule.procedures.kinds import WORKING_UNITS, kind_of_quantity, working_unit
from ansatz.agents.slide_rule.procedures.planning import Arithmetic, LookUp, Operation
from ansatz.agents.slide_rule.procedures.recollection import remembered
from ansatz.agents.slide_rule.units import parse_unit, plain_text

_LINE = re.compile(
    r"^[ \t]*(?P<name>\w+) *= *(?P<value>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)[ \t]*(?P<unit>\S.*?)?[ \t]*$",
    re.MULTILINE,
)
_LITERAL = re.compile(r"\d+(?:\.\d+)?")
_MOST_ROUNDS = 30
_STATE_TOOL, _PYTHON = "fluid_state", "run_python"


@dataclass(frozen=True)
class Done:
    """One piece of arithmetic with its operands as they were, or one value read from a tool."""

    line: Arithmetic
    value: float
    digits: int

    @property
    def name(self) -> str:
        return self.line.name


@dataclass
class Bench:
    """`values` in working units; `done` in order; `read` are remarks on what tools said."""

    talk: Conversation
    values: dict[str, float]
    done: list[Done] = field(default_factory=list)
    digits: dict[str, int] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    recalled: list[str] = field(default_factory=list)
    _answers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for result in self.talk.results:
            self._answers[_key(result.name, result.arguments)] = result.text

    def work(self, operations: Sequence[Operation]) -> tuple[Call, ...]:
        """Everything that can be found; or the calls it waits for. What stays open lacks a value."""
        waiting = list(operations)
        for _ in range(_MOST_ROUNDS):
            waiting = self._copied(waiting)
            ready = [
                each for each in waiting if isinstance(each, LookUp) and self.values.keys() >= set(each.by)
            ]
            program = self._program(waiting)
            calls = [(each, self._state_call(each)) for each in ready]
            python = (
                Call(_PYTHON, {"code": _code(program, self.values)})
                if program and self._has(_PYTHON)
                else None
            )
            asked = [call for _, call in calls if call] + ([python] if python else [])
            missing = tuple(call for call in asked if _key(call.name, call.arguments) not in self._answers)
            if missing:
                return missing
            if not ready and not program:
                return ()
            self._calculate(program, python)
            recalled = [line for each, call in calls for line in self._look_up(each, call)]
            finished = {id(each) for each in (*ready, *program)}
            waiting = [*recalled, *(each for each in waiting if id(each) not in finished)]
        return ()

    def _copied(self, waiting: Sequence[Operation]) -> list[Operation]:
        """What is left after all that is no arithmetic: a state's pressure is that of its neighbour."""
        left: list[Operation] = []
        for each in waiting:
            if not isinstance(each, Arithmetic) or not (value := self._same_as(each)):
                left.append(each)
            else:
                self._note(Done(each, *value))
        return left if len(left) == len(waiting) else self._copied(left)

    def _same_as(self, line: Arithmetic) -> tuple[float, int] | None:
        """The value of a line that only repeats a number or a known quantity, with its digits."""
        remembered_ones = dict(line.numbers)
        if line.expression in remembered_ones:
            return remembered_ones[line.expression], SLIDE_RULE_DIGITS
        if line.expression in self.values:
            return self.values[line.expression], self.digits.get(line.expression, PRINTED_DIGITS)
        return (float(line.expression), PRINTED_DIGITS) if _LITERAL.fullmatch(line.expression) else None

    def _has(self, tool: str) -> bool:
        return tool in self.talk.tools

    def _program(self, waiting: Iterable[Operation]) -> list[Arithmetic]:
        """All arithmetic that needs no further look-up, in a possible order."""
        known, program = set(self.values), []
        for operation in waiting:
            if isinstance(operation, Arithmetic) and operation.terms <= known:
                program.append(operation)
                known.add(operation.name)
        return program

    def _calculate(self, program: Sequence[Arithmetic], python: Call | None) -> None:
        printed = _printed(self._answers[_key(python.name, python.arguments)]) if python else {}
        for line in program:
            value = printed.get(line.name)
            digits = PRINTED_DIGITS
            if value is None:
                value, digits = self._by_head(line)
            if value is not None:
                self._note(Done(line, value, digits))

    def _by_head(self, line: Arithmetic) -> tuple[float | None, int]:
        try:
            return evaluate(line.expression, self.values | dict(line.numbers)), SLIDE_RULE_DIGITS
        except NotCalculable:
            return None, 0

    def _note(self, done: Done) -> None:
        self.done.append(done)
        self.values[done.name] = done.value
        self.digits[done.name] = done.digits

    def _state_call(self, state: LookUp) -> Call | None:
        if not self._has(_STATE_TOOL):
            return None
        first, second = (_stated(name, self.values[name]) for name in state.by)
        wanted = sorted({name.split("_")[0] for name in state.wanted})
        return Call(
            _STATE_TOOL, {"fluid": state.medium.fluid, "first": first, "second": second, "properties": wanted}
        )

    def _look_up(self, state: LookUp, call: Call | None) -> list[Arithmetic]:
        """Values from the tool's lines; without them, the interpolation that memory needs."""
        values = _state_values(self._answers[_key(call.name, call.arguments)], state) if call else {}
        for name, value in values.items():
            self.values[name], self.digits[name] = value, PRINTED_DIGITS
        if call and values:
            lines = ", ".join(
                f"{name} = {value:.6g} {_unit_text(name)}".rstrip() for name, value in values.items()
            )
            asked = f"{call.arguments['fluid']}, {call.arguments['first']}, {call.arguments['second']}"
            self.read.append(f"State {state.label} from {call.name}({asked}): {lines}")
        missing = [name for name in state.wanted if name not in values]
        if missing:
            self.recalled.append(state.label)
        fixed = {name.split("_")[0]: self.values[name] for name in state.by}
        return [line for name in missing if (line := remembered(state.medium, fixed, name))]


def _key(name: str, arguments: Mapping[str, object]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True)}"


def _unit_text(name: str) -> str:
    return WORKING_UNITS[kind_of_quantity(name)].removesuffix("-")


def _stated(name: str, value: float) -> str:
    """A property for the tool: `T = 480 degC`, `P = 8000 kPa`, `x = 1`."""
    prop = name.split("_")[0]
    if prop == "T":
        return f"T = {value - 273.15:.10g} degC"
    return f"{prop} = {value:.10g} {_unit_text(name)}".rstrip()


def _state_values(text: str, state: LookUp) -> dict[str, float]:
    """The wanted properties, from lines such as `h = 1292.49 kJ/kg`."""
    if text.lstrip().lower().startswith("error"):
        return {}
    found = {}
    for line in _LINE.finditer(plain_text(text)):
        unit = parse_unit((line["unit"] or "-").strip())
        name = f"{line['name']}_{state.label}"
        if unit and name in state.wanted:
            found[name] = working_unit(kind_of_quantity(name)).from_si(unit.to_si(float(line["value"])))
    return found


def _code(program: Sequence[Arithmetic], values: Mapping[str, float]) -> str:
    """A program that starts from the known values and prints every result."""
    results = {line.name for line in program}
    needed = dict.fromkeys(name for line in program for name in sorted(line.terms))
    lines = ["from math import *"]
    lines += [f"{name} = {values[name]!r}" for name in needed if name not in results or name in values]
    for line in program:
        numbers = {name: repr(value) for name, value in line.numbers}
        lines += [
            f"{line.name} = {substituted(line.expression, numbers)}",
            f'print("{line.name} =", repr({line.name}))',
        ]
    return "\n".join(lines)


def _printed(text: str) -> dict[str, float]:
    if text.lstrip().lower().startswith("error"):
        return {}
    return {line["name"]: float(line["value"]) for line in _LINE.finditer(text)}
