"""The symbols of a base by what they mean, and what a way to a quantity is made of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ansatz.knowledge_base.chain.elementary import elementary
from ansatz.knowledge_base.chain.likeness import Weights, mismatch
from ansatz.knowledge_base.chain.meaning import Meaning, excluded, meaning, sorts_of, words_of
from ansatz.knowledge_base.chain.ratio import ratios
from ansatz.knowledge_base.chain.species import SPECIES, species_of
from ansatz.knowledge_base.chain.vocabulary import OF_A_QUESTION, STATES
from ansatz.knowledge_base.equation import Equation

_WRONG_SPECIES, _TOLD = 0.8, 0.35
_REMEMBERED = 50_000  # quantities looked up
_UNSPOKEN_SORT = 1.0
PEAK = frozenset({"peak"})
_WRONG_SORT, _RIGHT_SORT = 3.0, -0.2


@dataclass(frozen=True)
class Known:
    """A given, or a target that is already derived: `uses` are the givens behind it, `derivation` how."""

    name: str
    value: float
    unit: str
    means: Meaning
    uses: frozenset[str]
    solved: frozenset[tuple[str, str]] = frozenset()
    derivation: Hashable = None


@dataclass(frozen=True, eq=False)
class Node:
    """A way to a quantity: a known one, or an equation solved for `symbol` with a node for each other.

    `solved` are its equations with what they are solved for, `rests` those behind the targets it takes as
    known; `bound` says which known quantity each of its needs is; `steps` has the price of each step.
    """

    cost: float
    uses: frozenset[str]
    known: Known | None = None
    equation: Equation | None = None
    symbol: str = ""
    inputs: Mapping[str, Node] = field(default_factory=dict)
    solved: frozenset[tuple[str, str]] = frozenset()
    bound: frozenset[tuple[Hashable, str]] = frozenset()
    rests: frozenset[tuple[str, str]] = frozenset()
    steps: Mapping[Hashable, tuple[tuple[str, str], float]] = field(default_factory=dict)

    @cached_property
    def takes(self) -> frozenset[str]:
        """The names of the known quantities that it takes, givens or not."""
        if self.known:
            return frozenset({self.known.name})
        return frozenset().union(*(node.takes for node in self.inputs.values()))

    @cached_property
    def derivation(self) -> Hashable:
        """The way without its costs: equal for two ways that are the same calculation."""
        if self.known or not self.equation:
            return self.known.name if self.known else ""
        inputs = frozenset((name, node.derivation) for name, node in self.inputs.items())
        return self.equation.id, self.symbol, inputs


class Index:
    """The symbols of a base by what they mean."""

    def __init__(self, entries: Sequence[Equation]):
        equations = [*entries, *elementary()]
        self._places: dict[str, dict[Meaning, list[tuple[Equation, str]]]] = defaultdict(dict)
        self.means: dict[tuple[str, str], Meaning] = {}
        self.units: dict[str, str] = {}
        for equation in equations:
            for name, variable in equation.symbols.items():
                means = meaning(name, variable.desc, variable.unit)
                self.means[equation.id, name] = means
                self.units.setdefault(means.dimension, variable.unit)
                self._places[means.dimension].setdefault(means, []).append((equation, name))
        self.sorts = {
            equation.id: sorts_of(words_of(f"{equation.name} {equation.topic} {equation.id}"))
            for equation in equations
        }
        self._named = {equation.id: words_of(f"{equation.name} {equation.topic}") for equation in equations}
        self.authors = {
            equation.id: frozenset(
                re.findall("[a-z]{3,}", " ".join((equation.id, equation.name, *equation.aliases)).lower())
            )
            for equation in equations
        }
        self._species = {equation.id: species_of(equation) for equation in equations}
        self._ratios = ratios(self.means, equations)
        self._alike: dict[Meaning, list[tuple[float, Meaning, list[tuple[Equation, str]]]]] = {}
        self._of_ratios: dict[Meaning, list[tuple[float, Meaning, Meaning]]] = {}
        self.weights = Weights(means.words for group in self._places.values() for means in group)

    def alike(self, wanted: Meaning) -> list[tuple[float, Meaning, list[tuple[Equation, str]]]]:
        """The symbols that may mean the wanted quantity, with how badly they fit.

        What the name of an entry says, the description of its symbol need not say again.
        """
        wanted = wanted.bare
        if wanted in self._alike:
            return self._alike[wanted]
        if len(self._alike) > _REMEMBERED:
            self._alike.clear()
        found = self._alike[wanted] = []
        for means, holders in self._places.get(wanted.dimension, {}).items():
            extra = wanted.words - means.words
            if extra == wanted.words:
                continue
            told: dict[frozenset[str], list[tuple[Equation, str]]] = defaultdict(list)
            for equation, symbol in holders:
                told[extra & self._named[equation.id]].append((equation, symbol))
            plain = mismatch(wanted, means, self.weights, strict=True)
            for said, those in told.items():
                cost = plain
                if said and plain is not None:
                    cost = plain - _TOLD * self.weights.of(said) / self.weights.of(extra)
                elif said:
                    left = replace(wanted, words=wanted.words - said)
                    cost = mismatch(left, means, self.weights, strict=True)
                if cost is not None:
                    found.append((cost, means, those))
        return found

    def ratios_of(self, wanted: Meaning) -> list[tuple[float, Meaning, Meaning]]:
        """Ratios of the wanted quantity to another: how badly they fit, what they mean, and to what."""
        wanted = wanted.bare
        if wanted in self._of_ratios:
            return self._of_ratios[wanted]
        if len(self._of_ratios) > _REMEMBERED:
            self._of_ratios.clear()
        found = self._of_ratios[wanted] = []
        for ratio in self._ratios:
            if (ratio.above.words ^ wanted.words) & STATES:
                continue  # a ratio of pressures is none of temperatures
            above, below = ratio.of(wanted.dimension)
            cost = mismatch(wanted, above, self.weights, strict=True)
            if cost is not None:
                found.append((cost, ratio.means, below))
        return found

    def with_sorts(self, prices: Mapping[str, float], question: str) -> dict[str, float]:
        """Prices with what it costs to use a turbulent law where a question speaks of laminar flow alone."""
        spoken = sorts_of(words_of(question)) & OF_A_QUESTION
        return {
            id: price + _UNSPOKEN_SORT * excluded(spoken, self.sorts.get(id, spoken))
            for id, price in prices.items()
        }

    def varies(self, need: Meaning) -> bool:
        """Whether the base tells this quantity at the peak of something from what it is elsewhere."""
        return any("peak" in means.words for _, means, _ in self.alike(need.under(PEAK)))

    def sort_price(self, wanted: Meaning, equation: Equation) -> float:
        """What it costs to take a turbulent law for a laminar quantity, and what the right one gains."""
        own = self.sorts[equation.id]
        return _WRONG_SORT if excluded(wanted.sorts, own) else _RIGHT_SORT * len(wanted.sorts & own)

    def follows(self, wanted: Meaning, equation: Equation) -> bool:
        """Whether an equation is named after one whose method is asked for."""
        return bool(wanted.methods & self.authors.get(equation.id, frozenset()))

    def species_price(self, wanted: Meaning, equation: Equation) -> float:
        """What it costs to take an instance for one species where another is wanted."""
        named, own = wanted.words & SPECIES, self._species.get(equation.id, frozenset())
        if not named or not own:
            return 0.0
        return _WRONG_SPECIES * len(named - own) / len(named)
