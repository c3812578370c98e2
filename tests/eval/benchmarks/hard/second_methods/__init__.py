"""A second method for each family of the hard set: other equations, quadrature, or integration in time.

Each function gets the givens in SI units and radians, and returns the targets in SI units. None of them uses
code of Ansatz. `FACTORS` converts the units of the set without the unit library.
"""

import math

from tests.eval.benchmarks.hard.second_methods import cycles, flow, orbits, thermal_protection

METHODS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": function
    for module in (thermal_protection, cycles, flow, orbits)
    for name, function in vars(module).items()
    if callable(function) and getattr(function, "__module__", "") == module.__name__ and name[0] != "_"
}
FACTORS = {
    **{"-": 1.0, "%": 0.01, "deg": math.pi / 180, "rad/s": 1.0, "K": 1.0, "mm": 1e-3, "cm": 1e-2, "m": 1.0},
    **{"um": 1e-6, "nm": 1e-9, "km": 1e3, "au": 149597870700.0, "m^2": 1.0, "mm^2": 1e-6, "cm^2": 1e-4},
    **{
        "L": 1e-3,
        "m^3": 1.0,
        "g": 1e-3,
        "kg": 1.0,
        "t": 1e3,
        "s": 1.0,
        "min": 60.0,
        "h": 3600.0,
        "day": 86400.0,
    },
    **{
        "year": 365.25 * 86400,
        "m/s": 1.0,
        "km/s": 1e3,
        "m/s^2": 1.0,
        "Pa": 1.0,
        "kPa": 1e3,
        "MPa": 1e6,
        "GPa": 1e9,
    },
    **{
        "kg/m^3": 1.0,
        "g/mol": 1e-3,
        "W": 1.0,
        "kW": 1e3,
        "N": 1.0,
        "W/m^2": 1.0,
        "kW/m^2": 1e3,
        "MW/m^2": 1e6,
    },
    **{
        "MJ/m^2": 1e6,
        "MJ/kg": 1e6,
        "kJ/kg": 1e3,
        "J/kg": 1.0,
        "kJ/(kg*K)": 1e3,
        "J/(kg*K)": 1.0,
        "W/(m*K)": 1.0,
    },
    **{
        "W/(m^2*K)": 1.0,
        "W/K": 1.0,
        "kW/K": 1e3,
        "kg/s": 1.0,
        "kg/h": 1 / 3600,
        "kg/day": 1 / 86400,
        "m^3/s": 1.0,
    },
    **{
        "m^3/h": 1 / 3600,
        "L/s": 1e-3,
        "mPa*s": 1e-3,
        "uPa*s": 1e-6,
        "m^2/kg": 1.0,
        "km^3/s^2": 1e9,
        "km^2/s^2": 1e6,
    },
    **{"kJ/m^3": 1e3, "Pa*m^3/s": 1.0, "s/m^(1/3)": 1.0, "s^2/m^5": 1.0},
}


def to_si(values, units):
    """Convert numbers by name to SI units."""
    return {name: value * FACTORS[units[name]] for name, value in values.items()}


def recompute(family, givens, units):
    """Return the targets of a family in SI units, from the givens and their units."""
    return METHODS[family](**to_si(givens, units))
