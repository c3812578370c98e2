import numpy as np
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import circular, extremes, fly_until, pericentre


def state_to_elements(g):
    low, high = extremes(g.mu_Earth, g.r, g.v)
    period = 2 * np.pi * np.sqrt(((low + high) / 2) ** 3 / g.mu_Earth)
    _, near, _ = pericentre(g.mu_Earth, g.r, g.v)
    _, node, there = fly_until(g.mu_Earth, g.r, g.v, lambda x, _: x[2], 1.1 * period)
    first = node / np.linalg.norm(node)
    second = there - first * (there @ first)
    second /= np.linalg.norm(second)

    def along(r):
        return np.arctan2(r @ second, r @ first)

    e = (high - low) / (high + low)
    return {
        "a": (low + high) / 2,
        "e_vec": e * near / np.linalg.norm(near),
        "e": e,
        "i": np.arctan2(second[2], np.hypot(second[0], second[1])),
        "Omega": np.arctan2(node[1], node[0]) % (2 * np.pi),
        "omega": along(near) % (2 * np.pi),
        "nu": (along(g.r) - along(near)) % (2 * np.pi),
    }


def elements_to_state(g):
    eccentric = np.arccos((g.e + np.cos(g.nu)) / (1 + g.e * np.cos(g.nu)))  # nu is below 180 deg
    minor = g.a * np.sqrt(1 - g.e**2)
    rate = np.sqrt(g.mu_Earth / g.a**3) / (1 - g.e * np.cos(eccentric))
    place = np.array([g.a * (np.cos(eccentric) - g.e), minor * np.sin(eccentric), 0])
    velocity = rate * np.array([-g.a * np.sin(eccentric), minor * np.cos(eccentric), 0])
    turn = Rotation.from_euler("ZXZ", [g.Omega, g.i, g.omega])
    return {
        "x_pf": place[0],
        "y_pf": place[1],
        "vx_pf": velocity[0],
        "vy_pf": velocity[1],
        "r": turn.apply(place),
        "v": turn.apply(velocity),
        "delta": np.arcsin(np.sin(g.i) * np.sin(g.omega + g.nu)),
    }


def station_position(g):
    reduced = np.arctan((1 - g.f_Earth) * np.tan(g.lat))
    out = g.R_Earth * np.cos(reduced) + g.height * np.cos(g.lat)
    up = g.R_Earth * (1 - g.f_Earth) * np.sin(reduced) + g.height * np.sin(g.lat)
    fixed = Rotation.from_euler("z", g.lon).apply([out, 0, up])

    def inertial(time):
        return Rotation.from_euler("z", g.gst + g.omega_Earth * time).apply(fixed)

    velocity = (inertial(10.0) - inertial(-10.0)) / 20
    return {
        "r_fixed": fixed,
        "lat_c": np.arctan2(up, out),
        "distance": np.hypot(out, up),
        "r_inertial": inertial(0),
        "v_x": velocity[0],
        "v_y": velocity[1],
    }


def look_angles(g):
    x, y, z = g.r_sat
    distance = np.sqrt(x * x + y * y + z * z)
    lat_s, lon_s = np.arctan2(z, np.hypot(x, y)), np.arctan2(y, x)
    ahead = lon_s - g.lon
    arc = np.arccos(np.sin(g.lat) * np.sin(lat_s) + np.cos(g.lat) * np.cos(lat_s) * np.cos(ahead))
    azimuth = np.arctan2(np.sin(ahead), np.cos(g.lat) * np.tan(lat_s) - np.sin(g.lat) * np.cos(ahead))
    rho = np.sqrt(g.R_Earth**2 + distance**2 - 2 * g.R_Earth * distance * np.cos(arc))
    level, height = distance * np.sin(arc), distance * np.cos(arc) - g.R_Earth
    return {
        "lat_s": lat_s,
        "lon_s": lon_s,
        "rho": rho,
        "enu": np.array([level * np.sin(azimuth), level * np.cos(azimuth), height]),
        "azimuth": azimuth % (2 * np.pi),
        "elevation": np.arctan2(height, level),
    }


def launch_azimuth(g):
    along = np.arcsin(np.sin(g.lat) / np.sin(g.i))  # from the node to the site
    plane = Rotation.from_euler("X", g.i)
    site = plane.apply([np.cos(along), np.sin(along), 0])
    course = plane.apply([-np.sin(along), np.cos(along), 0])
    east = np.cross([0, 0, 1], site)
    east /= np.linalg.norm(east)
    north = np.cross(site, east)
    orbital = circular(g.mu_Earth, g.R_Earth + g.h) * course
    carried = np.cross([0, 0, g.omega_Earth], g.R_Earth * site)
    flown = orbital - carried
    return {
        "azimuth_inertial": np.arctan2(course @ east, course @ north),
        "v_site": np.linalg.norm(carried),
        "azimuth": np.arctan2(flown @ east, flown @ north),
        "saved": np.linalg.norm(orbital) - np.linalg.norm(flown),
    }
