"""Motion and forces again: integrated in time, or from balances solved as linear systems and by bisection."""

import math

import numpy as np

from tests.eval.physbench_second_route.motion import area, follow, root


def braking_distance(g):
    _, place, _ = follow(lambda t, x, v: [-g["a"]], 0, g["v_0"], lambda t, x, v: v[0])
    return {"d": place[0], "F": g["m"] * g["v_0"] ** 2 / 2 / place[0]}  # work over distance


def police_chase(g):
    time = root(lambda t: area(lambda s: g["a"] * s, 0, t) - g["v_c"] * t, 0.1, 1000)
    return {"t_m": time, "v_f": area(lambda s: g["a"], 0, time)}


def sprint_finish(g):
    _, place, speed = follow(lambda t, x, v: [g["a"]], 0, g["v_0"], lambda t, x, v: g["t"] - t)
    return {"v_f": speed[0], "x": place[0]}


def ball_off_cliff(g):
    time, place, speed = follow(
        lambda t, x, v: [0, -g["g"]], [0, g["h"]], [g["v_0"], 0], lambda t, x, v: x[1]
    )
    return {"t_f": time, "R": place[0], "v_f": math.hypot(*speed)}


def _shot(g, until):
    angle = math.radians(g["theta"])
    velocity = [g["v_0"] * math.cos(angle), g["v_0"] * math.sin(angle)]
    return follow(lambda t, x, v: [0, -g["g"]], [0, 0], velocity, until)


def ball_over_wall(g):
    _, place, _ = _shot(g, lambda t, x, v: g["x_w"] - x[0])
    return {"y": place[1], "outcome": "clears" if place[1] > g["h_w"] else "hits"}


def projectile_range_height(g):
    time, place, _ = _shot(g, lambda t, x, v: x[1] + 1e-12 * (t < 1e-3) if t > 1e-3 else 1)
    _, top, _ = _shot(g, lambda t, x, v: v[1])
    return {"R": place[0], "h_max": top[1], "t_f": time}


def two_stones(g):
    def fall_time(speed):
        return follow(lambda t, x, v: [-g["g"]], g["h"], -speed, lambda t, x, v: x[0])[0]

    first = fall_time(0)
    return {"t_1": first, "v_2": root(lambda v: fall_time(v) + g["dt"] - first, 0, 100)}


def velocity_graph(g):
    whole = g["t_1"] + g["t_2"] + g["t_3"]
    corners = [0, g["t_1"], g["t_1"] + g["t_2"], whole]
    times = np.linspace(0, whole, 200001)
    distance = np.trapezoid(np.interp(times, corners, [0, g["v_m"], g["v_m"], 0]), times)
    return {"x": distance, "v_avg": distance / whole}


def river_crossing(g):
    angle = root(lambda a: g["v_b"] * math.sin(a) - g["v_r"], 0, math.pi / 2)
    return {"theta": math.degrees(angle), "t_c": g["w"] / (g["v_b"] * math.cos(angle))}


def round_trip_speed(g):
    way = 17.0  # km; any will do
    return {"answer": 2 * way / (way / g["v_1"] + way / g["v_2"])}


def crate_on_incline(g):
    angle = math.radians(g["theta"])
    normal = g["g"] * math.cos(angle)
    net = g["g"] * math.sin(angle) - g["mu_k"] * normal
    _, _, speed = follow(lambda t, x, v: [net], 0, 0, lambda t, x, v: g["L"] - x[0])
    return {"a": net, "v_f": speed[0]}


def _solve(rows, right):
    return np.linalg.solve(np.array(rows, float), np.array(right, float))


def atwood_buckets(g):
    acceleration, tension = _solve([[g["m_1"], 1], [g["m_2"], -1]], [g["m_1"] * g["g"], -g["m_2"] * g["g"]])
    return {"a": acceleration, "T": tension}


def lift_scale(g):
    upward = -g["a"]
    force = root(lambda f: f - g["m"] * g["g"] - g["m"] * upward, 0, 1e5)
    return {"F_s": force, "m_s": force / g["g"]}


def sled_pulled_at_angle(g):
    pull = g["F"] * np.exp(1j * math.radians(g["theta"]))
    normal, friction, acceleration = _solve(
        [[1, 0, 0], [-g["mu_k"], 1, 0], [0, 1, g["m"]]], [g["m"] * g["g"] - pull.imag, 0, pull.real]
    )
    return {"N_f": normal, "f_k": friction, "a": acceleration}


def banked_curve_speed(g):
    angle = math.radians(g["theta"])
    # Normal force and centripetal acceleration of a unit mass from the two components.
    normal, inward = _solve([[math.cos(angle), 0], [math.sin(angle), -1]], [g["g"], 0])
    del normal
    return {"v": math.sqrt(inward * g["r"]), "a_c": inward}


def flat_curve_friction(g):
    grip = g["mu_s"] * g["m"] * g["g"]
    return {"f_s": grip, "v_max": root(lambda v: g["m"] * v**2 / g["r"] - grip, 0, 1000)}


def table_and_hanging_block(g):
    friction = g["mu_k"] * g["m_1"] * g["g"]
    acceleration, tension = _solve([[g["m_1"], -1], [g["m_2"], 1]], [-friction, g["m_2"] * g["g"]])
    return {"a": acceleration, "T": tension}


def terminal_speed_parachutist(g):
    def net(time, place, velocity):
        return [g["g"] - g["rho"] * g["C_D"] * g["A"] * velocity[0] * abs(velocity[0]) / 2 / g["m"]]

    _, _, speed = follow(net, 0, 0, lambda t, x, v: 30 - t)
    return {"v_t": speed[0], "F_d": g["rho"] * g["C_D"] * g["A"] * speed[0] ** 2 / 2}


ROUTES = {
    f"mechanics.{route.__name__}": route
    for route in list(globals().values())
    if getattr(route, "__module__", "") == __name__ and not route.__name__.startswith("_")
}
