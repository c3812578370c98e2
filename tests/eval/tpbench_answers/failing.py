"""Answers that do not get as far as a value: no function, another signature, errors, endless work."""

from tests.eval.tpbench_answers.case import Case, cases

_CRASHING = cases(
    "crashing",
    "exception",
    [
        ("a division by zero at a limit", "mean_energy", """
import math
def mean_energy(beta, eps, N):
    x = beta*eps
    return eps/(math.exp(x)-1) - N*eps/(math.exp(N*x)-1)
"""),
        ("a real root of a negative number", "age", """
import math
def age(a, H0, Om):
    s = math.sqrt(1 - Om)
    return [2/(3*H0*s)*math.asinh(s/math.sqrt(Om)*x**1.5) for x in a]
"""),
        ("a real function at a complex number", "susceptibility", """
import math
def susceptibility(omega, omega0, gamma):
    return 1/(omega0**2 - math.pow(omega, 2) - 1j*gamma*omega)
"""),
        ("a scalar function on an array", "observed_angle", """
import math
def observed_angle(theta, beta):
    return math.acos((math.cos(theta)-beta)/(1-beta*math.cos(theta)))
"""),
        ("a name that is nowhere", "wigner_angle", """
def wigner_angle(b1, b2):
    return arctan2(gamma(b1)*gamma(b2)*b1*b2, gamma(b1)+gamma(b2))
"""),
        ("a constant of nature from nowhere", "leaving_angle", """
import math
def leaving_angle(v0, g, R):
    return math.acos(min(1, (2 + m*v0**2/(m*g*R))/3))
"""),
        ("a syntax error", "wigner_angle", """
def wigner_angle(b1, b2):
    return (b1*b2
"""),
        ("broken off by the token limit", "collapsed_fraction", """
import numpy as np
def collapsed_fraction(S, delta, beta):
    root = np.sqrt(2*S)
    return 0.5*(erfc((delta + beta
"""),
        ("a module that is not there", "vacuum_decay_rate", """
import physicstools_of_my_own as p
def vacuum_decay_rate(E, m, e):
    return p.schwinger(E, m, e)
"""),
        ("endless recursion", "correlation", """
def correlation(r, N, K):
    return correlation(r + 1, N, K)
"""),
        ("too much memory", "correlation", """
import numpy as np
def correlation(r, N, K):
    return np.ones((200000, 200000)).sum()
"""),
        ("an assertion on the domain", "transmission_amplitude", """
def transmission_amplitude(k, alpha, m):
    assert alpha > 0
    return 1/(1 + 1j*m*alpha/k)
"""),
        ("not implemented", "form_factor", """
def form_factor(tau):
    raise NotImplementedError("no closed form")
"""),
        ("an example call that fails", "wigner_angle", """
import math
def wigner_angle(b1, b2):
    return math.atan2(b1*b2, 2)
print(wigner_angle(0.5))
"""),
    ],
)  # fmt: skip

_SLOW = cases(
    "slow",
    "timeout",
    [
        ("an endless loop", "wigner_angle", """
def wigner_angle(b1, b2):
    while True:
        b1 = b1*1.0
"""),
        ("a sum without end", "vacuum_decay_rate", """
import math
def vacuum_decay_rate(E, m, e):
    total, n = 0.0, 1
    while total < 1e9:
        total += math.exp(-n)/n**2
        n += 1
    return total
"""),
        ("a sleep", "leaving_angle", """
import time
def leaving_angle(v0, g, R):
    time.sleep(3600)
    return 0.84
"""),
        ("a brute force in the top level", "correlation", """
import itertools
total = sum(1 for _ in itertools.product((-1, 1), repeat=60))
def correlation(r, N, K):
    return total
"""),
    ],
)  # fmt: skip

_MISMATCH = cases(
    "another signature",
    "signature mismatch",
    [
        ("a parameter left out", "leaving_angle", """
import math
def leaving_angle(v0, R):
    return math.acos(min(1, (2 + v0**2/(9.81*R))/3))
"""),
        ("a parameter too many", "wigner_angle", """
def wigner_angle(b1, b2, c):
    return b1*b2/c**2
"""),
        ("parameters exchanged and renamed", "leaving_angle", """
import math
def leaving_angle(R, gravity, v0):
    return math.acos(min(1, (2 + v0**2/(gravity*R))/3))
"""),
        ("another function altogether", "wigner_angle", """
def gamma(b):
    return (1-b*b)**-0.5
"""),
        ("a method of a class", "form_factor", """
def helper(a, b, c):
    return a
class Solution:
    def form_factor(self, tau):
        return 4/3
"""),
    ],
)  # fmt: skip

_NOTHING = tuple(
    Case(name, "no code", "wigner_angle", "no code", answer)
    for name, answer in [
        (
            "a formula only",
            "The angle is $\\arctan(\\gamma_1\\gamma_2\\beta_1\\beta_2/(\\gamma_1+\\gamma_2))$.",
        ),
        ("nothing", ""),
        ("a refusal", "I'm sorry, but I cannot solve this problem."),
        ("the stub as it was", "```python\ndef wigner_angle(b1: float, b2: float) -> float:\n    pass\n```"),
        (
            "the stub with its docstring",
            '```python\ndef wigner_angle(b1, b2):\n    """Angle."""\n    ...\n```',
        ),
        ("another language", "```julia\nfunction wigner_angle(b1, b2)\n  atan(b1*b2, 2)\nend\n```"),
        ("an expression without a function", "```python\nimport math\nmath.atan2(0.5, 2)\n```"),
        ("words about a function", "One would write def wigner_angle, with the formula above."),
    ]
)

CASES = (*_CRASHING, *_SLOW, *_MISMATCH, *_NOTHING)
