"""Does an answer agree with itself? Balances and definitions, checked with the answer's own numbers.

A wrong value that satisfies its identity was inherited from earlier steps; one that does not went wrong
where it stands. Only identities among values that are asked for are used, so nothing of the key enters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Expression, ExpressionError

_RELATIVE = 0.02  # of the stated value: the tolerance of the benchmark itself
_ROUNDING = 5e-4  # of the largest term of a sum: what stating it to three or four figures can hide

_IDENTITIES: dict[str, list[str]] = yaml.load(
    Path(__file__).with_name("identities.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
_DEAD_STATE = re.compile(r"T_?[0₀] ?= ?([\d.]+) ?(°C|K)\b")


def agreements(problem: Problem, values: Mapping[str, float]) -> dict[str, bool]:
    """By target, whether its value agrees with the answer's other values.

    Of several identities of a target the first counts whose terms are all among the values: its definition.
    """
    found: dict[str, bool] = {}
    for identity in _identities(problem):
        symbol, text = identity.split(" = ")
        formula = Expression.parse(text)
        if symbol in found or not values.keys() >= {symbol, *formula.names}:
            continue
        stated = values[symbol]
        try:
            implied = formula(values)
        except ExpressionError:  # a division by zero
            continue
        if math.isfinite(stated) and math.isfinite(implied):
            is_sum = not re.search("[*/]", text)
            largest = max(abs(values[name]) for name in formula.names) if is_sum else abs(implied)
            found[symbol] = abs(stated - implied) <= max(_RELATIVE * abs(stated), _ROUNDING * largest)
    return found


def _identities(problem: Problem) -> Iterator[str]:
    """Of the component or cycle; sums over its parts; T0 times entropy generated (Gouy and Stodola)."""
    yield from _IDENTITIES.get(str(problem.tags.get("category")), ())
    asked = [target.name for target in problem.targets]
    for family in ("s_gen", "x_dest"):
        parts = [name for name in asked if name.startswith(f"{family}_") and name != f"{family}_total"]
        if parts:
            yield f"{family}_total = {' + '.join(parts)}"
    if dead := _DEAD_STATE.search(problem.question):
        temperature = float(dead[1]) + (273.15 if dead[2] == "°C" else 0.0)
        for name in asked:
            generated = name.replace("x_dest", "s_gen").replace("X_dest", "S_gen")
            if generated != name:
                yield f"{name} = {temperature} * {generated}"
