"""Backward search: from a wanted quantity through equations whose inputs are given or can be derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansatz.knowledge_base.chain.combiner import REUSED, Combiner
from ansatz.knowledge_base.chain.index import Index, Known, Node
from ansatz.knowledge_base.chain.likeness import known_as, mismatch
from ansatz.knowledge_base.chain.meaning import Meaning
from ansatz.knowledge_base.chain.offers import Offers
from ansatz.knowledge_base.chain.ratio import ratio_definition
from ansatz.knowledge_base.chain.vocabulary import NOT_PASSED_ON
from ansatz.knowledge_base.equation import Equation

_EXACT = 0.12  # a given that agrees this well with what is wanted is not derived as well
_INVERTED = 0.2
_LEAVES, _KEPT = 4, 6
_BY_ONE_LAW, _IN_ALL = 3, 6
_COMPOSED, _STATED = 0.3, 0.0
_NO_METHOD = 2.0
_WRONG_STATION = 0.4
_NONE: frozenset[str] = frozenset()


class Search:
    """One question's search among its `offers`, with what is `known` by now and what it states itself."""

    def __init__(
        self,
        index: Index,
        known: Sequence[Known],
        offers: Offers,
        stated: Sequence[tuple[Equation, Mapping[str, Meaning]]] = (),
    ):
        self._index, self._known, self._stated, self._offers = index, known, stated, offers
        self._applied_laws: frozenset[tuple[str, str]] = frozenset().union(*(each.solved for each in known))
        self._needs, self._combiner = offers.needs(known), Combiner(index, known)
        self._leaves: dict[Meaning, list[Node]] = {}
        self._found: dict[tuple[Meaning, int], tuple[float, list[Node]]] = {}
        self._derived: dict[tuple[Meaning, int], tuple[float, list[Node]]] = {}
        self._path: list[Meaning] = []

    def ways(self, wanted: Meaning, budget: float, depth: int) -> list[Node]:
        """The cheapest ways to a quantity within a budget, best first."""
        leaves = self.leaves(wanted)
        if (leaves and leaves[0].cost <= _EXACT) or not depth:
            return [leaf for leaf in leaves if leaf.cost <= budget]
        kept = self._found.get((wanted, depth))
        if kept is None or kept[0] < budget:
            if wanted in self._path:
                return []
            self._path.append(wanted)
            kept = budget, self._expand(wanted, budget, depth, leaves)
            self._path.pop()
            self._found[wanted, depth] = kept
        return [node for node in kept[1] if node.cost <= budget]

    def derivations(self, wanted: Meaning, budget: float, depth: int) -> list[Node]:
        """The cheapest ways to derive a quantity, though something known may be taken for it."""
        kept = self._derived.get((wanted, depth))
        if kept is None or kept[0] < budget:
            self._path.append(wanted)
            kept = budget, self._expand(wanted, budget, depth, [])
            self._path.pop()
            self._derived[wanted, depth] = kept
        return [node for node in kept[1] if node.cost <= budget and node.equation]

    def _by_method(self, node: Node, wanted: Meaning) -> Node:
        """The way at its price, and more where a method is asked for by name that has no part in it."""
        steps = (self._index.authors.get(id, _NONE) for id, _ in node.solved)
        if not wanted.methods or any(wanted.methods & names for names in steps):
            return node
        return replace(node, cost=node.cost + _NO_METHOD)

    def lacking(self, wanted: Meaning) -> tuple[str, ...]:
        """The likeliest equation for a quantity and those of its inputs that nothing known supplies."""
        for _, means, equation, symbol in self._offers.of(wanted)[:1]:
            needs = self._needs.of(equation, symbol, wanted, means)
            open_inputs = [name for name, need in needs.items() if not self.leaves(need)]
            return tuple(
                f"{equation.symbols[name].desc} ({name} of {equation.id})" for name in open_inputs
            ) or (f"values for which {equation.id} holds",)
        return ()

    @property
    def givens(self) -> frozenset[str]:
        return frozenset().union(*(known.uses for known in self._known))

    def leaves(self, wanted: Meaning) -> list[Node]:
        if wanted not in self._leaves:
            found = []
            for known in self._known:
                fits = (mismatch(sought, known.means, self._index.weights) for sought in known_as(wanted))
                cost = min((fit for fit in fits if fit is not None), default=None)
                if cost is not None:
                    labels = self._needs.families.get(known.means.stem, _NONE)
                    if wanted.station in labels and known.means.label in labels - {wanted.station}:
                        cost += _WRONG_STATION
                    bound = frozenset({(wanted.quantity, known.name)})
                    found.append(Node(cost, known.uses, known=known, rests=known.solved, bound=bound))
            self._leaves[wanted] = sorted(found, key=lambda node: node.cost)[:_LEAVES]
        return self._leaves[wanted]

    def _expand(self, wanted: Meaning, budget: float, depth: int, leaves: list[Node]) -> list[Node]:
        found = list(leaves)
        if defined := self._stated_for(wanted):
            return found + self._by_relations(defined, wanted, budget, depth)
        for price, means, equation, symbol in self._offers.of(wanted):
            if (equation.id, symbol) in self._applied_laws:
                price *= REUSED
            if price > budget:
                continue
            found += self._applied(equation, symbol, (wanted, means), price, budget, depth)
        found += self._from_ratios(wanted, budget, depth)
        found += self._by_relations(self._stated, wanted, budget, depth)
        if wanted.methods and len(self._path) == 1:
            found = [self._by_method(node, wanted) for node in found]
        found.sort(key=lambda node: node.cost)
        if len(self._path) == 1:
            return _of_each_law(found)
        return found[: _KEPT + len(leaves)]

    def _of_two(self, wanted: Meaning, budget: float, depth: int) -> list[Node]:
        """A ratio of two quantities that its description names: one is known, the other may be derived."""
        found: list[Node] = []
        for dimension in {known.means.dimension for known in self._known}:
            above, below = (replace(part, dimension=dimension) for part in wanted.parts)
            if not (self.leaves(above) or self.leaves(below)):
                continue
            left = budget - _COMPOSED
            ways = {"below": self.ways(below, left, depth - 1)}
            if ways["below"]:
                ways["above"] = self.ways(above, left - ways["below"][0].cost, depth - 1)
            if all(ways.values()):
                equation = ratio_definition(self._index.units.get(dimension, "-"))
                found += self._combiner.combined(equation, "ratio", ways, _COMPOSED, budget)
        return found

    def _stated_for(self, wanted: Meaning) -> list[tuple[Equation, Mapping[str, Meaning]]]:
        """The relations by which the question itself defines a quantity: nothing else does then."""
        return [(relation, named) for relation, named in self._stated if named[relation.output] == wanted]

    def _by_relations(
        self,
        relations: Sequence[tuple[Equation, Mapping[str, Meaning]]],
        wanted: Meaning,
        budget: float,
        depth: int,
    ) -> list[Node]:
        """Relations that the question states, each solved for the quantity that its symbol is named after."""
        found = []
        for relation, named in relations:
            for symbol in (symbol for symbol, own in named.items() if own == wanted):
                price = _STATED if symbol == relation.output else _STATED + _INVERTED
                others = [name for name in named if name != symbol]
                ways = {name: self._named(name, named[name], budget - price, depth - 1) for name in others}
                if all(ways.values()):
                    found += self._combiner.combined(relation, symbol, ways, price, budget)
        return found

    def _named(self, name: str, means: Meaning, budget: float, depth: int) -> list[Node]:
        """What is known by just this name, or else how it is derived: a relation leaves no doubt."""
        for known in self._known:
            if known.name == name:
                return [Node(0.0, known.uses, known=known, rests=known.solved)]
        if depth < 1 or means in self._path:
            return []
        return self.derivations(means, budget, depth)

    def _from_ratios(self, wanted: Meaning, budget: float, depth: int) -> list[Node]:
        """A quantity as a ratio that the base yields, times the quantity that it is a ratio to."""
        found = self._of_two(wanted, budget, depth) if wanted.parts else []
        for cost, ratio, below in self._index.ratios_of(wanted):
            if cost + _COMPOSED > budget:
                continue
            below = below.of_sort(wanted.sorts - NOT_PASSED_ON)
            bases = [
                leaf
                for leaf in self.leaves(below)
                if leaf.cost + cost + _COMPOSED <= budget and leaf.known and leaf.known.means != wanted.bare
            ]
            if not bases:
                continue
            left = budget - cost - _COMPOSED - bases[0].cost
            ways = {"ratio": self.ways(ratio, left, depth - 1), "below": bases}
            if ways["ratio"]:
                equation = ratio_definition(self._index.units[wanted.dimension])
                found += self._combiner.combined(equation, "above", ways, cost + _COMPOSED, budget)
        return found

    def _applied(
        self,
        equation: Equation,
        symbol: str,
        fit: tuple[Meaning, Meaning],
        price: float,
        budget: float,
        depth: int,
    ) -> list[Node]:
        """An equation solved for one symbol, with the ways to all its others."""
        needs = self._needs.of(equation, symbol, *fit)
        cheapest = {name: self._least(need, depth) for name, need in needs.items()}
        if price + sum(cheapest.values()) > budget:
            return []
        ways: dict[str, list[Node]] = {}
        spent = price + sum(cheapest.values())
        for name, need in sorted(needs.items(), key=lambda pair: -cheapest[pair[0]]):
            ways[name] = self.ways(need, budget - spent + cheapest[name], depth - 1)
            if not ways[name]:
                return []
            spent += ways[name][0].cost - cheapest[name]
            if spent > budget:
                return []
        return self._combiner.combined(equation, symbol, ways, price, budget)

    def _least(self, need: Meaning, depth: int) -> float:
        leaves = self.leaves(need)
        if leaves:
            return min(leaves[0].cost, 0.5)
        return 0.5 if depth > 1 else float("inf")


def _of_each_law(ways: Sequence[Node]) -> list[Node]:
    """The cheapest ways, few by one law: which of them have a value is not known yet."""
    counted: Counter[str] = Counter()
    kept = []
    for way in ways:
        law = way.equation.id if way.equation else ""
        counted[law] += 1
        if counted[law] <= _BY_ONE_LAW:
            kept.append(way)
    return kept[:_IN_ALL]
