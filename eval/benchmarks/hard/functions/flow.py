"""Pipes, channels, gas dynamics and rarefied flow."""

from __future__ import annotations

import math


def colebrook(Re: float, roughness: float) -> float:
    """Return the Darcy friction factor of turbulent pipe flow (Colebrook 1939), by fixed-point iteration."""
    inverse_root = 8.0
    for _ in range(100):
        inverse_root = -2 * math.log10(roughness / 3.7 + 2.51 * inverse_root / Re)
    return 1 / inverse_root**2


def flow_parameter(M: float, gamma: float) -> float:
    """Return ṁ sqrt(R T_0)/(A p_0) of isentropic flow (NACA Report 1135, equation 80)."""
    return float(math.sqrt(gamma) * M * (1 + (gamma - 1) / 2 * M**2) ** (-(gamma + 1) / (2 * (gamma - 1))))


def area_ratio(M: float, gamma: float) -> float:
    """Return A/A* of isentropic flow (NACA Report 1135, equation 80)."""
    return flow_parameter(1, gamma) / flow_parameter(M, gamma)


def isentropic_ratio(M: float, gamma: float) -> float:
    """Return p_0/p of isentropic flow (NACA Report 1135, equation 44)."""
    return float((1 + (gamma - 1) / 2 * M**2) ** (gamma / (gamma - 1)))


def shock_mach(M: float, gamma: float) -> float:
    """Return the Mach number behind a normal shock (NACA Report 1135, equation 96)."""
    return math.sqrt((1 + (gamma - 1) / 2 * M**2) / (gamma * M**2 - (gamma - 1) / 2))


def shock_pressure(M: float, gamma: float) -> float:
    """Return p_2/p_1 of a normal shock (NACA Report 1135, equation 93)."""
    return 1 + 2 * gamma / (gamma + 1) * (M**2 - 1)


def shock_density(M: float, gamma: float) -> float:
    """Return ρ_2/ρ_1 of a normal shock (NACA Report 1135, equation 94)."""
    return (gamma + 1) * M**2 / ((gamma - 1) * M**2 + 2)


def total_pressure_loss(M: float, gamma: float) -> float:
    """Return p_02/p_01 of a normal shock."""
    behind = isentropic_ratio(shock_mach(M, gamma), gamma) * shock_pressure(M, gamma)
    return behind / isentropic_ratio(M, gamma)


def pitot_ratio(M: float, gamma: float) -> float:
    """Return the pressure in a pitot tube over the static pressure; in supersonic flow behind a shock."""
    if M <= 1:
        return isentropic_ratio(M, gamma)
    return isentropic_ratio(shock_mach(M, gamma), gamma) * shock_pressure(M, gamma)


def nozzle_flow(pressure_ratio: float, gamma: float) -> float:
    """Return ṁ sqrt(R T_0)/(A p_0) of a converging nozzle, choked or not, by back over tank pressure."""
    critical = (2 / (gamma + 1)) ** (gamma / (gamma - 1))
    ratio = max(pressure_ratio, critical)
    M = math.sqrt(2 / (gamma - 1) * (ratio ** ((1 - gamma) / gamma) - 1))
    return flow_parameter(M, gamma)


def venting_integral(p_start: float, p_end: float, p_back: float, gamma: float) -> float:
    """Return the integral of dp/(p φ(p_back/p)) from p_end to p_start, with φ of `nozzle_flow`."""
    from scipy.integrate import quad

    critical = (2 / (gamma + 1)) ** (gamma / (gamma - 1))
    chokes = min(max(p_back / critical, p_end), p_start)
    choked = math.log(p_start / chokes) / flow_parameter(1, gamma)
    rest, _ = quad(lambda u: 1 / nozzle_flow(p_back / math.exp(u), gamma), math.log(p_end), math.log(chokes))
    return choked + float(rest)


def sphere_free_molecular(s: float, s_wall: float) -> float:
    """Return the drag coefficient of a sphere in free-molecular flow with diffuse reflection.

    `s` is the speed over the most probable speed of the stream's molecules, and `s_wall` over that of
    molecules at the temperature of the wall. Bird 1994, equation 7.71.
    """
    first = (2 * s**2 + 1) / (math.sqrt(math.pi) * s**3) * math.exp(-(s**2))
    second = (4 * s**4 + 4 * s**2 - 1) / (2 * s**4) * math.erf(s)
    return first + second + 2 * math.sqrt(math.pi) / (3 * s_wall)
