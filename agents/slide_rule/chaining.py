"""Which formulas, in which order, lead from what is given to what is wanted, by symbols, words and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.arithmetic import by_hand
from ansatz.agents.slide_rule.comprehension import Comprehension, Known, Symbol, kind_of
from ansatz.agents.slide_rule.formulas import KnownFormula, assumed
from ansatz.agents.slide_rule.naming import contradict, fluid_named, name_similarity, overlap, particular

_MAX_DEPTH = 4
_CONFIDENT = 0.3
_SURE = 0.6  # what a pure number needs, which no unit tells from others
_FAR_FETCHED = -0.1
_TRUST_IN_A_SHEET = 0.25  # what a formula before one's eyes has over one from memory
_PURE = kind_of("-")
_NEVER_NEGATIVE = {kind_of(unit) for unit in ("K", "Pa", "kg/m^3")}
_CHANGES = frozenset({"differ", "chang", "gradient", "jump", "rise", "drop"})


@dataclass(frozen=True)
class Link:
    """One use of a formula for the quantity `symbol`; `bound` pairs its inputs with what is known."""

    formula: KnownFormula
    bound: Mapping[str, Known]
    symbol: str

    @property
    def units(self) -> dict[str, str]:
        """The units of the formula's symbols and constants."""
        units = {symbol.name: symbol.unit for symbol in self.formula.inputs}
        return units | {name: constant.unit for name, constant in self.formula.constants.items()}

    def operands(self, values: Sequence[float]) -> dict[str, float]:
        """Numbers in the formula's units; `values` are the results of the steps before."""
        found = {name: constant.value for name, constant in self.formula.constants.items()}
        units = self.units
        return found | {
            name: given.found(values).measured_in(units[name]) for name, given in self.bound.items()
        }


@dataclass(frozen=True)
class SolutionPath:
    """`found` pairs each target with a known quantity, the result of a step, a word, or None: unknown.

    `remarks` say where values come from that are not calculated.
    """

    steps: tuple[Link, ...]
    found: tuple[tuple[Symbol, Known | str | None], ...]
    remarks: tuple[str, ...] = ()


def plan(
    reading: Comprehension, sheet: Sequence[KnownFormula], remembered: Sequence[KnownFormula], solves: bool
) -> SolutionPath:
    """The first way that comes to mind to each target; `solves`: a tool solves implicit equations."""
    usable = [formula for formula in sheet if solves or formula.tree is not None]
    standard = assumed(fluid_named(reading.body))
    search = _Search((*usable, *remembered), list(reading.givens), reading.approach, standard)
    found = [(target, search.reach(target) if target.kind else None) for target in reading.targets]
    return SolutionPath(tuple(search.steps), tuple(found))


@dataclass
class _Search:
    """Works backwards from targets; `steps`, their `values` and `known` grow as ways are found."""

    formulas: tuple[KnownFormula, ...]
    known: list[Known]
    approach: frozenset[str]
    assumed: tuple[Known, ...]
    steps: list[Link] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def reach(
        self, target: Symbol, depth: int = _MAX_DEPTH, using: frozenset[str] = frozenset()
    ) -> Known | None:
        """The result that gives the target, by a step after those it needs; None if there is no way."""
        for formula, match in self._candidates(target, inner=depth < _MAX_DEPTH):
            if formula.text in using:
                continue
            steps, known = len(self.steps), len(self.known)
            # A far-fetched formula is not worth a chain: it must do with what is given.
            bound = self._inputs(formula, depth if match >= _CONFIDENT else 1, using | {formula.text})
            if bound is not None:
                step, output = Link(formula, bound, target.name), formula.output
                value = by_hand(formula.tree, step.operands(self.values)) if formula.tree else 1.0
                is_positive = output.kind in _NEVER_NEGATIVE and not output.words & _CHANGES
                if value is not None and (value > 0 or not is_positive):
                    self.steps.append(step)
                    self.values.append(value)
                    about = " ".join((output.about, *target.words))
                    self.known.append(Known(target.name, value, output.unit, about, len(self.steps) - 1))
                    return self.known[-1]
            del self.steps[steps:], self.values[steps:], self.known[known:]
        return None

    def _inputs(self, formula: KnownFormula, depth: int, using: frozenset[str]) -> dict[str, Known] | None:
        """What is known for every input, assumed where that goes without saying, or a new result."""
        bound = bind(formula.inputs, self.known)
        for symbol in formula.inputs:
            if symbol.name in bound:
                continue
            if standard := bind((symbol,), self.assumed, strict=True):
                bound |= standard
            elif depth > 1 and (result := self.reach(symbol, depth - 1, using)):
                bound[symbol.name] = result
            else:
                return None
        return bound

    def _candidates(self, target: Symbol, inner: bool) -> list[tuple[KnownFormula, float]]:
        """Formulas for a target, the likeliest first, and how well they match.

        One that uses what is known is likelier meant than one that leaves it over or needs more.
        """
        scored = []
        for place, formula in enumerate(self.formulas):
            match = answers(formula, target, frozenset() if inner else self.approach)
            if match is None or (inner and not _is_sure(formula.output, target, match)):
                continue
            bound = bind(formula.inputs, (*self.known, *self.assumed), strict=True)
            used = sum(not given.because for given in bound.values()) / max(1, len(self.known))
            missing = (len(formula.inputs) - len(bound)) / max(1, len(formula.inputs))
            trusted = _TRUST_IN_A_SHEET if formula.from_sheet else 0.0
            rank = -round(match + trusted + (0.3 * used - 0.2 * missing), 1)
            scored.append((rank, place, formula, match))
        return [(formula, match) for _, _, formula, match in sorted(scored, key=lambda each: each[:2])]


def bind(symbols: Sequence[Symbol], givens: Sequence[Known], strict: bool = False) -> dict[str, Known]:
    """Pair symbols with givens of their kind, the surest first; ties go in reading order.

    Unless `strict`, a quantity with a unit needs no name if it is the only one of its kind.
    """
    pairs = [
        (likeness(symbol, given), -place, symbol, given)
        for symbol in symbols
        for place, given in enumerate(givens)
        if symbol.kind == given.kind
    ]
    bound: dict[str, Known] = {}
    for like, _, symbol, given in sorted(pairs, key=lambda pair: pair[:2], reverse=True):
        free = symbol.name not in bound and not any(given is other for other in bound.values())
        alone = [one for _, _, one, other in pairs if other is given or one is symbol]
        lonely = not strict and len(alone) == 1 and symbol.kind != _PURE and given.step is None
        if free and (like >= _CONFIDENT or (lonely and like >= 0.0)):
            bound[symbol.name] = given
    return bound


def likeness(symbol: Symbol, given: Known) -> float:
    """How surely a given is this symbol: names and words, against it where they name different places."""
    against = 0.6 if contradict(symbol.words, given.words) else 0.0
    return 0.6 * name_similarity(symbol.name, given.symbol) + overlap(symbol.words, given.words) - against


def answers(formula: KnownFormula, target: Symbol, approach: frozenset[str]) -> float | None:
    """How well a formula's output fits a target; None where it is another kind of quantity."""
    output = formula.output
    if target.kind is None or target.kind != output.kind:
        return None
    score = (
        0.4 * name_similarity(output.name, target.name)
        + overlap(output.words, target.words)
        + 0.8 * overlap(formula.words, approach)
        + 0.3 * overlap(formula.words, target.words)
    )
    if output.kind == _PURE and score < _CONFIDENT:
        return None
    against = 0.5 if contradict(output.words, target.words) else 0.0
    against += 0.1 if particular(output.words) and not particular(target.words) else 0.0
    return score - against if score - against >= _FAR_FETCHED else None


def _is_sure(output: Symbol, target: Symbol, match: float) -> bool:
    """The formula gives this very quantity, surely enough to use its result in another formula."""
    if contradict(output.words, target.words) or particular(output.words) > particular(target.words):
        return False
    least = _SURE if output.kind == _PURE else _CONFIDENT
    return match >= least and overlap(output.words, target.words) >= 0.5
