"""Several comparisons at once: p values that hold for all of them together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def holm(p_values: Mapping[Name, float]) -> dict[Name, float]:
    """p values corrected for their number (S. Holm, Scand. J. Stat. 6, 1979, 65-70), in the same order."""
    corrected: dict[Name, float] = {}
    highest = 0.0
    ordered = sorted(p_values, key=lambda name: p_values[name])
    for rank, name in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * p_values[name]))
        corrected[name] = highest
    return {name: corrected[name] for name in p_values}
