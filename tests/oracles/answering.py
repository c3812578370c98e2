"""How an oracle is asked: a mapping of entry ids to lists of inputs on stdin, values (or null) on stdout.

An oracle runs in an environment and a process of its own, so it imports nothing of the project.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping

Route = Callable[..., float]


def answer(routes: Mapping[str, Route]) -> None:
    """`--list` prints the ids; otherwise each list of inputs is answered."""
    if "--list" in sys.argv:
        print(json.dumps(sorted(routes)))
        return
    asked = json.load(sys.stdin)
    print(json.dumps({id: [_value(routes[id], given) for given in inputs] for id, inputs in asked.items()}))


def _value(route: Route, given: Mapping[str, float]) -> float | None:
    """None where the oracle has no value, such as for a detached shock."""
    try:
        value = float(route(**given))
    except (ValueError, ArithmeticError):
        return None
    return value if math.isfinite(value) else None
