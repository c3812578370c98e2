"""Uses that a textbook makes of an entry: the textbook's number comes out, and no warning with it.

And uses that nature forbids: the formula gives a number, and a warning comes with it.
"""

import math
import warnings

import pytest

from ansatz.errors import RegimeWarning
from ansatz.knowledge_base.equation import library

EARTH, SUN = "398600.4418 km^3/s^2", "1.32712440018e11 km^3/s^2"

# Entry, what is asked for (None: its output), givens, the value with its unit, relative tolerance, where the number is from.
USES = [
    ("astro.vis_viva", None, {"mu": EARTH, "r": "6778.137 km", "a": "6778.137 km"}, (7.6686, "km/s"), 1e-4, "circular orbit at 400 km, Curtis, ch. 2"),
    ("astro.vis_viva", None, {"mu": "4902.8 km^3/s^2", "r": "1838 km", "a": "1838 km"}, (1.633, "km/s"), 1e-3, "Apollo's orbit of the Moon"),
    ("astro.axis_from_state", None, {"mu": EARTH, "r": "6578.137 km", "v": "10.2389 km/s"}, (24371, "km"), 1e-3, "perigee of a transfer to the geostationary orbit"),
    ("astro.rocket_equation", None, {"Isp": "310 s", "m0": "5000 kg", "mf": "3000 kg"}, (1552.9, "m/s"), 1e-4, "310 x 9.80665 ln(5/3)"),
    ("astro.excess_speed", None, {"v": "11.5 km/s", "mu": EARTH, "r": "6578 km"}, (3325.4, "m/s"), 1e-3, "sqrt(132.25 - 121.19) km/s"),
    ("astro.hohmann_total", None, {"mu": EARTH, "r1": "6569.48123 km", "r2": "42159.48 km"}, (3.935224, "km/s"), 1e-5, "Vallado, example 6-1"),
    ("astro.hohmann_total", None, {"mu": EARTH, "r1": "6678.137 km", "r2": "6878.137 km"}, (113.1, "m/s"), 1e-3, "300 km to 500 km: the difference of the circular speeds"),
    ("astro.hohmann_first", None, {"mu": SUN, "r1": "149.598e6 km", "r2": "227.94e6 km"}, (2.945, "km/s"), 1e-3, "Earth to Mars, Curtis, ch. 8"),
    ("astro.launch_azimuth", None, {"i": "51.6 deg", "phi": "28.5 deg"}, (44.98, "deg"), 1e-3, "to the space station from Cape Canaveral"),
    ("astro.eclipse_fraction", None, {"h": "35786 km", "R": "6378.137 km", "beta": "0 deg"}, (69.4 / 1436.07, ""), 2e-3, "longest eclipse of a geostationary satellite, 69 min"),
    ("astro.phasing_period", None, {"T": "86164 s", "phi": "12 deg", "k": 1}, (83291.9, "s"), 1e-5, "one revolution, 12/360 of the period less"),
    ("astro.jacobi_constant", None, {"x": 0.8369151, "y": 0, "mu_star": 0.0121506, "r1": 0.8490657, "r2": 0.1509343, "v": 0}, (3.18834, ""), 1e-5, "L1 of Earth and Moon"),
    ("astro.j2_mean_anomaly_rate", None, {"n": "1.1e-3 rad/s", "J2": 1.08263e-3, "R": "6378.137 km", "a": "6878.137 km", "e": 0, "i": "90 deg"}, (1.1e-3 * (1 - 0.75 * 1.08263e-3 * 0.85990), "rad/s"), 1e-6, "polar orbit at 500 km"),
    ("astro.exponential_density", None, {"rho0": "3.725e-12 kg/m^3", "h": "420 km", "h0": "400 km", "H": "58.515 km"}, (2.6466e-12, "kg/m^3"), 1e-3, "Vallado, table 8-4, e^(-20/58.515)"),
    ("cycle.log_mean_temperature_difference", None, {"dT1": "40 K", "dT2": "30 K"}, (34.76, "K"), 1e-4, "10/ln(4/3)"),
    ("cycle.log_mean_temperature_difference", None, {"dT1": "30 K", "dT2": "40 K"}, (34.76, "K"), 1e-4, "the same with the ends exchanged"),
    ("cycle.quality_from_volume", None, {"v": "0.8 m^3/kg", "v_f": "0.001043 m^3/kg", "v_g": "1.672 m^3/kg"}, (0.4782, ""), 1e-3, "water at 100 degC, Cengel and Boles, table A-4"),
    ("cycle.jet_thrust", None, {"m_dot": "350 kg/s", "V_e": "400 m/s", "V_0": "240 m/s", "p_e": "23 kPa", "p_0": "23 kPa", "A_e": "1 m^2"}, (56.0, "kN"), 1e-6, "an airliner's engine in cruise"),
    ("cycle.propulsive_efficiency", None, {"V_e": "1000 m/s", "V_0": "590 m/s"}, (0.7421, ""), 1e-3, "Mach 2, 2 x 590/1590"),
    ("cycle.compressor_second_law_efficiency", None, {"h1": "300.19 kJ/kg", "h2": "550.19 kJ/kg", "T_0": "300 K", "s1": "1.70203 kJ/kg/K", "s2": "1.80203 kJ/kg/K"}, (0.88, ""), 1e-6, "air, (250 - 30)/250"),
    ("cycle.watson_latent_heat", None, {"h_fg1": "2256.4 kJ/kg", "T_c": "647.1 K", "T1": "373.15 K", "T2": "423.15 K"}, (2113.8, "kJ/kg"), 0.015, "water at 150 degC, Cengel and Boles, table A-4"),
    ("physics.optics.critical_angle", None, {"n2": 1, "n1": 1.333}, (48.6, "deg"), 1e-3, "water to air, Hecht, ch. 4"),
    ("physics.optics.numerical_aperture", None, {"n1": 1.4682, "n2": 1.4629}, (0.1246, ""), 1e-3, "a silica fibre"),
    ("physics.optics.bragg", None, {"n": 1, "lam": "0.15406 nm", "d": "0.31356 nm"}, (28.44 / 2, "deg"), 1e-3, "copper K-alpha on silicon (111)"),
    ("radiation.rydberg", None, {"Z": 1, "n1": 2, "n2": 3}, (656.28, "nm"), 5e-4, "H-alpha"),
    ("physics.quantum.photoelectric", "f", {"K_max": "0 J", "phi": "4.7 eV"}, (1.136e15, "Hz"), 1e-3, "threshold of copper, 4.7 eV over h"),
    ("physics.kinematics.velocity_distance", None, {"v0": "20 m/s", "a": "-5 m/s^2", "x": "30 m"}, (10, "m/s"), 1e-9, "braking"),
    ("physics.thermal.isothermal_work", None, {"n": "1 mol", "T": "300 K", "V1": "10 L", "V2": "20 L"}, (1728.8, "J"), 1e-4, "RT ln 2"),
    ("physics.nuclear.carbon_dating", None, {"T_half": "5730 a", "N0": 1e12, "N": 2.5e11}, (11460, "a"), 1e-6, "two half-lives"),
    ("physics.relativity.gravitational_redshift", None, {"M": "2.784e30 kg", "r": "12 km"}, (0.2352, ""), 1e-3, "a neutron star of 1.4 solar masses"),
    ("physics.capacitor.spherical", None, {"a": "5 cm", "b": "6 cm"}, (33.38, "pF"), 1e-3, "4 pi eps0 x 0.3 m"),
    ("reference.thermal_diffusivity", None, {"k_th": "14.9 W/m/K", "rho": "7900 kg/m^3", "cp": "477 J/kg/K"}, (3.95e-6, "m^2/s"), 2e-3, "stainless steel 304, Incropera and DeWitt, table A.1"),
    ("reference.jakob_number", None, {"cp_l": "4217 J/kg/K", "Tw": "383.15 K", "T_sat": "373.15 K", "h_fg": "2257 kJ/kg"}, (0.01868, ""), 1e-3, "water boiling at 10 K of superheat"),
    ("heating.conduction.composite_wall", None, {"T1": "293.15 K", "T2": "263.15 K", "L1": "10 cm", "k1": "0.7 W/m/K", "L2": "10 cm", "k2": "0.04 W/m/K"}, (11.35, "W/m^2"), 1e-3, "an insulated brick wall in winter"),
    ("radiation.radiative_coefficient", None, {"eps": 0.9, "T1": "300 K", "T2": "290 K"}, (5.24, "W/m^2/K"), 1e-3, "a room, 4 eps sigma T^3"),
    ("shock.nozzle.exit_velocity", None, {"gamma": 1.4, "Rgas": "287 J/kg/K", "T0": "300 K", "p_e": "1 bar", "p0": "10 bar"}, (539.0, "m/s"), 1e-3, "compressed air, isentropic tables at p/p0 = 0.1: M = 2.157"),
    ("physics.fluid.pipe_flow", "V", {"D": "2.067 in", "V_dot": "50 gal/min"}, (4.78, "ft/s"), 2e-3, "50 gpm in a 2-inch pipe, schedule 40, Crane TP-410, table B-14"),
    ("physics.fluid.gauge_pressure", "h", {"p": "1 psi", "rho": "999.0 kg/m^3"}, (2.309, "ft"), 1e-3, "a pound per square inch is 2.31 feet of water"),
    ("physics.fluid.wind_power_diameter", None, {"C_P": 0.5926, "rho": "1.225 kg/m^3", "D": "2 m", "V": "10 m/s"}, (1140.3, "W"), 1e-3, "Betz limit, 363 W/m2"),
    ("heating.conduction.unit_resistance", None, {"L": "3.5 in", "k": "0.27 Btu*in/(hr*ft^2*degR)"}, (12.96, "hr*ft^2*degR/Btu"), 2e-3, "a stud wall's glass wool, R-13"),
    ("cycle.lmtd_counterflow", None, {"T1": "100 degC", "T2": "60 degC", "t1": "30 degC", "t2": "40 degC"}, (43.28, "K"), 1e-3, "Incropera and DeWitt, example 11.1: oil cooler, 43.2 degC"),
    ("heating.u_value_wall", None, {"h1": "7.69 W/m^2/K", "L": "0.365 m", "k": "0.58 W/m/K", "h2": "25 W/m^2/K"}, (1.251, "W/m^2/K"), 2e-3, "brick wall, films of ISO 6946 (0.13 and 0.04 m2 K/W)"),
    ("physics.thermal.heating_time", None, {"m": "1 kg", "c": "4186 J/kg/K", "dT": "80 K", "P": "2 kW"}, (167.4, "s"), 1e-3, "a kettle, 334.9 kJ over 2 kW"),
    ("astro.period_altitude", None, {"mu": EARTH, "R": "6378.137 km", "h": "408 km"}, (92.65, "min"), 1e-3, "the space station, 92.7 min"),
    ("astro.rocket_equation_ratio", "R_m", {"Isp": "450 s", "dv": "9.4 km/s"}, (8.417, ""), 1e-3, "exp(9400/4412.99)"),
    ("nonequilibrium.plasma_refractive_index", None, {"f_p": "9 MHz", "f": "15 MHz"}, (0.8, ""), 1e-9, "short wave in the ionosphere, sqrt(1 - 0.36)"),
]  # fmt: skip


@pytest.mark.parametrize(("id", "wanted", "given", "expected", "rtol", "source"), USES)
def test_textbook_value_is_computed_without_a_warning(id, wanted, given, expected, rtol, source):
    equation, (value, unit) = library().get(id), expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = equation.solve_for(wanted or equation.output, **given)
    assert math.isclose(found.to(unit or "dimensionless").magnitude, value, rel_tol=rtol), source


# Entry, givens, what is needed.
IMPOSSIBLE = [
    ("shock.oblique.pressure_ratio", {"M": 2, "beta": "20 deg", "gamma": 1.4}, "M*sin(beta) >= 1"),
    ("shock.oblique.total_pressure_ratio", {"M": 2, "beta": "28 deg", "gamma": 1.4}, "M*sin(beta) >= 1"),
    ("boundary_layer.turbulent.power_profile", {"y": "2 cm", "delta": "1 cm"}, "y <= delta"),
    ("cycle.turbine_efficiency", {"h1": "3400 kJ/kg", "h2a": "2500 kJ/kg", "h2s": "2600 kJ/kg"}, "h2s <= h2a"),
    ("cycle.quality_from_volume", {"v": "2 m^3/kg", "v_f": "0.001043 m^3/kg", "v_g": "1.672 m^3/kg"}, "v <= v_g"),
    ("radiation.concentric_spheres", {"A1": "50 m^2", "r1": "2 m", "r2": "1 m", "eps_1": 0.8, "eps_2": 0.8, "T1": "400 K", "T2": "300 K"}, "r1 < r2"),
    ("newtonian.pressure.sine_squared", {"theta": "-10 deg"}, "theta >= 0"),
    ("newtonian.pressure.newton_busemann_circle", {"phi": "80 deg"}, "phi <= 1.0472"),
    ("newtonian.force.power_law_body_drag", {"n_b": 0.4, "Rb": "0.5 m", "L": "4 m"}, "n_b"),
    ("astro.j2_apsidal_rate", {"n": "8.8e-4 rad/s", "J2": 1.0826e-3, "R": "6378 km", "a": "8000 km", "e": 0.5, "i": "60 deg"}, "R < a*(1 - e)"),
]  # fmt: skip


@pytest.mark.parametrize(("id", "given", "needed"), IMPOSSIBLE)
def test_impossible_values_cause_a_warning(id, given, needed):
    equation = library().get(id)
    with pytest.warns(RegimeWarning) as caught:
        equation.evaluate(**given)
    assert any(needed in str(warning.message) for warning in caught)
