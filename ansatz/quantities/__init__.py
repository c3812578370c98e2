"""Numbers, units and expressions in text, and "did you mean"; nothing here knows what a problem is."""

from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import number_and_unit, parse_unit, quantity, registry

__all__ = ["nearest", "number_and_unit", "parse_unit", "quantity", "registry"]
