"""Attitude by SciPy's rotations, torque from the pulls on single masses, stability from eigenvalues."""

from itertools import permutations

import numpy as np
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import circular


def euler_angles(g):
    turn = Rotation.from_euler("ZYX", [g.yaw, g.pitch, g.roll])
    vector = turn.as_rotvec()
    q = turn.as_quat(canonical=True)
    return {
        "s_body": turn.inv().apply(g.s),
        "phi": np.linalg.norm(vector),
        "axis": vector / np.linalg.norm(vector),
        "q_vec": q[:3],
        "q_4": q[3],
    }


def quaternion_slew(g):
    turn = Rotation.from_euler("YZ", [g.angle_1, g.angle_2])
    q = turn.as_quat(canonical=True)
    phi = turn.magnitude()
    per_torque, _ = quad(lambda t: min(t, g.t_slew - t) / g.J, 0, g.t_slew, points=[g.t_slew / 2])
    torque = phi / per_torque
    return {
        **{f"q_{k + 1}": q[k] for k in range(4)},
        "phi": phi,
        "b_body": turn.inv().apply(g.b),
        "torque": torque,
        "rate": torque * g.t_slew / 2 / g.J,
    }


def spinning_body(g):
    inertia = np.array([g.I_t, g.I_t, g.I_s])
    rate = np.array([g.w_t, 0, g.spin])
    momentum = inertia * rate
    size = np.linalg.norm(momentum)
    parts, *_ = np.linalg.lstsq(np.column_stack([momentum / size, [0, 0, 1]]), rate, rcond=None)
    change = -np.cross(rate, momentum) / inertia
    return {
        "nutation": np.arccos(momentum[2] / size),
        "precession": parts[0],
        "body_rate": change[1] / rate[0],
        "loss": rate @ momentum / 2 - g.I_s * (size / g.I_s) ** 2 / 2,
    }


def tumbling_body(g):
    inertia, rate = np.array([g.I_1, g.I_2, g.I_3]), np.array([g.w_1, g.w_2, g.w_3])

    def change(w):
        return -np.cross(w, inertia * w) / inertia

    pure = np.array([0, g.w_2, 0])
    slopes = np.column_stack([(change(pure + d) - change(pure - d)) / 2e-5 for d in 1e-5 * np.eye(3)])
    size = np.linalg.norm(inertia * rate)
    return {
        "H": size,
        "energy": 0.5 * np.trace(np.diag(inertia) @ np.outer(rate, rate)),
        "acc": change(rate),
        "growth": max(np.linalg.eigvals(slopes).real),
        "w_end": size / max(inertia),
    }


def gravity_gradient(g):
    r = g.R_Earth + g.h
    n = circular(g.mu_Earth, r) / r
    # three pairs of unit masses at distances that give the moments; x along the motion, z to the Earth
    squares = np.array([-g.I_r + g.I_p + g.I_y, g.I_r - g.I_p + g.I_y, g.I_r + g.I_p - g.I_y]) / 4
    arms = np.vstack([np.diag(np.sqrt(squares)), -np.diag(np.sqrt(squares))])

    def torque(pitch):
        placed = Rotation.from_euler("y", pitch).apply(arms)
        away = placed - [0, 0, r]  # the Earth is at +r along z
        pulls = -g.mu_Earth * away / np.linalg.norm(away, axis=1)[:, None] ** 3
        return np.cross(placed, pulls).sum(axis=0)[1]

    stiffness = -(torque(1e-3) - torque(-1e-3)) / 2e-3
    period = 2 * np.pi * np.sqrt(g.I_p / stiffness)
    return {
        "n": n,
        "torque": abs(torque(g.theta)),
        "T_pitch": period,
        "ratio": 2 * np.pi / n / period,
        "choice": _steady_order(),
    }


def _steady_order():
    """The order of sizes for which the potential is least with every axis in its place."""
    for sizes in permutations((100.0, 80.0, 60.0)):
        inertia = dict(zip(("pitch", "roll", "yaw"), sizes, strict=True))
        pitch, roll, yaw = inertia.values()
        if roll > yaw and pitch > yaw and pitch > roll:  # pitching, rolling and yawing all cost energy
            return " > ".join(sorted(inertia, key=inertia.get, reverse=True))
    raise AssertionError("no order is steady")


def two_directions(g):
    turn, _ = Rotation.align_vectors([g.s_body, g.b_body], [g.s_ref, g.b_ref], weights=[np.inf, 1])
    yaw, pitch, roll = turn.inv().as_euler("ZYX")

    def between(a, b):
        return np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    return {
        "angle_body": between(g.s_body, g.b_body),
        "angle_ref": between(g.s_ref, g.b_ref),
        "third": turn.apply([0, 0, 1]),
        "yaw_est": yaw,
        "pitch_est": pitch,
        "roll_est": roll,
    }
