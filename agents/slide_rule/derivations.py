"""Derive a quantity from all values that a plainly worded question gives.

Formulas are used as written or solved for an input. Units exclude most of them. Of the rest, the words that
name values and symbols decide. A derivation counts only if it uses every given value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice

from ansatz.agents.slide_rule.asked_quantities import find_head
from ansatz.agents.slide_rule.derivation import (
    DerivedQuantity,
    Option,
    assign_options,
    count_ordered,
    decides_biot_number,
    evaluate_inputs,
    have_equal_values,
    ignores_count,
    is_close,
    is_constant_of,
    is_possible,
    merge_roles,
    repeats_a_derivation,
    replaces_result,
    score_given,
    select_best,
)
from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.inversion import solve_formula
from ansatz.agents.slide_rule.quantity_names import (
    are_contradictory,
    are_exclusive,
    score_overlap,
    select_places,
    stem_words,
)
from ansatz.agents.slide_rule.question import Kind, KnownQuantity, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import CHANGES

_ORBIT_RADIUS = "orbit radius from the altitude"
_ORBITS = stem_words("orbit satellite spacecraft perigee apogee")
_ORBIT_WORDS = stem_words("orbit axis periapsis apoapsis centre center")
_DISTANCES = stem_words("radius axis distance centre center")
_PURE, _KELVIN, _LENGTH, _AREA, _FILM = map(find_kind, ("-", "K", "m", "m^2", "W/(m^2*K)"))
_MAX_DEPTH = 4
_MAX_ASSIGNMENTS = 40  # per formula
_STEP_COST, _SOLVED, _SUPPORT = 0.12, 0.03, 0.4
_ONLY_ONE = 0.6  # the fit of a value that is the only one of its kind
_ASSUMED = 0.4
_UNNAMED = 0.3  # the fit of a value without a name
_INNER = 0.1  # less than a given value
_LIKE = 0.6  # the least similarity of an input and the output that yields it
_MARGIN = 0.05  # by which a derivation has to lead one with another value
_WORSE = 0.4  # than the best given value
_CERTAIN = 0.9  # the fit of a given value that leaves nothing to derive
_SURE = 0.5  # of the words of a pure number
_GIVEN = 2e-3  # a result this close to a given value is that value


@dataclass
class DerivationSearch:
    """Derives quantities from given values with formulas."""

    formulas: Sequence[KnownFormula]
    givens: Sequence[KnownQuantity]
    assumptions: Sequence[KnownQuantity]
    context: frozenset[str]
    """Stems of the words of the question."""
    _by_kind: dict[Kind | None, list[KnownFormula]] = field(default_factory=dict)
    _words: dict[Kind | None, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for formula in self.formulas:
            output = formula.output.words
            named = formula.words | stem_words(re.sub(r"\W|_", " ", formula.id))
            if are_exclusive(output, self.context) or are_exclusive(named, self.context):
                continue
            is_solvable = formula.from_sheet or formula.is_definition
            inputs = formula.inputs if is_solvable and not formula.is_one_way else ()
            solved = (solve_formula(formula, each.name) for each in inputs)
            for each in (formula, *filter(None, solved)):
                self._by_kind.setdefault(each.output.kind, []).append(each)

    def find_best(self, targets: Sequence[Symbol]) -> DerivedQuantity | None:
        """Return the best derivation of one of the targets from all givens; None if none or several fit."""
        found = sorted(self._find_complete(targets), key=lambda each: -each.score)
        if not found:
            return None
        best = found[0]
        rivals = [each for each in found if each.score > best.score - _MARGIN]
        rivals += [each for each in self._find_meanings(targets) if each.score > best.score + _MARGIN]
        return best if all(have_equal_values(best, each) for each in rivals) else None

    def list_meanings(self, targets: Sequence[Symbol]) -> list[str]:
        """List the quantities that a request for a unit alone can mean, the likeliest first."""
        found = sorted(self._find_meanings(targets), key=lambda each: -each.score)
        titles = {stem_words(each.formula.title): each.formula.title for each in reversed(found)}
        return [*reversed(titles.values())]

    def _find_meanings(self, targets: Sequence[Symbol]) -> Iterator[DerivedQuantity]:
        """Yield what given values yield for targets without a name, also if they leave out a value."""
        for target in targets:
            if not target.words:
                found = self._derive(target, _MAX_DEPTH, frozenset(), is_asked=True)
                yield from (each for each in found if self._is_supported(each, target))

    def _find_complete(self, targets: Sequence[Symbol]) -> Iterator[DerivedQuantity]:
        needed = {place for place, each in enumerate(self.givens) if each.kind is not None}
        for target in targets:
            for found in self._derive(target, _MAX_DEPTH, frozenset(), is_asked=True):
                if replaces_result(found) or ignores_count(found) or not self._is_supported(found, target):
                    continue
                rest = [self.givens[place] for place in needed - found.used]
                if all(is_constant_of(found, each) or decides_biot_number(found, each) for each in rest):
                    yield found

    def _is_supported(self, found: DerivedQuantity, target: Symbol) -> bool:
        """Whether words of the question support a formula, beyond the kind of quantity that it gives.

        Otherwise "what is its speed?" would be the speed on a circular orbit if a length is given.
        """
        output = found.formula.output
        result = found.as_known()
        if any(each.kind == result.kind and is_close(result, each, _GIVEN) for each in self.givens):
            return False  # it was given
        if output.kind == _PURE and output.words <= target.essential:
            return True  # the name of a pure number, such as Mach number, is its own
        if (found.steps == 1 and len(found.roles) > 1) or (found.steps < 2 and len(found.roles) > 2):
            return True  # one formula of several given values
        if len(target.essential) > 1 or self._find_support(found.formula, target.essential):
            return True
        symbols = {each.name: each for each in found.formula.inputs}
        for name, known in found.inputs.items():
            if isinstance(known, DerivedQuantity):
                continue
            words = stem_words(known.reason) or symbols[name].words & known.words
            if words & self.context:
                return True
        return False

    def _derive(
        self, target: Symbol, depth: int, using: frozenset[str], is_asked: bool = False
    ) -> Iterator[DerivedQuantity]:
        for formula in self._by_kind.get(target.kind, ()):
            match = self._match_output(formula, target, is_asked)
            is_free = formula.is_definition or formula.output.kind == _PURE
            if not is_free and str(formula.output.kind) in using:
                continue  # a pressure is not derived from another pressure that is derived
            if match is None or formula.text in using or formula.title in using:
                continue
            yield from self._bind(
                formula, match, depth, using | {formula.text, formula.title, str(target.kind)}
            )

    def _match_output(self, formula: KnownFormula, target: Symbol, is_asked: bool) -> float | None:
        """Score from 0 to 1 how well a formula's output is the target; None if it is another quantity."""
        output = formula.output
        names = output.words if formula.solved_for else formula.names
        wanted = target.essential or target.words
        if are_contradictory(output.words, target.words) or are_exclusive(names, target.words):
            return None
        score = len(wanted & names) / max(1, len(wanted))
        if is_asked:
            # a noun for the kind may be left out, but not replaced: a length is no diameter
            is_renamed = bool(names & target.generic) and not names & target.generic & wanted
            generic = frozenset[str]() if is_renamed else target.generic
            if (wanted & self._qualifiers(target.kind)) - names - generic:
                return None
            wanted = wanted & self._qualifiers(target.kind) or wanted
            score = len(wanted & names) / max(1, len(wanted))
            if target.kind == _PURE and score < _SURE:
                return None
            return score + self._find_support(formula, wanted)
        score = max(score_overlap(output.words, target.words), score_overlap(names, target.words))
        is_placed = select_places(output.words) <= target.words
        if formula.is_definition and is_placed and find_head(output.about) <= target.words:
            score = max(
                score, _LIKE
            )  # a throat area is the area of a circle, and a nose radius half a diameter
        support = self._find_support(formula, target.words)
        if formula.solved_for and not formula.is_definition:
            return None  # for an input of another formula, only what a definition gives
        is_recalled = not (formula.from_sheet or formula.is_definition)
        if score < _LIKE or (is_recalled and score < _CERTAIN and not support):
            return None
        return score + support

    def _find_support(self, formula: KnownFormula, wanted: frozenset[str]) -> float:
        """Score how far words of the question support a formula, beyond the name of what it gives."""
        about = (formula.words | formula.output.words) - wanted
        return _SUPPORT * len(about & self.context) / max(1, len(about))

    def _qualifiers(self, kind: Kind | None) -> frozenset[str]:
        """Return the words that distinguish the quantities of a kind."""
        names = (each.names for each in self._by_kind.get(kind, ()) if not each.solved_for)
        return frozenset[str]().union(*names)

    def list_missing(self, targets: Sequence[Symbol]) -> list[Symbol]:
        """List inputs of the likeliest formulas that no given value can be."""
        found: list[tuple[float, Symbol]] = []
        for target in targets:
            for formula in self._by_kind.get(target.kind, ()):
                match = self._match_output(formula, target, is_asked=True)
                open_inputs = [
                    each
                    for each in formula.inputs
                    if all(score_given(each, given) is None for given in (*self.givens, *self.assumptions))
                ]
                if match and 0 < len(open_inputs) < len(formula.inputs):
                    share = len(open_inputs) / len(formula.inputs)
                    found += [(share - match, each) for each in open_inputs]
        return [each for _, each in sorted(found, key=lambda pair: pair[0])]

    def _bind(
        self, formula: KnownFormula, match: float, depth: int, using: frozenset[str]
    ) -> Iterator[DerivedQuantity]:
        """Yield derivations by a formula, one for each assignment of values to its inputs."""
        options = []
        has_film = any(each.kind == _FILM for each in formula.inputs)
        for symbol in formula.inputs:
            if has_film and symbol.kind == _AREA:  # a surface, and no cross-section
                symbol = replace(symbol, words=symbol.words | stem_words("surface"))
            options.append(list(self._list_options(symbol, depth, using)))
            if formula.is_definition and symbol.kind == formula.output.kind == _LENGTH:
                # a length is a diameter or an altitude only if it is named so
                options[-1] = [each for each in options[-1] if _is_named(each, symbol)]
            if not options[-1]:
                return
        for chosen in islice(assign_options(options), _MAX_ASSIGNMENTS):
            inputs = {symbol.name: each.value for symbol, each in zip(formula.inputs, chosen, strict=True)}
            roles = merge_roles(chosen)
            value = (
                None if roles is None or repeats_a_derivation(inputs) else evaluate_inputs(formula, inputs)
            )
            if roles is None or value is None or not is_possible(formula.output, value):
                continue
            fit = sum(each.fit for each in chosen) / max(1, len(chosen))
            yield DerivedQuantity(formula, inputs, value, roles, match, fit, count_ordered(chosen))

    def _list_options(self, symbol: Symbol, depth: int, using: frozenset[str]) -> Iterator[Option]:
        """Yield given values, assumptions and derived values for an input."""
        fits = {place: self._score(symbol, given) for place, given in enumerate(self.givens)}
        best = max((fit for fit in fits.values() if fit is not None), default=0.0)
        for place, fit in fits.items():
            is_sure = fit is not None and (fit >= best - _WORSE or not self.givens[place].about)
            if fit is not None and is_sure and not self._is_orbit_length(symbol, self.givens[place]):
                words = frozenset[str]() if self._is_only_one(place) else symbol.words
                yield Option(fit, self.givens[place], {place: words})
        if symbol.words & CHANGES:
            yield from self._list_differences(symbol)
        yield from self._list_orbit_radii(symbol)
        is_assumed = False
        for assumed in self.assumptions:
            score = score_given(symbol, assumed)
            if score is not None and score_overlap(symbol.words, assumed.words) >= _LIKE:
                is_assumed = True
                yield Option(_ASSUMED, assumed, {})
        if depth > 1 and symbol.kind is not None and best < _CERTAIN and not is_assumed:
            for each in select_best(filter(self._leads_on, self._derive(symbol, depth - 1, using))):
                yield Option((each.match + each.fit) / 2 - _INNER, each, each.roles)

    def _list_orbit_radii(self, symbol: Symbol) -> Iterator[Option]:
        """Yield the radii of orbits at given altitudes."""
        body = self._body_radius
        for place, given in enumerate(self.givens):
            if body is None or not self._is_orbit_length(symbol, given) or not self._is_altitude(given):
                continue
            formula = next(each for each in self.formulas if each.title == _ORBIT_RADIUS)
            roles = {place: symbol.words}
            if body in self.givens:
                roles[self.givens.index(body)] = frozenset()
            value = body.convert_to("m") + given.convert_to("m")
            bound = {"R": body, "h": given}
            yield Option(_ONLY_ONE, DerivedQuantity(formula, bound, value, roles, 1.0, _ONLY_ONE, 0), roles)

    def _is_orbit_length(self, symbol: Symbol, given: KnownQuantity) -> bool:
        """Whether a symbol is a distance from the centre of a body, and a length is not named as one.

        Then it is an altitude, or nothing for this symbol: an orbit "at 35786 km" may be either.
        """
        is_distance = symbol.kind == given.kind == _LENGTH and bool(symbol.words & _ORBIT_WORDS)
        is_orbit = is_distance and bool(self.context & _ORBITS) and given is not self._body_radius
        return is_orbit and ("altitud" in given.words or not given.words & _DISTANCES)

    def _is_altitude(self, given: KnownQuantity) -> bool:
        """Whether a length is an altitude by its name, or because it or another one is below the surface."""
        if "altitud" in given.words or self._body_radius is None:
            return "altitud" in given.words
        surface = self._body_radius.convert_to("m")
        lengths = (each for each in self.givens if each.kind == _LENGTH and each is not self._body_radius)
        return any(each.convert_to("m") < surface for each in lengths if not each.words & _DISTANCES)

    @cached_property
    def _body_radius(self) -> KnownQuantity | None:
        """The radius of the body around which the orbit of a question leads."""
        names = stem_words("earth planet body mars moon venus radius")
        lengths = [each for each in self.givens if each.kind == _LENGTH]
        stated = [
            each for each in lengths if each.symbol in ("R", "R_E", "RE") or len(each.words & names) > 1
        ]
        assumed = [each for each in self.assumptions if each.kind == _LENGTH and each.words & names]
        return next(iter([*stated, *assumed]), None)

    def _leads_on(self, found: DerivedQuantity) -> bool:
        """Whether a chain does not lead from a given value to another quantity of its kind."""
        kind = found.formula.output.kind
        is_chain = any(
            isinstance(each, DerivedQuantity) and not each.formula.is_one_way
            for each in found.inputs.values()
        )
        return kind == _PURE or not is_chain or all(self.givens[place].kind != kind for place in found.used)

    def _score(self, symbol: Symbol, given: KnownQuantity) -> float | None:
        """Score how likely a given value is meant by a symbol, next to the other values of its kind."""
        score = score_given(symbol, given)
        if score is None:
            return None
        if self._is_only_one(self.givens.index(given)):
            return max(score, _ONLY_ONE)
        if score == 0 and given.words & self._vocabulary(symbol.kind):
            return None  # it is named as something else
        return score if given.words & self._vocabulary(symbol.kind) else max(score, _UNNAMED)

    def _is_only_one(self, place: int) -> bool:
        """Whether a given value is the only one of its kind, so that its role is open."""
        return sum(each.kind == self.givens[place].kind for each in self.givens) == 1

    def _vocabulary(self, kind: Kind | None) -> frozenset[str]:
        """Return the words that name the inputs of a kind, and for lengths also the outputs.

        A "friction loss of 8 m" is a length that formulas yield, and no diameter.
        """
        if kind not in self._words:
            outputs = (each.output for each in self.formulas if kind == _LENGTH)
            inputs = (each for formula in self.formulas for each in formula.inputs)
            words = (each.words for each in (*inputs, *outputs) if each.kind == kind)
            self._words[kind] = frozenset[str]().union(*words)
        return self._words[kind]

    def _list_differences(self, symbol: Symbol) -> Iterator[Option]:
        """Yield the difference of each pair of given values of a symbol's kind."""
        places = [
            place
            for place, each in enumerate(self.givens)
            if each.kind == symbol.kind and not each.words & CHANGES
        ]
        for one, other in combinations(places, 2):
            first, second = self.givens[one], self.givens[other]
            unit = "K" if symbol.kind == _KELVIN else first.unit
            size = abs(first.convert_to(unit) - second.convert_to(unit))
            about = f"difference of {first.text} and {second.text}"
            roles = {one: first.words | symbol.words, other: second.words | symbol.words}
            states = [
                {each.split(" ", 1)[0] for each in (first.about, second.about)},
                first.words ^ second.words,
            ]
            is_change = states == [{"initial", "final"}, stem_words("initial final")]
            fit = _ONLY_ONE + 0.2 * is_change - 0.2 * (len(places) > 2 and not is_change)
            yield Option(fit, KnownQuantity("", size, unit, about), roles)


def _is_named(option: Option, symbol: Symbol) -> bool:
    """Whether a given value has a name of a symbol; other values are what they are derived as."""
    value = option.value
    return not (isinstance(value, KnownQuantity) and option.roles) or bool(score_given(symbol, value))
