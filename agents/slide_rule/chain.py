"""Planning: which formulas, in which order, lead from the givens to what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ansatz.agents.slide_rule.arithmetic import NotCalculable, evaluate
from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.matching import CONFIDENT, answers, bind
from ansatz.agents.slide_rule.memory import remembered_formulas
from ansatz.agents.slide_rule.reading import Given, Reading, Target
from ansatz.agents.slide_rule.regime import Case, Verdict
from ansatz.agents.slide_rule.sheet import Exclusion, Sheet
from ansatz.agents.slide_rule.units import ONE, parse_unit
from ansatz.agents.slide_rule.words import content_words, overlap

MAX_DEPTH = 3


def _assumed(symbol: str, value: float, unit: str, words: str) -> Given:
    parsed = parse_unit(unit)
    assert parsed is not None
    return Given(symbol, value, parsed, f"{value:g} {unit}".strip(" -"), content_words(words), assumed=True)


# Values an engineer supplies without being told (air at room temperature, standard gravity).
_ASSUMED = (
    _assumed("gamma", 1.4, "-", "ratio of specific heats"),
    _assumed("R", 287.0, "J/(kg*K)", "gas constant"),
    _assumed("cp", 1005.0, "J/(kg*K)", "specific heat constant pressure"),
    _assumed("g", 9.81, "m/s^2", "gravity"),
    _assumed("Pr", 0.71, "-", "prandtl number"),
)


@dataclass(frozen=True)
class Step:
    """One use of a formula. `value` is what mental arithmetic makes of it, in SI."""

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
    """A target and the step that ends in it; else its value in SI, known from the outset or guessed."""

    target: Target
    step: int | None
    value: float = 1.0
    guessed: bool = True


@dataclass(frozen=True)
class Plan:
    steps: tuple[Step, ...]
    found: tuple[Found, ...]
    rejected: tuple[tuple[str, str], ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass
class Planner:
    """Searches sheet and memory for a way from givens to targets, first choice first."""

    reading: Reading
    sheet: Sheet
    steps: list[Step] = field(default_factory=list)
    rejected: dict[str, str] = field(default_factory=dict)

    def plan(self) -> Plan:
        self.case = Case(self.reading, self._derive)
        self.known = list(self.reading.givens)
        self.formulas = [*self._admitted(), *self._remembered()]
        found = tuple(self._find(target) for target in self.reading.targets if not target.label)
        return Plan(tuple(self.steps), found, tuple(self.rejected.items()))

    def _find(self, target: Target) -> Found:
        step = self._reach(target, MAX_DEPTH, frozenset())
        if step is not None:
            return Found(target, step)
        alike = [g.value for g in self.reading.givens if target.unit and g.unit.same_kind(target.unit)]
        return Found(target, None, alike[0] if alike else (target.unit or ONE).to_si(1.0))

    def _reach(self, target: Target, depth: int, using: frozenset[str]) -> int | None:
        """The number of the step that gives the target, adding the steps it needs; None if there is no way."""
        for formula in self._candidates(target, depth):
            if formula.expression in using:
                continue
            before = len(self.steps), len(self.known)
            number = self._apply(formula, target, depth, using | {formula.expression})
            if number is not None:
                return number
            del self.steps[before[0] :], self.known[before[1] :]
        return None

    def _apply(self, formula: Formula, target: Target, depth: int, using: frozenset[str]) -> int | None:
        binding = bind(formula, self.known)
        bound = dict(binding.bound)
        for symbol in binding.missing:
            given = self._supply(symbol, depth, using)
            if given is None:
                return None
            bound[symbol.name] = given
        verdicts = tuple(self.case.judge(clause) for clause in (*formula.requires, *formula.best_for))
        step = Step(formula, bound, target.symbol, 0.0, verdicts)
        try:
            value = evaluate(formula.expression, step.operands)
        except NotCalculable:
            return None
        self.steps.append(replace(step, value=value))
        number = len(self.steps) - 1
        self.known.append(
            Given(
                target.symbol,
                value,
                formula.output.unit,
                f"step {number + 1}",
                target.words | formula.output.words,
                number,
            )
        )
        return number

    def _supply(self, symbol: Symbol, depth: int, using: frozenset[str]) -> Given | None:
        """A missing input: an assumed value of air, or the output of another formula."""
        if assumed := self._assume(symbol):
            return assumed
        if depth <= 1:
            return None
        target = Target(symbol.name, symbol.unit, symbol.unit_text, symbol.words)
        number = self._reach(target, depth - 1, using)
        return self.known[-1] if number is not None else None

    def _assume(self, symbol: Symbol) -> Given | None:
        """A value of air that goes without saying, unless the question names another gas."""
        if self.case.judge("gas = air").holds is False:
            return None
        alone = Formula("", symbol, symbol.name, (symbol,))
        return bind(alone, _ASSUMED).bound.get(symbol.name)

    def _candidates(self, target: Target, depth: int) -> list[Formula]:
        """Formulas for a target: the better match first, a sheet with conditions before memory."""
        inner = depth < MAX_DEPTH
        scored = []
        for place, formula in enumerate(self.formulas):
            score = answers(formula, target, self.reading.approach if not inner else frozenset())
            if score is None or (inner and score < CONFIDENT):
                continue
            chosen = formula.from_sheet and formula.conditional and score >= CONFIDENT
            scored.append((not chosen, -round(score + self._preference(formula), 1), place, formula))
        return [formula for *_, formula in sorted(scored, key=lambda entry: entry[:3])]

    def _preference(self, formula: Formula) -> float:
        marks = {True: 0.2, False: -0.2, None: 0.0}
        preferred = sum(marks[self.case.judge(clause).holds] for clause in formula.best_for)
        return preferred + sum(0.1 for clause in formula.requires if self.case.judge(clause).holds)

    def _admitted(self) -> list[Formula]:
        """Sheet entries none of whose conditions is false."""
        self.formulas: list[Formula] = []
        admitted = []
        for formula in self.sheet.formulas:
            against = [v for v in map(self.case.judge, formula.requires) if v.holds is False]
            against += [v for v in map(self.case.judge, formula.avoid) if v.holds is True]
            if against:
                self.rejected[formula.name] = f"{against[0].because}, against {against[0].condition!r}"
            else:
                admitted.append(formula)
        return admitted

    def _remembered(self) -> list[Formula]:
        """Memory, less what the sheet warns against by name."""
        return [
            formula for formula in remembered_formulas() if not _is_excluded(formula, self.sheet.exclusions)
        ]

    def _derive(self, symbol: str, words: frozenset[str]) -> float | None:
        """A dimensionless number that a condition asks for, from memory formulas and the givens alone."""
        inner = Planner(self.reading, Sheet())
        inner.case = Case(self.reading, lambda *_: None)
        inner.known, inner.formulas = list(self.reading.givens), list(remembered_formulas())
        number = inner._reach(Target(symbol, ONE, "-", words), MAX_DEPTH, frozenset())
        return inner.steps[number].value if number is not None else None


def _is_excluded(formula: Formula, exclusions: Sequence[Exclusion]) -> bool:
    return any(overlap(formula.words, content_words(exclusion.name)) > 0.6 for exclusion in exclusions)
