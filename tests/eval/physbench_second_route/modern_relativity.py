"""Relativity, stars and galaxies, recomputed from events in moving frames and Planck's law."""

import math

from scipy import integrate, optimize

from tests.eval.physbench_second_route.modern import ATOMIC_MASS, CHARGE, ELECTRON, K_B, YEAR, C, H


def _moved(t, x, beta):
    """An event in light seconds and seconds, seen from a frame in which the first frame moves at beta."""
    stretch = math.cosh(math.atanh(beta))
    return stretch * (t + beta * x), stretch * (x + beta * t)


def muon_from_the_sky(g):
    t, x = _moved(g["t_0"], 0.0, g["beta"])
    return {"t": t, "d": x * 1e-6 * C}


def trip_to_a_star(g):
    arrival, distance = g["L_0"] / g["beta"], g["L_0"]
    aboard = math.sqrt(arrival**2 - distance**2)  # the interval
    return {"L": aboard * g["beta"] * YEAR * C, "t_ship": aboard, "t_earth": arrival}


def probe_from_ship(g):
    share = math.tanh(math.atanh(g["b_1"]) + math.atanh(g["b_2"]))
    return {"u": share * C, "b": share}


def fast_electron_energy(g):
    """Work done while the momentum builds up; mass of the electron in keV."""
    mass, rapidity = ELECTRON / 1000, math.atanh(g["beta"])
    kinetic, _ = integrate.quad(lambda y: math.tanh(y) * mass * math.cosh(y), 0, rapidity)
    classical, _ = integrate.quad(lambda b: mass * b, 0, g["beta"])
    return {"K": kinetic, "K_c": classical, "r": kinetic / classical}


def star_loses_mass(g):
    energy = g["P"] * g["t"]
    return {"E": energy, "m": energy / CHARGE / (ATOMIC_MASS * 1e6) * 1.66053906660e-27}


def _spectral(wavelength, temperature):
    """Planck's law: power per area and wavelength."""
    exponent = H * C / (wavelength * K_B * temperature)
    return 2 * math.pi * H * C**2 / wavelength**5 / math.expm1(exponent)


def colour_of_a_star(g):
    """Temperature at which Planck's law has its maximum there, and its integral over all wavelengths."""
    peak = g["lam"] * 1e-9

    def slope(temperature):
        return _spectral(peak * 1.0001, temperature) - _spectral(peak * 0.9999, temperature)

    temperature = optimize.brentq(slope, 1000, 30000)
    flux, _ = integrate.quad(
        lambda scale: peak * math.exp(scale) * _spectral(peak * math.exp(scale), temperature), -3.5, 7
    )
    return {"T": temperature, "q": flux, "P": flux * 4 * math.pi * g["R"] ** 2}


def galaxy_recession(g):
    distance = g["v"] / g["H_0"]
    return {"d": distance, "t": distance * 3.261563777e6}  # light years in a megaparsec


def receding_galaxy_line(g):
    """Two crests sent a period apart, each with its own way to the observer."""
    t, x = _moved(1 / g["f"], 0.0, g["beta"])
    period = t + x
    return {"f_obs": 1 / period, "lam_obs": C * period * 1e9, "z": period * g["f"] - 1}


def shifted_line(g):
    """The speed from the exact Doppler effect of light."""
    shift = g["lam"] / g["lam_0"] - 1
    exact = ((1 + shift) ** 2 - 1) / ((1 + shift) ** 2 + 1)
    return {"z": shift, "beta": exact, "motion": "recede" if exact > 0 else "approach"}


def mass_of_a_charged_battery(g):
    unified = g["E"] / CHARGE / (ATOMIC_MASS * 1e6) * 1e6
    return {"dm": unified * 1.66053906660e-27, "change": "increase"}


ROUTES = {
    f"modern.{route.__name__}": route
    for route in (
        muon_from_the_sky,
        trip_to_a_star,
        probe_from_ship,
        fast_electron_energy,
        star_loses_mass,
        receding_galaxy_line,
        shifted_line,
        galaxy_recession,
        mass_of_a_charged_battery,
        colour_of_a_star,
    )
}
