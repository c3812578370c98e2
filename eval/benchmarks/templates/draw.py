"""Draw values with a seed until they make a valid problem."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from ansatz.errors import InvalidData

Made = TypeVar("Made")


class Infeasible(Exception):
    """These values have no valid solution; others from the same template may have one."""


def draw(where: str, key: str, tries: int, attempt: Callable[[random.Random], Made]) -> Made:
    """Return the result of `attempt` for the first draw that is not Infeasible. The key seeds the draws.

    Raises InvalidData, starting with `where`, if all tries fail.
    """
    rng = random.Random(key)  # seeded by text: the same on every platform and in every process
    reason = ""
    for _ in range(tries):
        try:
            return attempt(rng)
        except Infeasible as infeasible:
            reason = str(infeasible)
    raise InvalidData(f"{where}: no feasible instance in {tries} tries; the last failed: {reason}")
