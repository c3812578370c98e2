"""The dead state, and the exergy of a flow relative to it.

Definitions: M. J. Moran and H. N. Shapiro, Fundamentals of Engineering Thermodynamics, chapter 7;
Cengel and Boles, chapter 8.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.properties.substance import State, Substance


@dataclass(frozen=True)
class DeadState:
    """The environment."""

    T: float = 298.15
    """K."""
    P: float = 100e3
    """Pa."""

    def of(self, substance: Substance) -> State:
        """Return the state of a substance in equilibrium with the environment."""
        return substance.state(T=self.T, P=self.P)


def flow_exergy(state: State, dead: State, velocity: float = 0.0) -> float:
    """Compute the specific flow exergy h - h0 - T0 (s - s0) + V²/2 in J/kg.

    Parameters:
        state: The state of the flow.
        dead: The dead state of the same fluid.
        velocity: In m/s.

    >>> from ansatz.knowledge_base.properties import substance
    >>> water = substance("water")
    >>> dead = DeadState().of(water)
    >>> flow_exergy(dead, dead)
    0.0
    """
    if state.fluid != dead.fluid:
        raise ValueError(f"the dead state is of {dead.fluid}, but the flow is {state.fluid}")
    return state.h - dead.h - dead.T * (state.s - dead.s) + velocity**2 / 2
