"""Tier 3: whole cycles, ten kinds to three depths, made here or recomputed as published."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.benchmarks.thermoqa.cycles.kind_table import DEPTHS, kinds
from ansatz.eval.benchmarks.thermoqa.cycles.maker import make
from ansatz.eval.benchmarks.thermoqa.generated import GeneratedQuestion, Tier

TIER = Tier(
    3,
    published={
        (name, depth): kind.published[depth]
        for name, kind in kinds().items()
        for depth in DEPTHS
        if depth in kind.published
    },
    make=make,
    further=tuple(
        (name, depth) for name, kind in kinds().items() for depth in DEPTHS if depth not in kind.published
    ),
)


def questions(count: int, seed: int) -> Iterator[GeneratedQuestion]:
    """The first questions of a seed in the published proportions; a smaller count gives the first of them."""
    return (TIER.question(seed, number) for number in range(count))
