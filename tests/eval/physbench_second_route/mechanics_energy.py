"""Mechanics again: energy and momentum, rotation, statics, fluids and gravity, and the ratios of concepts."""

import math

import numpy as np
from scipy import constants

from tests.eval.physbench_second_route.motion import area, follow, root


def spring_constant(g):
    per_metre = g["m_1"] * g["g"] / (g["x_1"] / 100)
    return {"k": per_metre, "x_2": 100 * root(lambda x: per_metre * x - g["m_2"] * g["g"], 0, 10)}


def satellite_orbit(g):
    """The speed for which the orbit, followed for a quarter, stays at its radius."""
    radius, attraction = (g["R_E"] + g["h"]) * 1e3, constants.G * g["M"]

    def pull(time, place, velocity):
        return [-attraction * x / math.hypot(*place) ** 3 for x in place]

    def miss(speed):
        _, place, _ = follow(pull, [radius, 0], [0, speed], lambda t, x, v: x[0])
        return place[1] - radius

    speed = root(miss, 6000, 9000)
    quarter, _, _ = follow(pull, [radius, 0], [0, speed], lambda t, x, v: x[0])
    return {"g_h": attraction / radius**2, "v": speed / 1e3, "T_p": 4 * quarter / 60}


def sledge_with_friction_energy(g):
    net = g["g"] * g["h"] / g["d"] - g["f"] / g["m"]
    _, _, speed = follow(lambda t, x, v: [net], 0, 0, lambda t, x, v: g["d"] - x[0])
    return {"E_f": g["f"] * g["d"], "K": g["m"] * speed[0] ** 2 / 2, "v": speed[0]}


def loop_minimum_height(g):
    def push_at_top(height):
        speed_squared = 2 * g["g"] * (height - 2 * g["r"])
        return g["m"] * speed_squared / g["r"] - g["m"] * g["g"]

    height = root(push_at_top, 2 * g["r"], 10 * g["r"])
    _, _, bottom = follow(lambda t, x, v: [-g["g"]], height, 0, lambda t, x, v: x[0])
    return {"v_t": math.sqrt(2 * g["g"] * (height - 2 * g["r"])), "h_min": height, "v_b": -bottom[0]}


def spring_launcher(g):
    mass, squeeze = g["m"] / 1e3, g["x"] / 100
    stored = area(lambda x: g["k"] * x, 0, squeeze)
    _, _, speed = follow(lambda t, x, v: [-g["k"] * x[0] / mass], -squeeze, 0, lambda t, x, v: -x[0])
    _, top, _ = follow(lambda t, x, v: [-g["g"]], 0, speed[0], lambda t, x, v: v[0])
    return {"U": stored, "v": speed[0], "h": top[0]}


def wagons_couple(g):
    """In the frame of the centre of mass all kinetic energy is lost."""
    first, second = g["m_1"] * 1e3, g["m_2"] * 1e3
    centre = np.average([g["v_1"], 0], weights=[first, second])
    return {"v_f": centre, "dK": (first * (g["v_1"] - centre) ** 2 + second * centre**2) / 2e3}


def elastic_pucks(g):
    """In the frame of the centre of mass both velocities are reversed."""
    centre = np.average([g["v_1"], 0], weights=[g["m_1"], g["m_2"]])
    return {"v_1f": 2 * centre - g["v_1"], "v_2f": 2 * centre}


def ballistic_pendulum(g):
    arrow, bag, height = g["m"] / 1e3, g["M"], g["h"] / 100

    def swing(speed):
        after = arrow * speed / (arrow + bag)
        return follow(lambda t, x, v: [-g["g"]], 0, after, lambda t, x, v: v[0])[1][0] - height

    speed = root(swing, 1, 1000)
    after = arrow * speed / (arrow + bag)
    return {"v_a": speed, "q": (arrow + bag) * after**2 / (arrow * speed**2)}


def ball_rebounds_from_wall(g):
    mass, contact = g["m"] / 1e3, g["dt"] / 1e3
    # A force that rises and falls like a half sine and reverses the ball.
    peak = root(
        lambda f: (
            area(lambda t: f * math.sin(math.pi * t / contact), 0, contact) - mass * (g["v_1"] + g["v_2"])
        ),
        0,
        1e6,
    )
    impulse = area(lambda t: peak * math.sin(math.pi * t / contact), 0, contact)
    return {"J": impulse, "F_avg": impulse / contact}


def skaters_push_apart(g):
    second = root(lambda v: g["m_1"] * g["v_1"] - g["m_2"] * v, 0, 100)
    return {"v_2": second, "E": g["m_1"] * g["v_1"] ** 2 / 2 + g["m_2"] * second**2 / 2}


def bouncing_ball(g):
    _, _, down = follow(lambda t, x, v: [-g["g"]], g["h_1"], 0, lambda t, x, v: x[0])
    rise = root(
        lambda v: follow(lambda t, x, w: [-g["g"]], 0, v, lambda t, x, w: w[0])[1][0] - g["h_2"], 0.1, 50
    )
    return {"e": rise / -down[0], "v_u": rise, "q": 1 - (rise / down[0]) ** 2}


def suitcase_work(g):
    force = g["F"] * np.array([math.cos(math.radians(g["theta"])), math.sin(math.radians(g["theta"]))])
    work = float(force @ np.array([g["d"], 0]))
    return {"W": work, "P": work / g["t"]}


def flywheel_spin_up(g):
    radius = g["r"] / 100
    inertia = area(lambda r: g["m"] / (math.pi * radius**2) * 2 * math.pi * r * r**2, 0, radius)
    rate = g["tau"] / inertia
    _, angle, _ = follow(lambda t, x, v: [rate], 0, 0, lambda t, x, v: g["t"] - t)
    return {"I_d": inertia, "alpha": rate, "phi": angle[0]}


def rolling_cylinder(g):
    """From the energy at the bottom, with the spin tied to the speed."""
    inertia = g["m"] * (g["r"] / 100) ** 2 / 2
    drop = g["L"] * math.sin(math.radians(g["theta"]))

    def surplus(speed):
        spin = speed / (g["r"] / 100)
        return g["m"] * speed**2 / 2 + inertia * spin**2 / 2 - g["m"] * g["g"] * drop

    speed = root(surplus, 0, 100)
    return {"a": speed**2 / (2 * g["L"]), "v": speed}


def seesaw_balance(g):
    def tilt(place):
        return g["g"] * (g["m_1"] * g["d_1"] - g["m_2"] * place)

    return {"d_2": root(tilt, 0, 10), "F_p": g["g"] * math.fsum([g["m_1"], g["m_2"], g["m_s"]])}


def beam_on_two_supports(g):
    plank = [g["m_p"] / 1000] * 1000
    places = [(i + 0.5) * g["L"] / 1000 for i in range(1000)]
    torque = g["g"] * (sum(m * x for m, x in zip(plank, places, strict=True)) + g["m"] * g["x"])
    left, right = np.linalg.solve([[1, 1], [0, g["L"]]], [(g["m"] + g["m_p"]) * g["g"], torque])
    return {"F_A": left, "F_B": right}


def floating_crate(g):
    sunk = root(lambda v: g["rho_w"] * v - g["m"], 0, 10)
    extra = root(lambda x: (g["m"] + x) / g["V"] - g["rho_w"], 0, 1e4)
    return {"F_b": g["rho_w"] * sunk * g["g"], "V_s": sunk, "m_x": extra}


def diver_pressure(g):
    column = area(lambda z: g["rho"] * g["g"], 0, g["h"])
    pressure = g["p_0"] * 1e3 + column
    return {"p": pressure / 1e3, "F": pressure * g["A"] * 1e-4}


def leaking_tank(g):
    _, _, speed = follow(lambda t, x, v: [g["g"]], 0, 0, lambda t, x, v: g["h"] - x[0])
    _, place, _ = follow(
        lambda t, x, v: [0, -g["g"]], [0, g["H"] - g["h"]], [speed[0], 0], lambda t, x, v: x[1]
    )
    return {"v": speed[0], "d": place[0]}


def design_loading_ramp(g):
    angle = root(lambda a: g["m"] * g["g"] * math.sin(a) - g["F"], 0, math.pi / 2)
    length = g["h"] / math.sin(angle)
    return {"L": length, "theta": math.degrees(angle), "W": g["F"] * length}


def skid_mark_claim(g):
    slow = g["mu_k"] * g["g"]
    speed = root(lambda v: follow(lambda t, x, w: [-slow], 0, v, lambda t, x, w: w[0])[1][0] - g["d"], 1, 100)
    return {"v": speed * 3.6, "verdict": "tenable" if speed * 3.6 < g["v_s"] else "untenable"}


ROUTES = {
    f"mechanics.{route.__name__}": route
    for route in list(globals().values())
    if getattr(route, "__module__", "") == __name__ and not route.__name__.startswith("_")
}
