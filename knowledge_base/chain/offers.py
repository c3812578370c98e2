"""Which equations may yield a quantity, and at what price: the same for all that is derived of one task."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from ansatz.knowledge_base.chain.elementary import REPLACED, elementary
from ansatz.knowledge_base.chain.index import Index, Known
from ansatz.knowledge_base.chain.likeness import at_rest
from ansatz.knowledge_base.chain.meaning import Meaning
from ansatz.knowledge_base.chain.needs import Needs, families
from ansatz.knowledge_base.chain.prices import inversion_price
from ansatz.knowledge_base.equation import Equation

Offer = tuple[float, Meaning, Equation, str]
"""A price, what the symbol means, the equation and the symbol that it is solved for."""

_PLAIN_PRICE = 0.9  # of a definition that is no entry
_CANDIDATES = 40
_NO_METHOD = 2.0  # where a law of the method asked for yields this very quantity


class Offers:
    """`prices` are what a step with each equation costs; one without is barred."""

    def __init__(self, index: Index, prices: Mapping[str, float]):
        self._index = index
        plain = {definition.id: _PLAIN_PRICE for definition in elementary()}
        self._prices = {id: price for id, price in prices.items() if id not in REPLACED} | plain
        self._found: dict[Meaning, list[Offer]] = {}
        self._needs: dict[frozenset[tuple[str, frozenset[str]]], Needs] = {}

    def needs(self, known: Sequence[Known]) -> Needs:
        """What the inputs of equations mean beside what is known: one for all that bears the same letters."""
        labels = families(known)
        return self._needs.setdefault(frozenset(labels.items()), Needs(self._index, labels))

    def of(self, wanted: Meaning) -> list[Offer]:
        """The cheapest symbols that may mean the quantity."""
        if wanted not in self._found:
            found = self._priced(wanted)
            found.sort(key=lambda offer: offer[0])
            self._found[wanted] = found[:_CANDIDATES]
        return self._found[wanted]

    def _priced(self, wanted: Meaning) -> list[Offer]:
        """Each symbol that may mean the quantity; what follows another method is dearer."""
        found, follows = [], self._index.follows
        meant = (wanted, *at_rest(wanted))
        for cost, means, holders in itertools.chain.from_iterable(map(self._index.alike, meant)):
            for equation, symbol in holders:
                if equation.id in self._prices:
                    price = cost + self._prices[equation.id]
                    price += inversion_price(equation, symbol)
                    price += self._index.species_price(wanted, equation)
                    price += self._index.sort_price(wanted, equation)
                    found.append((price, means, equation, symbol))
        if not any(follows(wanted, equation) for _, _, equation, _ in found):
            return found
        return [
            (price if follows(wanted, equation) else price + _NO_METHOD, means, equation, symbol)
            for price, means, equation, symbol in found
        ]
