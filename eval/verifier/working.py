"""The calculation of an attempt, read once for all checks, and the score that a check returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ansatz.agents import ToolCall, Transcript
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.reading.stated_numbers import read_numbers
from ansatz.knowledge_base.equation import Equation, Library, library
from ansatz.quantities.calculation import Calculation, Term, find_terms
from ansatz.quantities.chains import find_chains
from ansatz.quantities.findings import Finding
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.scales import convert_to_si, convert_value, is_close
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import normalize_symbol

SAME = 0.004
"""Relative difference within which two evaluations agree: constants and inputs may be rounded."""


@dataclass(frozen=True)
class RuleScore:
    """The score of an attempt on one dimension."""

    points: int | None
    """0, 1 or 2; None if nothing could be checked."""
    evidence: str
    """The reason, as text."""
    findings: tuple[Finding, ...] = ()
    """What is certainly wrong."""

    @property
    def error(self) -> bool | None:
        """Whether something is wrong; None if points are missing only because something was not shown."""
        return True if self.findings else False if self.points == 2 else None


def score_with_faults(points: int, findings: list[Finding]) -> RuleScore:
    """Return a score that findings reduced. The evidence has at most five of them."""
    evidence = "; ".join(f"{each.message}: “{each.quote}”" for each in findings[:5])
    return RuleScore(points, evidence, tuple(findings))


@dataclass(frozen=True, kw_only=True)
class Working(Calculation):
    """The calculation of an attempt, with its problem."""

    problem: Problem
    transcript: Transcript
    library: Library

    @classmethod
    def read(cls, problem: Problem, transcript: Transcript) -> Working:
        givens = ((each.name, each.value, each.unit) for each in problem.givens)
        return cls(
            transcript.complete_answer,
            f"{problem.context}\n{problem.question}",
            tuple((name, value, unit) for name, value, unit in givens if not isinstance(value, str)),
            problem=problem,
            transcript=transcript,
            library=library(),
        )

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The successful tool calls."""
        return tuple(call for call in self.transcript.tool_calls if call.ok)

    @cached_property
    def code(self) -> str:
        """Arguments and results of the tool calls, as plain text."""
        return to_plain_text(
            "\n".join(f"{_flatten_arguments(call.arguments)}\n{call.result}" for call in self.tool_calls)
        )

    @cached_property
    def code_terms(self) -> tuple[Term, ...]:
        """The expressions in `code`."""
        return find_terms(find_chains(self.code)) if self.code else ()

    @cached_property
    def targets(self) -> tuple[NumberTarget, ...]:
        """The targets that are numbers."""
        return tuple(target for target in self.problem.targets if isinstance(target, NumberTarget))

    @cached_property
    def finals(self) -> dict[str, Statement]:
        """The final statement of each target that the answer states, by the target's name."""
        found = read_numbers(self.answer, self.problem.targets, free_form=not self.problem.has_blanks)
        return {name: each.statement for name, each in found.items() if each.statement}

    def find_final_value(self, target: NumberTarget) -> float | None:
        """Return the final value of a target, in the target's unit."""
        final = self.finals.get(target.name)
        unit = final.unit or target.unit if final else ""
        return convert_value(final.value, unit, target.unit, target.difference) if final else None

    def is_near(self, relative: float = SAME) -> bool:
        """Whether the answer states every target within `relative` of its right value.

        The target's tolerance does not apply: this compares two evaluations of one formula.
        """
        pairs = [(self.find_final_value(target), target.value) for target in self.targets]
        near = (
            value is not None and key is not None and is_close(value, key, relative) for value, key in pairs
        )
        return bool(pairs) and all(near)

    @cached_property
    def known_values(self) -> dict[str, float]:
        """SI values of the givens and of the results of the reference solution, by normalized symbol."""
        steps = ((each.symbol, each.value, each.unit) for each in self.problem.reference.steps)
        return _convert_to_si((*self.givens, *steps))

    @cached_property
    def stated_values(self) -> dict[str, float]:
        """SI values that the answer states last, by normalized symbol."""
        return _convert_to_si((name, each[-1].value, each[-1].unit) for name, each in self.stated.items())

    def find_values(self, names: Iterable[str]) -> dict[str, float]:
        """Return the SI values of symbols: from the problem or its solution, or else from the answer."""
        values = self.stated_values | self.known_values
        return {name: values[normalize_symbol(name)] for name in names if normalize_symbol(name) in values}

    @cached_property
    def gold(self) -> list[Equation]:
        """The equations that are right for the problem."""
        return self._load_equations(self.problem.reference.gold_equations)

    @cached_property
    def traps(self) -> list[Equation]:
        """The equations that are tempting and wrong for the problem."""
        return self._load_equations(self.problem.reference.trap_equations)

    def _load_equations(self, ids: Iterable[str]) -> list[Equation]:
        return [self.library.get(id) for id in ids if id in self.library]


def _convert_to_si(measured: Iterable[tuple[str, float, str]]) -> dict[str, float]:
    found = {normalize_symbol(name): convert_to_si(value, unit) for name, value, unit in measured}
    return {name: value for name, value in found.items() if value is not None}


def _flatten_arguments(arguments: object) -> str:
    """Return a tool's arguments as text, nested values on separate lines."""
    if isinstance(arguments, dict):
        return "\n".join(f"{key} = {_flatten_arguments(value)}" for key, value in arguments.items())
    if isinstance(arguments, list):
        return "\n".join(map(_flatten_arguments, arguments))
    return str(arguments)
