"""Shocks, expansions and nozzles, recomputed from conservation laws and Mach-wave sums (see gas_dynamics).

Standoff fits: F. S. Billig, J. Spacecraft 4 (1967) 822, and density-ratio scaling with 0.78 for spheres.
"""

import math

from scipy import optimize

from tests.eval.tps_second_route.gas_dynamics import (
    behind_weak_shock,
    mass_flux,
    normal_shock,
    pitot,
    prandtl_meyer,
    stagnation_pressure,
    steepest_attached,
    total_pressure_ratio,
)
from tests.eval.tps_second_route.layers import recovery


def expansion_corner(g):
    gamma, before = g["gamma"], prandtl_meyer(g["M_1"], g["gamma"])
    after = before + math.radians(g["delta"])
    mach = optimize.brentq(lambda mach: prandtl_meyer(mach, gamma) - after, g["M_1"], 40)
    pressure = g["p_1"] * stagnation_pressure(g["M_1"], gamma) / stagnation_pressure(mach, gamma)
    return {"nu_1": math.degrees(before), "M_2": mach, "p_2": pressure}


def pitot_probe(g):
    ratio = pitot(g["M_1"], g["gamma"])
    return {"r_p": ratio, "p_pitot": ratio * g["p_1"]}


def ramp_downstream_state(g):
    angle, jump, mach = behind_weak_shock(g["M_1"], g["gamma"], math.radians(g["delta"]))
    return {
        "beta_s": math.degrees(angle),
        "p_2": jump.pressure * g["p_1"],
        "T_2": jump.temperature * g["T_1"],
        "M_2": mach,
        "T_aw": recovery(mach, jump.temperature * g["T_1"], math.cbrt(g["Pr"]), g["gamma"]),
    }


def sonic_turning_angle(g):
    return {"nu_2": math.degrees(prandtl_meyer(g["M_2"], g["gamma"]))}


def driven_gas(mach, gamma, sound_speed):
    """Jump and gas speed behind a shock that runs into gas at rest."""
    jump = normal_shock(mach, gamma)
    return jump, mach * sound_speed * (1 - 1 / jump.density)


def tube_run(g):
    """Pressure and speed agree across the interface of shocked and expanded gas."""

    def excess(mach):
        jump, speed = driven_gas(mach, g["gamma_1"], g["a_1"])
        slowed = 1 - (g["gamma_4"] - 1) / 2 * speed / g["a_4"]
        if slowed <= 0:
            return jump.pressure
        return jump.pressure - g["r_41"] * slowed ** (2 * g["gamma_4"] / (g["gamma_4"] - 1))

    mach = optimize.brentq(excess, 1.001, 12)
    jump, _ = driven_gas(mach, g["gamma_1"], g["a_1"])
    return {"M_s": mach, "r_21": jump.pressure, "T_2": jump.temperature * g["T_1"]}


def oblique_recovery(mach, gamma, turning):
    """Mach number behind a weak shock, and its total pressure ratio."""
    angle, _, after = behind_weak_shock(mach, gamma, turning)
    return after, total_pressure_ratio(mach * math.sin(angle), gamma)


def two_ramp_inlet(g):
    second, first_loss = oblique_recovery(g["M_1"], g["gamma"], math.radians(g["d_1"]))
    third, second_loss = oblique_recovery(second, g["gamma"], math.radians(g["d_2"]))
    return {"M_2": second, "M_3": third, "pi_r": first_loss * second_loss}


def intake_starting(g):
    """All the flow behind the shock passes the sonic throat."""
    behind = normal_shock(g["M_1"], g["gamma"]).mach
    return {"r_t": mass_flux(behind, g["gamma"]) / mass_flux(1, g["gamma"])}


def reflected_tunnel(g):
    incident, speed = driven_gas(g["M_s"], g["gamma"], g["a_1"])
    sound = g["a_1"] * math.sqrt(incident.temperature)

    def residual_speed(mach):
        return speed - driven_gas(mach, g["gamma"], sound)[1]

    reflected = normal_shock(optimize.brentq(residual_speed, 1.001, 10), g["gamma"])
    return {
        "u_2": speed,
        "p_5": incident.pressure * reflected.pressure * g["p_1"],
        "T_5": incident.temperature * reflected.temperature * g["T_1"],
    }


def steepest_flap(g):
    angle, turning = steepest_attached(g["M_1"], g["gamma"])
    return {"beta_m": math.degrees(angle), "delta_m": math.degrees(turning)}
