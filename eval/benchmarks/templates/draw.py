"""Draw values by a seed until they make a problem."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from ansatz.errors import InvalidData

Made = TypeVar("Made")


class Infeasible(Exception):
    """These values have no valid solution; others from the same template may have one."""


def draw(where: str, key: str, tries: int, attempt: Callable[[random.Random], Made]) -> Made:
    """What `attempt` makes of the first draw that it does not refuse as Infeasible; the key seeds the draws.

    Raises InvalidData, which begins with `where`, when so many tries find none.
    """
    rng = random.Random(key)  # seeded by text: the same on every platform and in every process
    reason = ""
    for _ in range(tries):
        try:
            return attempt(rng)
        except Infeasible as infeasible:
            reason = str(infeasible)
    raise InvalidData(f"{where}: no feasible instance in {tries} tries; the last failed: {reason}")
