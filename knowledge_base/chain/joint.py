"""One derivation for all that is asked: of the ways to each target, those that serve together best."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ansatz.knowledge_base.chain.coupled import UNUSED, Coupled
from ansatz.knowledge_base.chain.evidence import Chain, Step, Supplied, Wanted
from ansatz.knowledge_base.chain.index import Index, Known, Node
from ansatz.knowledge_base.chain.meaning import Meaning, meaning
from ansatz.knowledge_base.chain.numbers import Evaluation, converted
from ansatz.knowledge_base.chain.offers import Offers
from ansatz.knowledge_base.chain.search import Search
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.facts import Facts

_BUDGETS = (1.25, 2.0, 2.75, 3.75, 5.0, 6.5)
_DEPTH = 5
_BEAM, _WAYS = 5, 4  # how many derivations are kept in view, and how many ways to one target
_MOST_UNUSED = 4
_LATER = 0.15  # targets come in the order of their derivation
_MISSING = 6.0  # what a target costs that is not derived: more than any way to it
_SERVES = 0.3  # what is asked for early often serves for the rest
_REPEATED = 1.0  # two quantities are seldom one and the same number
_ROUNDING = 1e-9
# What a loop costs beside its steps, what one of them may cost, and how many unused givens speak for it.
_TIED, _TIED_BUDGET, _LEFT_OUT = 0.3, 3.0, 2
_PATIENCE = 2  # how many budgets further the first target is looked for than the easiest one


@dataclass(frozen=True)
class Task:
    """What a question gives and asks, and what a step with each equation costs."""

    known: tuple[Known, ...]
    targets: tuple[Wanted, ...]
    prices: Mapping[str, float]
    relations: Sequence[tuple[Equation, Mapping[str, Meaning]]]
    regime: Facts


@dataclass(frozen=True)
class State:
    """Some of the targets derived, at a price, with what is known thereafter."""

    price: float
    known: tuple[Known, ...]
    chains: tuple[Chain, ...]
    used: frozenset[str]
    waiting: tuple[Wanted, ...]

    @property
    def unserved(self) -> frozenset[str]:
        """The targets derived already on which no other rests."""
        return frozenset(chain.target.name for chain in self.chains) - self.used


@dataclass(frozen=True)
class _Way:
    position: int
    node: Node
    steps: tuple[Step, ...]
    value: float


class Joint:
    """One task's derivations, the most likely first kept in a beam."""

    def __init__(self, index: Index, task: Task):
        self._index, self._task = index, task
        self._offers = Offers(index, task.prices)
        self._searches: dict[tuple[Known, ...], Search] = {}

    def chains(self) -> tuple[Chain, ...]:
        """A chain for each target, in their order."""
        task = self._task
        best = self._best(State(0.0, task.known, (), frozenset(), task.targets))
        unused = self._search(task.known).givens - best.used
        if len(task.targets) > 1 and len(unused) >= _LEFT_OUT:
            # What is reached directly leaves something out, which a loop may use.
            best = min([best, *map(self._best, self._tied())], key=lambda state: state.price)
        found = {chain.target.name: chain for chain in best.chains}
        found |= Coupled(self._search, task.regime).chains(best.known, best.waiting)
        search = self._search(best.known)
        for target in best.waiting:
            if target.name in found:
                continue
            found[target.name] = Chain(target, None, (), search.lacking(_meaning(target)))
        return tuple(found[target.name] for target in task.targets)

    def _tied(self) -> list[State]:
        """The state in which the targets of the first loop are derived, where there is one."""
        task = self._task
        tied = Coupled(self._search, task.regime, _TIED_BUDGET).first(task.known, task.targets)
        if tied is None:
            return []
        uses = tied.uses & self._search(task.known).givens
        settled = (replace(each, uses=uses) for each in tied.known)
        served = tied.takes & tied.chains.keys()
        return [
            State(
                tied.price + _TIED - UNUSED * len(uses) - _SERVES * len(served),
                (*task.known, *settled),
                tuple(tied.chains.values()),
                uses | served,
                tuple(target for target in task.targets if target.name not in tied.chains),
            )
        ]

    def _best(self, start: State) -> State:
        """The cheapest derivation from a state on, with what it cannot reach still waiting."""
        states = [start]
        ended: list[State] = []
        while states:
            reached: dict[object, State] = {}
            for state in states:
                following = list(self._following(state))
                for each in following:
                    key = frozenset((chain.target.name, chain.value) for chain in each.chains)
                    if key not in reached or each.price < reached[key].price:
                        reached[key] = each
                if not following:
                    ended.append(replace(state, price=state.price + _MISSING * len(state.waiting)))
            states = sorted(reached.values(), key=lambda state: state.price)[:_BEAM]
        return min(ended, key=lambda state: state.price)

    def _search(self, known: tuple[Known, ...]) -> Search:
        if known not in self._searches:
            self._searches[known] = Search(self._index, known, self._offers, self._task.relations)
        return self._searches[known]

    def _following(self, state: State) -> Iterator[State]:
        """The states in which one more target is derived."""
        if not state.waiting:
            return
        for way in self._ways(state):
            target = state.waiting[way.position]
            chain = Chain(target, way.value, way.steps)
            supplied = Supplied(target.name, way.value, target.unit, target.description)
            price = way.node.cost + _LATER * way.position - _merit(way.node, state)
            price += _REPEATED * any(_same(chain, other) for other in state.chains)
            price += _REPEATED * any(_restates(chain, each) for each in self._task.known)
            yield State(
                state.price + price,
                (*state.known, _derived(supplied, way.node)),
                (*state.chains, chain),
                state.used | way.node.uses | way.node.takes,
                state.waiting[: way.position] + state.waiting[way.position + 1 :],
            )

    def _ways(self, state: State) -> list[_Way]:
        """Ways to the target that is reached most easily, and to those before it if not much dearer."""
        search = self._search(state.known)
        for place, budget in enumerate(_BUDGETS):
            for position in range(len(state.waiting)):
                if found := self._evaluated(search, state, position, budget):
                    larger = _BUDGETS[min(place + _PATIENCE, len(_BUDGETS) - 1)]
                    before = (self._evaluated(search, state, each, larger) for each in range(position))
                    return [*found, *itertools.chain.from_iterable(before)]
        return []

    def _evaluated(self, search: Search, state: State, position: int, budget: float) -> list[_Way]:
        target = state.waiting[position]
        wanted = _meaning(target)
        nodes = search.derivations(wanted, budget, _DEPTH)
        if not nodes:
            return []
        # A dearer way that leaves fewer givens unused may be the better one.
        givens = search.givens
        slack = UNUSED * min(len(givens - nodes[0].uses), _MOST_UNUSED)
        nodes = search.derivations(wanted, budget + slack, _DEPTH)
        nodes.sort(key=lambda node: node.cost - _merit(node, state))
        found: list[_Way] = []
        for node in nodes:
            steps = Evaluation(self._task.regime).steps(node)
            if steps:
                value = converted(steps[-1].value, steps[-1].unit, target.unit)
                if all(value != way.value for way in found):
                    found.append(_Way(position, node, tuple(steps), value))
            if len(found) == _WAYS:
                break
        return found


def _merit(node: Node, state: State) -> float:
    """What speaks for a way: givens that nothing used so far, and targets on which nothing rests yet."""
    return UNUSED * len(node.uses - state.used) + _SERVES * len(node.takes & state.unserved)


def known(given: Supplied) -> Known:
    """A given as the search sees it: it rests on itself alone."""
    means = meaning(given.name, given.description, given.unit)
    return Known(given.name, given.value, given.unit, means, frozenset({given.name}))


def _derived(supplied: Supplied, node: Node) -> Known:
    """A target as a known quantity from now on."""
    return replace(
        known(supplied), uses=node.uses, solved=node.solved | node.rests, derivation=node.derivation
    )


def _meaning(target: Wanted) -> Meaning:
    return meaning(target.name, target.description, target.unit)


def _restates(chain: Chain, given: Known) -> bool:
    """Whether a chain ends in the value of a given: a law is solved for what another was solved from."""
    if given.means.dimension != _meaning(chain.target).dimension or chain.value is None:
        return False
    stated = converted(given.value, given.unit, chain.target.unit)
    return math.isclose(chain.value, stated, rel_tol=_ROUNDING)


def _same(chain: Chain, other: Chain) -> bool:
    """Whether two chains end in the same equation with the same result."""
    return chain.steps[-1].equation == other.steps[-1].equation and chain.value == other.value
