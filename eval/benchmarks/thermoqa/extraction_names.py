"""Under which symbols the targets of thermodynamics questions go."""

from __future__ import annotations

import re
from functools import cache

from ansatz.quantities.terms import spelled

_PARTS = {
    "comp": ("compressor", "compression"),
    "turb": ("turbine", "expansion", "expander"),
    "pump": ("p", "pumping"),
    "cond": ("condenser", "condensation", "condensing"),
    "evap": ("evaporator", "evaporation"),
    "boiler": ("steam_generator", "boil", "b", "heat_addition"),
    "cc": ("combustor", "combustion_chamber", "combustion", "comb", "heat_addition", "burner", "heater"),
    "hr": ("heat_rejection", "heat_rejector", "rejection", "cooler", "heat_exchanger", "exhaust"),
    "regen": ("regenerator", "recuperator", "regeneration"),
    "reheater": ("reheat", "rh", "reheating"),
    "throttle": (
        "valve",
        "expansion_valve",
        "throttling_valve",
        "throttling",
        "exp_valve",
        "ev",
        "throttle_valve",
    ),
    "HRSG": ("heat_recovery_steam_generator",),
    "HPT": ("high_pressure_turbine", "HP", "HP_turbine", "turb_HP", "turb_1", "HP_turb"),
    "LPT": ("low_pressure_turbine", "LP", "LP_turbine", "turb_LP", "turb_2", "LP_turb"),
    "gas_turb": ("gas_turbine", "GT", "turb_gas", "turbine_gas", "gt_turb", "turb", "turbine"),
    "steam_turb": ("steam_turbine", "ST", "turb_steam", "turbine_steam"),
    "total": ("tot", "cycle", "overall", "sum", "system", "totals"),
}
"""What the last part of s_gen_comp or x_dest_comp may be called instead."""

_FAMILIES = {
    "s_gen": (
        "entropy_generation",
        "entropy_generated",
        "s_generation",
        "sigma",
        "specific_entropy_generation",
    ),
    "x_dest": (
        "exergy_destruction",
        "x_d",
        "ex_dest",
        "e_dest",
        "exergy_destroyed",
        "x_destroyed",
        "ed",
    ),
}
_STATE_FAMILIES = {
    "h": ("enthalpy", "specific_enthalpy"),
    "s": ("entropy", "specific_entropy"),
    "T": ("temperature",),
    "V": ("velocity",),
    "x": ("quality",),
    "m": ("m_dot",),
    "ef": (
        "e_f",
        "exergy",
        "flow_exergy",
        "specific_flow_exergy",
        "specific_exergy",
        "psi",
        "ex",
        "e_x",
        "e",
        "b",
    ),
}
_SYMBOLS: dict[str, tuple[str, ...]] = {
    "x": ("quality",),
    "rho": ("density",),
    "P_sat": ("p_s", "p"),
    "T_sat": ("T_s", "T"),
    "w_out": ("w_t", "w_turb", "w_turbine", "w_act", "w_actual", "w_a", "w_T", "w"),
    "w_in": ("w_c", "w_p", "w_comp", "w_pump", "w_compressor", "w_act", "w_actual", "w_a", "w"),
    "w_turb": ("w_t", "w_turbine", "w_T", "w_turb_total", "w_turb_out", "w_turb_actual", "w_out"),
    "w_comp": ("w_c", "w_compressor", "w_C", "w_comp_in", "w_comp_actual", "w_in"),
    "w_pump": ("w_p", "w_P", "w_pump_in", "w_pump_actual", "w_pumps"),
    "w_gas_turb": ("w_gt", "w_GT", "w_gas_turbine", "w_turb_gas", "w_turb", "w_turbine", "w_t"),
    "w_steam_turb": ("w_st", "w_ST", "w_steam_turbine", "w_turb_steam", "w_t_steam"),
    "w_HPT": ("w_HP", "w_HP_turb", "w_turb_HP", "w_turb_1", "w_t_HP", "w_hp_turbine"),
    "w_LPT": ("w_LP", "w_LP_turb", "w_turb_LP", "w_turb_2", "w_t_LP", "w_lp_turbine"),
    "w_net": ("w_cycle", "w_net_out", "w_n", "w_net_cycle", "w"),
    "q_in": ("q_boiler", "q_add", "q_added", "q_H", "q_cc", "q_total_in", "q_in_total", "q"),
    "q_L": ("q_evap", "q_ref", "q_in", "q_cool", "q_cooling"),
    "q_H": ("q_cond", "q_out", "q_rej", "q_rejected"),
    "q_combustion": ("q_comb", "q_cc", "q_in", "q_H", "q_combustor", "q_add"),
    "eta_th": ("eta", "eta_cycle", "eta_thermal", "eta_I", "eta_net", "eta_overall"),
    "eta_II": ("eta_2nd", "eta_ex", "eta_exergy", "eta_second", "eta_second_law", "eta_II_combined",
               "eta_II_overall", "eta_2nd_law", "eta_exergetic", "eta_II_cycle"),
    "eta_combined": ("eta_cc", "eta_th_combined", "eta_combined_cycle", "eta_overall", "eta_cycle", "eta_th",
                     "eta_total", "eta_comb", "eta_CCGT", "eta"),
    "COP_R": ("COP", "COP_actual", "COP_cycle", "COP_ref", "COP_refrigerator", "COP_VCR"),
    "COP_Carnot": ("COP_C", "COP_R_Carnot", "COP_Carnot_R", "COP_rev", "COP_R_rev", "COP_carnot_cycle"),
    "S_gen_dot": ("S_dot_gen", "S_gen", "S_dot_gen_total", "S_gen_total", "S_dot_generation", "sigma_dot"),
    "X_dest_dot": ("X_dot_dest", "X_dest", "E_dot_dest", "Ex_dot_dest", "E_dot_d", "X_dot_destroyed", "I_dot",
                   "X_dot_dest_total", "Ex_dest", "E_dest", "X_dot_d"),
    "x_dest": ("x_dest_total", "x_d", "ex_dest", "e_dest", "x_destroyed", "ed", "e_d"),
    "s_gen": ("s_gen_total", "s_generation", "sigma"),
    "Q_dot": ("Q", "Q_dot_total", "Q_dot_transfer", "Q_dot_h", "Q_dot_c", "Q_dot_HX", "Q_dot_hx"),
    "Q_dot_L": ("Q_L", "Q_dot_evap", "Q_dot_cooling", "Q_dot_cool", "Q_dot_in", "Q_cooling"),
    "W_dot_net": ("W_net", "W_dot_net_out", "W_dot_cycle", "P_net", "W_dot", "W_net_out", "power_net"),
    "W_dot_comp": ("W_comp", "W_dot_c", "W_dot_compressor", "W_dot_in", "W_c", "P_comp", "W_dot"),
    "W_net_combined": ("W_dot_net_combined", "W_combined", "W_dot_combined", "W_dot_net", "W_net",
                       "W_net_comb", "W_dot_net_comb",
                       "W_dot_total", "W_dot_net_total", "W_net_total", "W_total", "P_net", "W_dot_net_CC"),
    "m_dot_steam": ("m_steam", "m_dot_s", "m_dot_st", "m_s", "m_dot_w", "m_dot_water", "m_st"),
    "m3": ("m_dot_out", "m_dot_mix", "m_dot_total", "m_dot_exit"),
    "V2": ("V_out", "V_exit", "V_e"),
    "h_in": ("h_1", "h_i", "h_inlet"), "h_out": ("h_2", "h_e", "h_outlet", "h_exit"),
    "s_in": ("s_1", "s_i", "s_inlet"), "s_out": ("s_2", "s_e", "s_outlet", "s_exit"),
}  # fmt: skip
_STREAMS = {"h": ("hot", "H"), "c": ("cold", "C")}


@cache
def aliases(name: str) -> tuple[str, ...]:
    """Other symbols of a target in the order of their claim, each `spelled`, case kept."""
    found = dict.fromkeys(spelled(alias) for alias in _aliases(name))
    return tuple(alias for alias in found if alias != spelled(name))


def state_family(name: str) -> tuple[str, str] | None:
    """A state target as symbol and state, such as h and 2s; None for another."""
    state = re.fullmatch(r"(h|s|T|V|x|m|ef)(\d{1,2}s?)", name)
    return (state[1], state[2]) if state else None


def part_of(name: str) -> tuple[str, str] | None:
    """s_gen_comp as s_gen and comp; None for a target that is not a part's."""
    family = re.fullmatch(r"(s_gen|x_dest)_(\w+)", name)
    return (family[1], family[2]) if family else None


def part_names(part: str) -> tuple[str, ...]:
    """What a part of a plant is called."""
    return (part, *_PARTS.get(part, ()))


def _aliases(name: str) -> list[str]:
    found = list(_SYMBOLS.get(name, ()))
    state, part = state_family(name), part_of(name)
    if state:
        found += [f"{state[0]}_{state[1].rstrip('s')}{end}" for end in _ends(state[1])]
        found += [f"{symbol}_{state[1]}" for symbol in _STATE_FAMILIES[state[0]]]
    if part:
        families = (part[0], *_FAMILIES[part[0]])
        found += [f"{family}_{other}" for family in families for other in part_names(part[1])]
        found += [
            f"{other}_{family}" for family in families for other in part_names(part[1]) if len(other) > 2
        ]
        found += [part[0]] if part[1] == "total" else []
    stream = re.fullmatch(r"([hsT])_([hc])_(in|out)", name)
    if stream:
        ends = ("in", "i", "1") if stream[3] == "in" else ("out", "o", "e", "2")
        sides = (stream[2], *_STREAMS[stream[2]])
        found += [f"{stream[1]}_{side}_{end}" for side in sides for end in ends]
        found += [f"{stream[1]}_{end}_{side}" for side in sides for end in ends]
    return found


def _ends(state: str) -> tuple[str, ...]:
    """How the index of an isentropic state, or of an actual one, may go on."""
    return ("_is", "_isen", "_isentropic", "_ideal") if state.endswith("s") else ("a", "_act", "_actual")
