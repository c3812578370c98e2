"""One attempt as the checks see it: its statements and expressions, read once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from ansatz.agents import ToolCall, Transcript
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.reading.answer import Answer, read_numbers
from ansatz.knowledge_base.equation import Equation, Library
from ansatz.quantities.chains import Chain, chains
from ansatz.quantities.expression import Formula, Number, read_formula
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import read_quantity, read_value, spelled
from ansatz.quantities.tree import Dimension, Name

SAME = 0.004
"""Relative difference within which two exact evaluations agree: constants and inputs may be rounded."""
_LONGEST_ANSWER = 20_000  # characters; the end of a longer answer is read
_SHORTEST_COPY = 30  # characters from which a sentence that stands in the question too counts as copied
_MOST_TERMS = 200
_FEWEST_DIGITS, _TELLING_DIGITS = 2, 3  # from which a number may tell, or surely tells, which quantity it is
_EXACT_DIGITS = 15  # of a fraction of whole numbers
_CUT = re.compile(
    r"[-+*/^(<>]\s*$|\b(?:of|times|plus|minus|by|and|or|than|the|per|at|for|to|from)\s*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Term:
    """A side of an equality that is an expression.

    `names` are what it defines, `claimed` is the value that it is said to have with its unit and significant
    digits, as the text `result`; None where none is stated. `following` are all sides behind it.
    """

    names: tuple[str, ...]
    formula: Formula
    claimed: tuple[float, str, int] | None
    result: str
    position: int
    following: tuple[str, ...] = ()

    @property
    def quote(self) -> str:
        return f"{self.formula.text} = {self.result}" if self.result else self.formula.text

    @property
    def is_numeric(self) -> bool:
        """Whether it is a substitution: numbers alone, and something to compute."""
        return not self.formula.names and self.formula.operations > 0


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
        return "\n".join(lines)

    @cached_property
    def answer(self) -> Answer:
        return Answer(self.text, self.problem.targets)

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

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the answer, in reading order."""
        return tuple(_terms(self.chains))[:_MOST_TERMS]

    @cached_property
    def code_terms(self) -> tuple[Term, ...]:
        """The expressions of the code that its tools were given."""
        return tuple(_terms(chains(self.code)))[:_MOST_TERMS] if self.code else ()

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

    @cached_property
    def stated(self) -> Mapping[str, tuple[Statement, ...]]:
        """The answer's statements by spelled symbol."""
        found: dict[str, tuple[Statement, ...]] = {}
        for each in self.statements:
            found[spelled(each.symbol)] = (*found.get(spelled(each.symbol), ()), each)
        return found

    @cached_property
    def _dimensions(self) -> Mapping[str, set[Dimension]]:
        """The dimensions with which symbols, by their spelling, and numbers, by their figures, stand."""
        found: dict[str, set[Dimension]] = {}
        asked = chains(plain(f"{self.problem.context}\n{self.problem.question}"))
        stands = [(spelled(given.name), given.unit) for given in self.problem.givens]
        for chain in (*asked, *self.chains):
            for value, unit, digits in chain.values:
                stands += [(spelled(name), unit) for name in chain.names]
                stands += [(_figures(value, digits), unit)] if digits >= _FEWEST_DIGITS else []
        for key, unit in stands:
            known = scale(unit) if unit not in ("", "-") else None
            if known:
                found.setdefault(key, set()).add(known.dimension)
        return found

    @cached_property
    def _measured(self) -> frozenset[float]:
        """The values that stand somewhere with a unit."""
        given = [(each.value, each.unit) for each in self.problem.givens if not isinstance(each.value, str)]
        asked = chains(plain(f"{self.problem.context}\n{self.problem.question}"))
        stated = [(value, unit) for chain in (*asked, *self.chains) for value, unit, _ in chain.values]
        return frozenset(value for value, unit in (*given, *stated) if unit not in ("", "-"))

    def dimension_of(self, leaf: Number | Name) -> Dimension | None:
        """The one dimension with which a symbol or a number stands elsewhere; None where that is open.

        1, 2 and 1/2 are pure numbers, and so are powers of ten that stand nowhere as a quantity: 100 may
        convert, or be a speed of 100 m/s.
        """
        if isinstance(leaf, Name):
            found = self._dimensions.get(spelled(leaf.name), set())
        elif leaf.value in (0.5, 1.0, 2.0):
            return (0.0,) * 7
        else:
            if leaf.value >= 100 and math.log10(leaf.value).is_integer():
                return None if leaf.value in self._measured else (0.0,) * 7
            found = self._dimensions.get(_figures(leaf.value, leaf.digits), set())
        return next(iter(found)) if len(found) == 1 else None

    @cached_property
    def gold(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.gold_equations)

    @cached_property
    def traps(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.trap_equations)

    def _equations(self, ids: tuple[str, ...]) -> tuple[Equation, ...]:
        return tuple(self.library.get(id) for id in ids if id in self.library)


def _figures(value: float, digits: int) -> str:
    """What tells a number apart: its figures, and their power of ten where they are few."""
    written = f"{value:.{digits - 1}e}"
    return written.partition("e")[0] if digits > _TELLING_DIGITS else written


def si(value: float, unit: str) -> float | None:
    """The value in SI base units; None where the unit cannot be read."""
    known = scale(unit)
    return None if known is None else value * known.factor + known.offset


def close(first: float, second: float, relative: float) -> bool:
    return abs(first - second) <= relative * max(abs(first), abs(second))


def _terms(found: tuple[Chain, ...]) -> Iterator[Term]:
    for chain, next_chain in zip_longest(found, found[1:]):
        for place, text in enumerate(chain.terms):
            formula = None if read_value(text) else _formula(text, chain, place)
            if formula is None or not formula.operations:
                continue
            sides = chain.terms[place + 1 :] or _goes_on(chain, next_chain)
            claimed, result = _claimed(sides[0], chain) if sides else (None, "")
            yield Term(chain.names, formula, claimed, result, chain.position, sides)


def _formula(text: str, chain: Chain, place: int) -> Formula | None:
    """A side as an expression. The first side of a chain that names nothing may end a sentence of words."""
    formula = read_formula(text)
    if formula or place or chain.names or len(text) > 160:
        return None if formula and any(map(_is_word, formula.names)) else formula
    for found in re.finditer(r"(?<=[A-Za-z,:]) (?=[\d(√])", text):
        if not _CUT.search(text[: found.start()]) and not re.search(
            r"[\w)] ?[-+*/^(]", text[: found.end()][-12:]
        ):
            rest = text[found.end() :]
            return None if read_value(rest) else read_formula(rest)
    return None


def _is_word(name: str) -> bool:
    return name.isalpha() and name.islower() and len(name) > 5


def _goes_on(chain: Chain, following: Chain | None) -> tuple[str, ...]:
    """The sides with which the next chain carries this one on, if it is one of the same left side."""
    if following is None or chain.names[:1] != following.names[:1]:
        return ()
    skipped = 0 if chain.names else 1
    return following.terms[skipped:] if chain.terms[:skipped] == following.terms[:skipped] else ()


def _claimed(side: str, chain: Chain) -> tuple[tuple[float, str, int] | None, str]:
    """The value a side states, or that of an expression without symbols, and its words."""
    value = read_value(side)
    if value:
        return (value[0], value[1] or chain.unit, value[2]), side
    begun = read_quantity(side)
    if begun and re.match(r" (?:of|at|for|on|per|in|which|as|so) ", side[begun[3] : begun[3] + 8]):
        return begun[:3], side[: begun[3]]
    fraction = read_formula(side) if re.fullmatch(r"[-\d/() ]{3,20}", side) else None
    exact = fraction.value() if fraction else None
    return (None, "") if exact is None else ((exact, "", _EXACT_DIGITS), side)


def _lines(arguments: object) -> str:
    """Every text in a tool's arguments; nested values line by line."""
    if isinstance(arguments, dict):
        return "\n".join(f"{key} = {_lines(value)}" for key, value in arguments.items())
    if isinstance(arguments, list):
        return "\n".join(map(_lines, arguments))
    return str(arguments)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()


def _copied(part: str, question: str) -> bool:
    return len(part) >= _SHORTEST_COPY and _squeezed(part).strip() in question
