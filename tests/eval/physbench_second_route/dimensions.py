"""Names of quantities and units, found from dimensions by pint."""

import pint

UNITS = pint.UnitRegistry()
DEFINITIONS = {
    "mass": "kg",
    "length": "m",
    "time": "s",
    "electric current": "A",
    "temperature": "K",
    "area": "m * m",
    "volume": "m * m * m",
    "force": "kg * m / s / s",
    "momentum": "kg * m / s",
    "work": "(kg * m / s / s) * m",
    "energy": "(kg * m / s / s) * m",
    "power": "(kg * m / s / s) * m / s",
    "pressure": "(kg * m / s / s) / (m * m)",
    "density": "kg / (m * m * m)",
    "charge": "A * s",
    "capacitance": "A * s / V",
    "resistance": "V / A",
    "inductance": "V * s / A",
    "magnetic flux": "V * s",
    "magnetic field": "(kg * m / s / s) / (A * m)",
}
"""Each quantity by how it is defined: capacitance is charge over voltage, a magnetic field force over I*l, ..."""


def _of(expression):
    for name in sorted(DEFINITIONS, key=len, reverse=True):
        expression = expression.replace(name, f"({DEFINITIONS[name]})")
    return UNITS.parse_expression(expression).to_base_units()


def same_dimension(expression):
    """Which of the quantities that are named by themselves has the dimension of a quotient of others."""
    wanted = _of(expression).dimensionality
    named = {"power": "power", "pressure": "pressure", "density": "density", "force": "net force"}
    return next(text for name, text in named.items() if _of(name).dimensionality == wanted)


def unit_with_dimension(quantity, units):
    """Which of the units measures a quantity."""
    wanted = _of(quantity).dimensionality
    return next(unit for unit in units if UNITS(unit).dimensionality == wanted)


def unit_in_base(quantity):
    """The unit of a quantity as powers of base units: kg*m^2/s^2."""
    powers = {
        short: _of(quantity).dimensionality.get(f"[{name}]", 0)
        for short, name in (("kg", "mass"), ("m", "length"), ("s", "time"))
    }
    above = "*".join(_power(one, power) for one, power in powers.items() if power > 0)
    below = [_power(one, -power) for one, power in powers.items() if power < 0]
    return f"{above}/{below[0]}" if len(below) == 1 else f"{above}/({'*'.join(below)})"


def _power(unit, power):
    return unit if power == 1 else f"{unit}^{power:g}"
