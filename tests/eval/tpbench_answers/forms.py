"""Right answers in another form than the reference's: algebra, other functions, numerical methods, SymPy."""

from tests.eval.tpbench_answers.case import cases

CASES = cases(
    "equivalent in another form",
    "correct",
    [
        ("partial fractions", "susceptibility", """
import cmath
def susceptibility(omega, omega0, gamma):
    root = cmath.sqrt(omega0**2 - gamma**2 / 4)
    first, second = -0.5j * gamma + root, -0.5j * gamma - root
    return -1 / ((omega - first) * (omega - second))
"""),
        ("a linear system", "susceptibility", """
import numpy as np
def susceptibility(omega, omega0, gamma):
    s = -1j * omega
    return np.linalg.solve(np.array([[s, -1], [omega0**2, s + gamma]]), np.array([0, 1]))[0]
"""),
        ("sine squared of the angle", "leaving_angle", """
import numpy as np
def leaving_angle(v0, g, R):
    c = 2/3 + v0*v0/(3*g*R)
    return 2*np.arctan(np.sqrt((1-c)/(1+c))) if c < 1 else 0.0
"""),
        ("a root of the balance of forces", "leaving_angle", """
from scipy.optimize import brentq
import math
def leaving_angle(v0, g, R):
    f = lambda x: g*R*math.cos(x) - v0**2 - 2*g*R*(1 - math.cos(x))
    return 0.0 if f(0) <= 0 else brentq(f, 0, math.pi/2, xtol=1e-14)
"""),
        ("geometric sum", "mean_energy", """
import numpy as np
def mean_energy(beta, eps, N):
    n = np.arange(N)
    w = np.exp(-beta*eps*n)
    return eps*(n*w).sum()/w.sum()
"""),
        ("hyperbolic cotangents", "mean_energy", """
from math import tanh
def mean_energy(beta, eps, N):
    x = beta*eps
    if x == 0:
        return eps*(N-1)/2
    return eps*((N-1)/2 + 0.5/tanh(x/2) - 0.5*N/tanh(N*x/2))
"""),
        ("cosh and sinh", "correlation", """
import math
def correlation(r: int, N: int, K: float) -> float:
    c, s = math.cosh(K), math.sinh(K)
    return (c**(N-r)*s**r + c**r*s**(N-r))/(c**N + s**N)
"""),
        ("transfer matrix", "correlation", """
import numpy as np
def correlation(r, N, K):
    T = np.array([[np.exp(K), np.exp(-K)], [np.exp(-K), np.exp(K)]])
    Z = np.diag([1.0, -1.0])
    p = np.linalg.matrix_power
    return np.trace(Z @ p(T, r) @ Z @ p(T, N - r))/np.trace(p(T, N))
"""),
        ("trace of a matrix power", "partition_function", """
import numpy as np
def partition_function(N, K, h):
    T = np.array([[np.exp(K+h), np.exp(-K)], [np.exp(-K), np.exp(K-h)]])
    return np.trace(np.linalg.matrix_power(T, N))
"""),
        ("the other branch of the root", "partition_function", """
import cmath
def partition_function(N, K, h):
    D = -cmath.sqrt(cmath.exp(2*K)*cmath.cosh(h)**2 - 2*cmath.sinh(2*K))
    c = cmath.exp(K)*cmath.cosh(h)
    return (c + D)**N + (c - D)**N
"""),
        ("one over one plus", "transmission_amplitude", """
def transmission_amplitude(k: complex, alpha: float, m: float) -> complex:
    return 1/(1 + 1j*m*alpha/k)
"""),
        ("bound state pole", "transmission_amplitude", """
def transmission_amplitude(k, alpha, m):
    kappa = -m*alpha
    return 1 + 1j*kappa/(k - 1j*kappa)
"""),
        ("transfer through two surfaces", "reflection_amplitude", """
import cmath
def reflection_amplitude(n, k0, d):
    delta = n*k0*d
    c, s = cmath.cos(delta), cmath.sin(delta)
    return -1j*s*(1/n - n)/(2*c - 1j*(n + 1/n)*s)
"""),
        ("logarithm instead of arsinh", "age", """
import numpy as np
def age(a, H0, Om):
    s = np.sqrt(complex(1 - Om))
    if s == 0:
        return 2*np.asarray(a)**1.5/(3*H0)
    y = s*np.asarray(a)**1.5/np.sqrt(Om)
    return (2/(3*H0*s)*np.log(y + np.sqrt(1 + y*y))).real
"""),
        ("numerical quadrature", "age", """
import numpy as np
from scipy.integrate import quad
def age(a, H0, Om):
    f = lambda x: 2*x*x/np.sqrt(Om + (1 - Om)*x**6)
    return np.array([quad(f, 0, np.sqrt(x))[0] for x in a])/H0
"""),
        ("half-angle form", "observed_angle", """
import numpy as np
def observed_angle(theta, beta):
    return 2*np.arctan(np.sqrt((1+beta)/(1-beta))*np.tan(theta/2))
"""),
        ("arccos form", "observed_angle", """
import numpy as np
def observed_angle(theta: np.ndarray, beta: float) -> np.ndarray:
    return np.arccos(np.clip((np.cos(theta)-beta)/(1-beta*np.cos(theta)), -1, 1))
"""),
        ("sine of the angle", "wigner_angle", """
import math
def wigner_angle(b1, b2):
    g1, g2 = (1-b1*b1)**-0.5, (1-b2*b2)**-0.5
    return math.asin(g1*g2*b1*b2/(1+g1*g2))
"""),
        ("complex logarithm of v", "two_point", """
import cmath
def two_point(s, m, mu):
    if s == 0:
        return -cmath.log(m*m/mu**2)
    if s == 4*m*m:
        return 2 - cmath.log(m*m/mu**2)
    v = cmath.sqrt(1 - 4*m*m/(s + 1e-14j))
    return 2 - cmath.log(m*m/mu**2) + v*cmath.log((v-1)/(v+1))
"""),
        ("complex logarithm approached from below", "effective_potential", """
import cmath, math
def effective_potential(phi, m2, lam, mu):
    M2 = m2 + lam*phi**2/2
    v = 0.5*m2*phi**2 + lam*phi**4/24
    if M2 == 0: return complex(v)
    return v + M2**2/(64*math.pi**2)*(cmath.log(complex(M2/mu**2, -0.0)) - 3/2)
"""),
        ("series over pairs", "vacuum_decay_rate", """
import numpy as np
from scipy.special import zeta
def vacuum_decay_rate(E, m, e):
    f = abs(e*E)
    if f == 0: return 0.0
    if m == 0: return f**2/(24*np.pi)
    n = np.arange(1, 4000)
    return f**2/(4*np.pi**3)*np.sum(np.exp(-n*np.pi*m*m/f)/n**2)
"""),
        ("mpmath dilogarithm", "vacuum_decay_rate", """
import mpmath
def vacuum_decay_rate(E, m, e):
    f = abs(e*E)
    return float(f**2/(4*mpmath.pi**3)*mpmath.polylog(2, mpmath.exp(-mpmath.pi*m**2/f))) if f else 0.0
"""),
        ("SymPy number", "critical_impact_parameter", """
from sympy import sqrt, Float
def critical_impact_parameter(M, Q):
    M, Q = Float(M, 30), Float(Q, 30)
    r = (3*M + sqrt(9*M**2 - 8*Q**2))/2
    return r/sqrt(1 - 2*M/r + Q**2/r**2)
"""),
        ("polynomial root", "innermost_stable_radius", """
import numpy as np
def innermost_stable_radius(M, a):
    x = a/M
    # y**4 - 6 y**2 + 8 x y - 3 x**2 = 0 for y = sqrt(r/M)
    if abs(x) == 1:
        return M*(1.0 if x > 0 else 9.0)
    roots = np.roots([1, 0, -6, 8*x, -3*x*x])
    real = [r.real for r in roots if abs(r.imag) < 1e-7 and r.real >= 1]
    return M*max(real)**2
"""),
        ("list instead of an array", "axial_field", """
def axial_field(sigma, R, z, eps0):
    return [sigma/(2*eps0)*((1 if h > 0 else -1) - h/(h*h + R*R)**0.5) for h in z]
"""),
        ("image charges in two cases", "radial_force", """
import math
def radial_force(q, d, R, eps0):
    if d == 0:
        return 0.0
    image, place = -q*R/d, R*R/d
    force = q*image/(4*math.pi*eps0*(d - place)**2)
    return force if d > place else -force
"""),
        ("eigenvectors", "survival_probability", """
import numpy as np
def survival_probability(theta, D, E, A, L):
    c, s = np.cos(2*theta), np.sin(2*theta)
    H = D/(4*E)*np.array([[-c, s], [s, c]]) + np.diag([A, 0.0])
    w, U = np.linalg.eigh(H)
    amplitude = (np.exp(-1j*np.outer(L, w))*np.abs(U[0])**2).sum(axis=1)
    return np.abs(amplitude)**2
"""),
        ("complex result with no imaginary part", "quanta_after_quenches", """
import numpy as np
def quanta_after_quenches(omega1, omega2, t):
    if omega2 == 0:
        return (omega1*t)**2/4 + 0j
    return 0.25*np.sin(omega2*t)**2*(omega1/omega2 - omega2/omega1)**2
"""),
    ],
)  # fmt: skip
