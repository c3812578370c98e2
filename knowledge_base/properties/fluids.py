"""States of named fluids from any two properties.

water          IAPWS-95 (Wagner and Pruß, J. Phys. Chem. Ref. Data 31, 2002), h and s as in steam tables
water (IF97)   IAPWS-IF97, the industrial formulation
R134a          Tillner-Roth and Baehr (J. Phys. Chem. Ref. Data 23, 1994) with the IIR reference state:
               h = 200 kJ/kg and s = 1 kJ/(kg·K) for saturated liquid at 0 °C
R134a (ASHRAE) the same with h = 0 and s = 0 for saturated liquid at -40 °C, as in US textbooks
R134a (NBP)    the same with h = 0 and s = 0 for saturated liquid at 101.325 kPa
air            ideal gas with variable specific heats (see air.py)
air (constant cp)  ideal gas with cp = 1.005 kJ/(kg·K) and k = 1.4 (see ideal_gas.py)
air (real gas) Lemmon et al. (J. Phys. Chem. Ref. Data 29, 2000); only by this name
carbon dioxide Span and Wagner (J. Phys. Chem. Ref. Data 25, 1996)
methane        Setzmann and Wagner (J. Phys. Chem. Ref. Data 20, 1991)
nitrogen       Span et al. (J. Phys. Chem. Ref. Data 29, 2000)
oxygen         Schmidt and Wagner (Fluid Phase Equilibria 19, 1985)
argon          Tegeler et al. (J. Phys. Chem. Ref. Data 28, 1999)
ammonia        Gao et al. (J. Phys. Chem. Ref. Data, 2020)
propane        Lemmon et al. (J. Chem. Eng. Data 54, 2009)
R32            Tillner-Roth and Yokozeki (J. Phys. Chem. Ref. Data 26, 1997)
R1234yf        Lemmon and Akasaka (Int. J. Thermophysics, 2022)
R410A, R407C   mixtures as pseudo-pure fluids that boil over a range of temperatures, Lemmon (Int. J.
               Thermophysics 24, 2003)

Any other fluid of CoolProp is available by CoolProp's name or alias, such as ammonia or R290, with the
reference state of its equation of state.

CoolProp stores the reference state of a fluid in a global variable. Ansatz does not change it, and subtracts
the value at the reference point, so the global setting has no effect.
"""

from __future__ import annotations

from functools import cache

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties.air import IdealGasAir
from ansatz.knowledge_base.properties.coolprop import CoolPropFluid
from ansatz.knowledge_base.properties.flash import ZeroPoint
from ansatz.knowledge_base.properties.ideal_gas import ConstantHeatCapacityGas
from ansatz.knowledge_base.properties.substance import Saturation, State, Substance
from ansatz.quantities.did_you_mean import nearest

_IIR = ZeroPoint("T", 273.15, enthalpy=200e3, entropy=1000.0)
_ASHRAE = ZeroPoint("T", 233.15, enthalpy=0.0, entropy=0.0)
_NBP = ZeroPoint("P", 101_325.0, enthalpy=0.0, entropy=0.0)

_PLAIN = {
    "carbon dioxide": "CarbonDioxide",
    "methane": "Methane",
    "nitrogen": "Nitrogen",
    "oxygen": "Oxygen",
    "argon": "Argon",
    "ammonia": "Ammonia",
    "propane": "Propane",
    "R32": "R32",
    "R1234yf": "R1234yf",
    "R410A": "R410A",
    "R407C": "R407C",
}
"""CoolProp's names of fluids whose h and s have CoolProp's zeros."""

FLUIDS: dict[str, Substance] = {
    "water": CoolPropFluid("water", "HEOS", "Water"),
    "water (IF97)": CoolPropFluid("water (IF97)", "IF97", "Water"),
    "R134a": CoolPropFluid("R134a", "HEOS", "R134a", _IIR),
    "R134a (ASHRAE)": CoolPropFluid("R134a (ASHRAE)", "HEOS", "R134a", _ASHRAE),
    "R134a (NBP)": CoolPropFluid("R134a (NBP)", "HEOS", "R134a", _NBP),
    "air": IdealGasAir(),
    "air (constant cp)": ConstantHeatCapacityGas(),
    "air (real gas)": CoolPropFluid("air (real gas)", "HEOS", "Air"),
    **{name: CoolPropFluid(name, "HEOS", key) for name, key in _PLAIN.items()},
}
_ALIASES = {
    **dict.fromkeys(("steam", "h2o", "water (iapws-95)"), "water"),
    "r134a (iir)": "R134a",
    **dict.fromkeys(("co2", "r744"), "carbon dioxide"),
    **{"ch4": "methane", "n2": "nitrogen", "o2": "oxygen", "ar": "argon"},
    **dict.fromkeys(("nh3", "r717"), "ammonia"),
    "r290": "propane",
}


def fluid_name(text: str) -> str:
    """Return the name in FLUIDS for a text in any case. Raises PropertyError, which lists the names."""
    wanted = " ".join(text.lower().replace("(", " (").replace("r-134a", "r134a").split())
    wanted = _ALIASES.get(wanted, wanted)
    for name in FLUIDS:
        if name.lower() == wanted.lower():
            return name
    if other := _load_coolprop_names().get(wanted):
        return other
    raise PropertyError(
        f"there is no fluid {text!r}; the fluids are {', '.join(FLUIDS)} and those of CoolProp"
        f"{nearest(wanted, _load_coolprop_names())}"
    )


@cache
def _load_coolprop_names() -> dict[str, str]:
    """Load CoolProp's names of its fluids by name and alias in lower case."""
    from CoolProp import CoolProp

    names = CoolProp.get_global_param_string("FluidsList").split(",")
    aliases = {
        alias.strip().lower(): name
        for name in names
        for alias in CoolProp.get_fluid_param_string(name, "aliases").split(",")
        if alias.strip()
    }
    return aliases | {name.lower(): name for name in names}


def substance(name: str) -> Substance:
    """Return the fluid with a name in any case. Raises PropertyError, which lists the names."""
    known = fluid_name(name)
    return FLUIDS[known] if known in FLUIDS else CoolPropFluid(known, "HEOS", known)


def state(fluid: str, **inputs: float) -> State:
    """Return the state of a fluid from exactly two of T, P, h, s, v, rho, u, x, all in SI units.

    >>> round(state("water", P=1e6, x=0.0).T - 273.15, 2)
    179.88
    """
    return substance(fluid).state(**inputs)


def saturation(fluid: str, *, T: float | None = None, P: float | None = None) -> Saturation:
    """Return saturated liquid and vapour at a temperature (K) or a pressure (Pa)."""
    return substance(fluid).saturation(T=T, P=P)
