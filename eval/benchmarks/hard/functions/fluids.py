"""Properties of real fluids as functions of two properties: `water_h_PT(P, T)` is an enthalpy in J/kg.

The names are fluid, result, and the two inputs. The equations of state are those of CoolProp: Wagner and
Pruß 2002 for water, Span and Wagner 1996 for carbon dioxide, Tillner-Roth and Baehr 1994 for R134a, Lemmon
2003 for R410A and R407C, Span et al. 2000 for nitrogen, and Setzmann and Wagner 1991 for methane. Mixtures of
carbon dioxide and nitrogen (`co2_nitrogen_h_PT(P, T, y)`, y of the molecules are nitrogen) are those of
Gernert 2013 (also Gernert and Span 2016).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties import atmosphere

_FLUIDS = {
    "water": "Water",
    "r134a": "R134a",
    "co2": "CarbonDioxide",
    "nitrogen": "Nitrogen",
    "methane": "Methane",
    "r410a": "R410A",
    "r407c": "R407C",
}
"""CoolProp's names. Solutions use differences of h, s and u only, so their zero does not matter."""
_KEYS = {
    "T": "T",
    "P": "P",
    "h": "Hmass",
    "s": "Smass",
    "rho": "Dmass",
    "u": "Umass",
    "x": "Q",
    "viscosity": "V",
}
_PAIRS = (("P", "T"), ("P", "h"), ("P", "s"), ("P", "x"), ("T", "x"), ("T", "rho"))
_CRITICAL = 304.1282  # K, of carbon dioxide
_PARTS = 120  # of a heat exchanger


@lru_cache(maxsize=20_000)
def _get_property(fluid: str, result: str, pair: tuple[str, str], first: float, second: float) -> float:
    from CoolProp.CoolProp import PropsSI  # takes two seconds, so only on first use

    one, other = (_KEYS[name] for name in pair)
    return float(PropsSI(_KEYS[result], one, first, other, second, _FLUIDS[fluid]))


@lru_cache(maxsize=20_000)
def _get_mixture_property(result: str, P: float, T: float, y: float) -> float:
    """Return a property of carbon dioxide with nitrogen above the critical temperature of carbon dioxide."""
    from CoolProp import CoolProp

    if not (0 <= y < 1 and T > _CRITICAL):
        raise ValueError(f"the mixture needs a share from 0 to 1 and more than {_CRITICAL} K")
    state = CoolProp.AbstractState("HEOS", "CarbonDioxide&Nitrogen")
    state.set_mole_fractions([1 - y, y])
    state.specify_phase(CoolProp.iphase_supercritical_gas)  # a single phase, so no search for others
    state.update(CoolProp.PT_INPUTS, P, T)
    return float(state.keyed_output(CoolProp.get_parameter_index(_KEYS[result])))


def _pinch_rate(fluid: str, P: float, h_in: float, h_out: float, T_hot: float, gap: float) -> float:
    """Return the largest mass of fluid per heat capacity of the hot stream, in K·kg/J.

    The hot stream enters at `T_hot` where the fluid leaves. Their difference is nowhere below `gap`.
    """
    from scipy.optimize import minimize_scalar

    def limit(T: float) -> float:
        return (T_hot - gap - T) / (h_out - _get_property(fluid, "h", ("P", "T"), P, T))

    T_in, T_out = (_get_property(fluid, "T", ("P", "h"), P, h) for h in (h_in, h_out))
    grid = [T_in + (T_out - T_in) * at / _PARTS for at in range(_PARTS)]
    least = min(range(_PARTS), key=lambda at: limit(grid[at]))
    if least == 0:
        return limit(T_in)
    ends = grid[least - 1], grid[min(least + 1, _PARTS - 1)]
    found = minimize_scalar(limit, bounds=ends, method="bounded", options={"xatol": 1e-7})
    return float(found.fun)


def fluid_functions() -> dict[str, Callable[..., float]]:
    """Return the functions of all fluids, the mixture and the standard atmosphere, by name."""
    found: dict[str, Callable[..., float]] = {
        f"{fluid}_{result}_{''.join(pair)}": partial(_get_property, fluid, result, pair)
        for fluid in _FLUIDS
        for pair in _PAIRS
        for result in _KEYS
        if result not in pair
    }
    found |= {f"{fluid}_pinch_rate": partial(_pinch_rate, fluid) for fluid in _FLUIDS}
    found |= {
        f"co2_nitrogen_{result}_PT": partial(_get_mixture_property, result) for result in ("h", "s", "rho")
    }
    air = {"air_T": "T", "air_P": "P", "air_rho": "rho", "air_viscosity": "viscosity"}
    return found | {name: partial(_get_air, attribute) for name, attribute in air.items()}


@lru_cache(maxsize=20_000)
def _air(z: float) -> atmosphere.Air:
    return atmosphere.compute_air(geometric=z)


def _get_air(attribute: str, z: float) -> float:
    """Return a property of the U.S. Standard Atmosphere 1976 at a geometric altitude in m."""
    if not math.isfinite(z):
        raise ValueError("the altitude is not finite")
    try:
        return float(getattr(_air(z), attribute))
    except PropertyError as error:
        raise ValueError(str(error)) from None
