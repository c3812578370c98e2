"""Wrong answers that look right: constants, signs, branches, limits, and shapes."""

from tests.eval.tpbench_answers.case import cases

_CONSTANTS = cases(
    "off by a constant or a sign",
    "wrong value",
    [
        ("a factor of two", "transition_probability", """
import numpy as np
def transition_probability(Omega, Delta, t):
    W = np.sqrt(Omega**2 + Delta**2) + 1e-300
    return Omega**2/W**2*np.sin(W*t)**2
"""),
        ("two per mille", "critical_impact_parameter", """
def critical_impact_parameter(M, Q):
    r = (3*M + (9*M**2 - 8*Q**2)**0.5)/2
    return 1.002*r**2/(r**2 - 2*M*r + Q**2)**0.5
"""),
        ("a rounded constant", "mean_position", """
import numpy as np
def mean_position(a, m, phi, t, hbar):
    return a/2 - 0.18*a*np.cos(3*np.pi**2*hbar*t/(2*m*a*a) - phi)
"""),
        ("the phase with the other sign", "mean_position", """
import numpy as np
def mean_position(a, m, phi, t, hbar):
    return a/2 - 16*a/(9*np.pi**2)*np.cos(3*np.pi**2*hbar*t/(2*m*a*a) + phi)
"""),
        ("the other time convention", "susceptibility", """
def susceptibility(omega, omega0, gamma):
    return 1/(omega0**2 - omega**2 + 1j*gamma*omega)
"""),
        ("only the modulus", "transmission_amplitude", """
def transmission_amplitude(k, alpha, m):
    return 1/(1 + (m*alpha)**2/abs(k)**2)**0.5
"""),
        ("a sign that only a negative strength shows", "transmission_amplitude", """
def transmission_amplitude(k, alpha, m):
    return 1/(1 + 1j*m*abs(alpha)/k)
"""),
        ("ring taken as a chain", "correlation", """
import math
def correlation(r, N, K):
    return math.tanh(K)**r
"""),
        ("two eigenvalues, one power", "partition_function", """
import cmath
def partition_function(N, K, h):
    return (cmath.exp(K)*cmath.cosh(h) + cmath.sqrt(cmath.exp(2*K)*cmath.sinh(h)**2 + cmath.exp(-2*K)))**N
"""),
        ("attraction everywhere", "radial_force", """
import math
def radial_force(q, d, R, eps0):
    return -q**2*R*d/(4*math.pi*eps0*(d**2 - R**2)**2)
"""),
        ("Gaussian units", "radial_force", """
def radial_force(q, d, R, eps0):
    F = q**2*R*d/(d**2 - R**2)**2
    return F if d < R else -F
"""),
        ("unsigned field", "axial_field", """
import numpy as np
def axial_field(sigma, R, z, eps0):
    return sigma/(2*eps0)*(1 - abs(z)/np.sqrt(z**2 + R**2))
"""),
        ("gamma to the fourth", "radiated_power", """
import numpy as np
def radiated_power(q, v, a):
    g = 1/np.sqrt(1 - v@v)
    return 2/3*q**2*g**4*(a@a - np.cross(v, a)@np.cross(v, a))
"""),
        ("non-relativistic", "radiated_power", """
def radiated_power(q, v, a):
    return 2/3*q**2*float(a@a)
"""),
        ("prograde for every spin", "innermost_stable_radius", """
def innermost_stable_radius(M, a):
    x = abs(a)/M
    Z1 = 1 + (1-x*x)**(1/3)*((1+x)**(1/3) + (1-x)**(1/3))
    Z2 = (3*x*x + Z1*Z1)**0.5
    return M*(3 + Z2 - ((3-Z1)*(3+Z1+2*Z2))**0.5)
"""),
        ("pseudoscalar taken as scalar", "decay_width", """
import math
def decay_width(M, m, a, b):
    if M <= 2*m: return 0.0
    v = math.sqrt(1-4*m*m/M/M)
    return M/(8*math.pi)*(a*a+b*b)*v**3
"""),
        ("five sixths in the constant", "effective_potential", """
import cmath, math
def effective_potential(phi, m2, lam, mu):
    M2 = m2 + lam*phi**2/2
    if M2 == 0: return m2*phi**2/2 + lam*phi**4/24
    return m2*phi**2/2 + lam*phi**4/24 + M2**2/(64*math.pi**2)*(cmath.log(complex(M2/mu**2, -0.0)) - 5/6)
"""),
        ("bare tension term dropped", "wall_radius", """
def wall_radius(Vf, Vt, sigma, kappa):
    return 1/(kappa*Vf/3 + ((Vf-Vt)/(3*sigma))**2)**0.5
"""),
        ("sharp barrier counted once", "collapsed_fraction", """
import numpy as np
from scipy.special import erfc
def collapsed_fraction(S, delta, beta):
    return erfc((delta + beta*S)/np.sqrt(2*S))
"""),
        ("leading term only", "vacuum_decay_rate", """
import math
def vacuum_decay_rate(E, m, e):
    f = abs(e*E)
    return f*f/(4*math.pi**3)*math.exp(-math.pi*m*m/f) if f else 0.0
"""),
        ("cosmological constant ignored", "age", """
def age(a, H0, Om):
    return 2/(3*H0)*a**1.5
"""),
        ("rotation the other way", "wigner_angle", """
import math
def wigner_angle(b1, b2):
    g1, g2 = (1-b1*b1)**-0.5, (1-b2*b2)**-0.5
    return -math.atan2(g1*g2*b1*b2, g1+g2)
"""),
    ],
)  # fmt: skip

_BRANCHES = cases(
    "wrong branch or limit",
    "wrong value",
    [
        ("complex conjugate above threshold", "two_point", """
import cmath
def two_point(s, m, mu):
    if s == 0: return -cmath.log(m*m/mu**2)
    v = cmath.sqrt(1 - 4*m*m/s)
    if v == 0: return 2 - cmath.log(m*m/mu**2)
    return 2 - cmath.log(m*m/mu**2) + v*cmath.log((v-1)/(v+1)).conjugate()
"""),
        ("absolute value under the logarithm", "two_point", """
import math, cmath
def two_point(s, m, mu):
    if s == 0: return -math.log(m*m/mu**2)
    v = cmath.sqrt(1 - 4*m*m/s)
    if v == 0: return 2 - math.log(m*m/mu**2)
    return 2 - math.log(m*m/mu**2) + (v*cmath.log((v-1)/(v+1))).real
"""),
        ("minus zero lost in a division", "effective_potential", """
import cmath, math
def effective_potential(phi, m2, lam, mu):
    M2 = m2 + lam*phi**2/2
    v = 0.5*m2*phi**2 + lam*phi**4/24
    if M2 == 0: return complex(v)
    return v + M2**2/(64*math.pi**2)*(cmath.log(complex(M2, -0.0)/mu**2) - 3/2)
"""),
        ("imaginary part with the wrong sign", "effective_potential", """
import numpy as np
def effective_potential(phi, m2, lam, mu):
    M2 = m2 + lam*phi**2/2
    if M2 == 0: return 0j
    return m2*phi**2/2 + lam*phi**4/24 + M2**2/(64*np.pi**2)*(np.log(M2/mu**2 + 0j) - 1.5)
"""),
        ("NaN in the unstable region", "effective_potential", """
import numpy as np
def effective_potential(phi, m2, lam, mu):
    M2 = m2 + lam*phi**2/2
    return m2*phi**2/2 + lam*phi**4/24 + M2**2/(64*np.pi**2)*(np.log(M2/mu**2) - 1.5)
"""),
        ("below the cut", "form_factor", """
import cmath
def form_factor(tau):
    if tau == 0: return 4/3
    f = cmath.asin(cmath.sqrt(complex(tau).conjugate()))**2
    return 2*(tau + (tau-1)*f)/tau**2
"""),
        ("only below the transition", "small_oscillation_frequency", """
def small_oscillation_frequency(omega, g, R):
    return abs(g/R - omega**2)**0.5
"""),
        ("never leaves the angle range", "leaving_angle", """
import numpy as np
def leaving_angle(v0, g, R):
    return np.arccos((2 + v0**2/(g*R))/3)
"""),
        ("real frequencies only", "permittivity", """
import numpy as np
from scipy.special import wofz
def permittivity(omega, k, s):
    z = abs(complex(omega))/(2**0.5*k*s)
    return 1 + (1 + 1j*np.pi**0.5*z*wofz(z))/(k*s)**2
"""),
        ("principal value without the residue", "permittivity", """
import numpy as np
from scipy.special import wofz
def permittivity(omega, k, s):
    z = complex(omega)/(2**0.5*k*s)
    w = wofz(z) if z.imag > 0 else -wofz(-z)
    return 1 + (1 + 1j*np.pi**0.5*z*w)/(k*s)**2
"""),
        ("arcsin of one side", "proper_time", """
import numpy as np
def proper_time(r0, r, M):
    x = r/r0
    return np.sqrt(r0**3/(2*M))*(np.sqrt(x*(1-x)) + np.arcsin(np.sqrt(1-x)) - 2*np.sqrt(x*(1-x))*(x < 0.3))
"""),
        ("the light field only", "field_variance", """
from scipy.special import gamma
import numpy as np
def field_variance(m2, lam, H):
    return gamma(0.75)/gamma(0.25)*np.sqrt(3*H**4/(2*np.pi**2*lam))
"""),
    ],
)  # fmt: skip

_SHAPES = cases(
    "wrong shape or type",
    "wrong shape or type",
    [
        ("the mean over an array", "age", """
import numpy as np
def age(a, H0, Om):
    return float(np.mean(2/(3*H0)*a**1.5))
"""),
        ("a column instead of a row", "observed_angle", """
import numpy as np
def observed_angle(theta, beta):
    return np.arccos((np.cos(theta)-beta)/(1-beta*np.cos(theta))).reshape(-1, 1)
"""),
        ("an array around a number", "leaving_angle", """
import numpy as np
def leaving_angle(v0, g, R):
    return np.array([np.arccos(min(1, (2 + v0**2/(g*R))/3))])
"""),
        ("a number with its name", "leaving_angle", """
import math
def leaving_angle(v0, g, R):
    return {"theta": math.acos(min(1, (2 + v0**2/(g*R))/3))}
"""),
        ("text", "wigner_angle", """
import math
def wigner_angle(b1, b2):
    return f"{math.atan2(b1*b2, 2):.6f} rad"
"""),
        ("printed and not returned", "wigner_angle", """
import math
def wigner_angle(b1, b2):
    g1, g2 = (1-b1*b1)**-0.5, (1-b2*b2)**-0.5
    print(math.atan2(g1*g2*b1*b2, g1+g2))
"""),
        ("a SymPy expression that is no number", "mean_energy", """
import sympy as sp
def mean_energy(beta, eps, N):
    x = sp.Symbol("x")
    return eps/(sp.exp(x) - 1) - N*eps/(sp.exp(N*x) - 1)
"""),
        ("real and imaginary part as a pair", "susceptibility", """
def susceptibility(omega, omega0, gamma):
    z = 1/(omega0**2 - omega**2 - 1j*gamma*omega)
    return z.real, z.imag
"""),
        ("a generator", "axial_field", """
def axial_field(sigma, R, z, eps0):
    return (sigma/(2*eps0)*((1 if h > 0 else -1) - h/(h*h + R*R)**0.5) for h in z)
"""),
        ("true", "correlation", """
def correlation(r, N, K):
    return r == 0
"""),
    ],
)  # fmt: skip

CASES = (*_CONSTANTS, *_BRANCHES, *_SHAPES)
