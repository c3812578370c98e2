"""The devices cycles are built of: states in, states out, by their isentropic efficiencies.

Definitions: Cengel and Boles, Thermodynamics: An Engineering Approach, chapter 7 (isentropic efficiencies)
and chapter 10 (cycles). All are adiabatic; kinetic and potential energies are neglected.
"""

from __future__ import annotations

from ansatz.knowledge_base.properties import State, Substance

States = dict[str, State]
"""A cycle's states by their numbers, "1", "2s", "2" …"""
Results = dict[str, float]
"""Numbers by their published names, in SI units per kg of the cycle's main stream."""


def compressed(fluid: Substance, inlet: State, pressure: float, efficiency: float) -> tuple[State, State]:
    """Ideal and actual outlet of a pump or compressor: h2 - h1 = (h2s - h1) / efficiency."""
    ideal = fluid.isentropic(inlet, pressure)
    return ideal, _outlet(fluid, ideal, inlet.h + (ideal.h - inlet.h) / efficiency)


def expanded(fluid: Substance, inlet: State, pressure: float, efficiency: float) -> tuple[State, State]:
    """Ideal and actual outlet of a turbine: h1 - h2 = efficiency (h1 - h2s)."""
    ideal = fluid.isentropic(inlet, pressure)
    return ideal, _outlet(fluid, ideal, inlet.h - efficiency * (inlet.h - ideal.h))


def _outlet(fluid: Substance, ideal: State, enthalpy: float) -> State:
    return ideal if enthalpy == ideal.h else fluid.state(h=enthalpy, P=ideal.P)
