"""Pure functions that execute reference solutions: SI units and radians in and out, sources beside each.

`FUNCTIONS` are those that a set's formulas may call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ansatz.eval.benchmarks.apbench.reference import (
    attitude,
    cr3bp,
    determination,
    elements,
    frames,
    kepler,
    lambert,
    relative,
    vectors,
)

_ELEMENTARY: tuple[Callable[..., Any], ...] = (
    *(math.sqrt, math.exp, math.log, math.ceil),
    *(math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2),
    *(math.sinh, math.cosh, math.tanh, math.asinh, math.acosh, math.atanh),
    *(abs, min, max),
)
_ALGORITHMS: tuple[Callable[..., Any], ...] = (
    *vectors.ALL,
    *kepler.ALL,
    *elements.ALL,
    *frames.ALL,
    *lambert.ALL,
    *cr3bp.ALL,
    *relative.ALL,
    *attitude.ALL,
    *determination.ALL,
)

FUNCTIONS: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in (*_ELEMENTARY, *_ALGORITHMS)}
