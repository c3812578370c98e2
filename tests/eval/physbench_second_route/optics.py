"""Rays, mirrors and lenses, recomputed from least time and traced rays."""

import math

from scipy import optimize


def _least_time(index_1, index_2, depth, across):
    """Where light that goes `across` between points at equal `depth` crosses the boundary: least optical path."""

    def path(x):
        return index_1 * math.hypot(depth, x) + index_2 * math.hypot(depth, across - x)

    return optimize.minimize_scalar(path, bounds=(0, across), method="bounded", options={"xatol": 1e-12}).x


def refracted(index_1, angle, index_2):
    """The angle in degrees at which a ray goes on, found from least time."""

    def off(across):
        x = _least_time(index_1, index_2, 1.0, across)
        return math.degrees(math.atan(x)) - angle

    across = optimize.brentq(off, 0.01, 40, xtol=1e-12)
    return math.degrees(math.atan(across - _least_time(index_1, index_2, 1.0, across)))


def light_into_glass(g):
    inside = refracted(g["n_1"], g["theta_1"], g["n_2"])
    return {"theta_2": inside, "delta": g["theta_1"] - inside}


def diver_looks_up(g):
    return {
        "theta_2": refracted(g["n_1"], g["theta_1"], g["n_2"]),
        "x": g["h"] * math.tan(math.radians(g["theta_1"])),
    }


def _image(focal, distance):
    """Distance of the image, from two rays of slope -h/f behind the lens and -h/d_o through its centre.

    The ray parallel to the axis passes the focal point, the ray through the centre goes straight on.
    """
    height = 1.0
    parallel, central = -height / focal, -height / distance
    return height / (central - parallel)


def reading_glasses(g):
    focal = optimize.brentq(lambda focal: _image(focal, g["d_o"]) + g["d_n"], 1.01 * g["d_o"], 50)
    return {"P": 1 / focal, "f": focal}


def projector_design(g):
    slide = g["d_i"] / g["k"]
    focal = optimize.brentq(lambda focal: _image(focal, slide) - g["d_i"], 0.5 * slide, 0.9999 * slide)
    return {"d_o": slide, "f": focal}


def coin_in_pool(g):
    """Where a ray close to the vertical seems to come from when it is traced back from the air."""
    below = 1.0  # degrees
    above = refracted(g["n"], below, 1.0)
    return {"answer": g["h"] * math.tan(math.radians(below)) / math.tan(math.radians(above))}


def index_from_speed(g):
    """Sine of the angle in vacuum over that in the medium, from least time at one degree."""
    first, second = (
        math.sin(math.radians(refracted(1 / g[name], 1.0, 1 / g["c"]))) / math.sin(math.radians(1.0))
        for name in ("v_1", "v_2")
    )
    return {"n_1": first, "n_2": second, "stronger": "first" if first > second else "second"}


ROUTES = {
    f"optics.{route.__name__}": route
    for route in (
        light_into_glass,
        diver_looks_up,
        reading_glasses,
        projector_design,
        coin_in_pool,
        index_from_speed,
    )
}
