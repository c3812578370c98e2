"""Sample values of an entry's symbols that obey its relations."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice, product

from ansatz.errors import ExpressionError
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.parts import Variable

_TRIALS = 20_000


def draw_states(
    equation: Equation, count: int, symbols: Sequence[str] | None = None
) -> list[dict[str, float]]:
    """Draw up to `count` states of the inputs, or of `symbols`; the same ones in every call.

    A symbol without a sampling range has the range of the test vectors. Fewer states are returned if few
    values in the ranges obey the relations.
    """
    ranges = {}
    for name in symbols or equation.inputs:
        used = [test.inputs[name] for test in equation.tests if name in test.inputs] or [1.0]
        ranges[name] = equation.symbols[name].sample or (min(used), max(used))
    draw = random.Random(f"{equation.id} ")
    drawn = ({name: _draw_number(draw, *ends) for name, ends in ranges.items()} for _ in range(_TRIALS))
    return list(islice((state for state in drawn if not find_broken_relations(equation, state)), count))


def make_corner_states(equation: Equation, count: int) -> list[dict[str, float]]:
    """Return up to `count` states with each input at an end of its range; the same ones in every call.

    The ends are those of the sampling range, and those of `valid` if it includes them.
    """
    ends = {
        name: _find_range_ends(equation.symbols[name]) or [equation.tests[0].inputs[name]]
        for name in equation.inputs
    }
    if math.prod(map(len, ends.values())) <= count:
        drawn: Iterable[tuple[float, ...]] = product(*ends.values())
    else:
        draw = random.Random(f"{equation.id} ")
        drawn = (tuple(map(draw.choice, ends.values())) for _ in range(count))
    return [dict(zip(ends, values, strict=True)) for values in drawn]


def _find_range_ends(variable: Variable) -> list[float]:
    found = set(variable.sample or ())
    if variable.valid:
        low, high, low_refused, high_refused = variable.valid.interval
        found |= {end for end, refused in ((low, low_refused), (high, high_refused)) if not refused}
    return sorted(end for end in found if math.isfinite(end))


def find_broken_relations(equation: Equation, state: dict[str, float]) -> list[str]:
    """Return the relations that a state violates; relations with other symbols are not checked."""
    known = {**equation.constant_values, **state}
    broken = []
    for relation in equation.inequalities:
        with suppress(ExpressionError):
            if not relation.names <= known.keys() or relation.holds(known, rtol=0.0):
                continue
        broken.append(relation.text)
    return broken


def _draw_number(draw: random.Random, low: float, high: float) -> float:
    """Draw uniformly, in the logarithm if the range spans more than two decades."""
    if low > 0 and high / low > 100:
        return math.exp(draw.uniform(math.log(low), math.log(high)))
    return draw.uniform(low, high)
