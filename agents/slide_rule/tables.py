"""Remembered property tables: a few rounded rows, read by straight lines between them.

Water: IAPWS-IF97 steam-table values (as tabulated by Y. A. Cengel and M. A. Boles, *Thermodynamics*);
R134a: ASHRAE reference state (h = s = 0 for saturated liquid at -40 °C). All rounded to three digits.
Units of the tables: °C, kPa, m³/kg, kJ/kg, kJ/(kg·K).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

Row = dict[str, float]  # T, P, v, h, s, u and the quality x (negative: liquid, above 1: vapour)


@dataclass(frozen=True)
class Fluid:
    """`saturation`: T, P, v_f, v_g, h_f, h_g, s_f, s_g; `vapor`: T, v, h, s by pressure, above saturation."""

    name: str
    critical: tuple[float, float]
    saturation: tuple[tuple[float, ...], ...]
    vapor: dict[float, tuple[tuple[float, ...], ...]]


WATER = Fluid(
    "water",
    (374.0, 22064.0),
    (
        (0.01, 0.611, 0.00100, 206, 0, 2500, 0, 9.16),
        (25, 3.17, 0.00100, 43.3, 105, 2550, 0.367, 8.56),
        (50, 12.4, 0.00101, 12.0, 209, 2590, 0.704, 8.07),
        (75, 38.6, 0.00103, 4.13, 314, 2630, 1.02, 7.68),
        (100, 101, 0.00104, 1.67, 419, 2680, 1.31, 7.35),
        (125, 232, 0.00106, 0.770, 525, 2710, 1.58, 7.08),
        (150, 476, 0.00109, 0.393, 632, 2750, 1.84, 6.84),
        (175, 893, 0.00112, 0.217, 741, 2770, 2.09, 6.62),
        (200, 1550, 0.00116, 0.127, 852, 2790, 2.33, 6.43),
        (225, 2550, 0.00120, 0.0784, 967, 2800, 2.56, 6.25),
        (250, 3980, 0.00125, 0.0501, 1090, 2800, 2.79, 6.07),
        (275, 5950, 0.00132, 0.0328, 1210, 2790, 3.02, 5.90),
        (300, 8590, 0.00140, 0.0217, 1350, 2750, 3.26, 5.71),
        (325, 12100, 0.00153, 0.0142, 1490, 2680, 3.50, 5.50),
        (350, 16500, 0.00174, 0.00881, 1670, 2560, 3.78, 5.21),
        (374, 22064, 0.00311, 0.00311, 2080, 2080, 4.41, 4.41),
    ),
    {
        10.0: (
            (100, 17.2, 2690, 8.45),
            (200, 21.8, 2880, 8.9),
            (300, 26.4, 3080, 9.28),
            (400, 31.1, 3280, 9.61),
            (600, 40.3, 3710, 10.2),
            (1000, 58.8, 4640, 11),
        ),
        100.0: (
            (200, 2.17, 2880, 7.84),
            (300, 2.64, 3070, 8.22),
            (400, 3.1, 3280, 8.55),
            (600, 4.03, 3710, 9.1),
            (1000, 5.88, 4640, 9.98),
        ),
        1000.0: (
            (200, 0.206, 2830, 6.7),
            (300, 0.258, 3050, 7.12),
            (400, 0.307, 3260, 7.47),
            (600, 0.401, 3700, 8.03),
            (1000, 0.587, 4640, 8.92),
        ),
        5000.0: (
            (300, 0.0453, 2930, 6.21),
            (400, 0.0578, 3200, 6.65),
            (600, 0.0787, 3670, 7.26),
            (1000, 0.117, 4630, 8.16),
        ),
        10000.0: (
            (400, 0.0264, 3100, 6.21),
            (600, 0.0384, 3630, 6.9),
            (1000, 0.0584, 4610, 7.83),
        ),
        20000.0: (
            (400, 0.00995, 2820, 5.55),
            (600, 0.0182, 3540, 6.51),
            (1000, 0.029, 4580, 7.49),
        ),
        30000.0: (
            (100, 0.00103, 442, 1.28),
            (200, 0.00113, 865, 2.29),
            (300, 0.00133, 1330, 3.18),
            (400, 0.0028, 2150, 4.48),
            (600, 0.0114, 3450, 6.24),
            (1000, 0.0192, 4560, 7.29),
        ),
        40000.0: (
            (100, 0.00102, 449, 1.28),
            (200, 0.00112, 870, 2.28),
            (300, 0.00131, 1330, 3.15),
            (400, 0.00191, 1930, 4.11),
            (600, 0.00809, 3350, 6.02),
            (1000, 0.0144, 4530, 7.14),
        ),
    },
)  # fmt: skip

R134A = Fluid(
    "R134a",
    (101.0, 4059.0),
    (
        (-40, 51.2, 0.000705, 0.361, 0, 226, 0, 0.969),
        (-20, 133, 0.000736, 0.147, 25.5, 238, 0.105, 0.946),
        (0, 293, 0.000772, 0.0693, 51.9, 250, 0.204, 0.931),
        (20, 572, 0.000816, 0.0360, 79.3, 262, 0.301, 0.922),
        (40, 1020, 0.000872, 0.0200, 108, 271, 0.395, 0.915),
        (60, 1680, 0.000950, 0.0114, 139, 278, 0.489, 0.907),
        (80, 2630, 0.00108, 0.00645, 174, 281, 0.588, 0.889),
        (100, 3970, 0.00154, 0.00268, 225, 260, 0.723, 0.815),
    ),
    {},
)

_R134A_VAPOR_CP = 0.9  # kJ/(kg K), what is remembered of superheated R134a
_AIR_CP, _AIR_R = 1.005, 0.287  # kJ/(kg K), air at room temperature
_AIR_S_300K = 1.702  # kJ/(kg K), entropy of air at 300 K and 100 kPa in air tables


@lru_cache(maxsize=4096)
def saturation(fluid_name: str, key: str, value: float) -> tuple[Row, Row] | None:
    """Saturated liquid and vapour at a temperature or pressure; None outside the table."""
    fluid = FLUIDS[fluid_name]
    place = 0 if key == "T" else 1
    column = [row[place] for row in fluid.saturation]
    if not column[0] <= value <= column[-1]:
        return None
    upper = max(bisect_left(column, value), 1)
    low, high = fluid.saturation[upper - 1], fluid.saturation[upper]
    share = (value - column[upper - 1]) / (column[upper] - column[upper - 1])
    t, p, vf, vg, hf, hg, sf, sg = (a + share * (b - a) for a, b in zip(low, high, strict=True))
    return _row(t, p, vf, hf, sf, 0.0), _row(t, p, vg, hg, sg, 1.0)


def _row(t: float, p: float, v: float, h: float, s: float, x: float) -> Row:
    return {"T": t, "P": p, "v": v, "h": h, "s": s, "u": h - p * v, "x": x}


@lru_cache(maxsize=4096)
def isobar(fluid_name: str, pressure: float) -> tuple[Row, ...]:
    """Rows from cold liquid to hot vapour at one pressure; between two rows everything is linear."""
    fluid = FLUIDS[fluid_name]
    ends = saturation(fluid_name, "P", pressure)
    if ends is None:
        return tuple(_grid_row(fluid, pressure, t, 2.0) for t in _temperatures(fluid, pressure))
    liquid, vapor = ends
    colder = [
        _row(t, pressure, vf, hf, sf, -1.0)
        for t, p, vf, _, hf, _, sf, _ in fluid.saturation
        if p < pressure and t < liquid["T"]
    ]
    if fluid.vapor:
        hotter = [
            _grid_row(fluid, pressure, t, 2.0) for t in _temperatures(fluid, pressure) if t > vapor["T"] + 1
        ]
    else:
        hotter = [_superheated(vapor, t) for t in (vapor["T"] + 20, vapor["T"] + 50, vapor["T"] + 100)]
    return (*colder, liquid, vapor, *hotter)


def _superheated(vapor: Row, t: float) -> Row:
    hotter, kelvin = t - vapor["T"], (t + 273.15) / (vapor["T"] + 273.15)
    h, s = vapor["h"] + _R134A_VAPOR_CP * hotter, vapor["s"] + _R134A_VAPOR_CP * math.log(kelvin)
    return _row(t, vapor["P"], vapor["v"] * kelvin, h, s, 2.0)


def _around(fluid: Fluid, pressure: float) -> tuple[float, float]:
    """The remembered pressures on both sides; one of them twice at the ends of the table."""
    pressures = sorted(fluid.vapor)
    upper = min(max(bisect_left(pressures, pressure), 1), len(pressures) - 1)
    return pressures[upper - 1], pressures[upper]


def _temperatures(fluid: Fluid, pressure: float) -> list[float]:
    low, high = (({row[0] for row in fluid.vapor[p]}) for p in _around(fluid, pressure))
    return sorted(high if pressure > fluid.critical[1] else low & high)


def _grid_row(fluid: Fluid, pressure: float, t: float, x: float) -> Row:
    """Between two remembered pressures: h, s and Pv follow straight lines in the logarithm of pressure."""
    low, high = _around(fluid, pressure)
    rows = [next((row for row in fluid.vapor[p] if row[0] == t), None) for p in (low, high)]
    one, other = rows[0] or rows[1], rows[1] or rows[0]
    assert one is not None
    assert other is not None
    share = math.log(pressure / low) / math.log(high / low) if rows[0] and rows[1] else 0.0
    at_one, at_other = (low if rows[0] else high) * one[1], (high if rows[1] else low) * other[1]
    v = (at_one + share * (at_other - at_one)) / pressure
    h, s = (a + share * (b - a) for a, b in zip(one[2:], other[2:], strict=True))
    return _row(t, pressure, v, h, s, x)


def air(t: float, p: float) -> Row:
    """Air as a perfect gas with room-temperature specific heat; T in °C, P in kPa."""
    kelvin = t + 273.15
    s = _AIR_S_300K + _AIR_CP * math.log(kelvin / 300) - _AIR_R * math.log(p / 100)
    return _row(t, p, _AIR_R * kelvin / p, _AIR_CP * kelvin, s, 2.0)


def between(rows: Sequence[Row], key: str, value: float) -> tuple[Row, Row] | None:
    """The neighbouring rows whose `key` brackets a value; the last two beyond the hot end; None if colder."""
    for low, high in pairwise(rows):
        if low[key] <= value <= high[key] and high[key] > low[key]:
            return low, high
    return (rows[-2], rows[-1]) if len(rows) > 1 and value > rows[-1][key] else None


FLUIDS = {fluid.name: fluid for fluid in (WATER, R134A)}
