"""Perfect-gas relations of pygasflow 1.4.1; it gives static over stagnation values and angles in degrees."""

import math

from answering import answer
from pygasflow import fanno, isentropic, rayleigh, shockwave

RATIOS = ("pressure", "density", "temperature", "total_pressure", "mach")


def normal(name):
    """A ratio across a normal shock, or the Mach number behind it."""
    return lambda M, gamma: shockwave.get_ratios_from_normal_mach_upstream(M, gamma)[RATIOS.index(name)]


def across(name):
    """A ratio across an oblique shock, from the normal component of the Mach number."""

    def ratio(M, beta, gamma):
        return normal(name)(supersonic(M * math.sin(beta)), gamma)

    return ratio


def supersonic(mach):
    if mach < 1:
        raise ValueError("no shock")
    return mach


def duct(module, name):
    return lambda M, gamma: getattr(module, name)(M, gamma)


def deflection(beta, M, gamma):
    supersonic(M * math.sin(beta))
    return math.radians(shockwave.theta_from_mach_beta(M, math.degrees(beta), gamma))


def weak_angle(M, gamma, theta):
    return math.radians(shockwave.beta_from_mach_theta(M, math.degrees(theta), gamma)["weak"])


def behind(M, beta, theta, gamma):
    exact = deflection(beta, M, gamma)
    if abs(exact - theta) > 1e-6:
        raise ValueError("the two angles are not those of one shock")
    return shockwave.oblique_mach_downstream(M, math.degrees(beta), None, gamma)


ROUTES = {
    "shock.normal.downstream_mach": normal("mach"),
    "shock.normal.pressure_ratio": normal("pressure"),
    "shock.normal.density_ratio": normal("density"),
    "shock.normal.temperature_ratio": normal("temperature"),
    "shock.normal.total_pressure_ratio": normal("total_pressure"),
    "shock.oblique.pressure_ratio": across("pressure"),
    "shock.oblique.density_ratio": across("density"),
    "shock.oblique.temperature_ratio": across("temperature"),
    "shock.oblique.total_pressure_ratio": across("total_pressure"),
    "shock.oblique.theta_beta_mach": deflection,
    "shock.oblique.explicit_weak_angle": weak_angle,
    "shock.oblique.downstream_mach": behind,
    "shock.oblique.max_deflection_angle": lambda M, gamma: math.radians(
        shockwave.detachment_point_oblique_shock(M, gamma)[0]
    ),
    "shock.oblique.sonic_angle": lambda M, gamma: math.radians(
        shockwave.sonic_point_oblique_shock(M, gamma)[0]
    ),
    "shock.pitot.rayleigh": lambda M, gamma: shockwave.rayleigh_pitot_formula(M, gamma),
    "shock.isentropic.pressure_ratio": lambda M, gamma: 1 / isentropic.pressure_ratio(M, gamma),
    "shock.isentropic.temperature_ratio": lambda M, gamma: 1 / isentropic.temperature_ratio(M, gamma),
    "shock.isentropic.density_ratio": lambda M, gamma: 1 / isentropic.density_ratio(M, gamma),
    "shock.isentropic.area_mach": lambda M, gamma: isentropic.critical_area_ratio(M, gamma),
    "shock.isentropic.critical_pressure": lambda gamma: 1 / isentropic.sonic_pressure_ratio(gamma),
    "shock.isentropic.critical_temperature": lambda gamma: 1 / isentropic.sonic_temperature_ratio(gamma),
    "shock.isentropic.critical_density": lambda gamma: 1 / isentropic.sonic_density_ratio(gamma),
    "shock.isentropic.characteristic_mach": lambda M, gamma: isentropic.critical_velocity_ratio(M, gamma),
    "shock.isentropic.mach_angle": lambda M: math.radians(isentropic.mach_angle(M)),
    "shock.expansion.prandtl_meyer": lambda M, gamma: math.radians(isentropic.prandtl_meyer_angle(M, gamma)),
    "shock.duct.fanno_length": duct(fanno, "critical_friction_parameter"),
    "shock.duct.fanno_pressure": duct(fanno, "critical_pressure_ratio"),
    "shock.duct.fanno_temperature": duct(fanno, "critical_temperature_ratio"),
    "shock.duct.rayleigh_pressure": duct(rayleigh, "critical_pressure_ratio"),
    "shock.duct.rayleigh_temperature": duct(rayleigh, "critical_temperature_ratio"),
    "shock.duct.rayleigh_velocity": duct(rayleigh, "critical_velocity_ratio"),
    "shock.duct.rayleigh_total_pressure": duct(rayleigh, "critical_total_pressure_ratio"),
    "shock.duct.rayleigh_total_temperature": duct(rayleigh, "critical_total_temperature_ratio"),
    "newtonian.pressure.oblique_shock": lambda gamma, beta, M: (
        2 / (gamma * M**2) * (across("pressure")(M, beta, gamma) - 1)
    ),
    "newtonian.pressure.cp_max": lambda M, gamma: (
        2 / (gamma * M**2) * (shockwave.rayleigh_pitot_formula(M, gamma) - 1)
    ),
    "newtonian.pressure.critical": lambda gamma, M: (
        2
        / (gamma * M**2)
        * (1 / isentropic.sonic_pressure_ratio(gamma) / isentropic.pressure_ratio(M, gamma) - 1)
    ),
}

if __name__ == "__main__":
    answer(ROUTES)
