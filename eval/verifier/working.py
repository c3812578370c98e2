"""One attempt as the checks see it: its statements and expressions, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ansatz.agents import ToolCall, Transcript
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.reading.answer import AnswerText, read_numbers
from ansatz.knowledge_base.equation import Equation, Library
from ansatz.quantities.calculation import Calculation, Term, close, si, terms_of, uncopied
from ansatz.quantities.chains import Chain, chains
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

SAME = 0.004
"""Relative difference within which two exact evaluations agree: constants and inputs may be rounded."""


@dataclass(frozen=True)
class Working:
    """An attempt read against its problem. Sentences copied from the question are left out of all of it."""

    problem: Problem
    transcript: Transcript
    library: Library

    @cached_property
    def text(self) -> str:
        """The answer in plain notation."""
        return uncopied(self.transcript.answer, self._question)

    @property
    def _question(self) -> str:
        return plain(f"{self.problem.context}\n{self.problem.question}")

    @cached_property
    def calculation(self) -> Calculation:
        """The answer for the checks that need nothing else of the problem than what it gives."""
        given = [(each.name, each.value, each.unit) for each in self.problem.givens]
        numbers = tuple((name, value, unit) for name, value, unit in given if not isinstance(value, str))
        return Calculation(self.chains, tuple(self.statements), self._question, numbers)

    @cached_property
    def answer(self) -> AnswerText:
        return AnswerText(self.text, self.problem.targets)

    @property
    def chains(self) -> tuple[Chain, ...]:
        return self.answer.chains

    @property
    def statements(self) -> list[Statement]:
        return self.answer.statements

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(call for call in self.transcript.tool_calls if call.ok)

    @cached_property
    def code(self) -> str:
        """What tools were given and answered, as plain text."""
        return plain("\n".join(f"{_lines(call.arguments)}\n{call.result}" for call in self.tool_calls))

    @cached_property
    def targets(self) -> tuple[NumberTarget, ...]:
        return tuple(target for target in self.problem.targets if isinstance(target, NumberTarget))

    @cached_property
    def finals(self) -> dict[str, Statement]:
        """The last statement of each target that the answer states."""
        givens = [given.name for given in self.problem.givens]
        found = read_numbers(
            self.transcript.answer,
            self.problem.targets,
            givens=givens if self.problem.answers_are_free_in_form else None,
        )
        return {name: each.statement for name, each in found.items() if each.statement}

    def is_near(self, relative: float = SAME) -> bool:
        """Whether every target's value is stated and lies within `relative` of its key."""
        return bool(self.targets) and all(self._is_near_key(target, relative) for target in self.targets)

    def _is_near_key(self, target: NumberTarget, relative: float) -> bool:
        final = self.finals.get(target.name)
        if final is None or target.value is None:
            return False
        value = convert(final.value, final.unit or target.unit, target.unit)
        return value is not None and close(value, target.value, relative)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the answer, in reading order."""
        return self.calculation.terms

    @cached_property
    def code_terms(self) -> tuple[Term, ...]:
        """The expressions of the code that its tools were given."""
        return terms_of(chains(self.code)) if self.code else ()

    @cached_property
    def known(self) -> dict[str, float]:
        """SI values by spelled name: what the problem gives and its solution reaches."""
        given = [(each.name, each.value, each.unit) for each in self.problem.givens]
        steps = [(each.symbol, each.value, each.unit) for each in self.problem.reference.steps]
        found = {
            spelled(name): si(value, unit)
            for name, value, unit in (*given, *steps)
            if not isinstance(value, str)
        }
        return {name: value for name, value in found.items() if value is not None}

    @property
    def stated(self) -> Mapping[str, tuple[Statement, ...]]:
        """The answer's statements by spelled symbol."""
        return self.calculation.stated

    @cached_property
    def gold(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.gold_equations)

    @cached_property
    def traps(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.trap_equations)

    def _equations(self, ids: tuple[str, ...]) -> tuple[Equation, ...]:
        return tuple(self.library.get(id) for id in ids if id in self.library)


def _lines(arguments: object) -> str:
    """Every text in a tool's arguments; nested values line by line."""
    if isinstance(arguments, dict):
        return "\n".join(f"{key} = {_lines(value)}" for key, value in arguments.items())
    if isinstance(arguments, list):
        return "\n".join(map(_lines, arguments))
    return str(arguments)
