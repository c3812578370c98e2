"""Quantities of a scenario that follow from others must agree with them: a Fourier number with its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ansatz.knowledge_base.equation import Equation, EvaluationError, axis_name, library

_KINDS = ("definition", "law")

Known = tuple[str, str, str, str]
"""A stated quantity without its value: name, symbol, unit and description."""


@dataclass(frozen=True)
class Stated:
    """A number that a scenario states, in `unit`, under a symbol or the name of an axis."""

    symbol: str
    value: float
    unit: str
    description: str


def settled(stated: Mapping[str, Stated]) -> dict[str, float]:
    """The values of those quantities that a definition or law of the base gives from the others.

    A quantity counts as a symbol of an entry where both have the same unit and the same name or description.
    """
    known = tuple((name, each.symbol, each.unit, each.description) for name, each in stated.items())
    found: dict[str, float] = {}
    for equation, output, inputs in _relations(known):
        if output in found or any(name in found for name in inputs.values()):
            continue
        try:
            value = equation.value(**{symbol: stated[name].value for symbol, name in inputs.items()})
        except EvaluationError:
            continue
        found[output] = value
    return found


@lru_cache(maxsize=4096)
def _relations(stated: tuple[Known, ...]) -> tuple[tuple[Equation, str, dict[str, str]], ...]:
    """The entries whose symbols are all stated, each with the names of its output and inputs."""
    related = []
    for equation in _definitions():
        output = _named(equation, equation.output, stated)
        if not output:
            continue
        others = tuple(known for known in stated if known[0] != output)
        inputs = {symbol: _named(equation, symbol, others) for symbol in equation.inputs}
        if all(inputs.values()) and len(set(inputs.values())) == len(inputs):
            related.append((equation, output, inputs))
    return tuple(related)


def _named(equation: Equation, symbol: str, stated: tuple[Known, ...]) -> str:
    """The stated quantity that a symbol of an entry means, of the same unit; "" where there is none."""
    variable = equation.symbols[symbol]
    for name, other, unit, description in stated:
        alike = (
            _plain(other) == _plain(symbol)
            or axis_name(other) == axis_name(symbol)
            or description == variable.desc
        )
        if alike and unit == variable.unit:
            return name
    return ""


def _plain(symbol: str) -> str:
    return symbol.replace("_", "")


@lru_cache(maxsize=1)
def _definitions() -> tuple[Equation, ...]:
    """Entries that fix a quantity by others; of these those with an explicit formula."""
    return tuple(
        equation
        for equation in library()
        if equation.kind in _KINDS and equation.expr and not equation.contrast and equation.inputs
    )
