"""Measurement again: conversions by hand, and uncertainties from the corners of the ranges."""


def speed_in_other_units(g):
    speed = g["v"] * 1000 / 3600
    return {"v_s": speed, "d": speed * g["t"] / 1000}


def density_of_block(g):
    litres = (g["a"] / 10) * (g["b"] / 10) * (g["c"] / 10)
    return {"V": litres * 1000, "rho": g["m"] / 1000 / (litres / 1000)}


def heartbeats_in_a_life(g):
    beats = g["f"] * 60 * 24 * 365.25 * g["t"]
    return {"N": beats, "V": beats * g["V_1"] / 1e6}


def area_uncertainty(g):
    """Half the span between the greatest and the least area."""
    a, b, u = g["a"], g["b"], g["u"]
    half = ((a + u) * (b + u) - (a - u) * (b - u)) / 2
    return {"A": a * b, "p": 100 * half / (a * b), "dA": half}


ROUTES = {
    f"introduction.{route.__name__}": route
    for route in (speed_in_other_units, density_of_block, heartbeats_in_a_life, area_uncertainty)
}
