"""Does an answer agree with itself? Balances and definitions, checked with the answer's own numbers.

A wrong value that satisfies its identity was inherited from earlier steps; one that does not went wrong
where it stands. Only identities among values that are asked for are used, so nothing of the key enters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from ansatz.eval.problem import Problem

RELATIVE = 0.02  # of the stated value: the tolerance of the benchmark itself
ROUNDING = 5e-4  # of the largest term: what stating it to three or four figures can hide

_IDENTITIES: dict[str, list[str]] = yaml.safe_load(
    Path(__file__).with_name("identities.yaml").read_text(encoding="utf-8")
)
_DEAD_STATE = re.compile(r"T_?[0₀] ?= ?([\d.]+) ?(°C|K)\b")


@dataclass(frozen=True)
class IdentityCheck:
    """One identity with an answer's own numbers: what it states, and what its other values make it."""

    identity: str
    symbol: str
    stated: float
    implied: float
    allowed: float

    @property
    def holds(self) -> bool:
        return abs(self.stated - self.implied) <= self.allowed


def check(problem: Problem, values: Mapping[str, float]) -> Iterator[IdentityCheck]:
    """Every identity of this component or cycle whose terms are all among the values read."""
    for identity in _IDENTITIES.get(str(problem.tags.get("category")), ()):
        symbol, expression = identity.split(" = ")
        yield from _checked(identity, symbol, _evaluate(expression, values), values)
    asked = [target.name for target in problem.targets]
    for total in ("s_gen_total", "x_dest_total"):
        parts = [name for name in asked if name.startswith(total.removesuffix("total")) and name != total]
        if parts:
            identity = f"{total} = sum of parts"
            yield from _checked(identity, total, _evaluate(" + ".join(parts), values), values)
    yield from _gouy_stodola(problem, values)


def _gouy_stodola(problem: Problem, values: Mapping[str, float]) -> Iterator[IdentityCheck]:
    """Exergy destroyed is T0 times entropy generated, part by part."""
    dead = _DEAD_STATE.search(problem.question)
    if dead is None:
        return
    temperature = float(dead[1]) + (273.15 if dead[2] == "°C" else 0.0)
    for target in problem.targets:
        generated = target.name.replace("x_dest", "s_gen").replace("X_dest", "S_gen")
        if generated != target.name and generated in values:
            implied = temperature * values[generated]
            yield from _checked("x_dest = T0 s_gen", target.name, (implied, abs(implied)), values)


def _checked(
    identity: str, symbol: str, implied: tuple[float, float] | None, values: Mapping[str, float]
) -> Iterator[IdentityCheck]:
    if implied is None or symbol not in values:
        return
    stated, (value, largest) = values[symbol], implied
    if all(map(math.isfinite, (stated, value))):
        allowed = max(RELATIVE * abs(stated), ROUNDING * largest)
        yield IdentityCheck(identity, symbol, stated, value, allowed)


def _evaluate(expression: str, values: Mapping[str, float]) -> tuple[float, float] | None:
    """A sum of signed terms or a ratio of two, and its largest term; None where a term is not known."""
    names = re.findall(r"\w+", expression)
    if any(name not in values for name in names):
        return None
    if "/" in expression:
        above, below = (values[name] for name in names)
        return (above / below, abs(above / below)) if below else None
    signs = [-1.0 if sign == "-" else 1.0 for sign in re.findall(r"[-+]", f"+ {expression}")]
    terms = [sign * values[name] for sign, name in zip(signs, names, strict=True)]
    return math.fsum(terms), max(map(abs, terms))
