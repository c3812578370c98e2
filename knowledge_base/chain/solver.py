"""The derivation chain solver: from what is given to what is asked, through the equations of the base."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansatz.knowledge_base.axes import WORDS, axis_name
from ansatz.knowledge_base.chain.evidence import Chain, Input, Step, Supplied, Wanted
from ansatz.knowledge_base.chain.index import Index, Known, Node
from ansatz.knowledge_base.chain.meaning import Meaning, meaning
from ansatz.knowledge_base.chain.prices import Prices
from ansatz.knowledge_base.chain.search import Search
from ansatz.knowledge_base.chain.stated import stated
from ansatz.knowledge_base.equation import Equation, EvaluationError
from ansatz.knowledge_base.facts import Facts, Word
from ansatz.knowledge_base.givens import affine, without_blanks
from ansatz.knowledge_base.library import Library
from ansatz.knowledge_base.ranking import Ranker
from ansatz.knowledge_base.regime import facts, judge
from ansatz.knowledge_base.validity import violations

_BUDGETS = (1.25, 2.0, 2.75, 3.75, 5.0, 6.5)
_DEPTH = 5
_UNUSED = 0.35  # what leaving a given unused costs
_MOST_UNUSED = 4


class Solver:
    """Built once for a library. `relevance` judges which equations a question's words speak of."""

    def __init__(self, library: Library, relevance: Ranker | None = None):
        self._library = library
        self._index = Index(list(library))
        self._prices = Prices(library, relevance)

    def solve(
        self,
        givens: Sequence[Supplied],
        targets: Sequence[Wanted],
        question: str = "",
        words: Mapping[str, str] | None = None,
    ) -> tuple[Chain, ...]:
        """A chain for each target, in their order; a target that is derived serves the others.

        `question` is read for the regime and for what it speaks of; `words` are facts on word axes, such
        as {"gas": "air"}.
        """
        regime = _with_words(facts(without_blanks(question), self._library), words or {})
        prices = self._prices.of(question, regime)
        known = [_known(given) for given in givens]
        chains = {target.name: Chain(target, None) for target in targets}
        weight = _UNUSED / (1 if len(targets) == 1 else 2)
        waiting = list(targets)
        every: list[Supplied | Wanted] = [*givens, *targets]
        means = {each.name: meaning(each.name, each.description, each.unit) for each in every}
        units = {each.name: each.unit for each in every}
        relations = [
            (equation, {name: means[name] for name in equation.symbols})
            for equation in stated(question, units)
        ]
        while derived := self._cheapest(waiting, known, (prices, weight, relations), regime):
            chain, node = derived
            chains[chain.target.name] = chain
            waiting.remove(chain.target)
            if chain.value is not None:
                supplied = Supplied(
                    chain.target.name, chain.value, chain.target.unit, chain.target.description
                )
                known.append(replace(_known(supplied), uses=node.uses, solved=node.solved))
        search = Search(self._index, known, prices, relations)
        for target in waiting:
            chains[target.name] = Chain(target, None, (), search.lacking(means[target.name]))
        return tuple(chains[target.name] for target in targets)

    def _cheapest(
        self,
        waiting: Sequence[Wanted],
        known: Sequence[Known],
        costs: tuple[Mapping[str, float], float, Sequence[tuple[Equation, Mapping[str, Meaning]]]],
        regime: Facts,
    ) -> tuple[Chain, Node] | None:
        """The first target that the smallest sufficient budget reaches."""
        search = Search(self._index, known, costs[0], costs[2])
        for budget in _BUDGETS:
            for target in waiting:
                if derived := self._reach(search, target, budget, costs[1], regime):
                    return derived
        return None

    def _reach(
        self, search: Search, target: Wanted, budget: float, unused: float, regime: Facts
    ) -> tuple[Chain, Node] | None:
        wanted = meaning(target.name, target.description, target.unit)
        found = [node for node in search.ways(wanted, budget, _DEPTH) if node.equation]
        if not found:
            return None
        # A dearer way that leaves fewer givens unused may be the better one.
        everything = search.givens
        slack = unused * min(len(everything - found[0].uses), _MOST_UNUSED)
        found = [node for node in search.ways(wanted, budget + slack, _DEPTH) if node.equation]
        found.sort(key=lambda node: node.cost - unused * len(node.uses))
        for node in found:
            steps = Evaluation(regime).steps(node)
            if steps:
                value = _convert(steps[-1].value, steps[-1].unit, target.unit)
                return Chain(target, value, tuple(steps)), node
        return None


class Evaluation:
    """Puts numbers through a way to a quantity; a step outside its regime ends it."""

    def __init__(self, regime: Facts):
        self._regime = regime
        self._steps: list[Step] = []

    def steps(self, node: Node) -> list[Step]:
        """The steps in order, or none where one has no value or breaks its regime."""
        try:
            self._value(node)
        except EvaluationError:
            return []
        return self._steps

    def _value(self, node: Node) -> tuple[float, str, str]:
        if node.known:
            return node.known.value, node.known.unit, node.known.name
        equation = node.equation
        assert equation is not None
        inputs = []
        for name, source in node.inputs.items():
            value, unit, origin = self._value(source)
            own = equation.symbols[name].unit
            inputs.append(Input(name, _convert(value, unit, own), own, origin))
        numbers = {each.symbol: each.value for each in inputs}
        if node.symbol == equation.output:
            value = equation.value(**numbers)
        else:
            value = equation.solve_for(node.symbol).value(**numbers)
        if not math.isfinite(value):
            raise EvaluationError(f"{equation.id}: {node.symbol} is not finite")
        if broken := violations(equation, {**numbers, node.symbol: value}):
            raise EvaluationError(f"{equation.id}: {broken[0]}")
        unit, description = equation.symbols[node.symbol].unit, equation.symbols[node.symbol].desc
        self._steps.append(
            Step(equation.id, node.symbol, description, tuple(inputs), value, unit, self._verdict(equation))
        )
        return value, unit, f"step {len(self._steps)}"

    def _verdict(self, equation: Equation) -> str:
        judged = [
            (predicate, judge(predicate, self._regime, equation)) for predicate in equation.regime.require
        ]
        unsettled = [predicate.words() for predicate, verdict in judged if verdict.holds is None]
        if unsettled:
            return f"not settled: {', '.join(unsettled)}"
        return "conditions hold" if judged else "no conditions"


def _known(given: Supplied) -> Known:
    means = meaning(given.name, given.description, given.unit)
    return Known(given.name, given.value, given.unit, means, frozenset({given.name}))


def _with_words(known: Facts, words: Mapping[str, str]) -> Facts:
    """The facts with those of the words that conditions speak of; "flat plate" is their flat_plate."""
    spelled = {axis_name(axis): word.replace(" ", "_") for axis, word in words.items()}
    stated = {
        axis: (Word(word, "given", 1.0),)
        for axis, word in spelled.items()
        if axis in WORDS and word in WORDS[axis].values
    }
    return replace(known, stated={**known.stated, **stated})


def _convert(value: float, unit: str, wanted: str) -> float:
    line = affine(unit, wanted)
    if line is None:
        raise EvaluationError(f"{unit} is not {wanted}")
    return line[0] + (line[1] - line[0]) * value
