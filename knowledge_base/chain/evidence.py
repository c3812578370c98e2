"""What a chain of equations rests on: each step with its inputs, its result and what its regime says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Supplied:
    """A quantity that is known: its symbol, its value in `unit`, and what it is."""

    name: str
    value: float
    unit: str
    description: str = ""


@dataclass(frozen=True)
class Wanted:
    """A quantity that is sought, in `unit`."""

    name: str
    unit: str
    description: str = ""


@dataclass(frozen=True)
class Input:
    """A symbol of an equation with its value, and the given or the earlier step that it comes from."""

    symbol: str
    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Step:
    """One equation evaluated: `symbol` is what it was solved for; values are in the entry's own units."""

    equation: str
    symbol: str
    description: str
    inputs: tuple[Input, ...]
    value: float
    unit: str
    regime: str
    notes: tuple[str, ...] = ()

    def words(self) -> str:
        inputs = ", ".join(
            f"{each.symbol} = {each.value:.6g} {each.unit}".rstrip(" -") for each in self.inputs
        )
        return (
            f"{self.symbol} = {self.value:.6g} {self.unit}".rstrip(" -")
            + f"  from {self.equation} ({inputs}); {self.regime}"
        )


@dataclass(frozen=True)
class Chain:
    """From the givens to a target: `value` in its unit with the steps in order, or what is missing."""

    target: Wanted
    value: float | None
    steps: tuple[Step, ...] = ()
    missing: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def words(self) -> str:
        """The chain as a reader sees it, a line for each step."""
        if self.value is None:
            return (
                f"{self.target.name}: not derived; missing {'; '.join(self.missing) or 'an equation for it'}"
            )
        head = f"{self.target.name} = {self.value:.6g} {self.target.unit}".rstrip(" -")
        return "\n".join([head, *(f"    {step.words()}" for step in self.steps)])
