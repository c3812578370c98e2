"""Which given is which symbol of a formula, and which formula gives what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import NONE, parse_unit
from ansatz.agents.slide_rule.words import contradict, is_particular, name_similarity, overlap

CONFIDENT = 0.3
SURE = 0.6  # what a pure number needs, which no unit tells from others
_FAR_FETCHED = -0.1
_HINTED_AT = 0.15  # of school physics there is so much that a unit alone is no hint
_CLEAR_LEAD = 0.1
_SHARED = 0.5  # the words that a derived input has in common with the formula for it
_COUNTED_FROM_NOTHING = {unit.dimension for unit in map(parse_unit, ("kg", "s")) if unit}
# Temperature, pressure, density and speed differ from place to place.
_OF_A_PLACE = {unit.dimension for unit in map(parse_unit, ("K", "Pa", "kg/m^3", "m/s")) if unit}


@dataclass(frozen=True)
class Binding:
    """Symbols of a formula paired with givens; `missing` are the symbols nothing was found for."""

    bound: dict[str, Given]
    missing: tuple[Symbol, ...]


def bind(formula: Formula, givens: Sequence[Given], strict: bool = False) -> Binding:
    """Pair symbols with givens, the surest first; ties go to the more similar name, then reading order.

    `strict` leaves out pairs that only their unit speaks for.
    """
    pairs = []
    for symbol in formula.inputs:
        for place, given in enumerate(givens):
            if symbol.unit.same_kind(given.unit):
                name = name_similarity(symbol.name, given.symbol) if given.symbol else 0.0
                pairs.append((likeness(symbol, given), name, -place, symbol, given))
    bound: dict[str, Given] = {}
    taken: list[Given] = []
    for score, _, _, symbol, given in sorted(pairs, key=lambda pair: pair[:3], reverse=True):
        if score >= CONFIDENT and symbol.name not in bound and not _is_among(given, taken):
            bound[symbol.name] = given
            taken.append(given)
    if not strict:
        _bind_the_only_ones(formula, givens, bound)
    return Binding(bound, tuple(symbol for symbol in formula.inputs if symbol.name not in bound))


def _is_among(given: Given, taken: Sequence[Given]) -> bool:
    return any(given is other for other in taken)


def _bind_the_only_ones(formula: Formula, givens: Sequence[Given], bound: dict[str, Given]) -> None:
    """A quantity with a unit needs no name if it is the only one of its kind, and the likeliest."""
    for symbol in formula.inputs:
        if symbol.name in bound or symbol.unit.dimension == NONE:
            continue
        rivals = [s for s in formula.inputs if s.name not in bound and s.unit.same_kind(symbol.unit)]
        free = [
            given
            for given in givens
            if symbol.unit.same_kind(given.unit)
            and not _is_among(given, list(bound.values()))
            and given.step is None
        ]
        if len(free) == 1 and (like := likeness(symbol, free[0])) >= 0.0:
            others = (likeness(rival, free[0]) for rival in rivals if rival is not symbol)
            if all(like > other + _CLEAR_LEAD for other in others):
                bound[symbol.name] = free[0]


def likeness(symbol: Symbol, given: Given) -> float:
    """How surely a given is this symbol: names and words, against it when they name different places."""
    name = name_similarity(symbol.name, given.symbol) if given.symbol else 0.0
    shared = _shared(symbol, given.words)
    against = 0.6 if contradict(symbol.all_words, given.words) else 0.0
    return 0.6 * name + shared - against


def _shared(symbol: Symbol, words: frozenset[str]) -> float:
    """Shared words with that name of the quantity which fits best."""
    if not symbol.other_words:
        return overlap(symbol.words, words)
    if words.isdisjoint(symbol.all_words):
        return 0.0
    return max(overlap(wording, words) for wording in symbol.wordings)


def _is_particular(symbol: Symbol) -> bool:
    """Each of the quantity's names names a place or kind."""
    return is_particular(symbol.words) and all(map(is_particular, symbol.other_words))


def answers(formula: Formula, target: Target, approach: frozenset[str] = frozenset()) -> float | None:
    """How well a formula's output fits a target; None where it is another kind of quantity."""
    output = formula.output
    if target.label or (target.unit and not target.unit.same_kind(output.unit)):
        return None
    name = name_similarity(output.name, target.symbol)
    shared = _shared(output, target.words)
    against = 0.5 if contradict(output.all_words, target.words) else 0.0
    if _is_particular(output) and not is_particular(target.words):
        against += 0.1
    score = (
        0.4 * name
        + shared
        + 0.8 * overlap(formula.words, approach)
        + 0.3 * overlap(formula.words, target.words)
    )
    if (target.unit is None or output.unit.dimension == NONE) and score < CONFIDENT:
        return None
    least = _FAR_FETCHED
    if formula.of_school:
        least = CONFIDENT if output.unit.dimension == NONE else _HINTED_AT
    return score - against if score - against >= least else None


def is_sure(formula: Formula, target: Target, match: float) -> bool:
    """The formula gives this very quantity, surely enough to use its result in another formula."""
    output = formula.output
    if contradict(output.all_words, target.words) or _is_particular(output) > is_particular(target.words):
        return False
    least = SURE if output.unit.dimension == NONE else CONFIDENT
    return match >= least and _shared(output, target.words) >= _SHARED


def is_of_the_same(symbol: Symbol, target: Target) -> bool:
    """The symbol stands for the target itself, by its unit, name and words."""
    if target.unit is None or not symbol.unit.same_kind(target.unit):
        return False
    if contradict(symbol.all_words, target.words):
        return False
    likely = 0.6 * name_similarity(symbol.name, target.symbol) + _shared(symbol, target.words)
    return likely >= SURE


def is_elsewhere(given: Given, target: Target) -> bool:
    """A given of the target's kind, but at another place: a flow has many temperatures, one heat flux."""
    if given.unit.dimension not in _OF_A_PLACE:
        return False
    return contradict(given.words, target.words) or name_similarity(given.symbol, target.symbol) <= 0.3


def must_be_positive(formula: Formula) -> bool:
    """Absolute temperatures, pressures and densities; differences and gradients may be negative.

    In school physics also masses, times and whatever else follows from a formula turned round.
    """
    output = formula.output
    if formula.cues and output.unit.dimension in _COUNTED_FROM_NOTHING:
        return True
    if output.words & {"difference", "change", "gradient", "jump", "rise", "drop"}:
        return False
    return any(
        unit.dimension == output.unit.dimension for unit in map(parse_unit, ("K", "Pa", "kg/m^3")) if unit
    )


def are_of_different_books(one: Formula, other: Formula) -> bool:
    """School physics and engineering from memory are not mixed; a sheet goes with both."""
    return one.of_school != other.of_school and not one.from_sheet and not other.from_sheet
