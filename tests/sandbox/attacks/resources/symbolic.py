"""Expand a power symbolically, as a model easily asks for by mistake.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

import sympy

x, y, z = sympy.symbols("x y z")
sympy.expand((x + y + z + 1) ** 400)
