"""Numbers that failure modes quote are those that the entries give."""

import math

import pytest

from ansatz.knowledge_base.equation import library

PI_2 = math.pi / 2


def ratio(first, second, **inputs):
    """One entry's value over another's, each for the inputs that it has."""
    pair = [library().get(id) for id in (first, second)]
    values = [each.value(**{name: inputs[name] for name in each.inputs}) for each in pair]
    return values[0] / values[1]


def value(id, **inputs):
    return library().get(id).value(**inputs)


def _lateral(mach, beta, gamma):
    deflection = value("shock.oblique.theta_beta_mach", M=mach, beta=beta, gamma=gamma)
    speed = value("shock.oblique.downstream_speed", V1=1.0, beta=beta, theta=deflection)
    return speed * math.sin(deflection), speed * math.cos(deflection)


STRONG = {"gamma": 1.4, "q_c": 1e5}
CJ = value("shock.detonation.cj_mach", **STRONG, Rgas=287.0, T1=300.0) * math.sqrt(1.4 * 287.0 * 300.0)

# Entry, the words that quote the number, the number computed, and how far the quoted one may be rounded.
QUOTED = [
    ("shock.isentropic.pressure_ratio", "7.2 times at M = 4", ratio("shock.isentropic.pressure_ratio", "shock.pitot.rayleigh", M=4, gamma=1.4), 7.2, 0.01),
    ("shock.oblique.hypersonic_lateral_velocity", "gives 0.299", value("shock.oblique.hypersonic_lateral_velocity", beta=0.4, gamma=1.4), 0.299, 0.002),
    ("shock.oblique.hypersonic_lateral_velocity", "exact value is 0.080", _lateral(3, 0.4, 1.4)[0], 0.080, 0.01),
    ("shock.oblique.hypersonic_axial_velocity", "gives 0.874", value("shock.oblique.hypersonic_axial_velocity", beta=0.4, gamma=1.4), 0.874, 0.001),
    ("shock.oblique.hypersonic_axial_velocity", "exact value is 0.966", _lateral(3, 0.4, 1.4)[1], 0.966, 0.001),
    ("newtonian.pressure.oblique_shock_limit", "factor of 3.7", ratio("newtonian.pressure.oblique_shock_limit", "newtonian.pressure.oblique_shock", M=3, beta=0.4, gamma=1.4), 3.7, 0.02),
    ("shock.detonation.strong_speed", "30 %", 100 * (1 - value("shock.detonation.strong_speed", **STRONG) / CJ), 30, 0.03),
    ("shock.normal.strong_density_limit", "more than 15 percent", 100 * (ratio("shock.normal.strong_density_limit", "shock.normal.density_ratio", M=5, gamma=1.4) - 1), 20, 0.05),
    ("heating.sutton_graves.mars", "about 9 percent too high", 100 * (ratio("heating.sutton_graves.mars", "heating.sutton_graves.earth", rho=1e-4, Rn=1, V=6000) - 1), 9, 0.05),
    ("newtonian.pressure.sine_squared", "about 9 percent too high", 100 * (2 / value("newtonian.pressure.cp_max", M=30, gamma=1.4) - 1), 9, 0.05),
    ("shock.standoff.billig_sphere", "factor of about 2.7", ratio("shock.standoff.billig_cylinder", "shock.standoff.billig_sphere", M=20, Rn=1), 2.7, 0.02),
    ("boundary_layer.turbulent.prandtl_schlichting_mean", "10 to 20 percent", 100 * (ratio("boundary_layer.turbulent.prandtl_schlichting_mean", "boundary_layer.turbulent.one_seventh_cf", Re_L=1e7, Re_x=1e7, A=0) - 1), 15, 0.4),
    ("radiation.slab_exponential_kernel", "thin slope is 1.66", value("radiation.slab_exponential_kernel", T=1000, tau=1e-6) / (5.670374419e4 * 1e-6), 1.66, 0.01),
    ("equilibrium.nasa_cp.o2", "15 % low at 5000 K", 100 * (1 - ratio("equilibrium.nasa_cp.o2", "equilibrium.nasa9_cp.o2", T=5000)), 15, 0.1),
]  # fmt: skip


@pytest.mark.parametrize(("id", "words", "computed", "quoted", "rounding"), QUOTED)
def test_quoted_numbers_are_computed(id, words, computed, quoted, rounding):
    effects = " ".join(mode.effect for mode in library().get(id).failure_modes)
    assert words in effects
    assert computed == pytest.approx(quoted, rel=rounding)


def test_limits_of_strong_shocks_are_as_far_off_as_their_conditions_say():
    inputs = {"beta": PI_2, "gamma": 1.4}
    temperature = ratio(
        "shock.normal.strong_temperature_limit", "shock.normal.temperature_ratio", M=5, **inputs
    )
    pressure = ratio("shock.normal.strong_pressure_limit", "shock.normal.pressure_ratio", M=3, **inputs)
    assert (temperature, pressure) == pytest.approx((0.84, 1.016), abs=0.003)
