"""At the end of its stated range an entry is as close to an independent result as it claims, and farther off beyond.

Each result here is computed without the base, by another formula or by integration.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from ansatz.errors import EvaluationError, RegimeWarning
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.equation.reference_sheet import format_page


def value(id, **inputs):
    return library().get(id).value(**inputs)


def knudsen_tube(kn):
    """Flow through a long tube over the molecular one, by Knudsen's formula of 1909."""
    d = 1 / kn
    return 0.1472 * d + (1 + 2.507 * d) / (1 + 3.095 * d)


def berman_tube(diameters):
    """Molecular flow through a tube over that of the long tube: A. S. Berman, J. Appl. Phys. 36 (1965) 3356."""
    x = 2 * diameters
    root = math.sqrt(x**2 + 4)
    share = ((8 - x**2) * root + x**3 - 16) ** 2 / (
        72 * x * root - 288 * math.log(x + root) + 288 * math.log(2)
    )
    return (1 + x**2 / 4 - x / 4 * root - share) * 3 * x / 8


def slip_sphere(kn):
    """Drag of a sphere by Stokes, corrected by Cunningham, over the free-molecular drag, 90 % diffuse."""
    return 2.25 * kn / (1 + kn * (1.257 + 0.4 * math.exp(-1.1 / kn))) / (1 + math.pi * 0.9 / 8)


def lorentz_width(tau):
    """Equivalent width of a Lorentz line of optical depth `tau` at its centre, over the linear law."""
    absorbed = quad(lambda x: -math.expm1(-tau / (1 + x**2)), -np.inf, np.inf)[0]
    return absorbed / (math.pi * tau)


def power_law_drag(slenderness, exponent):
    """Newtonian drag on the exact slope over that on the slope of a slender body."""
    slope = lambda x: slenderness * exponent * x ** (exponent - 1)  # noqa: E731
    ring = lambda x: 2 * exponent * x ** (2 * exponent - 1)  # noqa: E731
    exact = quad(lambda x: 2 * slope(x) ** 2 / (1 + slope(x) ** 2) * ring(x), 0, 1)[0]
    return exact / (2 * exponent**3 / (2 * exponent - 1) * slenderness**2)


def hydrostatic(height, planet, heights, temperatures):
    """Density in balance with gravity, for temperatures that are linear between heights."""
    radius, gravity, gas, pressure = planet
    weight = quad(
        lambda z: gravity / (1 + z / radius) ** 2 / (gas * np.interp(z, heights, temperatures)), 0, height
    )[0]
    return pressure * math.exp(-weight) / (gas * np.interp(height, heights, temperatures))


def mars(height):
    """Seiff 1982: 214 K at the ground, 140 K from 53 km."""
    density = hydrostatic(height, (3.3895e6, 3.71, 188.9, 610), (0, 53e3), (214, 140))
    return density / value("reference.exponential_atmosphere_mars", z=height)


def venus(height):
    """Temperatures of the Venus International Reference Atmosphere, every 10 km."""
    kelvin = (735, 658, 580, 495, 417, 348, 263, 230, 197, 169)
    density = hydrostatic(height, (6.0518e6, 8.87, 191.4, 9.2e6), np.arange(10) * 1e4, kelvin)
    return density / value("reference.exponential_atmosphere_venus", z=height)


def nucleus(mass_number):
    """Uniform sphere of the measured charge radius over 1.2 fm A^(1/3): Angeli and Marinova, ADNDT 99 (2013) 69."""
    root_mean_square = {2: 2.1421, 12: 2.4702, 40: 3.4776, 208: 5.5012}[mass_number]
    return math.sqrt(5 / 3) * root_mean_square / (1.2 * mass_number ** (1 / 3))


def solenoid(diameters):
    """Field at the centre of a coil over that of an endless one, from the law of Biot and Savart."""
    return quad(lambda z: 0.5 / (1 + 4 * z**2) ** 1.5 * 2, -diameters / 2, diameters / 2)[0]


# Entry, how it states the end, what is true over what it gives, the end, how far off it may be there, a point beyond.
ENDS = [
    ("viscous_interaction.tube_conductance", "kn > 1", knudsen_tube, 1, 0.05, 0.1),
    ("viscous_interaction.tube_conductance", "L >= 20*d_p", berman_tube, 20, 0.11, 5),
    ("viscous_interaction.knudsen_diffusion", "kn > 1", knudsen_tube, 1, 0.05, 0.1),
    ("viscous_interaction.epstein_drag", "kn > 10", slip_sphere, 10, 0.035, 1),
    ("radiation.weak_line_width", "optical in {thin}", lorentz_width, 0.1, 0.03, 1),
    ("newtonian.force.power_law_body_drag", "Rb <= 0.3*L", lambda ratio: power_law_drag(ratio, 0.75), 0.3, 0.09, 1),
    ("newtonian.force.power_law_body_drag", "Rb <= 0.3*L", lambda ratio: power_law_drag(ratio, 0.6), 0.3, 0.26, 1),
    ("reference.exponential_atmosphere_mars", "z <= 50000", mars, 50e3, 1 - 1 / 2.4, 75e3),
    ("reference.exponential_atmosphere_venus", "z <= 50000", venus, 50e3, 1 - 1 / 1.9, 75e3),
    ("physics.nuclear.radius", "A >= 12", nucleus, 12, 0.17, 2),
    ("physics.magnetic.solenoid", "2 % too high at its centre for five diameters", solenoid, 5, 0.02, 1),
]  # fmt: skip


@pytest.mark.parametrize(("id", "stated", "truth", "end", "error", "beyond"), ENDS)
def test_entry_is_right_at_the_ends_of_its_range(id, stated, truth, end, error, beyond):
    assert stated in format_page(library().get(id))
    assert abs(truth(end) - 1) <= error < abs(truth(beyond) - 1)


def test_hot_tile_heats_up_without_overflow():
    """The first term of the asymptotic series of a large h sqrt(alpha t)/k; the wall is as hot as the gas."""
    tile = {"Ti": 300, "T_inf": 1300, "x": 0, "alpha_s": 1e-6, "t": 1000, "h": 300, "k": 0.06}
    short = 300 * math.sqrt(1e-6 * 1000) / 0.06
    heated = value("heating.conduction.semi_infinite_convection", **tile)
    assert heated == pytest.approx(1300 - 1000 / (math.sqrt(math.pi) * short), abs=1e-3)


@pytest.mark.parametrize(
    ("id", "inputs", "limit"),
    [
        ("cycle.mixing_entropy", {"x": 0}, 0),
        ("cycle.mixing_entropy", {"x": 1}, 0),
        ("equilibrium.vibrational_energy", {"Rgas": 287, "theta_v": 3390, "T": 3}, 0),
        ("equilibrium.vibrational_specific_heat", {"Rgas": 287, "theta_v": 3390, "T": 3}, 0),
        ("radiation.planck_wavelength", {"wavelength": 1e-7, "T": 150}, 0),
    ],
)
def test_limit_has_its_value(id, inputs, limit):
    assert value(id, **inputs) == limit


def test_refusal_names_the_violated_condition():
    isothermal = {"n_p": 1, "Rgas": 287, "T1": 300, "P2": 9e5, "P1": 1e5}
    with pytest.raises(EvaluationError, match=r"abs\(n_p - 1\) .*isothermal_compression_work"):
        value("cycle.polytropic_flow_work", **isothermal)


@pytest.mark.parametrize(
    ("id", "given", "needed"),
    [
        ("cycle.brayton_regenerative_efficiency", {"T1": "300 K", "T3": "1200 K", "r_p": 20, "gamma": 1.4}, "r_p"),
        ("radiation.radiation_shields", {"T1": "300 K", "T2": "400 K", "N_s": 1, "eps": 0.1}, "T2 <= T1"),
        ("physics.capacitor.spherical", {"a": "5.1 cm", "b": "5 cm"}, "a < b"),
        ("cycle.open_feedwater_fraction", {"h2": "200 kJ/kg", "h3": "3000 kJ/kg", "h6": "2800 kJ/kg"}, "h3 <= h6"),
        ("radiation.view_factor_reciprocity", {"A1": "3 m^2", "F12": 1, "A2": "1 m^2"}, "A1"),
    ],
)  # fmt: skip
def test_violated_condition_warns(id, given, needed):
    with pytest.warns(RegimeWarning) as caught:
        library().get(id).evaluate(**given)
    assert any(needed in str(warning.message) for warning in caught)
