"""The textbook formulas in memory are right and homogeneous, and know nothing of regimes."""

import math

import pytest

from ansatz.agents.slide_rule.formulas import remembered
from ansatz.quantities.scales import scale
from ansatz.quantities.tree import Formula, Name

# Values from tables or by hand: NACA 1135 for gas dynamics, textbook examples for the rest.
EXAMPLES = {
    "ideal gas law for density": ({"p": 101325, "R": 287.05, "T": 288.15}, 1.225),
    "ideal gas law for pressure": ({"rho": 1.225, "R": 287.05, "T": 288.15}, 101325),
    "speed of sound of a perfect gas": ({"gamma": 1.4, "R": 287.05, "T": 288.15}, 340.3),
    "Mach number": ({"V": 680.6, "a": 340.3}, 2.0),
    "speed from Mach number": ({"M": 2, "a": 340.3}, 680.6),
    "dynamic pressure": ({"rho": 1.225, "V": 100}, 6125),
    "Reynolds number": ({"rho": 1.225, "V": 50, "L": 2, "mu": 1.789e-5}, 6.847e6),
    "isentropic stagnation temperature": ({"T": 100, "gamma": 1.4, "M": 2}, 180),
    "isentropic stagnation pressure": ({"p": 1e5, "gamma": 1.4, "M": 2}, 1e5 / 0.1278),
    "normal shock pressure ratio": ({"gamma": 1.4, "M1": 2}, 4.5),
    "normal shock density ratio": ({"gamma": 1.4, "M1": 2}, 2.667),
    "normal shock temperature ratio": ({"gamma": 1.4, "M1": 2}, 1.687),
    "Mach number behind a normal shock": ({"gamma": 1.4, "M1": 2}, 0.5774),
    "temperature behind a shock from its ratio": ({"T1": 288.15, "T21": 1.6875}, 486.25),
    "pressure behind a shock from its ratio": ({"p1": 1e5, "p21": 4.5}, 4.5e5),
    "density behind a shock from its ratio": ({"rho1": 1.2, "rho21": 2.5}, 3.0),
    "Blasius skin friction": ({"Re": 1e6}, 6.64e-4),
    "Blasius boundary-layer thickness": ({"x": 1, "Re": 1e6}, 0.005),
    "turbulent skin friction": ({"Re": 1e7}, 0.002357),
    "Bernoulli stagnation pressure": ({"p": 101325, "rho": 1000, "V": 2}, 103325),
    "Newtonian sine-squared law": ({"theta": math.radians(30)}, 0.5),
    "Prandtl-Glauert rule": ({"Cp0": -0.3, "M": 0.6}, -0.375),
    "Stefan-Boltzmann law": ({"epsilon": 1, "T": 1000}, 5.67e4),
    "Sutherland viscosity of air": ({"T": 300}, 1.846e-5),
    "enthalpy of a perfect gas": ({"cp": 1005, "T": 300}, 301500),
    "stagnation enthalpy": ({"h": 3e5, "V": 200}, 3.2e5),
    "Carnot efficiency": ({"Tc": 300, "Th": 600}, 0.5),
    "quality mixture rule": ({"hf": 417.5e3, "hg": 2675.0e3, "x": 0.5}, 1546.2e3),
    "kinetic energy flux": ({"rho": 1e-4, "V": 7000}, 1.715e7),
    "Fourier conduction": ({"k": 0.8, "dT": 20, "L": 0.1}, 160),
    "Newton cooling": ({"hc": 25, "dT": 40}, 1000),
    "Knudsen number": ({"lam": 1e-3, "L": 0.1}, 0.01),
    "Otto cycle efficiency": ({"r": 8, "gamma": 1.4}, 0.5647),
    "continuity": ({"rho": 1.2, "V": 10, "A": 0.5}, 6.0),
    "hypersonic similarity parameter": ({"M": 10, "theta": 0.1}, 1.0),
    "kinetic energy": ({"m": 2, "V": 3}, 9.0),
    "drag force": ({"rho": 1.225, "V": 100, "A": 10, "CD": 0.02}, 1225),
    "lift force": ({"rho": 1.225, "V": 100, "A": 20, "CL": 0.5}, 61250),
    "pressure coefficient": ({"p": 107450, "pinf": 101325, "rho": 1.225, "V": 100}, 1.0),
    "enthalpy difference of a perfect gas": ({"cp": 1005, "T2": 400, "T1": 300}, 100500),
    "specific heat at constant pressure from gamma": ({"gamma": 1.4, "R": 287}, 1004.5),
    "specific heat at constant volume": ({"cp": 1004.5, "R": 287}, 717.5),
    "specific gas constant from molar mass": ({"Mw": 0.0289644}, 287.053),  # US Standard Atmosphere
    "isentropic temperature and pressure": ({"T1": 300, "p2": 8e5, "p1": 1e5, "gamma": 1.4}, 543.4),
    "isentropic stagnation density": ({"rho": 1, "gamma": 1.4, "M": 2}, 1 / 0.2300),
    "Mach angle": ({"M": 2}, math.radians(30)),
    "steady-flow first law of an open system": ({"q": -10e3, "h1": 3247e3, "h2": 2675e3}, 562e3),
    "entropy change of a perfect gas": (  # Cengel and Boles: air compressed from 17 to 57 degrees Celsius
        {"cp": 1006, "R": 287, "T1": 290, "T2": 330, "p1": 1e5, "p2": 6e5}, -384.2),
    "number density from the gas law": ({"p": 101325, "T": 273.15}, 2.6867811e25),  # Loschmidt constant
    "wall shear stress from friction coefficient": ({"cf": 0.004, "rho": 1.2, "V": 10}, 0.24),
    "Prandtl number": ({"mu": 184.6e-7, "cp": 1007, "k": 0.0263}, 0.707),  # Incropera: air at 300 K
    "conduction through a plane slab": ({"k": 1.7, "A": 0.6, "T1": 1400, "T2": 1150, "L": 0.15}, 1700),
    "radiation to surroundings": ({"epsilon": 0.8, "T": 473, "Ts": 298}, 2270 - 357.7),  # Incropera: E - G
    "radiative-equilibrium wall temperature": ({"q": 56703.7, "epsilon": 1}, 1000),
    "kinetic energy per unit mass": ({"V": 7000}, 2.45e7),
    "thin airfoil lift coefficient": ({"alpha": math.radians(5)}, 0.5483),
    "area-Mach number relation": ({"gamma": 1.4, "M": 2}, 1.688),
    "choked mass flow": ({"p0": 1e6, "A": 0.01, "R": 287, "T0": 300, "gamma": 1.4}, 404.2 / 300**0.5),
    "Arrhenius rate constant": ({"A": 1e13, "Ea": 1e5, "T": 500}, 357.5),
    "Dalton law": ({"x": 0.21, "pt": 101325}, 21278),
    "molar mass of a binary mixture": (
        {"x1": 0.79, "Mw1": 0.0280134, "x2": 0.21, "Mw2": 0.0319988}, 0.02885),
    "coefficient of performance of a Carnot refrigerator": ({"Tc": 260, "Th": 300}, 6.5),
    "Brayton cycle efficiency": ({"rp": 8, "gamma": 1.4}, 0.448),
    "Biot number": ({"hc": 10, "L": 0.01, "k": 50}, 0.002),
    "Fourier number": ({"alpha": 1e-5, "t": 60, "L": 0.02}, 1.5),
    "mean thermal speed": ({"R": 296.8, "T": 298.15}, 474.7),  # nitrogen
    "most probable speed": ({"R": 296.8, "T": 300}, 422.0),
    "hard-sphere mean free path": ({"d": 3.7e-10, "n": 2.687e25}, 6.119e-8),
    "Wien displacement law": ({"T": 5778}, 501.5e-9),
    "Beer-Lambert law": ({"I0": 100, "kappa": 0.5, "L": 2}, 36.788),
    "optical thickness": ({"kappa": 0.5, "L": 3}, 1.5),
    "circular orbit speed": ({"r": 42.164e6}, 3074.7),  # geostationary
    "ballistic coefficient": ({"m": 5000, "CD": 1.25, "A": 10}, 400),
    "exponential atmosphere": ({"h": 7200, "H": 7200}, 0.45065),
    "Mach number from pressure ratio": ({"p0": 7.824e5, "p": 1e5, "gamma": 1.4}, 2.0),
    "total pressure ratio across a normal shock": ({"gamma": 1.4, "M1": 2}, 0.7209),
    "oblique shock deflection angle": (
        {"M1": 3, "beta": math.radians(37.76), "gamma": 1.4}, math.radians(20)),
    "Prandtl-Meyer function": ({"gamma": 1.4, "M": 2}, math.radians(26.38)),
    "supersonic linear theory lift": ({"alpha": math.radians(5), "M": 2}, 0.2015),
    "potential flow over a cylinder": ({"theta": math.pi / 2}, -3.0),
    "Stokes drag of a sphere": ({"mu": 1e-3, "r": 1e-5, "V": 1e-3}, 1.885e-10),
    "skin-friction force on a plate": ({"rho": 1.2, "V": 10, "A": 2, "cf": 0.004}, 0.48),
    "mean laminar friction coefficient": ({"Re": 1e6}, 1.328e-3),
    "mean turbulent friction coefficient": ({"Re": 1e7}, 0.002946),
    "turbulent boundary-layer thickness": ({"x": 1, "Re": 1e7}, 0.01473),
    "Blasius displacement thickness": ({"x": 1, "Re": 1e6}, 0.001721),
    "Stanton number": ({"hc": 48, "rho": 1.2, "V": 10, "cp": 1000}, 0.004),
    "Reynolds analogy": ({"cf": 0.004}, 0.002),
    "laminar flat-plate Nusselt number": ({"Re": 1e4, "Pr": 0.71}, 29.62),
    "laminar recovery temperature": ({"T": 200, "Pr": 0.72, "gamma": 1.4, "M": 5}, 1048.5),
    "lumped capacity cooling": (
        {"Tinf": 300, "Ti": 400, "hc": 100, "A": 0.01, "t": 400, "rho": 8000, "Vol": 1e-4, "c": 500}, 336.79),
    "surface temperature of a semi-infinite solid under constant flux": (
        {"Ti": 300, "q": 1e5, "k": 50, "alpha": 1e-5 * math.pi, "t": 100}, 426.5),
    "radiation exchange of two parallel plates": (  # Cengel and Boles
        {"T1": 800, "T2": 500, "eps1": 0.2, "eps2": 0.7}, 3625),
    "molecular flux to a wall": ({"n": 2.5e25, "c_mean": 500}, 3.125e27),
    "molecular speed ratio": ({"V": 4220, "R": 296.8, "T": 300}, 10.0),
    "rotational energy of a diatomic gas": ({"R": 287, "T": 300}, 86100),
    "vibrational energy of a harmonic oscillator": ({"R": 296.8, "thetav": 3390, "T": 3390}, 585557),
    "Boltzmann population ratio": ({"g2": 3, "g1": 1, "dE": 1.380649e-20, "T": 1000}, 3 / math.e),
    "equilibrium constant from Gibbs energy": ({"dG": -5708, "T": 298.15}, 10.0),  # 5.708 kJ/mol a decade
    "first-order decay": ({"c0": 2, "k": 0.01, "t": 69.31}, 1.0),
    "Fick law": ({"D": 2e-5, "dc": 10, "L": 0.01}, 0.02),
    "Lewis number": ({"alpha": 2.2e-5, "D": 2e-5}, 1.1),
    "Damkohler number": ({"tf": 1e-3, "tc": 1e-4}, 10),
    "Planck function in wavelength": (  # with the radiation constants of CODATA
        {"lam": 5e-7, "T": 5778}, 1.191042972e-16 / 3.125e-32 / math.expm1(1.438776877e-2 / (5e-7 * 5778))),
    "optically thin emission": ({"kappa": 1, "T": 1e4}, 2.2681e9),
    "electron plasma frequency": ({"n": 1e18}, 8.98e9),  # Chen: 9 sqrt(n)
    "Debye length": ({"T": 1e4, "n": 1e18}, 6.90e-6),  # Chen: 69 sqrt(T/n)
    "heat transfer coefficient from Nusselt number": ({"Nu": 100, "k": 0.026, "L": 0.1}, 26),
    "thermal diffusivity": ({"k": 0.0263, "rho": 1.1614, "cp": 1007}, 22.5e-6),  # Incropera: air at 300 K
    "supersonic linear theory pressure": ({"theta": 0.1, "M": 2}, 0.11547),
    "Mach number from temperature ratio": ({"T0": 180, "T": 100, "gamma": 1.4}, 2.0),
    "turbulent recovery temperature": ({"T": 200, "Pr": 0.72, "gamma": 1.4, "M": 5}, 1096.3),
    "root-mean-square speed": ({"R": 296.8, "T": 298.15}, 515.2),
    "relaxation to equilibrium": ({"eeq": 10, "e0": 2, "t": 3, "tau": 3}, 7.057),
    "Diesel cycle efficiency": ({"r": 18, "rc": 2, "gamma": 1.4}, 0.632),  # Cengel and Boles
    "dynamic pressure at altitude": ({"V": 1000, "h": 7200, "H": 7200}, 225326),
    "Rayleigh-Jeans law": ({"lam": 1e-3, "T": 300}, 2.48345),
    "oblique shock pressure ratio": ({"M1": 3, "beta": math.radians(37.76), "gamma": 1.4}, 3.771),
    "translational energy": ({"R": 287, "T": 300}, 129150),
    "Schmidt number": ({"mu": 1.8e-5, "rho": 1.2, "D": 2.5e-5}, 0.6),
    "Planck function in frequency": (  # h nu = kB T
        {"nu": 1e14, "T": 4799.243}, 1.4745e-8 / (math.e - 1)),
    "turbulent flat-plate Nusselt number": ({"Re": 1e6, "Pr": 1}, 1867.6),
    "potential flow over a sphere": ({"theta": math.pi / 2}, -1.25),
    "Blasius momentum thickness": ({"x": 1, "Re": 1e6}, 6.64e-4),
    "critical electron density": ({"f": 1e10}, 1.2404e18),
    "vis-viva equation": ({"r": 6.678e6, "a": 24.421e6}, 10152),  # perigee of a transfer to geostationary
    "degree of dissociation of a diatomic gas": ({"Kp": 4, "p": 1e5}, 0.5**0.5),
    "van't Hoff equation": ({"K1": 1, "dH": 52898, "T2": 308, "T1": 298}, 2.0),
    "Eucken thermal conductivity": ({"mu": 22.7e-6, "cp": 520.3, "R": 208.13}, 0.0177),  # argon at 300 K
    "Rayleigh pitot formula": ({"gamma": 1.4, "M1": 2}, 5.640),
    "strong normal shock density ratio": ({"gamma": 1.4}, 6.0),
    "strong normal shock pressure ratio": ({"gamma": 1.4, "M1": 10}, 116.67),
}  # fmt: skip


@pytest.mark.parametrize("formula", remembered(), ids=lambda formula: formula.title)
def test_a_remembered_formula_is_right_and_homogeneous(formula):
    inputs, expected = EXAMPLES[formula.title]
    values = {name: float(value) for name, value in inputs.items()}
    values |= {name: constant.value for name, constant in formula.constants.items()}
    read = Formula(formula.text, formula.tree)
    assert read.value(values) == pytest.approx(expected, rel=1e-3)
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {name: constant.unit for name, constant in formula.constants.items()}
    found = read.dimension(lambda leaf: scale(units[leaf.name] if isinstance(leaf, Name) else "-").dimension)
    assert found == pytest.approx(scale(formula.output.unit).dimension, abs=1e-6)
