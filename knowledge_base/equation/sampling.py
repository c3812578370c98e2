"""States drawn from an entry's sampling ranges: numbers for its symbols that obey its relations."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import ExpressionError, Relation

_TRIALS = 20_000


def states(equation: Equation, count: int, symbols: Sequence[str] | None = None) -> list[dict[str, float]]:
    """At most `count` states of the inputs, or of `symbols`, always the same ones.

    Fewer come back only where the relations leave hardly any room in the ranges.
    """
    draw = random.Random(f"{equation.id} ")
    return list(islice(_obeying(equation, draw, symbols or equation.inputs), count))


def _obeying(equation: Equation, draw: random.Random, symbols: Sequence[str]) -> Iterator[dict[str, float]]:
    for _ in range(_TRIALS):
        state = {name: _draw(draw, *sampling_range(equation, name)) for name in symbols}
        if not broken_relations(equation, state):
            yield state


def broken_relations(equation: Equation, state: dict[str, float]) -> list[str]:
    """The relations of an entry that a state contradicts; those on symbols it does not hold are left open."""
    known = {**equation.constant_values, **state}
    return [
        relation.text
        for relation in equation.inequalities
        if relation.names <= known.keys() and not _holds(relation, known)
    ]


def _holds(relation: Relation, known: dict[str, float]) -> bool:
    try:
        return relation.holds(known, rtol=0.0)
    except ExpressionError:
        return False


def sampling_range(equation: Equation, name: str) -> tuple[float, float]:
    """The range of a symbol; where it has none, what its own test vectors span."""
    used = [test.inputs[name] for test in equation.tests if name in test.inputs]
    return equation.symbols[name].sample or (min(used, default=1.0), max(used, default=1.0))


def _draw(draw: random.Random, low: float, high: float) -> float:
    """In equal ratios over more than two decades, else in equal steps."""
    if low > 0 and high / low > 100:
        return math.exp(draw.uniform(math.log(low), math.log(high)))
    return draw.uniform(low, high)
