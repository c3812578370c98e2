"""Which problems changed between two runs, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ansatz.eval.score import Dimension
from ansatz.experiments.comparing.pairing import Names
from ansatz.experiments.comparing.verdicts import ComparedRuns, select_means

_NEAR = 1e-6  # a smaller difference is rounding


@dataclass(frozen=True)
class Change:
    """A problem with another score in B, for one model, arm and dimension. Scores are as stored."""

    problem: str
    model: Names
    arm: Names
    dimension: Dimension
    before: float
    after: float

    @property
    def gain(self) -> float:
        """The change in the direction of improvement."""
        change = self.after - self.before
        return change if self.dimension.better == "higher" else -change

    def show(self) -> str:
        """Format both scores on the scale of the dimension."""
        return f"{self.dimension.scale.show(self.before)} → {self.dimension.scale.show(self.after)}"

    def to_json(self) -> dict[str, Any]:
        """Return the change on the scale of the dimension."""
        scale = self.dimension.scale
        return {
            "problem": self.problem,
            "model": self.model[1],
            "arm": self.arm[1],
            "dimension": self.dimension.name,
            "a": scale.to_number(self.before),
            "b": scale.to_number(self.after),
        }


def list_changes(found: ComparedRuns) -> list[Change]:
    """List the problems that changed on the first deciding dimension.

    The largest changes are first, and losses before gains of the same size.
    """
    changes = [each for each in _find_changes(found) if abs(each.gain) > _NEAR]
    return sorted(changes, key=lambda each: (-abs(each.gain), each.gain, each.problem))


def _find_changes(found: ComparedRuns) -> Iterator[Change]:
    before, after = select_means(found.a, found.pairing, 0), select_means(found.b, found.pairing, 1)
    for place, values in before.items():
        if place.dimension != found.deciding[0]:
            continue
        dimension = found.b.dimensions[place.dimension]
        for id, old, new in zip(found.pairing.problems, values.tolist(), after[place].tolist(), strict=True):
            if not (math.isnan(old) or math.isnan(new)):
                yield Change(id, place.model, place.arm, dimension, old, new)
