"""Bands of relative error: how much credit a value earns by how far off it is."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ansatz.eval.problem import NumberTarget

POINTS: Mapping[float, float] = MappingProxyType({0.01: 100, 0.10: 70, 0.50: 30})
"""Points (of 100) by the relative error below which they are earned: TPS-CalcBench, section IV.1, table 5."""


class Band(NamedTuple):
    """One band; larger errors belong to the next one."""

    below: float
    """The relative error that is just outside. If the right value is zero, the error in the target's unit."""
    credit: float
    """From 0 to 1."""
    name: str


BANDS = tuple(
    Band(below, points / 100, name)
    for (below, points), name in zip(POINTS.items(), ("exact", "acceptable", "order-correct"), strict=True)
)
"""The default bands. A target's tolerance replaces the first one."""


def read_bands(points: Mapping[float, float]) -> tuple[Band, ...]:
    """Return the bands of such points, from the smallest error up.

    Raises
    ------
    ValueError
        If an error is not positive, the first band does not earn 100 points, or a later one not fewer.
    """
    if dict(points) == dict(POINTS):
        return BANDS
    if not points:
        raise ValueError("bands: must have at least one band, such as {0.01: 100}")
    ordered = sorted(points.items())
    if ordered[0][0] <= 0:
        raise ValueError(f"bands: a relative error must be above 0, not {ordered[0][0]:g}")
    if ordered[0][1] != 100:
        raise ValueError(f"bands: the first band must earn 100 points, not {ordered[0][1]:g}")
    for (_, before), (below, earned) in pairwise(ordered):
        if not 0 < earned < before:
            raise ValueError(
                f"bands: within {below:g}, points must be between 0 and {before:g}, not {earned:g}"
            )
    names = ("exact", *(f"within {100 * below:g} %" for below, _ in ordered[1:]))
    return tuple(
        Band(below, earned / 100, name) for (below, earned), name in zip(ordered, names, strict=True)
    )


def find_band(
    error: float, target: NumberTarget | None = None, bands: tuple[Band, ...] = BANDS
) -> tuple[float, str]:
    """Return the credit for a relative error and the name of its band, given the target's tolerance."""
    if target is not None and target.tolerance is not None:
        if target.tolerance.accepts(error, target.value or 0.0):
            return bands[0].credit, bands[0].name
        bands = bands[1:]
    return next(((each.credit, each.name) for each in bands if error < each.below), (0.0, "wrong"))


def describe_bands(bands: tuple[Band, ...]) -> str:
    """Return the bands in a few words, for legends."""
    first, *others = bands
    shown = [f"100 within the target's tolerance ({100 * first.below:g} % if none is set)"]
    shown += [f"{100 * each.credit:g} within {100 * each.below:g} %" for each in others]
    return ", ".join(shown)
