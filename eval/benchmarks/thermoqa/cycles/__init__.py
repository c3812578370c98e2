"""Tier 3: whole cycles, ten kinds to three depths, made here or recomputed as published."""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.cycles.kind_table import DEPTHS, kinds
from ansatz.eval.benchmarks.thermoqa.cycles.maker import make
from ansatz.eval.benchmarks.thermoqa.generated import Tier

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
