"""What a component is: givens drawn in a plant's ranges, a solution by balances, and rules it must keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from ansatz.eval.benchmarks.thermoqa.components.printed import Draws, Givens
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import R134A, WATER, WorkingFluid
from ansatz.eval.benchmarks.thermoqa.generated import Infeasible
from ansatz.knowledge_base.properties import DeadState, Substance

DEPTHS = ("A", "B", "C")
DEAD_STATE = DeadState(T=298.15, P=100e3)
Solution = dict[str, float]
"""Values by published symbol, in published units: kJ/kg, kJ/(kg·K), kW, kW/K, °C, kg/s, m/s."""


@dataclass(frozen=True)
class Asked:
    """One step of the key: its symbol, published unit and weight, and the depth from which it is asked."""

    symbol: str
    unit: str
    weight: float
    depth: str


@dataclass(frozen=True)
class Media:
    """What flows in a component and around it: its own fluid, that of a heating stream, the environment."""

    working: Substance
    heating: Substance
    dead: DeadState = DEAD_STATE

    @classmethod
    def of(cls, fluid: WorkingFluid) -> Media:
        return cls(fluid.substance, heating_fluid(fluid).substance)


def heating_fluid(fluid: WorkingFluid) -> WorkingFluid:
    """The hot stream of a heat exchanger: hot water for a refrigerant, otherwise the same fluid."""
    return WATER if fluid is R134A else fluid


@dataclass(frozen=True)
class Component:
    """One kind of device.

    `draw` gives the givens for a fluid at a depth, or raises Infeasible; `solve` gives every step's value
    from the SI givens by symbol, whatever the depth; `check` raises Infeasible where no plant would run so.
    """

    name: str
    code: str
    draw: Callable[[WorkingFluid, str, Draws], Givens]
    solve: Callable[[Media, Mapping[str, float]], Solution]
    check: Callable[[WorkingFluid, Mapping[str, float], Solution], None]

    def steps(self, depth: str) -> tuple[Asked, ...]:
        """What is asked at a depth: each depth asks what the one before it does, and more."""
        return tuple(one for one in _steps()[self.name] if one.depth <= depth)


@cache
def _steps() -> dict[str, tuple[Asked, ...]]:
    text = Path(__file__).with_name("steps.yaml").read_text(encoding="utf-8")
    return {name: tuple(Asked(*step) for step in steps) for name, steps in yaml.safe_load(text).items()}


def require(holds: bool, rule: str) -> None:
    """Infeasible, named by the rule, unless it holds."""
    if not holds:
        raise Infeasible(rule)
