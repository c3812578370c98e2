"""M. J. Lighthill's ideal dissociating gas (J. Fluid Mech. 2, 1957), from its two equations of state."""

import math

from scipy import optimize


def derivative(function, at, relative_step=1e-4):
    step = at * relative_step
    return (function(at + step) - function(at - step)) / (2 * step)


def dissociation(characteristic_density, density, characteristic_temperature, temperature):
    """The root of alpha**2/(1 - alpha) = rho_d/rho*exp(-theta_d/T)."""
    constant = characteristic_density / density * math.exp(-characteristic_temperature / temperature)
    return optimize.brentq(lambda alpha: alpha**2 - constant * (1 - alpha), 0, 1, xtol=1e-14)


def enthalpy(g, alpha, temperature):
    """Energy of atoms and half-excited molecules, of dissociation, and the flow work p/rho."""
    gas_constant = g["R_2"]
    energy = 3 * gas_constant * temperature + alpha * gas_constant * g["theta_d"]
    return energy + (1 + alpha) * gas_constant * temperature


def equilibrium_sound_speed(g, temperature, density):
    """From p(rho, T) and e(rho, T) by a**2 = p_rho + T*p_T**2/(rho**2*e_T)."""

    def alpha(rho, kelvin):
        return dissociation(g["rho_d"], rho, g["theta_d"], kelvin)

    def pressure(rho, kelvin):
        return rho * g["R_2"] * kelvin * (1 + alpha(rho, kelvin))

    def energy(rho, kelvin):
        return g["R_2"] * (3 * kelvin + alpha(rho, kelvin) * g["theta_d"])

    by_density = derivative(lambda rho: pressure(rho, temperature), density)
    by_temperature = derivative(lambda kelvin: pressure(density, kelvin), temperature)
    heat = derivative(lambda kelvin: energy(density, kelvin), temperature)
    return math.sqrt(by_density + temperature * by_temperature**2 / (density**2 * heat))


def frozen_sound_speed(alpha, gas_constant, temperature):
    """A mixture with 3*R2 of heat capacity at constant volume and (1 + alpha)*R2 as its gas constant."""
    ratio = 1 + (1 + alpha) / 3
    return math.sqrt(ratio * (1 + alpha) * gas_constant * temperature)
