"""Waves of a calorically perfect gas from the conservation laws, without closed-form jump relations.

States ahead of a wave have unit pressure and density; ratios follow. Background: H. W. Liepmann and
A. Roshko, Elements of Gasdynamics, Wiley 1957, chapters 2-4.
"""

import math
from dataclasses import dataclass

from scipy import integrate, optimize


@dataclass(frozen=True)
class Jump:
    """Ratios across a normal shock, behind over ahead, and the Mach number behind."""

    pressure: float
    density: float
    temperature: float
    mach: float


def normal_shock(mach, gamma):
    """The second root of the energy equation, mass and momentum being conserved."""
    speed = mach * math.sqrt(gamma)
    enthalpy = gamma / (gamma - 1)
    sonic = math.sqrt(2 * (gamma - 1) / (gamma + 1) * (enthalpy + speed**2 / 2))

    def pressure(after):
        return 1 + speed * (speed - after)

    def excess(after):
        return enthalpy * pressure(after) * after / speed + after**2 / 2 - enthalpy - speed**2 / 2

    after = optimize.brentq(excess, 1e-3 * speed, sonic, xtol=1e-14, rtol=1e-14)
    density = speed / after
    temperature = pressure(after) / density
    return Jump(pressure(after), density, temperature, after / math.sqrt(gamma * temperature))


def stagnation_temperature(mach, gamma):
    return 1 + (gamma - 1) / 2 * mach**2


def stagnation_pressure(mach, gamma):
    """Ratio of total to static pressure at constant entropy."""
    return stagnation_temperature(mach, gamma) ** (gamma / (gamma - 1))


def total_pressure_ratio(mach, gamma):
    """Total pressure behind over ahead of a normal shock."""
    jump = normal_shock(mach, gamma)
    return jump.pressure * stagnation_pressure(jump.mach, gamma) / stagnation_pressure(mach, gamma)


def pitot(mach, gamma):
    """Pitot over free-stream static pressure."""
    jump = normal_shock(mach, gamma)
    return jump.pressure * stagnation_pressure(jump.mach, gamma)


def pitot_coefficient(mach, gamma):
    return (pitot(mach, gamma) - 1) / (gamma / 2 * mach**2)


def mass_flux(mach, gamma):
    """Mass flux in units of the total state's pressure over its sound speed, over gamma."""
    temperature = 1 / stagnation_temperature(mach, gamma)
    return mach * math.sqrt(temperature) * temperature ** (1 / (gamma - 1))


def deflection(mach, gamma, angle):
    """Turning through an oblique shock at an angle: the velocity along the shock is kept."""
    density = normal_shock(mach * math.sin(angle), gamma).density
    return angle - math.atan(math.tan(angle) / density)


def steepest_attached(mach, gamma):
    """Shock angle and deflection at detachment, in rad."""
    low, high = math.asin(1 / mach) + 1e-6, math.pi / 2 - 1e-6
    found = optimize.minimize_scalar(
        lambda angle: -deflection(mach, gamma, angle),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return found.x, -found.fun


def weak_shock(mach, gamma, turning):
    """Shock angle in rad of the weak solution for a deflection in rad."""
    low = math.asin(1 / mach) + 1e-6
    high, _ = steepest_attached(mach, gamma)
    return optimize.brentq(lambda angle: deflection(mach, gamma, angle) - turning, low, high, xtol=1e-13)


def behind_weak_shock(mach, gamma, turning):
    """Shock angle in rad, jump of the normal component, Mach number behind."""
    angle = weak_shock(mach, gamma, turning)
    jump = normal_shock(mach * math.sin(angle), gamma)
    return angle, jump, jump.mach / math.sin(angle - turning)


def prandtl_meyer(mach, gamma):
    """Turning in rad from the sonic state, summed over Mach waves."""

    def turning_per_mach(local):
        return math.sqrt(local**2 - 1) / stagnation_temperature(local, gamma) / local

    return integrate.quad(turning_per_mach, 1, mach, epsabs=1e-12)[0]
