"""What the inputs of an equation mean where its result is wanted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ansatz.knowledge_base.chain.index import Index, Known
from ansatz.knowledge_base.chain.meaning import STREAMS, Meaning
from ansatz.knowledge_base.chain.vocabulary import NOT_PASSED_ON
from ansatz.knowledge_base.equation import Equation

_NONE: frozenset[str] = frozenset()
Families = Mapping[str, frozenset[str]]


class Needs:
    """`families` has the labels of each letter that several known quantities bear (T_1 and T_2)."""

    def __init__(self, index: Index, families: Families):
        self._index = index
        self._remembered: dict[tuple[str, str, Meaning, Meaning], dict[str, Meaning]] = {}
        self.families = families

    def of(self, equation: Equation, symbol: str, wanted: Meaning, means: Meaning) -> dict[str, Meaning]:
        """What the other symbols mean: an equation that names no place is used where the result is wanted.

        So is one of a single stream; what is laminar is derived from what is laminar.
        """
        key = equation.id, symbol, wanted, means
        if key not in self._remembered:
            self._remembered[key] = self._of(equation, symbol, wanted, means)
        return self._remembered[key]

    def _of(self, equation: Equation, symbol: str, wanted: Meaning, means: Meaning) -> dict[str, Meaning]:
        needs = {name: self._index.means[equation.id, name] for name in equation.symbols if name != symbol}
        places = means.places.union(*(need.places for need in needs.values()))
        if wanted.places and (not places or (places | wanted.places <= STREAMS)):
            needs = {name: need.moved(wanted.places, wanted.label) for name, need in needs.items()}
        condition = wanted.condition(of=means)
        sorts = (wanted.sorts | self._index.sorts.get(equation.id, _NONE)) - NOT_PASSED_ON
        methods = wanted.methods - self._index.authors.get(equation.id, _NONE)
        if methods != wanted.methods:
            methods = _NONE
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
        return any(label in labels for labels in self.families.values())


def families(known: Sequence[Known]) -> Families:
    """The labels of each letter that several known quantities bear: T_1 and T_2 are one at two stations."""
    labels: dict[str, set[str]] = defaultdict(set)
    for each in known:
        if each.means.label:
            labels[each.means.stem].add(each.means.label)
    return {stem: frozenset(found) for stem, found in labels.items() if len(found) > 1}
