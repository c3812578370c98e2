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


def _grazing(index_1, index_2):
    """The angle of incidence in degrees beyond which the wave along the boundary is too slow to follow."""
    return math.degrees(math.acos(math.sqrt(1 - (index_2 / index_1) ** 2)))


def fibre_core(g):
    angle = _grazing(g["n_1"], g["n_2"])
    return {"theta_c": angle, "NA": g["n_1"] * math.cos(math.radians(angle))}


def laser_in_liquid(g):
    period = 1 / g["f"]
    speed = g["c"] / g["n"]
    return {"lam_0": 1e9 * g["c"] * period, "v": speed, "lam": 1e9 * speed * period}


def _image(focal, distance):
    """Distance of the image, from two rays of slope -h/f behind the lens and -h/d_o through its centre.

    The ray parallel to the axis passes the focal point, the ray through the centre goes straight on.
    """
    height = 1.0
    parallel, central = -height / focal, -height / distance
    return height / (central - parallel)


def camera_lens_image(g):
    image = _image(g["f"] / 1000, g["d_o"])
    return {"d_i": 1000 * image, "m": -image / g["d_o"], "h_i": 1000 * g["h_o"] * image / g["d_o"]}


def stamp_magnifier(g):
    image = _image(g["f"], g["d_o"])
    return {"d_i": image, "m": g["f"] / (g["f"] - g["d_o"]), "nature": "real" if image > 0 else "virtual"}


def shaving_mirror(g):
    image = _image(g["R"] / 2, g["d_o"])
    return {"f": g["R"] / 2, "d_i": image, "m": -image / g["d_o"]}


def traffic_mirror(g):
    image = _image(-g["R"] / 2, g["d_o"])
    return {"d_i": image, "h_i": g["h_o"] * abs(image) / g["d_o"]}


def moon_telescope(g):
    ratio = 1000 * g["f_o"] / g["f_e"]
    height = g["f_o"] * math.radians(g["alpha"])  # of the image between the lenses
    return {"M": -ratio, "beta": math.degrees(height / (g["f_e"] / 1000))}


def reading_glasses(g):
    focal = optimize.brentq(lambda focal: _image(focal, g["d_o"]) + g["d_n"], 1.01 * g["d_o"], 50)
    return {"P": 1 / focal, "f": focal}


def lens_grinding(g):
    """A ray parallel to the axis at unit height, bent at each face by its own power."""
    first = (g["n"] - 1) / g["R_1"]
    second = (1 - g["n"]) / g["R_2"]
    slope = -first - second
    return {"f": -1 / slope, "P": -slope}


def total_reflection_claim(g):
    angle = _grazing(g["n_1"], g["n_2"])
    sine = g["n_1"] * math.sin(math.radians(g["theta"])) / g["n_2"]
    return {"theta_c": angle, "verdict": "true" if sine > 1 else "false"}


def projector_design(g):
    slide = g["d_i"] / g["k"]
    focal = optimize.brentq(lambda focal: _image(focal, slide) - g["d_i"], 0.5 * slide, 0.9999 * slide)
    return {"d_o": slide, "f": focal}


def coin_in_pool(g):
    """Where a ray close to the vertical seems to come from when it is traced back from the air."""
    below = 1.0  # degrees
    above = refracted(g["n"], below, 1.0)
    return {"answer": g["h"] * math.tan(math.radians(below)) / math.tan(math.radians(above))}


def dioptres(g):
    """Bending of rays at one centimetre from the axis by one lens and by two."""
    bent = math.atan(0.01 / (g["f"] / 100))
    return {"P": math.tan(bent) / 0.01, "P_2": 2 * math.tan(bent) / 0.01}


def _reflected(beam, tilt):
    """Direction in degrees of a beam after a mirror, both as angles against a fixed line."""
    normal = math.radians(tilt + 90)
    x, y = math.cos(math.radians(beam)), math.sin(math.radians(beam))
    along = x * math.cos(normal) + y * math.sin(normal)
    return math.degrees(math.atan2(y - 2 * along * math.sin(normal), x - 2 * along * math.cos(normal)))


def turned_mirror(g):
    before, after = (_reflected(-g["alpha"], tilt) for tilt in (0.0, g["delta"]))
    incidence = (180 - (before + g["alpha"])) / 2  # half of the angle between both beams
    return {"theta": incidence, "turn": after - before}


def sunlight_on_its_way(g):
    minutes = g["d"] / (60 * g["c"])
    return {"t": minutes, "t_2": (g["d"] + g["d"]) / (60 * g["c"])}


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
        fibre_core,
        laser_in_liquid,
        camera_lens_image,
        stamp_magnifier,
        shaving_mirror,
        traffic_mirror,
        moon_telescope,
        reading_glasses,
        lens_grinding,
        total_reflection_claim,
        projector_design,
        coin_in_pool,
        dioptres,
        turned_mirror,
        sunlight_on_its_way,
        index_from_speed,
    )
}
