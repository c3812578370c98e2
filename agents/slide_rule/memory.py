"""What the offline model remembers: textbook formulas, with no sense of when they hold.

Sources: F. M. White, *Fluid Mechanics* (hydrostatics, Bernoulli, Blasius, 1/7-power turbulent friction);
J. D. Anderson, *Modern Compressible Flow* and *Fundamentals of Aerodynamics* (gas dynamics, Newtonian,
Prandtl-Glauert); Y. A. Cengel and M. A. Boles, *Thermodynamics* (heat, work, cycles, mixtures);
F. P. Incropera et al., *Fundamentals of Heat and Mass Transfer* (conduction, convection, radiation);
G. A. Bird, *Molecular Gas Dynamics* (mean free path, Knudsen number).
"""

from __future__ import annotations

from functools import cache

from ansatz.agents.slide_rule.formula import Formula
from ansatz.agents.slide_rule.sheet import read_sheet

# The order is the order in which they come to mind: the most familiar first.
_REMEMBERED = """
[E1] ideal gas law for density
    rho = p/(R*T)
    where rho [kg/m**3] density; p [Pa] static pressure; R [J/(kg*K)] gas constant; T [K] static temperature
[E2] ideal gas law for pressure
    p = rho*R*T
    where p [Pa] static pressure; rho [kg/m**3] density; R [J/(kg*K)] gas constant; T [K] static temperature
[E3] speed of sound of a perfect gas
    a = sqrt(gamma*R*T)
    where a [m/s] speed of sound; gamma [-] ratio of specific heats; R [J/(kg*K)] gas constant; T [K] static temperature
[E4] Mach number
    M = V/a
    where M [-] mach number; V [m/s] flow speed; a [m/s] speed of sound
[E5] speed from Mach number
    V = M*a
    where V [m/s] flow speed; M [-] mach number; a [m/s] speed of sound
[E6] dynamic pressure
    q = 0.5*rho*V**2
    where q [Pa] dynamic pressure; rho [kg/m**3] density; V [m/s] speed
[E7] Reynolds number
    Re = rho*V*L/mu
    where Re [-] reynolds number; rho [kg/m**3] density; V [m/s] speed; L [m] length distance; mu [Pa*s] viscosity
[E8] isentropic stagnation temperature
    T0 = T*(1 + (gamma - 1)/2*M**2)
    where T0 [K] stagnation temperature; T [K] static temperature; gamma [-] ratio of specific heats; M [-] mach number
[E9] isentropic stagnation pressure
    p0 = p*(1 + (gamma - 1)/2*M**2)**(gamma/(gamma - 1))
    where p0 [Pa] stagnation pressure; p [Pa] static pressure; gamma [-] ratio of specific heats; M [-] mach number
[E10] normal shock pressure ratio
    p21 = 1 + 2*gamma/(gamma + 1)*(M1**2 - 1)
    where p21 [-] pressure ratio across shock; gamma [-] ratio of specific heats; M1 [-] upstream mach number
[E11] normal shock density ratio
    rho21 = (gamma + 1)*M1**2/((gamma - 1)*M1**2 + 2)
    where rho21 [-] density ratio across shock; gamma [-] ratio of specific heats; M1 [-] upstream mach number
[E12] normal shock temperature ratio
    T21 = (1 + 2*gamma/(gamma + 1)*(M1**2 - 1))*((gamma - 1)*M1**2 + 2)/((gamma + 1)*M1**2)
    where T21 [-] temperature ratio across shock; gamma [-] ratio of specific heats; M1 [-] upstream mach number
[E13] Mach number behind a normal shock
    M2 = sqrt((1 + (gamma - 1)/2*M1**2)/(gamma*M1**2 - (gamma - 1)/2))
    where M2 [-] mach number downstream of shock; gamma [-] ratio of specific heats; M1 [-] upstream mach number
[E14] Blasius skin friction
    cf = 0.664/sqrt(Re)
    where cf [-] skin friction coefficient; Re [-] reynolds number
[E15] Blasius boundary-layer thickness
    delta = 5.0*x/sqrt(Re)
    where delta [m] boundary layer thickness; x [m] distance from leading edge; Re [-] reynolds number
[E16] turbulent skin friction
    cf = 0.0592/Re**0.2
    where cf [-] turbulent skin friction coefficient; Re [-] reynolds number
[E17] Bernoulli stagnation pressure
    p0 = p + 0.5*rho*V**2
    where p0 [Pa] stagnation pressure; p [Pa] static pressure; rho [kg/m**3] density; V [m/s] speed
[E18] Newtonian sine-squared law
    Cp = 2*sin(theta)**2
    where Cp [-] pressure coefficient; theta [rad] surface inclination angle
[E19] Prandtl-Glauert rule
    Cp = Cp0/sqrt(1 - M**2)
    where Cp [-] compressible pressure coefficient; Cp0 [-] incompressible pressure coefficient; M [-] mach number
[E20] Stefan-Boltzmann law
    q = epsilon*sigma*T**4
    where q [W/m**2] radiative heat flux emissive power; epsilon [-] emissivity; T [K] wall temperature; sigma = 5.67e-8 W/m**2/K**4
[E21] Sutherland viscosity of air
    mu = mu0*(T/Tr)**1.5*(Tr + S)/(T + S)
    where mu [Pa*s] viscosity; T [K] temperature; mu0 = 1.716e-5 Pa*s; Tr = 273.15 K; S = 110.4 K
[E22] enthalpy of a perfect gas
    h = cp*T
    where h [J/kg] specific enthalpy; cp [J/(kg*K)] specific heat constant pressure; T [K] temperature
[E23] stagnation enthalpy
    h0 = h + 0.5*V**2
    where h0 [J/kg] stagnation enthalpy; h [J/kg] static enthalpy; V [m/s] speed
[E24] Carnot efficiency
    eta = 1 - Tc/Th
    where eta [-] thermal carnot efficiency; Tc [K] cold reservoir temperature; Th [K] hot reservoir temperature
[E25] quality mixture rule
    h = hf + x*(hg - hf)
    where h [J/kg] mixture enthalpy; hf [J/kg] saturated liquid enthalpy; hg [J/kg] saturated vapor enthalpy; x [-] quality
[E26] kinetic energy flux
    q = 0.5*rho*V**3
    where q [W/m**2] energy heat flux; rho [kg/m**3] density; V [m/s] speed
[E27] Fourier conduction
    q = k*dT/L
    where q [W/m**2] conduction heat flux; k [W/(m*K)] thermal conductivity; dT [K] temperature difference; L [m] thickness
[E28] Newton cooling
    q = hc*dT
    where q [W/m**2] convection heat flux; hc [W/m**2/K] heat transfer coefficient; dT [K] temperature difference
[E29] Knudsen number
    Kn = lam/L
    where Kn [-] knudsen number; lam [m] mean free path; L [m] characteristic length
[E30] Otto cycle efficiency
    eta = 1 - r**(1 - gamma)
    where eta [-] thermal efficiency otto; r [-] compression ratio; gamma [-] ratio of specific heats
[E31] continuity
    mdot = rho*V*A
    where mdot [kg/s] mass flow rate; rho [kg/m**3] density; V [m/s] speed; A [m**2] area
[E32] kinetic energy
    E = 0.5*m*V**2
    where E [J] kinetic energy; m [kg] mass; V [m/s] speed
"""


@cache
def remembered_formulas() -> tuple[Formula, ...]:
    """Every formula in memory, in the order in which they come to mind."""
    return read_sheet(_REMEMBERED, trusted=False).formulas
