"""Thermophysical properties in SI units: real fluids, ideal gases, exergy and the standard atmosphere.

`state` and `saturation` take properties of a named fluid; `substance` returns a fluid for repeated use.
A state that cannot be found raises PropertyError with the reason.
"""

from ansatz.knowledge_base.properties import atmosphere
from ansatz.knowledge_base.properties.exergy import DeadState, flow_exergy
from ansatz.knowledge_base.properties.fluids import FLUIDS, fluid_name, saturation, state, substance
from ansatz.knowledge_base.properties.ideal_gas import ConstantHeatCapacityGas
from ansatz.knowledge_base.properties.state_words import UNITS, describe_saturation, describe_state
from ansatz.knowledge_base.properties.substance import Saturation, State, Substance

__all__ = [
    "FLUIDS",
    "UNITS",
    "ConstantHeatCapacityGas",
    "DeadState",
    "Saturation",
    "State",
    "Substance",
    "atmosphere",
    "describe_saturation",
    "describe_state",
    "flow_exergy",
    "fluid_name",
    "saturation",
    "state",
    "substance",
]
