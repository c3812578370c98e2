"""What is known of a question's regime: words and numbers on the axes, each with its source in the text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, compact_symbol

SURE = 0.7
"""The confidence from which a fact may exclude an equation; a weaker one only moves its rank."""
BY_SYMBOL = 0.95
"""How sure a quantity is that is named by its symbol."""


class Fact(NamedTuple):
    """A word on a word axis; or on a number axis an interval in its unit, whose ends are equal for a value.

    `origin` is its source, `quote` are the words of the text and `start` their place in it, which
    what is derived has not. `tolerance` is how far beyond a limit, relative to it, a number must lie to
    contradict it.
    """

    origin: str
    confidence: float = BY_SYMBOL
    quote: str = ""
    start: int = -1
    word: str = ""
    low: float = math.nan
    high: float = math.nan
    tolerance: float = 0.05

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def shown(self) -> str:
        """The word, the value, or what is known of it: "laminar", "8", ">= 5", "0.01 to 0.1"."""
        if self.word or self.exact:
            return self.word or f"{self.low:.3g}"
        if math.isinf(self.high):
            return f">= {self.low:.3g}"
        return f"<= {self.high:.3g}" if math.isinf(self.low) else f"{self.low:.3g} to {self.high:.3g}"


@dataclass(frozen=True)
class Facts:
    """What is known by axis. An axis may have several words, or several numbers, as of two temperatures."""

    axes: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    givens: tuple[WrittenQuantity, ...] = ()

    def on(self, axis: str) -> tuple[Fact, ...]:
        return self.axes.get(axis, ())

    def words(self, axis: str, least: float = 0.0) -> frozenset[str]:
        """The words on an axis that are at least so sure."""
        return frozenset(fact.word for fact in self.on(axis) if fact.word and fact.confidence >= least)

    def only(self, axis: str) -> float | None:
        """The number on `axis`, where there is exactly one."""
        values = {fact.low for fact in self.on(axis) if fact.exact}
        return values.pop() if len(values) == 1 else None

    def has(self, axis: str) -> bool:
        """Whether a number on `axis` is known, and not just an interval."""
        return any(fact.exact for fact in self.on(axis))

    def confidence(self, axis: str) -> float:
        """How sure what is known on `axis` is, 0 where nothing is."""
        return min((fact.confidence for fact in self.on(axis)), default=0.0)

    @cached_property
    def _by_symbol(self) -> dict[str, list[WrittenQuantity]]:
        found: dict[str, list[WrittenQuantity]] = {}
        for given in self.givens:
            if given.symbol and not given.is_range and not given.limit:
                found.setdefault(compact_symbol(given.symbol), []).append(given)
        return found

    def named(self, symbol: str, unit: str) -> tuple[Fact, ...]:
        """The stated values of a symbol by its own name, in `unit`."""
        return tuple(
            Fact(f"stated as {given.shown()}", BY_SYMBOL, given.symbol, given.start, low=value, high=value)
            for given in self._by_symbol.get(compact_symbol(symbol), ())
            if (value := given.to(unit)) is not None
        )

    def rows(self) -> list[dict[str, object]]:
        """Every fact as plain data: axis, value, unit, confidence, the words and their place in the text."""
        return [
            {
                "axis": axis,
                "value": fact.shown(),
                "unit": NUMBERS[axis].unit.strip("-") if axis in NUMBERS else "",
                "confidence": round(fact.confidence, 2),
                "source": fact.origin,
                "words": fact.quote,
                "position": fact.start if fact.start >= 0 else None,
            }
            for axis in sorted(self.axes, key=WORDS.__contains__)
            for fact in self.axes[axis]
        ]
