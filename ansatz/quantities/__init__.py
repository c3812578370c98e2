"""Numbers, units and expressions in text, and "did you mean" hints; independent of problems and models."""

from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import parse_unit, quantity, read_number_and_unit, registry

__all__ = ["nearest", "parse_unit", "quantity", "read_number_and_unit", "registry"]
