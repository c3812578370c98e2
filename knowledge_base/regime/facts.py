"""What is known of a question's regime: numbers and words on the axes, each with its source in the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ansatz.knowledge_base.equation.axes import NUMBERS
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, plain_symbol

SURE = 0.7
"""The confidence from which a fact may exclude an equation; a weaker one only moves its rank."""
BY_SYMBOL = 0.95
"""How sure a quantity is that is named by its symbol."""
_INFINITE = float("inf")


class AxisNumber(NamedTuple):
    """A value or an interval on a number axis, in the unit of the axis, and where it comes from.

    `quote` are the words of the text and `start` their place in it; a derived number has neither.
    """

    low: float
    high: float
    origin: str
    confidence: float = BY_SYMBOL
    quote: str = ""
    start: int = -1
    tolerance: float = 0.05  # how far beyond a limit, relative to it, the number must lie to contradict it

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def shown(self) -> str:
        """The value, or what is known of it: "8", ">= 5", "0.01 to 0.1"."""
        if self.exact:
            return f"{self.low:.3g}"
        if self.high == _INFINITE:
            return f">= {self.low:.3g}"
        return f"<= {self.high:.3g}" if self.low == -_INFINITE else f"{self.low:.3g} to {self.high:.3g}"


class AxisWord(NamedTuple):
    """A word on a word axis and where it comes from."""

    word: str
    origin: str
    confidence: float
    quote: str = ""
    start: int = -1

    def shown(self) -> str:
        return self.word


@dataclass(frozen=True)
class Facts:
    """What is known of a question's regime. An axis may have several numbers (two temperatures) or words."""

    numbers: Mapping[str, tuple[AxisNumber, ...]] = field(default_factory=dict)
    stated: Mapping[str, tuple[AxisWord, ...]] = field(default_factory=dict)
    givens: tuple[WrittenQuantity, ...] = ()

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """The words on each axis, whatever their confidence."""
        return {axis: frozenset(each.word for each in found) for axis, found in self.stated.items()}

    def sure(self, axis: str) -> frozenset[str]:
        """The words on an axis that are plainly stated."""
        return frozenset(each.word for each in self.stated.get(axis, ()) if each.confidence >= SURE)

    def only(self, axis: str) -> float | None:
        """The number on `axis`, where there is exactly one."""
        values = {number.low for number in self.numbers.get(axis, ()) if number.exact}
        return values.pop() if len(values) == 1 else None

    def has(self, axis: str) -> bool:
        """Whether a number on `axis` is known, and not just an interval."""
        return any(number.exact for number in self.numbers.get(axis, ()))

    def confidence(self, axis: str) -> float:
        """How sure the numbers on `axis` are, 0 where there are none."""
        return min((number.confidence for number in self.numbers.get(axis, ())), default=0.0)

    @cached_property
    def _by_symbol(self) -> dict[str, list[WrittenQuantity]]:
        found: dict[str, list[WrittenQuantity]] = {}
        for given in self.givens:
            if given.symbol and not given.is_range and not given.limit:
                found.setdefault(given.symbol.replace("_", ""), []).append(given)
        return found

    def named(self, symbol: str, unit: str) -> tuple[AxisNumber, ...]:
        """The stated values of a symbol by its own name, in `unit`."""
        same = self._by_symbol.get(plain_symbol(symbol).replace("_", ""), ())
        return tuple(
            AxisNumber(value, value, f"stated as {given.shown()}", BY_SYMBOL, given.symbol, given.start)
            for given in same
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
            for known in (self.numbers, self.stated)
            for axis, several in known.items()
            for fact in several
        ]
