"""Find the formulas that lead from the givens to the targets, by symbols, words and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.arithmetic import calculate_by_hand
from ansatz.agents.slide_rule.formulas import KnownFormula, load_assumptions
from ansatz.agents.slide_rule.quantity_names import (
    are_contradictory,
    score_names,
    score_overlap,
    select_places,
)
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, Symbol, find_kind

_MAX_DEPTH = 4
_CONFIDENT = 0.3
_SURE = 0.6  # for pure numbers, which no unit distinguishes
_FAR_FETCHED = -0.1
_TRUST_IN_A_SHEET = 0.25  # the advantage of a formula on a sheet over a remembered one
_PURE = find_kind("-")
_NEVER_NEGATIVE = {find_kind(unit) for unit in ("K", "Pa", "kg/m^3")}
CHANGES = frozenset({"differ", "chang", "gradient", "jump", "rise", "drop"})


@dataclass(frozen=True)
class FormulaUse:
    """One use of a formula."""

    formula: KnownFormula
    bound: Mapping[str, KnownQuantity]
    """The known quantity of each input."""
    symbol: str
    """The quantity that the step gives."""

    @property
    def units(self) -> dict[str, str]:
        """The units of the formula's symbols and constants."""
        units = {symbol.name: symbol.unit for symbol in self.formula.inputs}
        return units | {name: constant.unit for name, constant in self.formula.constants.items()}

    def convert_operands(self, results: Sequence[float]) -> dict[str, float]:
        """Convert the operands to the formula's units; `results` are the values of earlier steps."""
        constants = {name: constant.value for name, constant in self.formula.constants.items()}
        units = self.units
        return constants | {
            name: given.with_result(results).convert_to(units[name]) for name, given in self.bound.items()
        }


@dataclass(frozen=True)
class SolutionPath:
    """The steps of a solution and what they give."""

    steps: tuple[FormulaUse, ...]
    answers: tuple[tuple[Symbol, KnownQuantity | str | None], ...]
    """Each target with a known quantity, the result of a step, or a word; None if it is unknown."""
    remarks: tuple[str, ...] = ()
    """The sources of values that are not calculated."""


def find_solution_path(
    question: ParsedQuestion,
    sheet: Sequence[KnownFormula],
    remembered: Sequence[KnownFormula],
    can_solve_implicit: bool,
) -> SolutionPath:
    """Find the first path to each target; implicit formulas count only if a tool can solve them."""
    usable = [formula for formula in sheet if can_solve_implicit or formula.tree is not None]
    assumptions = load_assumptions(question.body)
    search = _Search((*usable, *remembered), list(question.givens), question.approach, assumptions)
    answers = [(target, search.find(target) if target.kind else None) for target in question.targets]
    return SolutionPath(tuple(search.steps), tuple(answers))


@dataclass
class _Search:
    """Works backwards from the targets; finds add to `steps`, their `values` and `known`."""

    formulas: tuple[KnownFormula, ...]
    known: list[KnownQuantity]
    approach: frozenset[str]
    assumptions: tuple[KnownQuantity, ...]
    steps: list[FormulaUse] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def find(
        self, target: Symbol, depth: int = _MAX_DEPTH, using: frozenset[str] = frozenset()
    ) -> KnownQuantity | None:
        """Find a step that gives the target, after the steps that it needs; None if there is none."""
        for formula, match in self._rank_formulas(target, is_inner=depth < _MAX_DEPTH):
            if formula.text in using:
                continue
            steps, known = len(self.steps), len(self.known)
            # A far-fetched formula is used only if all its inputs are given.
            bound = self._bind_inputs(formula, depth if match >= _CONFIDENT else 1, using | {formula.text})
            if bound is not None:
                step, output = FormulaUse(formula, bound, target.name), formula.output
                operands = step.convert_operands(self.values)
                value = calculate_by_hand(formula.tree, operands) if formula.tree else 1.0
                is_positive = output.kind in _NEVER_NEGATIVE and not output.words & CHANGES
                if value is not None and (value > 0 or not is_positive):
                    self.steps.append(step)
                    self.values.append(value)
                    about = " ".join((output.about, *target.words))
                    result = KnownQuantity(target.name, value, output.unit, about, len(self.steps) - 1)
                    self.known.append(result)
                    return result
            del self.steps[steps:], self.values[steps:], self.known[known:]
        return None

    def _bind_inputs(
        self, formula: KnownFormula, depth: int, using: frozenset[str]
    ) -> dict[str, KnownQuantity] | None:
        """Bind each input to a known quantity, an assumption or a new result."""
        bound = bind_symbols(formula.inputs, self.known)
        for symbol in formula.inputs:
            if symbol.name in bound:
                continue
            if assumed := bind_symbols((symbol,), self.assumptions, strict=True):
                bound |= assumed
            elif depth > 1 and (result := self.find(symbol, depth - 1, using)):
                bound[symbol.name] = result
            else:
                return None
        return bound

    def _rank_formulas(self, target: Symbol, is_inner: bool) -> list[tuple[KnownFormula, float]]:
        """Rank the formulas for a target, the likeliest first, with the score of each.

        A formula that uses known quantities is likelier than one that ignores them or needs more.
        """
        ranked = []
        for place, formula in enumerate(self.formulas):
            match = score_formula(formula, target, frozenset() if is_inner else self.approach)
            if match is None or (is_inner and not _is_sure(formula.output, target, match)):
                continue
            bound = bind_symbols(formula.inputs, (*self.known, *self.assumptions), strict=True)
            used = sum(not given.reason for given in bound.values()) / max(1, len(self.known))
            missing = (len(formula.inputs) - len(bound)) / max(1, len(formula.inputs))
            trusted = _TRUST_IN_A_SHEET if formula.from_sheet else 0.0
            rank = -round(match + trusted + (0.3 * used - 0.2 * missing), 1)
            ranked.append((rank, place, formula, match))
        return [(formula, match) for _, _, formula, match in sorted(ranked, key=lambda row: row[:2])]


def bind_symbols(
    symbols: Sequence[Symbol], givens: Sequence[KnownQuantity], strict: bool = False
) -> dict[str, KnownQuantity]:
    """Pair symbols with givens of their kind, the surest first; ties go in reading order.

    Unless `strict`, a quantity with a unit needs no name if it is the only one of its kind.
    """
    pairs = [
        (score_match(symbol, given), -place, symbol, given)
        for symbol in symbols
        for place, given in enumerate(givens)
        if symbol.kind == given.kind
    ]
    bound: dict[str, KnownQuantity] = {}
    for score, _, symbol, given in sorted(pairs, key=lambda pair: pair[:2], reverse=True):
        is_free = symbol.name not in bound and not any(given is other for other in bound.values())
        rivals = [one for _, _, one, other in pairs if other is given or one is symbol]
        is_only = not strict and len(rivals) == 1 and symbol.kind != _PURE and given.step is None
        if is_free and (score >= _CONFIDENT or (is_only and score >= 0.0)):
            bound[symbol.name] = given
    return bound


def score_match(symbol: Symbol, given: KnownQuantity) -> float:
    """Score how likely a given is this symbol, by names and words, with a penalty for different places."""
    penalty = 0.6 if are_contradictory(symbol.words, given.words) else 0.0
    return 0.6 * score_names(symbol.name, given.symbol) + score_overlap(symbol.words, given.words) - penalty


def score_formula(formula: KnownFormula, target: Symbol, approach: frozenset[str]) -> float | None:
    """Score how well a formula's output fits a target; None if it is another kind of quantity."""
    output = formula.output
    if target.kind is None or target.kind != output.kind or not target.essential <= formula.names:
        return None
    score = (
        0.4 * score_names(output.name, target.name)
        + score_overlap(output.words, target.words)
        + 0.8 * score_overlap(formula.words, approach)
        + 0.3 * score_overlap(formula.words, target.words)
    )
    if output.kind == _PURE and score < _CONFIDENT:
        return None
    penalty = 0.5 if are_contradictory(output.words, target.words) else 0.0
    penalty += 0.1 if select_places(output.words) and not select_places(target.words) else 0.0
    return score - penalty if score - penalty >= _FAR_FETCHED else None


def _is_sure(output: Symbol, target: Symbol, match: float) -> bool:
    """Whether the output is certainly the target, so that another formula can use the result."""
    if are_contradictory(output.words, target.words):
        return False
    if select_places(output.words) > select_places(target.words):
        return False
    least = _SURE if output.kind == _PURE else _CONFIDENT
    return match >= least and score_overlap(output.words, target.words) >= 0.5
