"""Pure functions that compute reference solutions, in SI units and radians, with their sources.

`FUNCTIONS` are those that the formulas of a set can call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ansatz.eval.benchmarks.apbench.reference import flight, orbits, vectors

_ELEMENTARY = ("sqrt", "exp", "log", "ceil", "sin", "cos", "tan", "asin", "acos", "atan", "atan2")
_HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in (*_ELEMENTARY, *_HYPERBOLIC)},
    **{"abs": abs, "min": min, "max": max},
    **{
        name: function
        for module in (vectors, orbits, flight)
        for name, function in vars(module).items()
        if isinstance(function, FunctionType)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    },
}
