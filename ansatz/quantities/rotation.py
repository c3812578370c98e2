"""What a unit counts of a rotation: turns, cycles or angles, which pint does not distinguish."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ansatz.quantities.unit_registry import registry

if TYPE_CHECKING:
    import pint

_TURNS = {"turn", "revolutions_per_minute", "revolutions_per_second"}
_CYCLES = {"cycle", "hertz"}
CYCLES_AND_ANGLES = "hertz counts cycles, rad/s is an angular velocity, and 2π lies between them"


class Rotation(NamedTuple):
    """What a unit counts: "turns", "cycles", "angles" or "none", and to which power."""

    counts: str
    power: float = 0.0


@cache
def find_rotation(unit: pint.Unit) -> Rotation:
    """What a unit counts of a rotation: turns (rpm), cycles (Hz), angles (rad/s) or nothing (1/s).

    In a product such as N·m·rpm, or a constant such as V/rpm, the speed of rotation is an angular velocity.
    What is given per turn, such as m³/rev, counts turns.
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
    """The factor between two units of one dimension, in addition to pint's, which counts a turn as 2π.

    Turns are angles of 2π where angles are wanted, and are counted otherwise: 60 rpm are 2π rad/s, 1 Hz and
    1/s. None for cycles against angles: 1 Hz is neither 1 rad/s nor 2π rad/s without saying which is meant.
    """
    if {have.counts, wanted.counts} == {"cycles", "angles"}:
        return None
    if have.counts == "turns" and wanted.counts in ("cycles", "none"):
        return float(math.tau**-have.power)
    if wanted.counts == "turns" and have.counts in ("cycles", "none"):
        return float(math.tau**wanted.power)
    return 1.0
