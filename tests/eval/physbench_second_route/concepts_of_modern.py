"""Conceptual questions of modern physics: counted, summed, or computed from constants."""

import math
from itertools import combinations

import numpy as np
from scipy import constants

from tests.eval.physbench_second_route.concept import Concept, concepts
from tests.eval.physbench_second_route.motion import area, root

K_E2 = constants.e**2 / (4 * math.pi * constants.epsilon_0)
BINDING = {
    2: 1.112, 3: 2.827, 4: 7.074, 12: 7.680, 16: 7.976, 40: 8.551, 56: 8.790, 58: 8.792, 62: 8.795,
    90: 8.710, 120: 8.505, 140: 8.376, 208: 7.867, 233: 7.604, 235: 7.591, 239: 7.560,
}  # fmt: skip
"""MeV per nucleon by mass number, from the table AME2020: H-2, H-3, He-4, C-12, O-16, Ca-40, Fe-56, Fe-58,
Ni-62, Zr-90, Sn-120, Ce-140, Pb-208, U-233, U-235, Pu-239."""


def after_some_half_lives(g):
    """Decay at a constant rate, over times of n half-lives; the mean life is the half-life over ln 2."""
    share = 1 - area(lambda t: math.log(2) * math.exp(-math.log(2) * t), 0, g["n"])
    one = 1 - area(lambda t: math.log(2) * math.exp(-math.log(2) * t), 0, 1)
    return Concept(share, (share, one, 1 / g["n"], one / g["n"], 1 - share))


def brighter_light_electrons(g):
    """Photons per second of 1 mW at 250 nm, each of which may free one electron."""
    photon = constants.h * constants.c / 250e-9

    def freed(power):
        return power / photon, photon - 4.3 * constants.e  # number per second, greatest energy

    before, after = freed(1e-3), freed(1e-3 * g["k"])
    same = after[1] == before[1]
    return Concept(
        f"{after[0] / before[0]:g} times as many electrons leave per second, with "
        + ("the same greatest energy" if same else "another greatest energy")
    )


def carbon_neutrons(g):
    nucleons = ["proton"] * int(g["Z"])
    while len(nucleons) < g["A"]:
        nucleons.append("neutron")
    count = nucleons.count("neutron")
    return Concept(count, (count, g["A"] + nucleons.count("proton")))


def decay_chain(g):
    """Protons and neutrons taken away, or turned into each other, one decay at a time."""

    def left(alpha, beta, beta_step=1):
        protons, neutrons = int(g["Z"]), int(g["A"] - g["Z"])
        for _ in range(alpha):
            protons, neutrons = protons - 2, neutrons - 2
        for _ in range(beta):
            protons, neutrons = protons + beta_step, neutrons - beta_step
        return protons + neutrons, protons

    one_alpha, one_beta = left(1, 0), left(0, 1)
    mass, number = left(int(g["a"]), int(g["b"]))
    assert one_beta[0] == g["A"]
    steps = (g["A"] - one_alpha[0], g["Z"] - one_alpha[1], one_beta[1] - g["Z"])
    mistaken = (left(int(g["a"]), int(g["b"]), -1)[1], left(int(g["a"]), 0)[1])
    return Concept(f"Mass number {mass}, atomic number {number}", (mass, number, *steps, *mistaken))


def fission_and_fusion(g):
    """Whether two light nuclei joined, or a heavy one split in two, are bound more tightly; and where the top is."""
    light, heavy = int(g["A_1"]), int(g["A_2"])
    top = max(BINDING, key=BINDING.__getitem__)
    joined = BINDING[4] > BINDING[light]
    split = min(BINDING[90], BINDING[140]) > BINDING[heavy]
    near = [mass for mass, energy in BINDING.items() if energy > BINDING[top] - 0.01]
    assert light < min(near) and heavy > max(near)
    gain = joined and split
    return Concept("both move towards the maximum" if gain else "only one of them", (min(near), top))


def gold_foil(g):
    """Rutherford's formula for 7.7 MeV: the foil that turns one in N back, and a target as wide as it."""
    closest = K_E2 * 2 * 79 / (7.7e6 * constants.e)
    per_volume = 19300 / (197 * constants.atomic_mass)
    thickness = 1 / (g["N"] * per_volume * math.pi * (closest / 2) ** 2)
    assert 0.2e-6 < thickness < 20e-6  # metres: a foil indeed
    atom = (3 / (4 * math.pi * per_volume)) ** (1 / 3)
    assert closest < 1e-3 * atom
    spread = 1.5 * K_E2 * 2 * 79 / atom  # the greatest energy if the charge filled the atom
    turned = spread > 7.7e6 * constants.e
    return Concept("could turn a fast alpha" if turned else "could not turn a fast alpha particle back")


def headlight_speed(g):
    """The front of the light, followed from the ship's frame into Selma's by a Lorentz transformation."""
    gamma = math.cosh(math.atanh(g["beta"]))
    place, time = gamma * (1 + g["beta"]), gamma * (1 + g["beta"])  # event (1, 1) of the ship, c = 1
    speed = place / time
    sums = (speed + g["beta"], speed - g["beta"])
    return Concept("At c" if math.isclose(speed, 1) else "At another speed", sums)


def lines_from_a_level(g):
    """Energies of every jump down, counted once each."""
    levels = range(1, int(g["n"]) + 1)
    energies = {round(1 / low**2 - 1 / high**2, 9) for low, high in combinations(levels, 2)}
    count = len(energies)
    twice = sum(low != high for low in levels for high in levels)
    direct = sum(high == g["n"] and low == 1 for low, high in combinations(levels, 2))
    square = sum(1 for _ in levels for _ in levels)
    return Concept(count, (count, twice, twice / count, direct, square))


def moving_clock(g):
    """A clock of light between mirrors across the motion: the time of one way, seen from the other frame."""
    time = root(lambda t: t**2 - 1 - (g["beta"] * t) ** 2, 1, 100)
    return Concept(f"Each finds the other's clocks slow by the factor {time:.4g}", (time,))


def narrower_trap(g):
    """The ground state of a box: the spread of its momentum, from the slope of the wave function."""

    def spread(width):
        places = np.linspace(0, width, 20001)
        wave = np.sqrt(2 / width) * np.sin(math.pi * places / width)
        return math.sqrt(np.trapezoid(np.gradient(wave, places) ** 2, places))

    ratio = spread(1 / g["k"]) / spread(1)
    return Concept(f"{ratio:.4g} times as large", (0.0,))  # zero is what a mistaken option says


def stopped_by_paper(g):
    """Ranges of alpha and beta particles, and the gamma rays left (5.5 MeV, 2.28 MeV of Y-90, 662 keV).

    Range of alpha particles in air by Bragg and Kleeman, of beta particles by Katz and Penfold; attenuation
    of gamma rays in aluminium 0.0747 cm^2/g by NIST's tables.
    """
    paper, aluminium = 8e-3, 2.70 * g["d"]  # g/cm^2: 80 g/m^2 of paper
    alpha = 0.31 * 5.5**1.5 * 1.2e-3
    beta = 0.412 * 2.28 ** (1.265 - 0.0954 * math.log(2.28))
    gamma = math.exp(-0.0747 * aluminium)
    assert beta / 2.70 < 1  # "a few millimetres"
    passing = [
        name
        for name, passes in (("Alpha", alpha > paper), ("Beta", beta > aluminium), ("Gamma", gamma > 0.01))
        if passes
    ]
    weakened = ", somewhat weakened" if 0.3 < gamma < 0.95 else ""
    return Concept(f"{' and '.join(passing)} radiation{weakened}")


def waves_of_two_particles(g):
    masses = {"electron": constants.m_e, "proton": constants.m_p}
    longest = max(masses, key=lambda name: constants.h / (masses[name] * g["v"]))
    return Concept(f"The {longest}")


CONCEPTS = concepts("modern", globals())
