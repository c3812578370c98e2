"""A formula someone can apply: an expression, what each symbol stands for, and when it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ansatz.agents.slide_rule.units import Unit, parse_unit, spell

TURNED = ", solved for "


@dataclass(frozen=True)
class Symbol:
    name: str
    unit: Unit
    unit_text: str
    words: frozenset[str]
    description: str = ""
    other_words: tuple[frozenset[str], ...] = ()  # further names of the same quantity

    @cached_property
    def wordings(self) -> tuple[frozenset[str], ...]:
        return (self.words, *self.other_words)

    @cached_property
    def all_words(self) -> frozenset[str]:
        return self.words.union(*self.other_words)


@dataclass(frozen=True)
class Constant:
    """A number the formula carries with it, in SI, with the unit that keeps the formula homogeneous."""

    name: str
    value: float
    unit: Unit


@dataclass(frozen=True)
class Formula:
    """`output = expression`. `id` is None for a formula from memory; conditions are empty on a plain sheet.

    `cues` are the words that bring a formula of school physics to mind, empty for all others.
    Numbers go in and come out in SI, or in the units of a property table (`table_unit`).
    """

    name: str
    output: Symbol
    expression: str
    inputs: tuple[Symbol, ...]
    constants: tuple[Constant, ...] = ()
    id: str | None = None
    from_sheet: bool = False
    requires: tuple[str, ...] = ()
    best_for: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    words: frozenset[str] = field(default=frozenset())
    table_unit: str = ""
    cues: frozenset[str] = field(default=frozenset())

    @cached_property
    def title(self) -> str:
        """The name without the remark that the formula was turned round."""
        return self.name.split(TURNED)[0]

    @cached_property
    def of_school(self) -> bool:
        return bool(self.cues)

    @property
    def conditional(self) -> bool:
        return bool(self.requires or self.best_for or self.avoid)

    @property
    def result_text(self) -> str:
        """The unit that its result is written in."""
        if self.table_unit:
            return self.table_unit
        unit = "rad" if self.output.unit.angle else spell(self.output.unit.dimension)
        return "" if unit == "1" else unit

    def result_in_si(self, value: float) -> float:
        unit = parse_unit(self.table_unit) if self.table_unit else None
        return unit.to_si(value) if unit else value
