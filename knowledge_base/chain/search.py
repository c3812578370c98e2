"""Backward search: from a wanted quantity through equations whose inputs are given or can be derived."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ansatz.knowledge_base.chain.elementary import REPLACED, elementary
from ansatz.knowledge_base.chain.index import Index, Known, Node
from ansatz.knowledge_base.chain.meaning import STREAMS, Meaning, known_as, mismatch
from ansatz.knowledge_base.chain.prices import inversion_price
from ansatz.knowledge_base.chain.ratio import RATIO, ratio_definition
from ansatz.knowledge_base.chain.vocabulary import NOT_PASSED_ON
from ansatz.knowledge_base.equation import Equation

_EXACT = 0.12  # a given that agrees this well with what is wanted is not derived as well
_INVERTED = 0.2
_LEAVES, _KEPT, _PRODUCTS = 4, 6, 48
_TRIED, _TRIALS = 4, 400
_DISORDER, _COMPOSED, _STATED = 0.1, 0.3, 0.0
_CANDIDATES = 40
_PLAIN_PRICE = 0.9  # of a definition that is no entry
_TORN = 0.5  # one quantity taken from two sources within a way
_WRONG_STATION = 0.4
NONE: frozenset[str] = frozenset()


class Search:
    """One question's search. `prices` are what a step with each equation costs; one without is barred."""

    def __init__(
        self,
        index: Index,
        known: Sequence[Known],
        prices: Mapping[str, float],
        stated: Sequence[tuple[Equation, Mapping[str, Meaning]]] = (),
    ):
        self._index, self._known, self._stated = index, known, stated
        plain = {definition.id: _PLAIN_PRICE for definition in elementary()}
        self._prices = {id: price for id, price in prices.items() if id not in REPLACED} | plain
        self._families = _families(known)
        self._worked_out = {each.derivation: each for each in known if each.derivation is not None}
        self._leaves: dict[Meaning, list[Node]] = {}
        self._found: dict[tuple[Meaning, int], tuple[float, list[Node]]] = {}
        self._offers: dict[Meaning, list[tuple[float, Meaning, Equation, str]]] = {}
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

    def lacking(self, wanted: Meaning) -> tuple[str, ...]:
        """The likeliest equation for a quantity and those of its inputs that nothing known supplies."""
        for _, means, equation, symbol in self._offered(wanted)[:1]:
            needs = self._needs(equation, symbol, wanted, means)
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
                    labels = self._families.get(known.means.stem, NONE)
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
        for price, means, equation, symbol in self._offered(wanted):
            if price > budget:
                break
            found += self._applied(equation, symbol, (wanted, means), price, budget, depth)
        found += self._from_ratios(wanted, budget, depth)
        found += self._by_relations(self._stated, wanted, budget, depth)
        found.sort(key=lambda node: node.cost)
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
                found += self._combined(equation, "ratio", ways, _COMPOSED, budget)
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
                    found += self._combined(relation, symbol, ways, price, budget)
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
                found += self._combined(equation, "above", ways, cost + _COMPOSED, budget)
        return found

    def _offered(self, wanted: Meaning) -> list[tuple[float, Meaning, Equation, str]]:
        if wanted not in self._offers:
            found, named = [], False
            for cost, means, holders in self._index.alike(wanted):
                for equation, symbol in holders:
                    if equation.id in self._prices:
                        price = cost + self._prices[equation.id]
                        price += inversion_price(equation, symbol)
                        price += self._index.species_price(wanted, equation)
                        price += self._index.sort_price(wanted, equation)
                        named = named or self._index.follows(wanted, equation)
                        found.append((price, means, equation, symbol))
            if named:  # the method is one for this very quantity, not for one it rests on
                found = [offer for offer in found if self._index.follows(wanted, offer[2])]
            found.sort(key=lambda offer: offer[0])
            self._offers[wanted] = found[:_CANDIDATES]
        return self._offers[wanted]

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
        needs = self._needs(equation, symbol, *fit)
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
        return self._combined(equation, symbol, ways, price, budget)

    def _combined(
        self, equation: Equation, symbol: str, ways: Mapping[str, list[Node]], price: float, budget: float
    ) -> list[Node]:
        found = []
        for inputs in self._choices(equation, ways, budget - price):
            chosen = list(inputs.values())
            cost = price + sum(node.cost for node in chosen) + self._disorder(equation, inputs)
            if cost > budget or _circular(equation, symbol, chosen):
                continue
            solved = frozenset().union(*(node.solved for node in chosen))
            uses = frozenset().union(*(node.uses for node in chosen))
            bound = frozenset().union(*(node.bound for node in chosen))
            cost += _TORN * (len(bound) - len({quantity for quantity, _ in bound}))
            if cost <= budget:
                way = solved | {(equation.id, symbol)}
                rests = frozenset().union(*(node.rests for node in chosen))
                node = Node(cost, uses, None, equation, symbol, inputs, way, bound, rests)
                found.append(self._not_again(node))
        found.sort(key=lambda node: node.cost)
        return found[:_KEPT]

    def _not_again(self, node: Node) -> Node:
        """The node, or the known quantity that just this calculation yielded before."""
        known = self._worked_out.get(node.derivation) if self._worked_out else None
        return Node(node.cost, known.uses, known=known, rests=known.solved) if known else node

    def _choices(
        self, equation: Equation, ways: Mapping[str, list[Node]], budget: float
    ) -> Iterator[dict[str, Node]]:
        """A source for each symbol within the budget; nothing known serves two symbols."""
        names = sorted(ways, key=lambda name: len(ways[name]))
        least = [0.0] * (len(names) + 1)
        for place in reversed(range(len(names))):
            least[place] = least[place + 1] + ways[names[place]][0].cost
        tried = itertools.count()

        def extend(chosen: dict[str, Node], spent: float, taken: frozenset[str]) -> Iterator[dict[str, Node]]:
            if len(chosen) == len(names):
                yield chosen
                return
            name = names[len(chosen)]
            for node in ways[name][:_TRIED]:
                if spent + node.cost + least[len(chosen) + 1] > budget or next(tried) > _TRIALS:
                    return
                if node.known and node.known.name in taken:
                    continue
                own = {node.known.name} if node.known else frozenset()
                yield from extend({**chosen, name: node}, spent + node.cost, taken | own)

        return itertools.islice(extend({}, 0.0, NONE), _PRODUCTS)

    def _disorder(self, equation: Equation, inputs: Mapping[str, Node]) -> float:
        """What it costs that symbols of one label (x1, mu1) are known by different ones (x_N2, mu_N)."""
        labels = [
            (self._index.means[equation.id, name].label, node.known.means.label)
            for name, node in inputs.items()
            if node.known and (equation.id, name) in self._index.means
        ]
        wrong = 0
        for (own, stated), (other, other_stated) in itertools.combinations(labels, 2):
            if own and other and stated and other_stated and (own == other) != (stated == other_stated):
                wrong += 1
        return _DISORDER * wrong

    def _needs(self, equation: Equation, symbol: str, wanted: Meaning, means: Meaning) -> dict[str, Meaning]:
        """What the other symbols mean: an equation that names no place is used where the result is wanted.

        So is one of a single stream; what is laminar is derived from what is laminar.
        """
        needs = {name: self._index.means[equation.id, name] for name in equation.symbols if name != symbol}
        places = means.places.union(*(need.places for need in needs.values()))
        if wanted.places and (not places or (places | wanted.places <= STREAMS)):
            needs = {name: need.moved(wanted.places, wanted.label) for name, need in needs.items()}
        condition = wanted.condition(of=means)
        sorts = (wanted.sorts | self._index.sorts.get(equation.id, NONE)) - NOT_PASSED_ON
        methods = wanted.methods - self._index.authors.get(equation.id, NONE)
        if methods != wanted.methods:
            methods = NONE
        needs = {
            name: (need.under(condition) if condition and self._index.varies(need) else need)
            .of_sort(sorts)
            .by(methods)
            for name, need in needs.items()
        }
        station = wanted.station or (wanted.label if self._is_station(wanted.label) else "")
        stems = Counter(need.stem for need in needs.values())
        return {
            name: need.of_station(station) if stems[need.stem] == 1 else need for name, need in needs.items()
        }

    def _is_station(self, label: str) -> bool:
        return any(label in labels for labels in self._families.values())

    def _least(self, need: Meaning, depth: int) -> float:
        leaves = self.leaves(need)
        if leaves:
            return min(leaves[0].cost, 0.5)
        return 0.5 if depth > 1 else float("inf")


def _families(known: Sequence[Known]) -> dict[str, frozenset[str]]:
    """The labels of each letter that several known quantities bear: T_1 and T_2 are one at two stations."""
    labels: dict[str, set[str]] = defaultdict(set)
    for each in known:
        if each.means.label:
            labels[each.means.stem].add(each.means.label)
    return {stem: frozenset(found) for stem, found in labels.items() if len(found) > 1}


def _circular(equation: Equation, symbol: str, inputs: Sequence[Node]) -> bool:
    """Whether an input rests on the same equation, solved for another of its symbols or within this way."""
    for node in inputs:
        if equation.id != RATIO and any(id == equation.id for id, _ in node.solved):
            return True
        if any(id == equation.id != RATIO and other != symbol for id, other in node.rests):
            return True
    return False
