"""Thermophysical properties in SI units: real fluids, ideal gases, exergy and the standard atmosphere."""

from ansatz.knowledge_base.properties.exergy import DeadState, flow_exergy
from ansatz.knowledge_base.properties.fluids import FLUIDS, fluid_name, saturation, state, substance
from ansatz.knowledge_base.properties.ideal_gas import ConstantHeatCapacityGas
from ansatz.knowledge_base.properties.state import PropertyError, Saturation, State
from ansatz.knowledge_base.properties.substance import Substance

__all__ = [
    "FLUIDS",
    "ConstantHeatCapacityGas",
    "DeadState",
    "PropertyError",
    "Saturation",
    "State",
    "Substance",
    "flow_exergy",
    "fluid_name",
    "saturation",
    "state",
    "substance",
]
