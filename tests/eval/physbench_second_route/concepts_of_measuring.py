"""Conceptual questions about measuring: figures counted, units and formulas sorted by pint."""

import math
from decimal import Decimal

import pint
from scipy import integrate

from tests.eval.physbench_second_route.concept import Concept, concepts
from tests.eval.physbench_second_route.dimensions import UNITS, unit_with_dimension


def base_unit(g):
    return Concept(unit_with_dimension(g["quantity"], ("kilogram", "metre", "second", "ampere", "kelvin")))


def consistent_formula(g):
    """The formula that is a time; and the factor before the root, over pi, from a small swing of 1 m."""
    length, fall = UNITS.Quantity(1, "m"), UNITS.Quantity(9.8, "m/s^2")
    formulas = {
        "2*pi*sqrt(L/g)": (length / fall) ** 0.5,
        "2*pi*sqrt(g/L)": (fall / length) ** 0.5,
        "2*pi*L/g": length / fall,
        "2*pi*sqrt(L*g)": (length * fall) ** 0.5,
    }
    times = [formula for formula, value in formulas.items() if value.check("[time]")]

    def passes(time, state):
        return state[0]

    passes.terminal, passes.direction = 2, 1
    path = integrate.solve_ivp(
        lambda t, s: (s[1], -9.8 * math.sin(s[0])),
        (0, 10),
        (-1e-3, 0.0),
        events=passes,
        rtol=1e-10,
        atol=1e-14,
    )
    first, second = path.t_events[0]
    (formula,) = times
    return Concept(f"T = {formula}", ((second - first) / math.sqrt(1 / 9.8) / math.pi,))


def metric_prefix(g):
    names = ("nano", "micro", "milli", "kilo", "mega", "giga")
    factors = {name: pint.Quantity(1, f"{name}metre").to("metre").magnitude for name in names}
    step = factors["mega"] / factors["kilo"]
    return Concept(factors[g["prefix"]], (*factors.values(), step))


def significant_figures(g):
    """Figures counted as they stand in the question."""
    figures = [len(Decimal(f"{g[name]:g}").as_tuple().digits) for name in ("a", "b")]
    words = {2: "two", 3: "three"}
    product = float(Decimal(f"{g['a']:g}") * Decimal(f"{g['b']:g}"))
    return Concept(f"With {words[min(figures)]} significant figures", (product, *map(float, figures)))


CONCEPTS = concepts("introduction", globals())
