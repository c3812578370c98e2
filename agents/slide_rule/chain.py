"""Planning: which formulas, in which order, lead from the givens to what is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from ansatz.agents.slide_rule.arithmetic import NotCalculable, evaluate
from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.liking import Liking, admitted, is_excluded, words_of
from ansatz.agents.slide_rule.matching import (
    CONFIDENT,
    answers,
    are_of_different_books,
    bind,
    is_elsewhere,
    is_of_the_same,
    is_sure,
    must_be_positive,
)
from ansatz.agents.slide_rule.memory import remembered_formulas
from ansatz.agents.slide_rule.reading import NAMELESS, Reading, Target
from ansatz.agents.slide_rule.regime import Case, Verdict
from ansatz.agents.slide_rule.school import school_formulas
from ansatz.agents.slide_rule.sheet import Sheet
from ansatz.agents.slide_rule.units import ONE, Dimension

MAX_DEPTH = 4
_PATIENCE = 40  # school formulas that are tried for a target before one gives up
# How long a chain a student tries, and how much worse than the best match its last formula may match: what
# is meant most likely is tried first, by the shortest way.
_SCHOOL_SEARCHES = ((1, 0.4), (2, 0.4), (MAX_DEPTH, math.inf))
UNDETERMINED = "undetermined"  # a word is asked for that no formula gives


@dataclass(frozen=True)
class Step:
    """One use of a formula. `value` is what mental arithmetic makes of it, in the formula's units."""

    formula: Formula
    bound: dict[str, Given]
    symbol: str
    value: float
    verdicts: tuple[Verdict, ...] = ()

    @property
    def operands(self) -> dict[str, float]:
        constants = {constant.name: constant.value for constant in self.formula.constants}
        return constants | {name: given.value for name, given in self.bound.items()}


@dataclass(frozen=True)
class Found:
    """A target and the step that ends in it; else its value in SI and its good digits (1: a guess)."""

    target: Target
    step: int | None
    value: float = 1.0
    digits: int = 1

    @property
    def guessed(self) -> bool:
        return self.step is None and self.digits == 1


@dataclass(frozen=True)
class Plan:
    """`rejected` are sheet entries with the reason, `labels` targets answered by a word."""

    steps: tuple[Step, ...]
    found: tuple[Found, ...]
    rejected: tuple[tuple[str, str], ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()


def plan(reading: Reading, sheet: Sheet) -> Plan:
    """The first way that comes to mind from the givens to each target, by sheet and memory."""
    case = Case(reading, lambda symbol, words: _derived(reading, symbol, words))
    usable, rejected = admitted(sheet, case)
    in_mind = (*remembered_formulas(), *school_formulas(words_of(reading)))
    remembered = [formula for formula in in_mind if not is_excluded(formula, sheet.exclusions)]
    search = Search(reading, case, (*usable, *remembered))
    found = tuple(search.find(target) for target in reading.targets if not target.label)
    relevant = [
        (formula.name, reason)
        for formula, reason in rejected
        if any(answers(formula, target) is not None for target in reading.targets)
    ]
    labels = tuple((target.symbol, UNDETERMINED) for target in reading.targets if target.label)
    return Plan(tuple(search.steps), found, tuple(relevant), labels)


@dataclass
class Search:
    """Works backwards from targets; `steps` and `known` grow as ways are found."""

    reading: Reading
    case: Case
    formulas: tuple[Formula, ...]
    strict: bool = False
    steps: list[Step] = field(default_factory=list)
    known: list[Given] = field(default_factory=list)
    _by_kind: dict[tuple[Dimension, bool], list[Formula]] = field(default_factory=dict)
    _sought: list[Target] = field(default_factory=list)  # targets on the way, each an input of the one before

    _patience: int = _PATIENCE
    _near: float = math.inf
    _of_school: bool = False

    def __post_init__(self) -> None:
        self._liking = Liking(self.case, words_of(self.reading), self.known)
        self.known.extend(self.reading.givens)
        self._of_school = any(formula.of_school for formula in self.formulas)
        for formula in self.formulas:
            unit = formula.output.unit
            self._by_kind.setdefault((unit.dimension, unit.angle), []).append(formula)

    def find(self, target: Target) -> Found:
        for depth, near in _SCHOOL_SEARCHES if self._of_school else ((MAX_DEPTH, math.inf),):
            self._patience, self._near = _PATIENCE, near
            step = self.reach(target, depth, frozenset())
            if step is not None:
                return Found(target, step)
        alike = [
            given.value for given in self.reading.givens if target.unit and given.unit.same_kind(target.unit)
        ]
        return Found(target, None, alike[0] if alike else (target.unit or ONE).to_si(1.0))

    def reach(
        self, target: Target, depth: int, using: frozenset[str], after: Formula | None = None
    ) -> int | None:
        """The number of the step that gives the target, after those it needs; None if there is no way.

        `after` is the formula that needs the target: school physics and engineering are not mixed.
        """
        for formula, match in self._candidates(target, after):
            if formula.cues:
                self._patience -= 1
                if self._patience < 0:
                    continue
            if not using.isdisjoint((formula.expression, formula.title)) or self._is_circular(formula):
                continue
            steps, known = len(self.steps), len(self.known)
            self._sought.append(target)
            # A far-fetched formula is not worth a chain: it must do with what is given.
            number = self._apply(
                formula,
                target,
                depth if match >= CONFIDENT else 1,
                using | {formula.expression, formula.title},
            )
            self._sought.pop()
            if number is not None:
                return number
            if len(self.known) > known:
                del self.steps[steps:], self.known[known:]
                self._liking.forget()
        return None

    def _is_circular(self, formula: Formula) -> bool:
        """It would derive an input of what is asked from the very thing that is asked."""
        alike = [(s, target) for s in formula.inputs for target in self._sought if is_of_the_same(s, target)]
        bound = bind(formula, self.known).bound if alike else {}
        if formula.cues:  # turned round in every way, it needs only what is given
            return any(s.name not in bound for s, _ in alike)
        return not all(s.name in bound and is_elsewhere(bound[s.name], target) for s, target in alike)

    def _apply(self, formula: Formula, target: Target, depth: int, using: frozenset[str]) -> int | None:
        binding = bind(formula, self.known, self.strict)
        bound = dict(binding.bound)
        for symbol in binding.missing:
            given = self._supply(formula, symbol, depth, using)
            if given is None:
                return None
            bound[symbol.name] = given
        verdicts = tuple(self.case.judge(clause) for clause in (*formula.requires, *formula.best_for))
        name = formula.output.name if target.symbol == NAMELESS else target.symbol
        step = Step(formula, bound, name, 0.0, verdicts)
        try:
            value = evaluate(formula.expression, step.operands)
        except NotCalculable:
            return None
        if value <= 0 and must_be_positive(formula):
            return None
        number = len(self.steps)
        self.steps.append(replace(step, value=value))
        about = " ".join(target.words | formula.output.words)
        self.known.append(Given(name, value, formula.output.unit, f"step {number + 1}", about, number))
        self._liking.forget()  # they depend on what is known
        return number

    def _supply(self, formula: Formula, symbol: Symbol, depth: int, using: frozenset[str]) -> Given | None:
        """A missing input: an earlier result, a value that goes without saying, or a new result."""
        alone = Formula("", symbol, symbol.name, (symbol,))
        results = [given for given in self.known if given.step is not None]
        if bound := bind(alone, (*results, *self._liking.assumable(formula)), strict=True).bound:
            return bound[symbol.name]
        if depth <= 1:
            return None
        for words in symbol.wordings:
            target = Target(symbol.name, symbol.unit, symbol.unit_text, words)
            if self.reach(target, depth - 1, using, formula) is not None:
                return self.known[-1]
        return None

    def _candidates(self, target: Target, after: Formula | None) -> list[tuple[Formula, float]]:
        """Formulas for a target and how well they match; those of a sheet with conditions come first."""
        inner = after is not None
        approach = frozenset() if inner else self.reading.approach
        kind = (target.unit.dimension, target.unit.angle) if target.unit else None
        scored = []
        for place, formula in enumerate(self._by_kind.get(kind, ()) if kind else self.formulas):
            if after is not None and are_of_different_books(after, formula):
                continue
            match = answers(formula, target, approach)
            if match is None or (inner and not is_sure(formula, target, match)):
                continue
            chosen = formula.from_sheet and formula.conditional and match >= CONFIDENT
            scored.append((not chosen, -round(match + self._liking.merit(formula), 1), place, formula, match))
        least = -math.inf if inner else max((match for *_, match in scored), default=0.0) - self._near
        ranked = sorted(scored, key=lambda entry: entry[:3])
        return [(formula, match) for *_, formula, match in ranked if match >= least]


def _derived(reading: Reading, symbol: str, words: frozenset[str]) -> float | None:
    """A number that a condition asks for, from memory and the surely recognised givens alone."""
    case = Case(reading, lambda symbol, words: None)
    search = Search(reading, case, remembered_formulas(), strict=True)
    number = search.reach(Target(symbol, ONE, "-", words), MAX_DEPTH, frozenset())
    return search.steps[number].value if number is not None else None
