"""One attempt as the checks see it: its statements, formulas and sentences, read once."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ansatz.agents import ToolCall, Transcript
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.passages import Passage, passages
from ansatz.eval.rubrics.prose import is_prose, sentences
from ansatz.eval.rubrics.written import Term, terms
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.library import Library
from ansatz.quantities.chains import Chain, chains
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.statements import Statement, pick, stated
from ansatz.quantities.terms import spelled

if TYPE_CHECKING:
    from ansatz.eval.rubrics.reader import Readings

RIGHT = 0.004
"""Relative difference within which two exact evaluations agree: constants and inputs may be rounded."""
_NO_CHANCE = 0.001  # relative: results this near the key are not reached by chance
_FEWEST_DIGITS = 3  # from which a value is compared in its last digit
_LONGEST_ANSWER = 20_000  # characters; the end of a longer answer is read
_SHORTEST_COPY = 30  # characters from which a sentence that stands in the question too counts as copied

_TRIAL = re.compile(  # "T = 2200: left 1.14, right 1.15", "beta = 19° -> 11.36°"
    r"\W*[A-Za-z]\w*\W{0,3}= ?[-+]?\.?\d[^=:;>\n]{0,24}(?::|;| -+>| =+>| gives| leads to)[^.]*?\d"
)


@dataclass(frozen=True)
class Working:
    """An attempt read against its problem. Sentences copied from the question are left out of all of it."""

    problem: Problem
    transcript: Transcript
    library: Library

    @cached_property
    def text(self) -> str:
        """The answer in plain notation."""
        question = _squeezed(plain(f"{self.problem.context}\n{self.problem.question}"))
        lines = []
        for line in plain(self.transcript.answer[-_LONGEST_ANSWER:]).split("\n"):
            kept = [part for part in re.split(r"(?<=[.!?]) ", line) if not _copied(part, question)]
            lines.append(" ".join(kept))
        return _with_gradients("\n".join(lines), self.problem)

    @cached_property
    def code(self) -> str:
        """What tools were given and answered, as plain text."""
        return plain("\n".join(_told(call.arguments) + "\n" + call.result for call in self.tool_calls))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(call for call in self.transcript.tool_calls if call.ok)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        return chains(self.text)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return stated(self.chains)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return sentences(self.text)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return passages(self.text)

    @cached_property
    def readings(self) -> Readings:
        """What the trained reader makes of the passages; nothing is read before it is asked."""
        from ansatz.eval.rubrics.reader import Readings
        from ansatz.eval.rubrics.subject import Subject

        return Readings(self.passages, Subject.of(self))

    @cached_property
    def targets(self) -> tuple[NumberTarget, ...]:
        return tuple(target for target in self.problem.targets if isinstance(target, NumberTarget))

    @cached_property
    def finals(self) -> dict[str, Statement]:
        """The last statement of each target that the answer states."""
        found = {
            each.name: pick(self.statements, each.name, description=each.description) for each in self.targets
        }
        if len(self.targets) == 1 and found[self.targets[0].name] is None:
            found[self.targets[0].name] = pick(self.statements, "answer")
        return {name: statement for name, statement in found.items() if statement is not None}

    def is_right(self, relative: float = RIGHT) -> bool:
        """Whether every target's value is stated and is that of the key but for rounding."""
        return bool(self.targets) and all(self._is_near_key(target, relative) for target in self.targets)

    def _is_near_key(self, target: NumberTarget, relative: float) -> bool:
        final = self.finals.get(target.name)
        if final is None or target.value is None:
            return False
        key = convert(target.value, target.unit, final.unit or target.unit)
        if key is None or final.value == 0:
            return False
        last = 10.0 ** (math.floor(math.log10(abs(final.value))) - final.digits + 1)
        rounded = final.digits >= _FEWEST_DIGITS and abs(final.value - key) <= 0.55 * last
        return rounded or close(final.value, key, relative)

    @property
    def tells(self) -> bool:
        """Whether sentences go with the numbers, in which a step may be told, such as an iteration."""
        return any(is_prose(passage.text) for passage in self.passages) and bool(self.terms)

    def arrives(self) -> bool:
        """Whether every result is right, and the last number of a substitution that comes to it."""
        return self.is_right(_NO_CHANCE) and all(map(self._is_worked_out, self.finals.values()))

    def _is_worked_out(self, final: Statement) -> bool:
        for term in self.terms:
            claimed = term.claimed[0] if term.claimed and not term.formula.names else None
            same = claimed is not None and close(claimed, final.value, RIGHT)
            if same and any(close(value, final.value, 0.01) for value, _ in term.formula.readings()):
                return True
        return False

    def is_compared(self, statement: Statement) -> bool:
        """Whether a value is given for comparison: a bound, what is usual, what would be otherwise."""
        for passage in self.passages:
            if passage.position <= statement.position < passage.end:
                if passage.topic in ("check", "meaning"):
                    return True
                compared = result_cues.CHECKS.search(passage.text) or result_cues.HEDGED.search(passage.text)
                return is_prose(passage.text) and bool(compared)
        return False

    def is_trial(self, statement: Statement) -> bool:
        """Whether a line begins with a value and goes on with what it leads to, as in an iteration."""
        return _TRIAL.match(self.text[statement.position :].lstrip().partition("\n")[0]) is not None

    def topic_at(self, position: int) -> str:
        """What the heading or label over a place in the plain answer announces."""
        found = (each.topic for each in self.passages if each.position <= position < each.end)
        return next(found, "")

    def computes(self, name: str) -> bool:
        """Whether the answer gives an expression for a symbol, or for its final value under another name."""
        final = self.finals.get(name)
        for term in self.terms:
            if any(spelled(name) == spelled(each) for each in term.names):
                return True
            if final and term.claimed and close(term.claimed[0], final.value, RIGHT):
                return True
        return False

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the answer and of the code that its tools were given."""
        return (*terms(self.chains), *terms(chains(self.code) if self.code else ()))

    @cached_property
    def known(self) -> dict[str, float]:
        """SI values by spelled name: what the problem gives and its solution reaches."""
        found = {
            spelled(g.name): si(g.value, g.unit) for g in self.problem.givens if not isinstance(g.value, str)
        }
        found |= {spelled(step.symbol): si(step.value, step.unit) for step in self.problem.reference.steps}
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def numbers(self) -> frozenset[float]:
        """Every number of the problem and its solution, as given and in SI."""
        given = [(g.value, g.unit) for g in self.problem.givens if not isinstance(g.value, str)]
        pairs = [*given, *((step.value, step.unit) for step in self.problem.reference.steps)]
        forms = (form for value, unit in pairs for form in (value, si(value, unit)))
        return frozenset(abs(form) for form in forms if form)

    @cached_property
    def gold(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.gold_equations)

    @cached_property
    def traps(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.trap_equations)

    def _equations(self, ids: tuple[str, ...]) -> tuple[Equation, ...]:
        return tuple(self.library.get(id) for id in ids if id in self.library)


def si(value: float, unit: str) -> float | None:
    """The value in SI base units; None where the unit cannot be read."""
    known = scale(unit)
    return None if known is None else value * known.factor + known.offset


def close(first: float, second: float, relative: float) -> bool:
    return abs(first - second) <= relative * max(abs(first), abs(second))


def _told(arguments: object) -> str:
    """Every text in a tool's arguments; nested values line by line."""
    if isinstance(arguments, dict):
        return "\n".join(
            f"{key} = {_told(value)}" if not isinstance(value, str) else _assigned(key, value)
            for key, value in arguments.items()
        )
    if isinstance(arguments, list):
        return "\n".join(map(_told, arguments))
    return str(arguments)


def _assigned(key: str, value: str) -> str:
    """A short value is stated as `key = value`; a program or a statement stands as it is."""
    return f"{key} = {value}" if "=" not in value and "\n" not in value else value


def _with_gradients(text: str, problem: Problem) -> str:
    """The text with dT/dy written as dTdy, where a given has that name."""
    for given in problem.givens:
        parts = re.fullmatch(r"(d[A-Za-z]\w*?)_?(d[a-z])", given.name)
        if parts:
            text = re.sub(rf"\(?\b{parts[1]} ?\)?/ ?\(?{parts[2]}\b\)?", given.name, text)
    return text


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()


def _copied(part: str, question: str) -> bool:
    return len(part) >= _SHORTEST_COPY and _squeezed(part).strip() in question
