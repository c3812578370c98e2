"""Remembered property tables: a handful of rounded rows, read by straight lines between them.

Water: IAPWS-IF97 steam-table values (as tabulated by Y. A. Cengel and M. A. Boles, *Thermodynamics*);
R134a: ASHRAE reference state (h = s = 0 for saturated liquid at -40 °C). All rounded to two digits.
Between rows the saturation pressure and the volume of saturated vapour, which change by decades, follow
straight lines in their logarithms; all else follows straight lines.
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
    """`saturation`: T, P, v_f, v_g, h_f, h_g, s_f, s_g; `vapor`: T, v, h, s by pressure.

    The vapour's temperatures are the same at all pressures; `reference` is where h and s are zero.
    """

    name: str
    critical: tuple[float, float]
    saturation: tuple[tuple[float, ...], ...]
    vapor: dict[float, tuple[tuple[float, ...], ...]]
    reference: str


WATER = Fluid(
    "water",
    (374.0, 22064.0),
    (
        (0.01, 0.61, 0.0010, 210, 0, 2500, 0, 9.2),
        (50, 12, 0.0010, 12, 210, 2600, 0.70, 8.1),
        (100, 100, 0.0010, 1.7, 420, 2700, 1.3, 7.4),
        (200, 1600, 0.0012, 0.13, 850, 2800, 2.3, 6.4),
        (300, 8600, 0.0014, 0.022, 1300, 2700, 3.3, 5.7),
        (374, 22064, 0.0031, 0.0031, 2100, 2100, 4.4, 4.4),
    ),
    {
        100.0: ((400, 3.1, 3300, 8.5), (600, 4.0, 3700, 9.1), (1000, 5.9, 4600, 10)),
        10000.0: ((400, 0.026, 3100, 6.2), (600, 0.038, 3600, 6.9), (1000, 0.058, 4600, 7.8)),
        30000.0: ((400, 0.0028, 2200, 4.5), (600, 0.011, 3400, 6.2), (1000, 0.019, 4600, 7.3)),
    },
    "u = s = 0 for saturated liquid at 0.01 °C",
)

R134A = Fluid(
    "R134a",
    (101.0, 4059.0),
    (
        (-40, 51, 0.00071, 0.36, 0, 230, 0, 0.97),
        (0, 290, 0.00077, 0.069, 52, 250, 0.20, 0.93),
        (40, 1000, 0.00087, 0.020, 110, 270, 0.40, 0.91),
        (80, 2600, 0.0011, 0.0065, 170, 280, 0.59, 0.89),
        (101, 4059, 0.0020, 0.0020, 240, 240, 0.77, 0.77),
    ),
    {},
    "h = s = 0 for saturated liquid at -40 °C",
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
    scale = float if key == "T" else math.log
    share = (scale(value) - scale(low[place])) / (scale(high[place]) - scale(low[place]))
    t, _, vf, _, hf, hg, sf, sg = (a + share * (b - a) for a, b in zip(low, high, strict=True))
    p, vg = (low[i] * (high[i] / low[i]) ** share for i in (1, 3))
    return _row(t, p, vf, hf, sf, 0.0), _row(t, p, max(vg, vf), hg, sg, 1.0)


def _row(t: float, p: float, v: float, h: float, s: float, x: float) -> Row:
    return {"T": t, "P": p, "v": v, "h": h, "s": s, "u": h - p * v, "x": x}


@lru_cache(maxsize=4096)
def isobar(fluid_name: str, pressure: float) -> tuple[Row, ...]:
    """Rows from cold liquid to hot vapour at one pressure; between two rows everything is linear."""
    fluid = FLUIDS[fluid_name]
    ends = saturation(fluid_name, "P", pressure)
    cold_end = ends[0]["T"] if ends else fluid.critical[0]
    # A liquid is hardly compressible: it is remembered as saturated liquid of the same temperature.
    colder = [
        _row(t, pressure, vf, hf, sf, -1.0)
        for t, p, vf, _, hf, _, sf, _ in fluid.saturation
        if p < pressure and t < cold_end
    ]
    if ends is None:
        return (*colder, *_vapor(fluid, pressure))
    liquid, vapor = ends
    if fluid.vapor:
        hotter = [row for row in _vapor(fluid, pressure) if row["T"] > vapor["T"] + 1]
    else:
        hotter = [_superheated(vapor, t) for t in (vapor["T"] + 20, vapor["T"] + 50, vapor["T"] + 100)]
    return (*colder, liquid, vapor, *hotter)


def _superheated(vapor: Row, t: float) -> Row:
    hotter, kelvin = t - vapor["T"], (t + 273.15) / (vapor["T"] + 273.15)
    h, s = vapor["h"] + _R134A_VAPOR_CP * hotter, vapor["s"] + _R134A_VAPOR_CP * math.log(kelvin)
    return _row(t, vapor["P"], vapor["v"] * kelvin, h, s, 2.0)


def _vapor(fluid: Fluid, pressure: float) -> list[Row]:
    """Between two remembered pressures: h, s and Pv follow straight lines in the logarithm of pressure."""
    pressures = sorted(fluid.vapor)
    if not pressures:
        return []
    upper = min(max(bisect_left(pressures, pressure), 1), len(pressures) - 1)
    low, high = pressures[upper - 1], pressures[upper]
    share = math.log(pressure / low) / math.log(high / low)
    rows = []
    for (t, v, *one), (_, other_v, *other) in zip(fluid.vapor[low], fluid.vapor[high], strict=True):
        h, s = (a + share * (b - a) for a, b in zip(one, other, strict=True))
        rows.append(_row(t, pressure, (low * v + share * (high * other_v - low * v)) / pressure, h, s, 2.0))
    return rows


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
