"""Pure functions that the solutions of the hard set call, in SI units and radians, with their sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ansatz.eval.benchmarks.hard.functions import conduction, flow, orbits
from ansatz.eval.benchmarks.hard.functions.fluids import fluid_functions

_ELEMENTARY = (
    "sqrt",
    "exp",
    "log",
    "erf",
    "erfc",
    "ceil",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
)
_HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")


def switch(value: float, limit: float, below: float, above: float) -> float:
    """Return `below` if the value is below the limit, otherwise `above`."""
    return below if value < limit else above


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in (*_ELEMENTARY, *_HYPERBOLIC)},
    **{"abs": abs, "min": min, "max": max, "switch": switch},
    **{
        name: function
        for module in (conduction, flow, orbits)
        for name, function in vars(module).items()
        if isinstance(function, FunctionType)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    },
    **fluid_functions(),
}
