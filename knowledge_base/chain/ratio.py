"""Ratios that the base yields, read from how they are described: what is above the line, and what below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ansatz.knowledge_base.chain.meaning import Meaning
from ansatz.knowledge_base.equation import Equation

RATIO = "definition.ratio"


@dataclass(frozen=True)
class Ratio:
    """A pure number that means one quantity over another of the same, unspoken, dimension."""

    means: Meaning
    above: Meaning
    below: Meaning

    def of(self, dimension: str) -> tuple[Meaning, Meaning]:
        return _with_dimension(self.above, dimension), _with_dimension(self.below, dimension)


@cache
def _with_dimension(means: Meaning, dimension: str) -> Meaning:
    return replace(means, dimension=dimension)


def ratios(means: Mapping[tuple[str, str], Meaning], equations: Sequence[Equation]) -> tuple[Ratio, ...]:
    """Every ratio among the outputs of a base, each once."""
    found = {}
    for equation in equations:
        own = means[equation.id, equation.output]
        if own.parts:
            found[own] = Ratio(own, *own.parts)
    return tuple(found.values())


@cache
def ratio_definition(unit: str) -> Equation:
    """The meaning of a ratio as an equation: above = ratio*below, in one unit."""
    described = {"above": "quantity above the line", "below": "quantity below the line"}
    return Equation.model_validate(
        {
            "id": RATIO,
            "name": "Meaning of a ratio",
            "kind": "definition",
            "domain": "definition",
            "topic": "ratio",
            "latex": "r = a/b",
            "output": "ratio",
            "symbols": {
                name: {"unit": unit, "desc": words, "domain": [-1e30, 1e30]}
                for name, words in described.items()
            }
            | {"ratio": {"unit": "-", "desc": "ratio"}},
            "expr": "above/below",
            "tests": [{"in": {"above": 6.0, "below": 3.0}, "out": 2.0, "source": "arithmetic"}],
            "references": ["the meaning of the word"],
        }
    )
