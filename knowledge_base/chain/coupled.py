"""Quantities that need each other: one is tried, the rest follow, and a second law closes the loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ansatz.knowledge_base.chain.evidence import Chain, Step, Wanted
from ansatz.knowledge_base.chain.index import Known, Node
from ansatz.knowledge_base.chain.meaning import Meaning, meaning
from ansatz.knowledge_base.chain.numbers import Evaluation, converted
from ansatz.knowledge_base.chain.ratio import RATIO
from ansatz.knowledge_base.chain.search import Search
from ansatz.knowledge_base.equation import EvaluationError
from ansatz.knowledge_base.facts import Facts

_BUDGET, _DEPTH = 6.5, 5
_TRIED = 16  # loops put into numbers
_CLOSINGS = 4  # ways back to the quantity that is tried
_POINTS = 41  # trial values over the range of what is tried
_WIDEST = 1e5  # a range is searched over at most this factor when it begins at zero
_ANY = (1e-3, 1e3)  # where the entry sets no range
_AGREES = 1e-6  # relative
_IDENTICAL = 1e-9  # an equation that any value satisfies says nothing
UNUSED = 0.65  # what leaving a given unused costs
NOTE = "solved together with {}, tried until both agree"


@dataclass(frozen=True)
class _Loop:
    """`tried` is guessed, `following` are derived from it in turn, `closing` yields it again."""

    tried: Wanted
    following: tuple[tuple[Wanted, Node], ...]
    closing: Node

    def rank(self) -> tuple[int, float]:
        """The loop that ties most targets together comes first, and the cheapest of these."""
        return -len(self.following), self.price - UNUSED * len(self.uses)

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (*(node for _, node in self.following), self.closing)

    @property
    def price(self) -> float:
        return sum(node.cost for node in self.nodes)

    @property
    def uses(self) -> frozenset[str]:
        return frozenset().union(*(node.uses for node in self.nodes))

    @property
    def takes(self) -> frozenset[str]:
        return frozenset().union(*(node.takes for node in self.nodes))

    def residual(self, regime: Facts) -> Callable[[float], float]:
        """By how much the loop misses a trial value, relative to it; nan where it has no value."""

        def miss(trial: float) -> float:
            values = {self.tried.name: trial}
            try:
                for wanted, node in self.following:
                    values[wanted.name] = _in_unit(node, wanted, regime, values)
                return _in_unit(self.closing, self.tried, regime, values) / trial - 1
            except (EvaluationError, ZeroDivisionError, OverflowError):
                return math.nan

        return miss


@dataclass(frozen=True)
class Tied:
    """What a loop yields: chains by the name of their target, at a price, from what they rest on."""

    chains: dict[str, Chain]
    price: float
    uses: frozenset[str]
    takes: frozenset[str]

    @property
    def known(self) -> tuple[Known, ...]:
        return tuple(map(_settled, self.chains.values()))


class Coupled:
    """Looks for loops among the targets that nothing derives alone. `search` begins one for what is known."""

    def __init__(self, search: Callable[[tuple[Known, ...]], Search], regime: Facts, budget: float = _BUDGET):
        self._search, self._regime, self._budget = search, regime, budget

    def chains(self, known: tuple[Known, ...], waiting: Sequence[Wanted]) -> dict[str, Chain]:
        """Chains by the name of their target: of a loop, of what follows from it, and of the next loop."""
        found: dict[str, Chain] = {}
        while tied := self.first(known, [target for target in waiting if target.name not in found]):
            found |= tied.chains
            known = (*known, *tied.known)
            rest = [target for target in waiting if target.name not in found]
            while step := self._next(known, rest):
                target, node = step
                rest.remove(target)
                if steps := Evaluation(self._regime).steps(node):
                    value = converted(steps[-1].value, steps[-1].unit, target.unit)
                    found[target.name] = Chain(target, value, tuple(steps))
                    known = (*known, _settled(found[target.name]))
        return found

    def first(self, known: tuple[Known, ...], waiting: Sequence[Wanted]) -> Tied | None:
        """Chains for all that the first loop with a solution ties together."""
        loops = [
            loop
            for tried in waiting
            for loop in self._loops(known, tried, [target for target in waiting if target is not tried])
        ]
        for loop in sorted(loops, key=_Loop.rank)[:_TRIED]:
            solution = _root(loop.residual(self._regime), *_range(loop))
            if solution is not None:
                return Tied(self._written(loop, solution), loop.price, loop.uses, loop.takes)
        return None

    def _loops(self, known: tuple[Known, ...], tried: Wanted, others: Sequence[Wanted]) -> Iterator[_Loop]:
        guess = _known(tried, Node(0.0, frozenset({tried.name})))
        following: list[tuple[Wanted, Node]] = []
        so_far, waiting = (*known, guess), list(others)
        while True:
            yield from self._closings(so_far, tried, tuple(following))
            used = frozenset().union(*(node.uses for _, node in following))
            step = self._next(so_far, waiting, used)
            if step is None:
                return
            following.append(step)
            waiting.remove(step[0])
            so_far = (*so_far, _known(*step))

    def _next(
        self, known: tuple[Known, ...], waiting: Sequence[Wanted], used: frozenset[str] = frozenset()
    ) -> tuple[Wanted, Node] | None:
        """The target that now follows most cheaply, with its way; more so from what is not yet `used`."""
        search = self._search(known)
        found = [
            (way.cost - UNUSED * len(way.uses - used), target, way)
            for target in waiting
            for way in search.derivations(_meaning(target), self._budget, _DEPTH)
        ]
        if not found:
            return None
        _, target, way = min(found, key=lambda each: each[0])
        return target, way

    def _closings(
        self, known: tuple[Known, ...], tried: Wanted, following: tuple[tuple[Wanted, Node], ...]
    ) -> Iterator[_Loop]:
        ways = self._search(known).derivations(_meaning(tried), self._budget, _DEPTH)
        real = [way for way in ways if tried.name in way.uses and way.equation and way.equation.id != RATIO]
        for way in real[:_CLOSINGS]:
            yield _Loop(tried, following, way)

    def _written(self, loop: _Loop, solution: float) -> dict[str, Chain]:
        values = {loop.tried.name: solution}
        chains = {}
        for target, node in (*loop.following, (loop.tried, loop.closing)):
            values[target.name] = _in_unit(node, target, self._regime, values)
            steps = Evaluation(self._regime, values).steps(node)
            chains[target.name] = Chain(target, values[target.name], _noted(steps, loop))
        return chains


def _noted(steps: Sequence[Step], loop: _Loop) -> tuple[Step, ...]:
    note = NOTE.format(loop.tried.name)
    return (*steps[:-1], replace(steps[-1], notes=(*steps[-1].notes, note)))


def _known(target: Wanted, node: Node) -> Known:
    return Known(target.name, math.nan, target.unit, _meaning(target), node.uses, node.solved | node.rests)


def _settled(chain: Chain) -> Known:
    target, value = chain.target, chain.value
    assert value is not None
    return Known(target.name, value, target.unit, _meaning(target), frozenset({target.name}))


def _meaning(target: Wanted) -> Meaning:
    return meaning(target.name, target.description, target.unit)


def _in_unit(node: Node, wanted: Wanted, regime: Facts, values: dict[str, float]) -> float:
    assert node.equation is not None
    value = Evaluation(regime, values).value(node)
    return converted(value, node.equation.symbols[node.symbol].unit, wanted.unit)


def _range(loop: _Loop) -> tuple[float, float]:
    """The range of the closing equation's symbol, in the unit of what is tried."""
    assert loop.closing.equation is not None
    variable = loop.closing.equation.symbols[loop.closing.symbol]
    low, high = (converted(end, variable.unit, loop.tried.unit) for end in variable.domain or _ANY)
    return max(low, high / _WIDEST), high


def _root(miss: Callable[[float], float], low: float, high: float) -> float | None:
    """The lowest trial value that the loop returns; None where there is none, or where any value is."""
    if not 0 < low < high < math.inf:
        return None
    found = _crossing(miss, low, high)
    if found is None or isinstance(found, float):
        return found
    again = _crossing(miss, *found)
    return again if isinstance(again, float) else None


def _crossing(miss: Callable[[float], float], low: float, high: float) -> float | tuple[float, float] | None:
    """A root in a range, or else the part of the range round the trial values that the loop bears."""
    from scipy.optimize import brentq

    points = [low * (high / low) ** (place / (_POINTS - 1)) for place in range(_POINTS)]
    misses = [miss(point) for point in points]
    finite = [place for place, each in enumerate(misses) if math.isfinite(each)]
    if not finite or max(abs(misses[place]) for place in finite) < _IDENTICAL:
        return None
    for place in finite:
        if place + 1 in finite and misses[place] * misses[place + 1] <= 0:
            left, right = points[place], points[place + 1]
            root = float(brentq(miss, left, right, xtol=1e-12 * right, rtol=1e-10))
            if abs(miss(root)) < _AGREES:
                return root
    return points[max(finite[0] - 1, 0)], points[min(finite[-1] + 1, _POINTS - 1)]
