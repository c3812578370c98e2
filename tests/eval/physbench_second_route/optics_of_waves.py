"""Interference, diffraction and polarization, recomputed from path lengths and sums of waves."""

import cmath
import math

from scipy import optimize, special


def grating_spectrum(g):
    """Place on the screen at which neighbouring lines are one wavelength apart in path."""
    spacing = 1 / g["N"]

    def off(y):
        return spacing * y / math.hypot(y, g["L"]) - g["lam"]

    y = optimize.brentq(off, 0, 100 * g["L"])
    return {"theta_1": math.degrees(math.atan2(y, g["L"])), "y": y}


def single_slit_width(g):
    """First zero of the sum of many wavelets across the slit."""
    width, wavelength, count = g["a"] / 1000, g["lam"] * 1e-9, 2000

    def amplitude(angle):
        phase = 2 * math.pi * width * math.sin(angle) / wavelength
        wavelets = (cmath.exp(1j * phase * ((k + 0.5) / count - 0.5)) for k in range(count))
        return sum(wavelets).real / count

    first = wavelength / width
    angle = optimize.brentq(amplitude, 0.5 * first, 1.5 * first)
    return {"theta": angle, "w": 2000 * g["L"] * math.tan(angle)}


def soap_film(g):
    """Thicknesses at which the two reflections add up most, one of them inverted."""

    def reflected(thickness):
        return -abs(-1 + cmath.exp(4j * math.pi * g["n"] * thickness / g["lam"]))

    step = g["lam"] / (2 * g["n"])
    least, following = (
        optimize.minimize_scalar(reflected, bounds=(k * step, (k + 1) * step), method="bounded").x
        for k in (0, 1)
    )
    return {"d_0": least, "d_1": following}


def lake_glare(g):
    """The angle at which Fresnel's reflection of light polarized in the plane of incidence vanishes."""

    def reflected(angle):
        inside = math.asin(g["n_1"] * math.sin(angle) / g["n_2"])
        return g["n_2"] * math.cos(angle) - g["n_1"] * math.cos(inside)

    angle = math.degrees(optimize.brentq(reflected, 0.1, 1.5))
    return {"theta_B": angle, "alpha": 90 - angle}


def headlights_far_away(g):
    zero = special.jn_zeros(1, 1)[0]  # first dark ring of Airy's pattern
    angle = zero / math.pi * g["lam"] * 1e-9 / (g["D"] / 1000)
    return {"theta": angle, "d": g["s"] / angle}


ROUTES = {
    f"optics.{route.__name__}": route
    for route in (
        grating_spectrum,
        single_slit_width,
        soap_film,
        lake_glare,
        headlights_far_away,
    )
}
