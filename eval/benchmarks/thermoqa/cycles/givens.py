"""The ten kinds of cycle, built from givens that are named as in the published files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Cycle, Surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.brayton import Brayton, RegenerativeBrayton
from ansatz.eval.benchmarks.thermoqa.cycles.combined import CombinedCycle
from ansatz.eval.benchmarks.thermoqa.cycles.rankine import WATER, Rankine, ReheatRankine
from ansatz.eval.benchmarks.thermoqa.cycles.refrigeration import VaporCompression
from ansatz.knowledge_base.properties import Substance, substance

KELVIN = 273.15
CONSTANT_CP = substance("air (constant cp)")
VARIABLE_CP = substance("air")

Given = Mapping[str, float]


def cycle(kind: str, given: Given) -> Cycle:
    """The cycle of a kind such as RNK-A, with givens in the units their names end in."""
    return _BUILDERS[kind](given)


def mass_flow(given: Given) -> float:
    """kg/s of the main stream: of air, in a combined cycle."""
    return given["m_dot_air_kgs"] if "m_dot_air_kgs" in given else given["m_dot_kgs"]


def surroundings(given: Given) -> Surroundings:
    """What heat comes from and goes to; for a refrigerator the cooled space and the heat's sink."""
    if "T_H_K" in given:
        return Surroundings(source=given["T_L_K"], sink=given["T_H_K"])
    return Surroundings(source=given["T_source_K"], sink=given["T_sink_K"])


def _rankine(given: Given) -> Rankine:
    return Rankine(
        condenser_pressure=given["P_cond_kPa"] * 1e3,
        boiler_pressure=given["P_boiler_MPa"] * 1e6,
        turbine_inlet_temperature=given["T3_C"] + KELVIN,
        pump_efficiency=given.get("eta_pump", 1.0),
        turbine_efficiency=given.get("eta_turb", 1.0),
    )


def _reheat(given: Given) -> ReheatRankine:
    return ReheatRankine(
        condenser_pressure=given["P_cond_kPa"] * 1e3,
        boiler_pressure=given["P_boiler_MPa"] * 1e6,
        reheat_pressure=given["P_reheat_MPa"] * 1e6,
        turbine_inlet_temperature=given["T3_C"] + KELVIN,
        reheat_temperature=given["T5_C"] + KELVIN,
        pump_efficiency=given["eta_pump"],
        high_pressure_efficiency=given["eta_HPT"],
        low_pressure_efficiency=given["eta_LPT"],
    )


def _brayton(air: Substance) -> Callable[[Given], Brayton]:
    def build(given: Given) -> Brayton:
        return Brayton(
            air=air,
            inlet_temperature=given["T1_K"],
            inlet_pressure=given["P1_kPa"] * 1e3,
            pressure_ratio=given["r_p"],
            turbine_inlet_temperature=given["T3_K"],
            compressor_efficiency=given.get("eta_comp", 1.0),
            turbine_efficiency=given.get("eta_turb", 1.0),
        )

    return build


def _regenerative(air: Substance) -> Callable[[Given], RegenerativeBrayton]:
    def build(given: Given) -> RegenerativeBrayton:
        return RegenerativeBrayton(
            air=air,
            inlet_temperature=given["T1_K"],
            inlet_pressure=given["P1_kPa"] * 1e3,
            pressure_ratio=given["r_p"],
            turbine_inlet_temperature=given["T4_K"],
            compressor_efficiency=given["eta_comp"],
            turbine_efficiency=given["eta_turb"],
            effectiveness=given["epsilon_regen"],
        )

    return build


def _combined(given: Given) -> CombinedCycle:
    gas = _brayton(VARIABLE_CP)({**given, "eta_turb": given["eta_gas_turb"]})
    pressure = given["P_steam_MPa"] * 1e6
    steam = Rankine(
        condenser_pressure=given["P_cond_kPa"] * 1e3,
        boiler_pressure=pressure,
        turbine_inlet_temperature=WATER.saturation(P=pressure).T + given["T8_superheat_C"],
        pump_efficiency=given["eta_pump"],
        turbine_efficiency=given["eta_steam_turb"],
    )
    return CombinedCycle(gas, steam, stack_temperature=given["T5_stack_C"] + KELVIN)


def _vapor_compression(given: Given) -> VaporCompression:
    return VaporCompression(
        evaporator_temperature=given["T_evap_C"] + KELVIN,
        condenser_temperature=given["T_cond_C"] + KELVIN,
        compressor_efficiency=given["eta_comp"],
    )


_BUILDERS: dict[str, Callable[[Given], Cycle]] = {
    "RNK-I": _rankine,
    "RNK-A": _rankine,
    "RNK-RH": _reheat,
    "BRY-I": _brayton(CONSTANT_CP),
    "BRY-A": _brayton(CONSTANT_CP),
    "BRY-RG": _regenerative(CONSTANT_CP),
    "BRY-AV": _brayton(VARIABLE_CP),
    "BRY-RV": _regenerative(VARIABLE_CP),
    "CCGT": _combined,
    "VCR-A": _vapor_compression,
}
