"""Does an answer agree with itself? Balances and definitions, checked with the answer's own numbers.

A wrong value that satisfies its identity was inherited from earlier steps; one that does not went wrong
where it stands. Only identities among values that are asked for are used, so nothing of the key enters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ansatz.eval.problem import Problem

RELATIVE = 0.02  # of the stated value: the tolerance of the benchmark itself
ROUNDING = 5e-4  # of the largest term: what stating it to three or four figures can hide

_POWER = ("w_pump = h2 - h1", "q_in = h3 - h2", "w_turb = h3 - h4", "w_net = w_turb - w_pump")
_GAS_POWER = ("w_comp = h2 - h1", "q_in = h3 - h2", "w_turb = h3 - h4", "w_net = w_turb - w_comp")
_CLOSED = ("eta_th = w_net / q_in", "q_in = w_net + h4 - h1")
_BRAYTON = (*_GAS_POWER, *_CLOSED, "s_gen_comp = s2 - s1", "s_gen_turb = s4 - s3")
_REGENERATIVE = (
    *("w_comp = h2 - h1", "q_in = h4 - h3", "w_turb = h4 - h5", "w_net = w_turb - w_comp"),
    *("eta_th = w_net / q_in", "q_in = w_net + h6 - h1", "h3 = h2 + h5 - h6"),
    *("s_gen_comp = s2 - s1", "s_gen_turb = s5 - s4", "s_gen_regen = s3 - s2 + s6 - s5"),
)
_IDENTITIES: dict[str, tuple[str, ...]] = {
    "turbine": ("w_out = h1 - h2", "s_gen = s2 - s1"),
    "compressor": ("w_in = h2 - h1", "s_gen = s2 - s1"),
    "pump": ("w_in = h2 - h1", "s_gen = s2 - s1"),
    "boiler": ("q_in = h_out - h_in",),
    "nozzle": ("s_gen = s2 - s1",),
    "RNK-I": (*_POWER, *_CLOSED),
    "RNK-A": (*_POWER, *_CLOSED, "s_gen_pump = s2 - s1", "s_gen_turb = s4 - s3"),
    "RNK-RH": (
        *("w_pump = h2 - h1", "w_HPT = h3 - h4", "w_LPT = h5 - h6", "q_in = h3 - h2 + h5 - h4"),
        *("w_net = w_HPT + w_LPT - w_pump", "eta_th = w_net / q_in", "q_in = w_net + h6 - h1"),
        *("s_gen_pump = s2 - s1", "s_gen_HPT = s4 - s3", "s_gen_LPT = s6 - s5"),
    ),
    "BRY-I": (*_GAS_POWER, *_CLOSED),
    "BRY-A": _BRAYTON,
    "BRY-AV": _BRAYTON,
    "BRY-RG": _REGENERATIVE,
    "BRY-RV": _REGENERATIVE,
    "VCR-A": (
        *("w_comp = h2 - h1", "q_L = h1 - h4", "q_H = h2 - h3", "h4 = h3", "q_H = w_comp + q_L"),
        *("COP_R = q_L / w_comp", "COP_R = Q_dot_L / W_dot_comp", "eta_II = COP_R / COP_Carnot"),
        *("s_gen_comp = s2 - s1", "s_gen_throttle = s4 - s3"),
    ),
    "CCGT": (
        *("w_comp = h2 - h1", "q_combustion = h3 - h2", "w_gas_turb = h3 - h4", "w_pump = h7 - h6"),
        *("w_steam_turb = h8 - h9", "q_combustion = w_gas_turb - w_comp + h4 - h1"),
        *("s_gen_comp = s2 - s1", "s_gen_gas_turb = s4 - s3"),
    ),
}
"""By component or cycle, with the state numbers of the published questions.

First law for a steady-flow device; entropy generated in an adiabatic one; definitions of net work, thermal
efficiency and COP (Y. A. Çengel and M. A. Boles, Thermodynamics, chapters 5, 7 and 9 to 11).
"""

_DEAD_STATE = re.compile(r"T_?[0₀] ?= ?([\d.]+) ?(°C|K)\b")


@dataclass(frozen=True)
class Check:
    """One identity with an answer's own numbers: what it states, and what its other values make it."""

    identity: str
    symbol: str
    stated: float
    implied: float
    allowed: float

    @property
    def holds(self) -> bool:
        return abs(self.stated - self.implied) <= self.allowed


def check(problem: Problem, values: Mapping[str, float]) -> Iterator[Check]:
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


def _gouy_stodola(problem: Problem, values: Mapping[str, float]) -> Iterator[Check]:
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
) -> Iterator[Check]:
    if implied is None or symbol not in values:
        return
    stated, (value, largest) = values[symbol], implied
    if all(map(math.isfinite, (stated, value))):
        allowed = max(RELATIVE * abs(stated), ROUNDING * largest)
        yield Check(identity, symbol, stated, value, allowed)


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
