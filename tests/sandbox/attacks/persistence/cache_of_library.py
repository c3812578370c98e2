"""Poison a library's cache with a wrong answer.

Contained: the next call has the right answer.
Control: exec, because a fresh interpreter has a fresh cache
"""

import sympy

sympy.pi.__class__.left = "@SECRET@"
sympy.sin.eval = classmethod(lambda cls, angle: sympy.Symbol("@SECRET@"))
# --- the next call ---
import sympy

print(sympy.sin(sympy.pi), getattr(sympy.pi, "left", ""))
