"""What the wrong options of problems come to, from the misconception that each names."""

from scipy import constants

from tests.eval.physbench_second_route.motion import area, follow


def round_trip_speed(g):
    """The mean of the speeds, half of the way for all of the time, and the last speed."""
    way = 10.0
    time = way / g["v_1"] + way / g["v_2"]
    return (area(lambda v: v, g["v_1"], g["v_2"]) / (g["v_2"] - g["v_1"]), way / time, g["v_2"])


def momentum_of_light(g):
    """The energy of the photon; and a momentum that grows with the wavelength, as it is at one metre."""
    metres = g["lam"] * 1e-9
    at_one_metre = g["h"] / 1.0
    return (g["h"] * constants.c / metres, at_one_metre * metres)


def coin_in_pool(g):
    """The light slowed down where it is faster; not at all; and slowed down twice."""
    slower = g["h"] / g["n"]
    return (g["h"] / slower * g["h"], g["h"], slower / g["h"] * slower)


def thunder_distance(g):
    """There and back; the time over the way; and a fall for the time."""
    fallen = follow(lambda t, x, v: [constants.g], 0, 0, lambda t, x, v: g["t"] - t)[1][0]
    return (area(lambda t: g["v"], 0, g["t"] / 2), 1 / (g["t"] / g["v"]), fallen)


MISTAKEN = {
    "mechanics.round_trip_speed": round_trip_speed,
    "modern.momentum_of_light": momentum_of_light,
    "optics.coin_in_pool": coin_in_pool,
    "waves_acoustics.thunder_distance": thunder_distance,
}
