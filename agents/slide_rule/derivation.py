"""A derivation: a formula whose inputs are values, assumptions or other derivations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ansatz.agents.slide_rule.asked_quantities import find_head
from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.property_lookup import list_fluid_words
from ansatz.agents.slide_rule.quantity_names import (
    are_contradictory,
    find_acronyms,
    load_yaml,
    score_names,
    stem_words,
)
from ansatz.agents.slide_rule.question import KnownQuantity, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import CHANGES, FormulaUse, SolutionPath
from ansatz.quantities.scales import find_scale
from ansatz.quantities.tree import evaluate_tree

_PURE, _KELVIN, _ACCELERATION, _PASCAL, _LENGTH = map(find_kind, ("-", "K", "m/s^2", "Pa", "m"))
_FILM, _CONDUCTIVITY = map(find_kind, ("W/(m^2*K)", "W/(m*K)"))
_MOST_BIOT = 0.1  # Incropera: a body of one temperature
_MAX_INNER = 8  # derivations of one input
_STEP_COST, _SOLVED, _SUPPORT = 0.12, 0.03, 0.4
_ORDER = 0.02  # for values in the order of their symbols
_ORDINAL_ORDER = 0.1  # for values of symbols that are called first and second
_SAME_VALUE = 0.01
_REPEATED = 0.02
_SURE = 0.5  # of the words of a pure number
_OWN_NAMES = frozenset({"altitud", "rough"})  # no other length is called so
_SORTS, _QUALIFIERS = (stem_words(load_yaml("language.yaml")[key]) for key in ("sorts", "qualifiers"))
_COUNTS = stem_words(load_yaml("language.yaml")["counts"])
_SHAPE = frozenset({"volum", "hydraul"})  # of lengths that follow from a shape
_SHARES = frozenset({"effici", "emiss", "qualiti", "effect"})  # numbers between 0 and 1


@dataclass(frozen=True, eq=False)
class DerivedQuantity:
    """A formula with a value, an assumption or another derivation for each input."""

    formula: KnownFormula
    inputs: Mapping[str, KnownQuantity | DerivedQuantity]
    value: float
    """In the unit of the formula's output; NaN if only a tool can solve the formula."""
    roles: Mapping[int, frozenset[str]]
    """The words of the symbols that given values are bound to, by place."""
    match: float
    """How well the output is what is asked for, or the input that it gives, from 0 to 1."""
    fit: float
    """How well values fit the inputs, on average from 0 to 1."""
    order: int
    """The number of pairs of values that are given in the order of their symbols."""

    @property
    def score(self) -> float:
        is_solved = bool(self.formula.solved_for)
        order = _ORDINAL_ORDER if self._counts_inputs else _ORDER
        return (
            self.match + self.fit + order * self.order - _STEP_COST * (self.steps - 1) - _SOLVED * is_solved
        )

    @property
    def _counts_inputs(self) -> bool:
        """Whether the formula calls its inputs first and second, in the order of the text."""
        return any("first" in symbol.words for symbol in self.formula.inputs)

    @property
    def used(self) -> frozenset[int]:
        """The places of the given values that it uses."""
        return frozenset(self.roles)

    @cached_property
    def steps(self) -> float:
        """The number of its formulas; definitions count half."""
        inner = (each.steps for each in self.inputs.values() if isinstance(each, DerivedQuantity))
        return (0.5 if self.formula.is_definition else 1) + sum(inner)

    def as_known(self) -> KnownQuantity:
        """Return the result as a known quantity without a step."""
        output = self.formula.output
        return KnownQuantity(output.name, self.value, output.unit, output.about)


@dataclass(frozen=True, eq=False)
class Option:
    """What an input of a formula can be."""

    fit: float
    """How likely, from 0 to 1."""
    value: KnownQuantity | DerivedQuantity
    roles: Mapping[int, frozenset[str]]
    """The words of the symbols that given values are bound to, by place."""


def assign_options(options: Sequence[Sequence[Option]]) -> Iterator[tuple[Option, ...]]:
    """Yield one option for each input, the best first where possible, with no given used for two inputs."""
    if not options:
        yield ()
        return
    first, *rest = options
    for option in sorted(first, key=lambda each: -each.fit):
        free = [
            [
                each
                for each in others
                if isinstance(each.value, DerivedQuantity)
                or isinstance(option.value, DerivedQuantity)
                or each.roles.keys().isdisjoint(option.roles)
            ]
            for others in rest
        ]
        if all(free):
            for chosen in assign_options(free):
                yield (option, *chosen)


def select_best(found: Iterable[DerivedQuantity]) -> list[DerivedQuantity]:
    """Select the best derivation for each set of given values, and the best few of these."""
    best: dict[frozenset[int], DerivedQuantity] = {}
    for each in sorted(found, key=lambda each: -each.score):
        best.setdefault(each.used, each)
    return [*best.values()][:_MAX_INNER]


def merge_roles(chosen: Sequence[Option]) -> dict[int, frozenset[str]] | None:
    """Merge the roles of given values; None if a value has two roles, or a role two values."""
    merged: dict[int, frozenset[str]] = {}
    for option in chosen:
        for place, words in option.roles.items():
            earlier = merged.get(place, words)
            if earlier and words and not earlier & words:
                return None
            others = (role for other, role in merged.items() if other != place)
            if isinstance(option.value, DerivedQuantity) and words and words in others:
                return None
            merged[place] = earlier & words or words or earlier
    return merged


def count_ordered(chosen: Sequence[Option]) -> int:
    """Count the pairs of values of one kind that are given in the order of their symbols."""
    direct = [each for each in chosen if isinstance(each.value, KnownQuantity) and each.roles]
    return sum(
        one.value.kind == other.value.kind and min(one.roles) < min(other.roles)
        for one, other in combinations(direct, 2)
        if isinstance(one.value, KnownQuantity) and isinstance(other.value, KnownQuantity)
    )


def evaluate_inputs(
    formula: KnownFormula, inputs: Mapping[str, KnownQuantity | DerivedQuantity]
) -> float | None:
    """Evaluate a formula; NaN if only a tool can, and None if it has no value."""
    numbers = {name: constant.value for name, constant in formula.constants.items()}
    for symbol in formula.inputs:
        each = inputs[symbol.name]
        known = each.as_known() if isinstance(each, DerivedQuantity) else each
        numbers[symbol.name] = known.convert_to(symbol.unit)
    return math.nan if formula.tree is None else evaluate_tree(formula.tree, numbers)


def is_possible(output: Symbol, value: float) -> bool:
    """Whether a value is possible: magnitudes are positive, and efficiencies at most 1."""
    if output.kind == _PURE and output.words & _SHARES and value >= 1:
        return False
    return math.isnan(value) or value > 0 or bool(output.words & CHANGES)


def repeats_a_derivation(inputs: Mapping[str, KnownQuantity | DerivedQuantity]) -> bool:
    """Whether two inputs are derived by one formula from the same values, so that they could not differ."""
    derived = [
        (each.formula.text, each.used) for each in inputs.values() if isinstance(each, DerivedQuantity)
    ]
    return len(set(derived)) < len(derived)


def is_constant_of(derivation: DerivedQuantity, given: KnownQuantity) -> bool:
    """Whether a formula has a given value as its constant, such as g = 9.81 m/s^2."""
    is_atmosphere = given.kind == _PASCAL and "atmospher" in given.words
    if is_atmosphere and math.isclose(given.convert_to("Pa"), 101325, rel_tol=0.02):
        return True  # gauge pressures are above it
    if given.kind == _ACCELERATION and math.isclose(given.convert_to("m/s^2"), 9.81, rel_tol=2e-3):
        return True
    own = any(_is_value(constant, given) for constant in derivation.formula.constants.values())
    inner = [each for each in derivation.inputs.values() if isinstance(each, DerivedQuantity)]
    return own or any(_is_result(each, given) or is_constant_of(each, given) for each in inner)


def decides_biot_number(derivation: DerivedQuantity, given: KnownQuantity) -> bool:
    """Whether a conductivity confirms that a formula for a small Biot number holds."""
    if given.kind != _CONDUCTIVITY or "biot" not in derivation.formula.conditions:
        return False
    symbols = [*derivation.formula.inputs]
    size, film = (
        next((derivation.inputs[each.name] for each in symbols if each.kind == kind), None)
        for kind in (_LENGTH, _FILM)
    )
    known = [each.as_known() if isinstance(each, DerivedQuantity) else each for each in (size, film) if each]
    if len(known) < 2:
        return False
    length, coefficient = known[0].convert_to("m"), known[1].convert_to("W/(m^2*K)")
    return coefficient * length / given.convert_to("W/(m*K)") < _MOST_BIOT


def _is_value(constant: KnownQuantity, given: KnownQuantity) -> bool:
    """Whether a given value is a constant; without a unit, it has its symbol and is in its unit."""
    is_bare = given.unit == "-" and bool(given.symbol) and given.symbol == constant.symbol
    value = (
        given.value if is_bare else given.convert_to(constant.unit) if _are_same(constant, given) else None
    )
    return value is not None and math.isclose(constant.value, value, rel_tol=5e-3)


def _are_same(constant: KnownQuantity, given: KnownQuantity) -> bool:
    return constant.kind == given.kind and constant.kind is not None


def _is_result(derivation: DerivedQuantity, given: KnownQuantity) -> bool:
    """Whether a given value repeats, rounded, what a formula yields: "so the Reynolds number is 3e5"."""
    result = derivation.as_known()
    letters = [each.symbol.partition("_")[0] for each in (result, given)]
    is_named = bool(given.words & derivation.formula.output.words) or letters[0] == letters[1]
    return result.kind == given.kind and is_named and is_close(result, given, _REPEATED)


def list_bindings(derivation: DerivedQuantity) -> Iterator[tuple[KnownFormula, Symbol, KnownQuantity]]:
    """Yield the values of a chain, each with the formula and the symbol that it is bound to."""
    for symbol in derivation.formula.inputs:
        known = derivation.inputs[symbol.name]
        if isinstance(known, DerivedQuantity):
            yield from list_bindings(known)
        else:
            yield derivation.formula, symbol, known


def replaces_result(derivation: DerivedQuantity) -> bool:
    """Whether an earlier step of a chain has a value of another name for what the chain yields.

    The diameter that a friction formula yields is also that of the mean speed before it.
    """
    output = derivation.formula.output
    head = find_head(output.about)
    inner = (each for each in derivation.inputs.values() if isinstance(each, DerivedQuantity))
    return any(
        symbol.kind == output.kind
        and find_head(symbol.about) == head
        and not are_contradictory(symbol.words, output.words)
        and not known.words & head
        for each in inner
        for _, symbol, known in list_bindings(each)
    )


def find_counts(given: KnownQuantity) -> frozenset[str]:
    """Return the number words in the name of a value: "45 m of two-core cable" has two conductors."""
    return given.words & _COUNTS


def ignores_count(derivation: DerivedQuantity) -> bool:
    """Whether a value is named with a number of things that its formula does not name."""
    return any(
        find_counts(known) - formula.words - symbol.words
        for formula, symbol, known in list_bindings(derivation)
    )


def have_equal_values(one: DerivedQuantity, other: DerivedQuantity) -> bool:
    first, second = one.as_known(), other.as_known()
    return first.kind == second.kind and is_close(first, second, _SAME_VALUE)


def is_close(first: KnownQuantity, second: KnownQuantity, rtol: float = 1e-6) -> bool:
    return math.isclose(first.value, second.convert_to(first.unit), rel_tol=rtol)


def write_path(derivation: DerivedQuantity, target: Symbol) -> SolutionPath:
    """Write a derivation as the steps of a solution."""
    steps: list[FormulaUse] = []
    done: dict[int, KnownQuantity] = {}

    def add(each: DerivedQuantity, name: str) -> KnownQuantity:
        if id(each) not in done:
            bound = {
                symbol: add(known, symbol) if isinstance(known, DerivedQuantity) else known
                for symbol, known in each.inputs.items()
            }
            steps.append(FormulaUse(each.formula, bound, name))
            output = each.formula.output
            done[id(each)] = KnownQuantity(name, each.value, output.unit, output.about, len(steps) - 1)
        return done[id(each)]

    result = add(derivation, derivation.formula.output.name)
    return SolutionPath(tuple(steps), ((target, result),))


def score_given(symbol: Symbol, given: KnownQuantity) -> float | None:
    """Score from 0 to 1 how likely a given value is meant by a symbol; None if it cannot be."""
    if symbol.kind is None or symbol.kind != given.kind:
        return None
    if symbol.kind == _KELVIN and bool(symbol.words & CHANGES) != (not _is_temperature(given)):
        return None
    if are_contradictory(symbol.words, given.words) or (given.words - symbol.words) & _OWN_NAMES:
        return None
    if symbol.kind == _PURE and _name_other_numbers(symbol.words, given.words):
        return None
    if symbol.kind == _LENGTH and (symbol.words - given.words) & _SHAPE:
        return None  # a diameter is no volume over surface
    words = len(symbol.words & given.words) / max(1, min(len(symbol.words), len(given.words)))
    if find_acronyms(symbol.about) & given.words:
        words = 1.0  # COP for coefficient of performance
    if symbol.about.startswith("fluid ") and given.words & list_fluid_words():
        words = 1.0  # air for a fluid
    name = score_names(symbol.name, given.symbol)
    if name < 0:
        return None
    score = max(words, name)
    return None if symbol.kind == _PURE and score < _SURE else score


def _name_other_numbers(symbol: frozenset[str], given: frozenset[str]) -> bool:
    """Whether both name a number of one sort, such as a ratio, but of different quantities."""
    shared, qualifiers = symbol & given, symbol - _SORTS
    return bool(shared) and shared <= _SORTS and bool(qualifiers) and bool(given & _QUALIFIERS - qualifiers)


def _is_temperature(given: KnownQuantity) -> bool:
    """Whether a value is a temperature, and no difference of temperatures."""
    if given.kind != _KELVIN:
        return False
    scale = find_scale(given.unit)
    return bool(scale and scale.offset) or not given.words & CHANGES
