"""Quanta, atoms and nuclei, recomputed from conserved quantities, least energy and counting.

Constants: CODATA 2018, in units other than those of the templates where this helps (h c in eV nm, masses in MeV).
"""

import math

from scipy import optimize

HC = 1239.841984  # eV nm
ELECTRON, PROTON, NEUTRON = 0.51099895e6, 938.27208816, 939.56542052  # eV, MeV, MeV
ATOMIC_MASS = 931.49410242  # MeV
CHARGE, C, K_B, H = 1.602176634e-19, 299792458.0, 1.380649e-23, 6.62607015e-34
RYDBERG, BOHR = 13.605693123, 0.0529177210903  # eV, nm
YEAR = 365.25 * 86400


def led_photons(g):
    energy = HC / g["lam"]
    return {"E": energy, "N": g["P"] / 1000 / CHARGE / energy}


def ultraviolet_on_metal(g):
    kinetic = HC / (C / g["f"] * 1e9) - g["phi"]
    return {"K_max": kinetic, "V_s": kinetic, "lam_max": HC / g["phi"]}


def brighter_lamp_claim(g):
    return {"E": HC / g["lam"], "ejected": "yes" if g["lam"] < HC / g["phi"] else "no"}


def electron_microscope(g):
    """Momentum from the kinetic energy, all in electronvolts."""
    momentum = math.sqrt(2 * ELECTRON * g["U"])
    return {"v": momentum / ELECTRON * C, "lam": HC / momentum}


def neutron_beam(g):
    momentum = HC / g["lam"]  # eV
    return {"v": momentum / (NEUTRON * 1e6) * C, "K": momentum**2 / (2 * NEUTRON * 1e6)}


def hydrogen_line(g):
    energy = RYDBERG * (1 / g["n_1"] ** 2 - 1 / g["n_2"] ** 2)
    return {"lam": HC / energy, "E": energy}


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


def xray_tube(g):
    return {"lam_min": HC / g["U"], "f": g["U"] * 1000 * CHARGE / H}


def medical_tracer(g):
    constant = math.log(2) / g["T"]

    def left(time):
        return math.exp(-constant * time)

    return {"A": g["A_0"] * left(g["t"]), "t_s": optimize.brentq(lambda time: left(time) - g["s"], 0, 500)}


def wooden_beam_age(g):
    count = optimize.brentq(lambda count: 0.5**count - g["s"], 0, 10)
    return {"t": count * g["T"], "n": count}


def iron_binding_energy(g):
    defect = g["Z"] * PROTON + g["N"] * NEUTRON - g["M"] * ATOMIC_MASS
    return {"B": defect, "b": defect / (g["Z"] + g["N"])}


def radium_source(g):
    nuclei, second = g["m"] * g["N_A"] / g["M"], 1 / (g["T"] * YEAR)
    lost = -math.expm1(-math.log(2) * second)  # share that decays in a second
    return {"n": nuclei, "k": lost, "A": nuclei * lost}


def nucleus_size(g):
    each = 4 / 3 * math.pi * 1.2**3  # volume of a nucleon in fm3
    return {"R": 1e-15 * (g["A"] * each * 3 / 4 / math.pi) ** (1 / 3), "rho": g["u_n"] / (each * 1e-45)}


def electron_in_a_box(g):
    momentum = HC / (2 * math.pi) / (2 * g["dx"])  # eV
    return {"dp": momentum * CHARGE / C, "dv": momentum / ELECTRON * C}


def reactor_fuel(g):
    energy = g["dm"] * ATOMIC_MASS
    rate = g["P"] / CHARGE / energy
    return {"E": energy, "R": rate, "q": rate / (g["N_A"] / g["M"])}


def shielding_design(g):
    depth = optimize.brentq(lambda depth: math.exp(-math.log(2) * depth / g["h"]) - 1 / g["k"], 0, 500)
    return {"n": depth / g["h"], "x": depth}


def element_from_xrays(g):
    energy = RYDBERG * (1 - 1 / 4) * (g["Z"] - 1) ** 2 / 1000
    return {"E": energy, "lam": HC / energy}


def momentum_of_light(g):
    energy = HC / g["lam"] * CHARGE
    return {"answer": energy / C}


def electronvolts(g):
    return {"E_J": g["E"] * 1e6 * CHARGE, "r": g["E"] * 1e6 / ELECTRON}


def two_colours(g):
    first, second = HC / g["lam_1"], HC / g["lam_2"]
    return {"r": first / second, "stronger": "first" if first > second else "second"}


def half_life_from_counts(g):
    halvings, rate = 0, g["R_1"]
    while rate > g["R_1"] / g["k"] * 1.001:
        halvings, rate = halvings + 1, rate / 2
    return {"R_2": rate, "n": halvings, "T": g["t"] / halvings}


def parts_of_an_ion(g):
    return {"p": g["Z"], "n": g["A"] - g["Z"], "k": g["Z"] - g["q"]}


ROUTES = {
    f"modern.{route.__name__}": route
    for route in (
        led_photons,
        ultraviolet_on_metal,
        brighter_lamp_claim,
        electron_microscope,
        neutron_beam,
        hydrogen_line,
        excited_hydrogen,
        compton_scattering,
        xray_tube,
        medical_tracer,
        wooden_beam_age,
        iron_binding_energy,
        radium_source,
        nucleus_size,
        electron_in_a_box,
        reactor_fuel,
        shielding_design,
        element_from_xrays,
        momentum_of_light,
        electronvolts,
        two_colours,
        half_life_from_counts,
        parts_of_an_ion,
    )
}
