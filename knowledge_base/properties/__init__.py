"""Thermophysical properties: real fluids, ideal-gas air and the standard atmosphere, all in SI units."""

from ansatz.knowledge_base.properties.fluids import FLUIDS, fluid_name, saturation, state
from ansatz.knowledge_base.properties.state import PropertyError, Saturation, State

__all__ = ["FLUIDS", "PropertyError", "Saturation", "State", "fluid_name", "saturation", "state"]
