"""Waves, sound and oscillations, recomputed from counting, travel times, and motion integrated in time."""

import math

from scipy import integrate, optimize


def _fundamental_of_string(tension, density, length):
    """One over the time that a pulse takes to the far end and back; its speed from the momentum of a kink."""
    speed = optimize.brentq(lambda speed: density * speed**2 - tension, 0, 1e5)
    return speed, 1 / (2 * length / speed)


def guitar_string(g):
    speed, frequency = _fundamental_of_string(g["F_T"], g["mu"] / 1000, g["L"])
    return {"v": speed, "f_1": frequency}


def tuning_a_violin(g):
    def tension(frequency):
        def off(force):
            return _fundamental_of_string(force, g["mu"] / 1000, g["L"])[1] - frequency

        return optimize.brentq(off, 0.1, 5000)

    return {"F_a": tension(g["f_a"]), "F_b": tension(g["f_b"])}


def closed_organ_pipe(g):
    """Resonances of a column with a node at one end and an antinode at the other: cos(k L) = 0."""

    def mismatch(frequency):
        return math.cos(2 * math.pi * frequency * g["L"] / g["v"])

    scale = g["v"] / g["L"]
    return {
        "f_1": optimize.brentq(mismatch, 0.1 * scale, 0.4 * scale),
        "f_3": optimize.brentq(mismatch, 0.6 * scale, 0.9 * scale),
    }


def sonar_depth(g):
    depth = optimize.brentq(lambda depth: 2 * depth / g["v"] - g["t"], 0, 1e4)
    return {"h": depth, "lam": g["v"] / g["f"]}


def siren_level(g):
    area = g["r"] ** 2 * integrate.quad(lambda polar: 2 * math.pi * math.sin(polar), 0, math.pi)[0]
    bels = math.log(g["P"] / area / 1e-12) / math.log(10)
    return {"I": g["P"] / area, "beta": 10 * bels}


def _period(acceleration, amplitude):
    """Four times the time from the turning point to the middle, and the speed there."""

    def middle(_, state):
        return state[0]

    middle.terminal = True
    motion = integrate.solve_ivp(
        lambda _, state: (state[1], acceleration(state[0])),
        (0, 100),
        (amplitude, 0.0),
        events=middle,
        rtol=1e-9,
        atol=1e-12,
    )
    return 4 * motion.t_events[0][0], abs(motion.y_events[0][0][1])


def spring_scale_oscillation(g):
    period, fastest = _period(lambda x: -g["k"] / g["m"] * x, g["A"])
    return {"T": period, "omega": 2 * math.pi / period, "v_max": fastest}


def pendulum_gravity(g):
    period = g["t"] / g["N"]

    def late(gravity):
        return _period(lambda angle: -gravity / g["L"] * math.sin(angle), 0.01)[0] - period

    return {"T": period, "g": optimize.brentq(late, 9, 11, xtol=1e-6)}


def earthquake_distance(g):
    def early(distance):
        return distance / g["v_s"] - distance / g["v_p"] - g["dt"]

    distance = optimize.brentq(early, 0, 1e4)
    return {"d": distance, "t_p": distance / g["v_s"] - g["dt"]}


def thunder_distance(g):
    return {"answer": optimize.brentq(lambda distance: distance / g["v"] - g["t"], 0, 1e5)}


ROUTES = {
    f"waves_acoustics.{route.__name__}": route
    for route in (
        guitar_string,
        tuning_a_violin,
        closed_organ_pipe,
        sonar_depth,
        siren_level,
        spring_scale_oscillation,
        pendulum_gravity,
        earthquake_distance,
        thunder_distance,
    )
}
