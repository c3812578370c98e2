"""The dead state and the exergy of a flow relative to it.

Definitions: M. J. Moran and H. N. Shapiro, Fundamentals of Engineering Thermodynamics, chapter 7;
Cengel and Boles, chapter 8.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.properties.substance import State, Substance


@dataclass(frozen=True)
class DeadState:
    """The environment: T in K, P in Pa. Each substance has its own state at these, `dead.of(substance)`."""

    T: float = 298.15
    P: float = 100e3

    def of(self, substance: Substance) -> State:
        """The substance in equilibrium with the environment."""
        return substance.state(T=self.T, P=self.P)


def flow_exergy(state: State, dead: State, velocity: float = 0.0) -> float:
    """Specific flow exergy h - h0 - T0 (s - s0) + V²/2, J/kg; `dead` is the same fluid's dead state.

    >>> from ansatz.knowledge_base.properties import substance
    >>> water = substance("water")
    >>> dead = DeadState().of(water)
    >>> flow_exergy(dead, dead)
    0.0
    """
    if state.fluid != dead.fluid:
        raise ValueError(f"the dead state is one of {dead.fluid}, the flow is {state.fluid}")
    return state.h - dead.h - dead.T * (state.s - dead.s) + velocity**2 / 2
