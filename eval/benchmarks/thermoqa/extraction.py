"""What an answer finally states for each target of a question, read from its text without a model.

Any notation is read (see `ansatz.eval.extract`). The last statement wins, unless its unit cannot be the
target's while an earlier one's can; a unit that is written counts. Nothing here depends on a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.benchmarks.thermoqa.extraction_context import (
    Layout,
    named_parts_joined,
    without_reasoning,
)
from ansatz.eval.benchmarks.thermoqa.extraction_names import aliases
from ansatz.eval.benchmarks.thermoqa.extraction_phase import phase_from_text
from ansatz.eval.benchmarks.thermoqa.extraction_words import phrase
from ansatz.eval.chains import chains
from ansatz.eval.extract import Statement, spelled, stated
from ansatz.eval.markup import plain
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.quantities import convert

_DOT = re.compile(r"_d?dot(?![a-z])")
_CUT = re.compile(r"(?<![\w.,])\d[\d.,]*$")


@dataclass(frozen=True)
class Reading:
    """A target's value as the answer states it: number or phase, unit as written ("" for none).

    `in_reasoning` marks what stands only in the reasoning before an answer that does not state it.
    """

    value: float | str
    unit: str
    evidence: str
    in_reasoning: bool = False


def from_text(problem: Problem, answer: str, reasoning: str = "") -> dict[str, Reading]:
    """What the answer states, by target name; nothing for a target it does not state. Never raises.

    Where the answer is silent, its reasoning is read: `reasoning`, or what stands in a `<think>` block.
    """
    said, thought = without_reasoning(answer)
    readings = _read(problem.targets, said)
    silent = [target for target in problem.targets if target.name not in readings]
    thought = "\n".join(filter(None, (reasoning, thought)))
    if silent and thought:
        found = _read(silent, thought)
        readings |= {name: replace(reading, in_reasoning=True) for name, reading in found.items()}
    return readings


def in_unit(reading: Reading, target: NumberTarget) -> float | None:
    """The value read in the target's unit; None where the unit that is written is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    return _converted(float(reading.value), reading.unit, target.unit)


def _read(targets: Sequence[Target], answer: str) -> dict[str, Reading]:
    text = plain(named_parts_joined(answer))
    found = sorted(stated(chains(text)), key=lambda statement: statement.position)
    answers = _Answer(text, found, {target.name for target in targets if isinstance(target, NumberTarget)})
    readings = {}
    for target in targets:
        if isinstance(target, LabelTarget):
            named = phase_from_text(answer)
            if named:
                readings[target.name] = Reading(named, "", named)
        elif isinstance(target, NumberTarget):
            statement = answers.last(target)
            if statement:
                readings[target.name] = Reading(statement.value, statement.unit, statement.text)
    return readings


class _Answer:
    """The statements of one text, asked for by target."""

    def __init__(self, text: str, found: Sequence[Statement], asked: set[str]) -> None:
        layout = Layout(text)
        found = layout.without_afterthoughts(found, asked)
        self._text = text
        self._found = found
        self._by_symbol = _grouped(found, lambda symbol: spelled(symbol))
        self._undotted = _grouped(found, lambda symbol: spelled(_DOT.sub("", symbol)))
        self._folded = _grouped(found, lambda symbol: spelled(symbol).casefold())
        self._in_context = _grouped(layout.in_context(found), lambda symbol: spelled(symbol).casefold())
        self._asked = asked

    def last(self, target: NumberTarget) -> Statement | None:
        """What is stated last for a target by the surest of its names."""
        for candidates in self._tiers(target):
            fitting = [each for each in candidates if _fits(each, target)]
            if fitting:
                return self._whole(fitting)
        exact = self._by_symbol.get(spelled(target.name))
        return exact[-1] if exact else None

    def _tiers(self, target: NumberTarget) -> Iterator[list[Statement]]:
        """Statements by name, by other symbols, without regard to case, under a heading, in words."""
        name = spelled(target.name)
        yield self._by_symbol.get(name, [])
        if "_dot" not in target.name:
            yield self._undotted.get(name, [])
        taken = {spelled(other) for other in self._asked if other != target.name}
        others = [alias for alias in aliases(target.name) if alias not in taken]
        yield from (self._by_symbol.get(alias, []) for alias in others)
        for alias in (name, *others):
            yield self._in_context.get(alias.casefold(), [])
        for alias in (name, *others):
            if _may_fold(target.name):
                yield [
                    each for each in self._folded.get(alias.casefold(), []) if not self._claimed(each, taken)
                ]
        yield self._described(target)

    def _claimed(self, statement: Statement, taken: set[str]) -> bool:
        """Whether a symbol is another target's own, unless its unit says otherwise."""
        return spelled(statement.symbol) in taken or (
            not statement.unit and spelled(statement.symbol).casefold() in {name.casefold() for name in taken}
        )

    def _described(self, target: NumberTarget) -> list[Statement]:
        words = phrase(target.name)
        return [each for each in self._found if words.search(each.label)] if words else []

    def _whole(self, fitting: list[Statement]) -> Statement:
        """The last, unless the text breaks off in it and an earlier one goes on with the same digits."""
        last = fitting[-1]
        cut = _CUT.search(self._text.rstrip()[-40:])
        if last.unit or cut is None or not last.text.endswith(cut.group()):
            return last
        begun = [each for each in fitting[:-1] if _goes_on(each, cut.group())]
        return begun[-1] if begun else last


def _goes_on(statement: Statement, digits: str) -> bool:
    value = statement.text.rpartition("= ")[2].lstrip("≈~ ")
    return value.startswith(digits.rstrip(".")) and len(value) > len(digits)


def _grouped(found: Sequence[Statement], key: Callable[[str], str]) -> dict[str, list[Statement]]:
    grouped: dict[str, list[Statement]] = {}
    for statement in found:
        grouped.setdefault(key(statement.symbol), []).append(statement)
    return grouped


def _may_fold(name: str) -> bool:
    """V2 is a speed and v2 a volume, T a temperature and t a time: their case tells them apart."""
    return not re.fullmatch(r"[VvTP](?:\d.*)?", name)


def _fits(statement: Statement, target: NumberTarget) -> bool:
    return _converted(statement.value, statement.unit, target.unit) is not None


def _converted(value: float, unit: str, to: str) -> float | None:
    return value if not unit or unit == to else convert(value, unit, to)
