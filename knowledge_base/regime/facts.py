"""Facts about the regime of a question: words and numbers on axes, each with its source in the text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, compact_symbol

SURE = 0.7
"""The least confidence with which a fact excludes an equation; a weaker fact only changes its rank."""
BY_SYMBOL = 0.95
"""The confidence of a quantity that is named by its symbol."""


class Fact(NamedTuple):
    """A word on a word axis, or a value or interval on a number axis."""

    origin: str
    """Its source, for readers."""
    confidence: float = BY_SYMBOL
    quote: str = ""
    """The words of the text; "" for a derived fact."""
    start: int = -1
    """The offset of the quote in the text; -1 for a derived fact."""
    word: str = ""
    low: float = math.nan
    """The lower end of the interval in the unit of the axis; equal to `high` for a value."""
    high: float = math.nan
    tolerance: float = 0.05
    """How far beyond a limit, relative to it, a number must be to contradict it."""

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def format_value(self) -> str:
        """Format the word, the value or the interval: "laminar", "8", ">= 5", "0.01 to 0.1"."""
        if self.word or self.exact:
            return self.word or f"{self.low:.3g}"
        if math.isinf(self.high):
            return f">= {self.low:.3g}"
        return f"<= {self.high:.3g}" if math.isinf(self.low) else f"{self.low:.3g} to {self.high:.3g}"


@dataclass(frozen=True)
class Facts:
    """The facts of a question. An axis may have several words or numbers, such as two temperatures."""

    axes: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    """The facts by axis."""
    givens: tuple[WrittenQuantity, ...] = ()
    """All quantities that the question states."""

    def on(self, axis: str) -> tuple[Fact, ...]:
        return self.axes.get(axis, ())

    def words(self, axis: str, least: float = 0.0) -> frozenset[str]:
        """Return the words on an axis with at least this confidence."""
        return frozenset(fact.word for fact in self.on(axis) if fact.word and fact.confidence >= least)

    def only(self, axis: str) -> float | None:
        """Return the number on `axis`; None if there are none or several."""
        values = {fact.low for fact in self.on(axis) if fact.exact}
        return values.pop() if len(values) == 1 else None

    def has(self, axis: str) -> bool:
        """Whether an exact number on `axis` is known."""
        return any(fact.exact for fact in self.on(axis))

    def confidence(self, axis: str) -> float:
        """Return the least confidence of the facts on `axis`; 0 if there are none."""
        return min((fact.confidence for fact in self.on(axis)), default=0.0)

    @cached_property
    def _by_symbol(self) -> dict[str, list[WrittenQuantity]]:
        found: dict[str, list[WrittenQuantity]] = {}
        for given in self.givens:
            if given.symbol and not given.is_range and not given.limit:
                found.setdefault(compact_symbol(given.symbol), []).append(given)
        return found

    def named(self, symbol: str, unit: str) -> tuple[Fact, ...]:
        """Return the stated values of a symbol, in `unit`."""
        return tuple(
            Fact(f"stated as {given.format()}", BY_SYMBOL, given.symbol, given.start, low=value, high=value)
            for given in self._by_symbol.get(compact_symbol(symbol), ())
            if (value := given.to(unit)) is not None
        )

    def rows(self) -> list[dict[str, object]]:
        """Return every fact as plain data: axis, value, unit, confidence, source, words and position."""
        return [
            {
                "axis": axis,
                "value": fact.format_value(),
                "unit": NUMBERS[axis].unit.strip("-") if axis in NUMBERS else "",
                "confidence": round(fact.confidence, 2),
                "source": fact.origin,
                "words": fact.quote,
                "position": fact.start if fact.start >= 0 else None,
            }
            for axis in sorted(self.axes, key=WORDS.__contains__)
            for fact in self.axes[axis]
        ]
