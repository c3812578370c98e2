"""Quanta, atoms and nuclei, recomputed from conserved quantities, least energy and counting.

Constants: CODATA 2018, in units other than those of the templates where this helps (h c in eV nm, masses in MeV).
"""

import math

from scipy import optimize

HC = 1239.841984  # eV nm
ELECTRON, PROTON, NEUTRON = 0.51099895e6, 938.27208816, 939.56542052  # eV, MeV, MeV
CHARGE, C, K_B, H = 1.602176634e-19, 299792458.0, 1.380649e-23, 6.62607015e-34
RYDBERG, BOHR = 13.605693123, 0.0529177210903  # eV, nm


def excited_hydrogen(g):
    """Least energy of an electron whose phase closes n times around the nucleus: hbar**2 n**2/(2 m r**2) - k/r."""
    hbar_square_over_mass, coupling = 2 * RYDBERG * BOHR**2, 2 * RYDBERG * BOHR

    def energy(radius):
        return hbar_square_over_mass * g["n"] ** 2 / (2 * radius**2) - coupling / radius

    radius = optimize.minimize_scalar(energy, bounds=(0.3 * BOHR, 60 * BOHR), method="bounded").x
    return {"E_n": energy(radius), "r_n": radius, "lam": -HC / energy(radius)}


def compton_scattering(g):
    """Energy of the scattered photon for which energy and momentum are both conserved, all in keV."""
    before, mass, cosine = HC / g["lam_0"], ELECTRON / 1000, math.cos(math.radians(g["theta"]))

    def surplus(after):
        square = before**2 + after**2 - 2 * before * after * cosine
        return before + mass - after - math.sqrt(square + mass**2)

    after = optimize.brentq(surplus, 0.3 * before, before, xtol=1e-13)
    return {"dlam": HC / after - g["lam_0"], "lam_1": HC / after, "K": before - after}


def medical_tracer(g):
    constant = math.log(2) / g["T"]

    def left(time):
        return math.exp(-constant * time)

    return {"A": g["A_0"] * left(g["t"]), "t_s": optimize.brentq(lambda time: left(time) - g["s"], 0, 500)}


def wooden_beam_age(g):
    count = optimize.brentq(lambda count: 0.5**count - g["s"], 0, 10)
    return {"t": count * g["T"], "n": count}


def shielding_design(g):
    depth = optimize.brentq(lambda depth: math.exp(-math.log(2) * depth / g["h"]) - 1 / g["k"], 0, 500)
    return {"n": depth / g["h"], "x": depth}


def momentum_of_light(g):
    energy = HC / g["lam"] * CHARGE
    return {"answer": energy / C}


def half_life_from_counts(g):
    halvings, rate = 0, g["R_1"]
    while rate > g["R_1"] / g["k"] * 1.001:
        halvings, rate = halvings + 1, rate / 2
    return {"R_2": rate, "n": halvings, "T": g["t"] / halvings}


ROUTES = {
    f"modern.{route.__name__}": route
    for route in (
        excited_hydrogen,
        compton_scattering,
        medical_tracer,
        wooden_beam_age,
        shielding_design,
        momentum_of_light,
        half_life_from_counts,
    )
}
