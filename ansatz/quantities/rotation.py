"""Distinguish units of turns, cycles and angles, which are the same to pint."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ansatz.quantities.unit_registry import registry

if TYPE_CHECKING:
    import pint

_TURNS = {"turn", "revolutions_per_minute", "revolutions_per_second"}
_CYCLES = {"cycle", "hertz"}
CYCLES_AND_ANGLES = "hertz counts cycles, rad/s is an angular velocity, and they differ by 2π"


class Rotation(NamedTuple):
    """What a unit counts of a rotation."""

    counts: str
    """"turns", "cycles", "angles" or "none"."""
    power: float = 0.0
    """The power of it in the unit."""


@cache
def find_rotation(unit: pint.Unit) -> Rotation:
    """Return what a unit counts: turns (rpm), cycles (Hz), angles (rad/s) or nothing (1/s).

    In products such as N·m·rpm and constants such as V/rpm, the speed of rotation is an angular velocity.
    Units per turn, such as m³/rev, count turns.
    """
    known = registry()
    powers = {"turns": 0.0, "cycles": 0.0, "angles": 0.0}
    of_time_only = set(unit.dimensionality) <= {"[time]"}
    for name, exponent in known.Quantity(1.0, unit).unit_items():
        power = float(str(exponent))
        base = known.parse_unit_name(name)[0][1]
        roots = dict(known.Quantity(1.0, known.get_root_units(base)[1]).unit_items())
        if base in _CYCLES:
            powers["cycles"] += power
        elif base in _TURNS and (of_time_only or (base == "turn" and power < 0)):
            powers["turns"] += power
        elif roots.get("radian") == 1:  # a steradian has two
            powers["angles"] += power
    return next((Rotation(counts, power) for counts, power in powers.items() if power), Rotation("none"))


def turn_factor(have: Rotation, wanted: Rotation) -> float | None:
    """Return the factor between two units of one dimension in addition to pint's, which counts a turn as 2π.

    A turn is 2π if angles are wanted, and 1 otherwise: 60 rpm is 2π rad/s, 1 Hz and 1/s. None for cycles
    against angles, because 1 Hz may be meant as 1 rad/s or as 2π rad/s.
    """
    if {have.counts, wanted.counts} == {"cycles", "angles"}:
        return None
    if have.counts == "turns" and wanted.counts in ("cycles", "none"):
        return float(math.tau**-have.power)
    if wanted.counts == "turns" and have.counts in ("cycles", "none"):
        return float(math.tau**wanted.power)
    return 1.0
