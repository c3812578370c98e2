"""Finding a state in the remembered tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.agents.slide_rule import tables
from ansatz.agents.slide_rule.properties import PropertyQuestion
from ansatz.agents.slide_rule.tables import Row


@dataclass(frozen=True)
class Bracket:
    """The state lies between two remembered rows, where `key` has `value`."""

    low: Row
    high: Row
    key: str
    value: float

    def at(self, name: str) -> float:
        share = (self.value - self.low[self.key]) / (self.high[self.key] - self.low[self.key])
        return self.low[name] + share * (self.high[name] - self.low[name])


def locate(question: PropertyQuestion) -> Bracket | None:
    """Where the state lies in the remembered tables; None where they do not reach."""
    state = dict(question.state)
    if "rho" in state:
        state["v"] = 1 / state.pop("rho")
    if question.fluid == "air":
        return _air_state(state)
    if "x" in state and len(state) >= 2:
        other = "T" if "T" in state else "P"
        ends = tables.saturation(question.fluid, other, state.get(other, 0.0))
        return Bracket(*ends, "x", state["x"]) if ends else None
    if "P" in state:
        key = next((name for name in ("T", "h", "s", "v", "u") if name in state), None)
        return _on_isobar(question.fluid, state["P"], key, state[key]) if key else None
    if "T" in state:
        key = next((name for name in ("h", "s", "v", "u") if name in state), None)
        return _on_isotherm(question.fluid, state["T"], key, state[key]) if key else None
    first, second = list(state)[:2]
    return _by_two(question.fluid, (first, state[first]), (second, state[second]))


def _air_state(state: Mapping[str, float]) -> Bracket | None:
    if not {"T", "P"} <= state.keys():
        return None
    low = tables.air(state["T"], state["P"])
    return Bracket(low, tables.air(state["T"] + 10, state["P"]), "T", state["T"])


def _on_isobar(fluid: str, pressure: float, key: str, value: float) -> Bracket | None:
    rows = tables.isobar(fluid, pressure)
    found = tables.between(rows, key, value)
    return Bracket(*found, key, value) if found else None


def _on_isotherm(fluid: str, t: float, key: str, value: float) -> Bracket | None:
    """Wet states directly; vapour by trying pressures until the temperature fits."""
    ends = tables.saturation(fluid, "T", t)
    if ends and value <= ends[1][key]:
        return Bracket(*ends, key, max(value, ends[0][key]))
    return _by_two(fluid, (key, value), ("T", t))


def _by_two(fluid: str, first: tuple[str, float], second: tuple[str, float]) -> Bracket | None:
    """The isobar on which both values occur together, by halving the logarithm of pressure."""
    low, high = tables.FLUIDS[fluid].saturation[0][1] * 1.01, 40000.0 if fluid == "water" else 4000.0
    mismatch = [_mismatch(fluid, pressure, first, second) for pressure in (low, high)]
    if mismatch[0] is None or mismatch[1] is None or mismatch[0] * mismatch[1] > 0:
        return None
    for _ in range(30):
        middle = (low * high) ** 0.5
        here = _mismatch(fluid, middle, first, second)
        if here is None:
            return None
        low, high = (middle, high) if here * mismatch[0] > 0 else (low, middle)
    return _on_isobar(fluid, (low * high) ** 0.5, *first)


def _mismatch(
    fluid: str, pressure: float, first: tuple[str, float], second: tuple[str, float]
) -> float | None:
    bracket = _on_isobar(fluid, pressure, *first)
    return bracket.at(second[0]) - second[1] if bracket else None


def phase_of(fluid: str, bracket: Bracket) -> str:
    """The region of a located state, by its name in textbooks."""
    if fluid == "air":
        return "gas"
    critical_t, critical_p = tables.FLUIDS[fluid].critical
    t, p, x = (bracket.at(name) for name in ("T", "P", "x"))
    if p >= critical_p:
        return "supercritical" if t >= critical_t else "compressed liquid"
    if bracket.low["x"] == 0 and bracket.high["x"] == 1:
        return {0.0: "saturated liquid", 1.0: "saturated vapor"}.get(round(x, 6), "saturated mixture")
    return "subcooled liquid" if bracket.high["x"] <= 0 else "superheated vapor"
