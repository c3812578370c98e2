"""Ways to the inputs of an equation put together into ways to its result."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence

from ansatz.knowledge_base.chain.index import Index, Known, Node
from ansatz.knowledge_base.chain.ratio import RATIO
from ansatz.knowledge_base.equation import Equation

_KEPT, _PRODUCTS = 6, 48
_TRIED, _TRIALS = 4, 400
_DISORDER = 0.1
_TORN = 0.5  # one quantity taken from two sources within a way
_AGAIN = 0.3  # what was worked out before for another target
_ECHOED = 1.0  # a law solved for what another law left out
REUSED = 0.5  # of the price of a law that is applied already: it is chosen only once
_NONE: frozenset[str] = frozenset()


class Combiner:
    """Puts ways together for one question, in which `known` has what is given or derived already."""

    def __init__(self, index: Index, known: Sequence[Known]):
        self._index = index
        self._worked_out = {each.derivation: each for each in known if each.derivation is not None}

    def combined(
        self, equation: Equation, symbol: str, ways: Mapping[str, list[Node]], price: float, budget: float
    ) -> list[Node]:
        """The cheapest ways to a symbol of an equation, given the ways to each of its others."""
        found = []
        for inputs in _choices(ways, budget - price, self._shared(equation, ways)):
            chosen = list(inputs.values())
            own = price + sum(node.cost for node in chosen if node.known) + self._disorder(equation, inputs)
            if own > budget or _circular(equation, symbol, chosen):
                continue
            solved = frozenset().union(*(node.solved for node in chosen))
            uses = frozenset().union(*(node.uses for node in chosen))
            bound = frozenset().union(*(node.bound for node in chosen))
            own += _TORN * (len(bound) - len({quantity for quantity, _ in bound}))
            own += _ECHOED * (symbol != equation.output and _echoes(chosen))
            steps = {step: paid for node in chosen for step, paid in node.steps.items()}
            cost = own + _together(steps)
            if cost <= budget:
                law = equation.id, symbol
                rests = frozenset().union(*(node.rests for node in chosen))
                node = Node(cost, uses, None, equation, symbol, inputs, solved | {law}, bound, rests, steps)
                steps[node.derivation] = law, own
                found.append(self._not_again(node))
        found.sort(key=lambda node: node.cost)
        return found[:_KEPT]

    def _not_again(self, node: Node) -> Node:
        """The node, or the known quantity that just this calculation yielded before."""
        known = self._worked_out.get(node.derivation) if self._worked_out else None
        if known is None:
            return node
        return Node(min(node.cost, _AGAIN), known.uses, known=known, rests=known.solved)

    def _shared(self, equation: Equation, ways: Mapping[str, list[Node]]) -> frozenset[str]:
        """Pure numbers without a label, such as one emissivity, that may stand for eps_1 and eps_2."""
        labelled = [name for name in ways if self._label(equation, name).isdigit()]
        known = {node.known for name in labelled for node in ways[name] if node.known}
        return frozenset(
            each.name for each in known if not each.means.label and each.means.dimension == "dimensionless"
        )

    def _label(self, equation: Equation, name: str) -> str:
        means = self._index.means.get((equation.id, name))
        return means.label if means else ""

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


def _choices(
    ways: Mapping[str, list[Node]], budget: float, shared: frozenset[str]
) -> Iterator[dict[str, Node]]:
    """A source for each symbol within the budget; nothing known but the `shared` serves two symbols."""
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
            own = {node.known.name} - shared if node.known else frozenset()
            yield from extend({**chosen, name: node}, spent + node.cost, taken | own)

    return itertools.islice(extend({}, 0.0, _NONE), _PRODUCTS)


def _together(steps: Mapping[Hashable, tuple[tuple[str, str], float]]) -> float:
    """What steps cost, each once however often its result is used, and a law that is used again less."""
    dearest: dict[tuple[str, str], float] = {}
    for law, price in steps.values():
        dearest[law] = max(price, dearest.get(law, price))
    if len(dearest) == len(steps):
        return sum(dearest.values())
    every = sum(price for _, price in steps.values())
    return REUSED * every + (1 - REUSED) * sum(dearest.values())


def _echoes(inputs: Sequence[Node]) -> bool:
    """Whether an earlier result is set against just what it came from, which tells two laws' difference."""
    return any(
        node.known
        and node.rests
        and any(others := [other.uses for other in inputs if other is not node])
        and frozenset().union(*others) <= node.uses
        for node in inputs
    )


def _circular(equation: Equation, symbol: str, inputs: Sequence[Node]) -> bool:
    """Whether an input rests on the same equation, solved for another of its symbols or within this way."""
    for node in inputs:
        divided = node.equation is not None and (node.equation.id, node.symbol) == (RATIO, "ratio")
        if equation.id == RATIO and divided and symbol != "ratio":
            return True  # a quotient times its divisor says nothing
        if equation.id != RATIO and any(id == equation.id for id, _ in node.solved):
            return True
        if node.known and any(id == equation.id and other != symbol for id, other in node.rests):
            return True
    return False
