"""Numbers that failure modes quote are those that the entries give."""

import math
import re

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

LAYER = {"Ti": 0.0, "q": 1.0, "L": 1.0, "k": 1.0, "alpha": 1.0}
BLAST = {"M": 10, "CD": 1, "d": 1}


def power(id, name, **inputs):
    """The exponent with which an entry's value follows one input, between that input and its double."""
    return math.log2(value(id, **inputs | {name: 2 * inputs[name]}) / value(id, **inputs))


# Entry, the words that quote the number, the number computed, and how far the quoted one may be rounded.
QUOTED = [
    ("shock.isentropic.pressure_ratio", "7.2 times at M = 4", ratio("shock.isentropic.pressure_ratio", "shock.pitot.rayleigh", M=4, gamma=1.4), 7.2, 0.01),
    ("shock.oblique.hypersonic_lateral_velocity", "gives 0.299", value("shock.oblique.hypersonic_lateral_velocity", beta=0.4, gamma=1.4), 0.299, 0.002),
    ("shock.oblique.hypersonic_lateral_velocity", "exact value is 0.080", _lateral(3, 0.4, 1.4)[0], 0.080, 0.01),
    ("shock.oblique.hypersonic_axial_velocity", "gives 0.874", value("shock.oblique.hypersonic_axial_velocity", beta=0.4, gamma=1.4), 0.874, 0.001),
    ("shock.oblique.hypersonic_axial_velocity", "exact value is 0.966", _lateral(3, 0.4, 1.4)[1], 0.966, 0.001),
    ("newtonian.pressure.oblique_shock_limit", "factor of 3.7", ratio("newtonian.pressure.oblique_shock_limit", "newtonian.pressure.oblique_shock", M=3, beta=0.4, gamma=1.4), 3.7, 0.02),
    ("shock.detonation.strong_speed", "30 %", 100 * (1 - value("shock.detonation.strong_speed", **STRONG) / CJ), 30, 0.03),
    ("shock.normal.strong_density_limit", "20 percent at Mach 5", 100 * (ratio("shock.normal.strong_density_limit", "shock.normal.density_ratio", M=5, gamma=1.4) - 1), 20, 0.05),
    ("heating.sutton_graves.mars", "about 9 percent too high", 100 * (ratio("heating.sutton_graves.mars", "heating.sutton_graves.earth", rho=1e-4, Rn=1, V=6000) - 1), 9, 0.05),
    ("newtonian.pressure.sine_squared", "about 9 percent too high", 100 * (2 / value("newtonian.pressure.cp_max", M=30, gamma=1.4) - 1), 9, 0.05),
    ("shock.standoff.billig_sphere", "factor of about 2.7", ratio("shock.standoff.billig_cylinder", "shock.standoff.billig_sphere", M=20, Rn=1), 2.7, 0.02),
    ("boundary_layer.turbulent.prandtl_schlichting_mean", "10 to 20 percent", 100 * (ratio("boundary_layer.turbulent.prandtl_schlichting_mean", "boundary_layer.turbulent.one_seventh_cf", Re_L=1e7, Re_x=1e7, A=0) - 1), 15, 0.4),
    ("radiation.slab_exponential_kernel", "thin slope is 1.66", value("radiation.slab_exponential_kernel", T=1000, tau=1e-6) / (5.670374419e4 * 1e-6), 1.66, 0.01),
    ("equilibrium.nasa_cp.o2", "15 % low at 5000 K", 100 * (1 - ratio("equilibrium.nasa_cp.o2", "equilibrium.nasa9_cp.o2", T=5000)), 15, 0.1),
    ("boundary_layer.laminar.reference_temperature_cf", "root of 3", value("boundary_layer.cone.laminar_factor", cf=1.0), math.sqrt(3), 1e-9),
    ("heating.ablation.blowing_reduction", "about 20 percent at B' near 1", 100 * (ratio("heating.ablation.blowing_reduction", "heating.ablation.blowing_reduction_unblown", lam=0.5, Bprime=1, B0prime=1) - 1), 20, 0.06),
    ("heating.bound.kinetic_energy_flux", "10 to 100 times", ratio("heating.bound.kinetic_energy_flux", "heating.sutton_graves.earth", rho=1e-4, V=7000, Rn=1), 29, 0.02),
    ("heating.conduction.slab_flux", "Fourier number of 1/6", value("heating.conduction.slab_flux", **LAYER, t=1 / 6) + 1, 1, 1e-9),
    ("heating.interference.pressure_power_laminar", "about 0.85", power("heating.interference.pressure_power_turbulent", "p_peak", q_u=1, p_peak=3, p_u=1), 0.85, 1e-9),
    ("newtonian.pressure.potential_sphere", "beyond 42 deg", 1 + value("newtonian.pressure.potential_sphere", phi=math.radians(42)), 1, 0.01),
    ("newtonian.stagnation.velocity_gradient_sphere", "3V/(2R)", value("newtonian.stagnation.velocity_gradient_potential", V=1, Rn=1), 1.5, 1e-9),
    ("newtonian.pressure.tangent_wedge_hypersonic", "sqrt(M^2 - 1)", value("newtonian.pressure.ackeret", theta=0.1, M=2) * math.sqrt(3), 0.2, 1e-9),
    ("nonequilibrium.binary_scaling", "rho**2 L", 1 / power("nonequilibrium.ternary_scaling", "L_2", rho_1=1, L_1=1, L_2=1), -2, 1e-9),
    ("radiation.stark_width", "about the 2/3 power", power("radiation.stark_width_hbeta", "n_e", n_e=1e23), 2 / 3, 0.03),
    ("radiation.wien_displacement", "h nu = 2.821 k T", value("radiation.wien_frequency", T=1.0) * 4.799243e-11, 2.821, 2e-4),
    ("radiation.thin_intensity", "by 5 % there", 100 * (0.1 / -math.expm1(-0.1) - 1), 5, 0.02),
    ("radiation.thin_intensity", "27 % at 0.5", 100 * (ratio("radiation.thin_intensity", "radiation.transfer_uniform_path", S_f=1, tau=0.5, I_0=0) - 1), 27, 0.01),
    ("reference.maximum_speed", "2 a0/(gamma - 1)", value("shock.unsteady.escape_speed", a4=1, gamma=1.4), 2 / 0.4, 1e-9),
    ("shock.unsteady.escape_speed", "sqrt(2 h0)", value("reference.maximum_speed", h0=1), math.sqrt(2), 1e-9),
    ("shock.blast.axisymmetric_pressure", "2/3 power", power("shock.blast.planar_pressure", "x", **BLAST, x=9), -2 / 3, 1e-9),
    ("viscous_interaction.blunt_plate_blast_wave", "as 1/x", power("shock.blast.axisymmetric_pressure", "x", **BLAST, x=9), -1, 1e-9),
    ("viscous_interaction.blunt_plate_blast_wave", "x**(-2/3)", power("shock.blast.planar_pressure", "x", **BLAST, x=9), -2 / 3, 1e-9),
    ("shock.normal.density_ratio", "limit of 6", value("shock.normal.density_ratio", M=1e6, gamma=1.4), 6, 1e-6),
    ("shock.normal.strong_pressure_limit", "does not tend to 1", value("shock.normal.strong_pressure_limit", M=1, beta=PI_2, gamma=1.4), 7 / 6, 1e-9),
    ("shock.oblique.pressure_ratio", "square of 1/sin(beta)", ratio("shock.normal.pressure_ratio", "shock.oblique.pressure_ratio", M=100, beta=0.5, gamma=1.4), math.sin(0.5) ** -2, 0.002),
    ("shock.standoff.billig_cylinder", "factor of about 2.7", ratio("shock.standoff.billig_cylinder", "shock.standoff.billig_sphere", M=20, Rn=1), 2.7, 0.02),
    ("shock.standoff.billig_vertex_radius", "1.386 and 1.8 exponent 0.75", value("shock.standoff.billig_cylinder_vertex_radius", Rn=1, M=2), 1.386 * math.exp(1.8), 1e-9),
    ("viscous_interaction.induced_pressure_strong_insulated", "intercept 0.759", value("viscous_interaction.induced_pressure_strong_insulated", chi_bar=0), 0.759, 1e-9),
    ("viscous_interaction.free_molecular_recovery_temperature", "below 1", value("boundary_layer.recovery.laminar_factor", Pr=0.71), 0.84, 0.01),
    ("viscous_interaction.bgk_collision", "Prandtl number 1", ratio("viscous_interaction.es_bgk_frequency", "viscous_interaction.bgk_frequency", Pr=1, p=1e5, mu=1e-5), 1, 1e-9),
]  # fmt: skip

# Effects whose figures are names, roots of an expression or a convention, and not results.
STATED = {
    "cycle.isentropic_temperature", "cycle.relative_pressure",  # s2 = s1
    "cycle.log_mean_temperature_difference",  # 0/0
    "equilibrium.sound_speed_perfect",  # gamma of 1.4, an input
    "reference.us76_troposphere_temperature",  # the layer to 20 km is defined so
    "viscous_interaction.cheng_rarefaction",  # about 10, where by convention the transition begins
}  # fmt: skip


@pytest.mark.parametrize(("id", "words", "computed", "quoted", "rounding"), QUOTED)
def test_quoted_numbers_are_computed(id, words, computed, quoted, rounding):
    effects = " ".join(mode.effect for mode in library().get(id).failure_modes)
    assert words in effects
    assert computed == pytest.approx(quoted, rel=rounding)


def test_every_quoted_number_is_tested():
    words = {id: [row[1] for row in QUOTED if row[0] == id] for id in {row[0] for row in QUOTED}}
    unproved = [
        f"{entry.id}: {mode.effect}"
        for entry in library()
        for mode in entry.failure_modes
        if re.search(r"\d", mode.effect)
        and entry.id not in STATED
        and not any(quoted in mode.effect for quoted in words.get(entry.id, []))
    ]
    assert unproved == []


def test_strong_shock_limits_have_the_stated_error():
    inputs = {"beta": PI_2, "gamma": 1.4}
    temperature = ratio(
        "shock.normal.strong_temperature_limit", "shock.normal.temperature_ratio", M=5, **inputs
    )
    pressure = ratio("shock.normal.strong_pressure_limit", "shock.normal.pressure_ratio", M=3, **inputs)
    assert (temperature, pressure) == pytest.approx((0.84, 1.016), abs=0.003)
