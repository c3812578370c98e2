"""By which words the targets of thermodynamics questions are named."""

from __future__ import annotations

import re
from functools import cache

from ansatz.eval.benchmarks.thermoqa.extraction_names import part_names, part_of, state_family

_PROPERTY = {
    "h": "enthalpy",
    "s": "entropy",
    "v": "volume",
    "u": "internal energy",
    "rho": "density",
    "T": "temperature",
    "P": "pressure",
    "x": r"(?:vapou?r |steam )?quality(?! of)|dryness fraction",
    "ef": "exergy",
    "V": "velocity",
}
_PHRASES = {
    "T_sat": "saturation temperature|boiling point",
    "P_sat": "saturation pressure|vapou?r pressure",
    "w_net": "net (?:specific )?work(?: output)?",
    "w_turb": "turbine (?:specific )?work(?: output)?|work (?:output )?of the turbine",
    "w_pump": "pump (?:specific )?work(?: input)?|work (?:input )?of the pump",
    "w_comp": "compressor (?:specific )?work(?: input)?|work (?:input )?of the compressor",
    "w_gas_turb": "gas[- ]turbine (?:specific )?work(?: output)?",
    "w_steam_turb": "steam[- ]turbine (?:specific )?work(?: output)?",
    "w_HPT": "(?:HP|high[- ]pressure) turbine work(?: output)?",
    "w_LPT": "(?:LP|low[- ]pressure) turbine work(?: output)?",
    "w_out": "(?:actual )?(?:turbine )?work(?: output)?|(?:turbine )?work produced",
    "w_in": "(?:actual )?(?:pump |compressor )?work(?: input)?|work required",
    "q_in": "heat (?:input|addition|added|supplied|transfer|transferred)|total heat input",
    "q_L": "(?:refrigeration|refrigerating|cooling) effect|heat absorbed",
    "q_H": "heat (?:rejection|rejected)",
    "q_combustion": "(?:combustion heat|heat of combustion|heat (?:input|addition|added|supplied))",
    "eta_th": "thermal efficiency|cycle efficiency",
    "eta_II": "second[- ]law efficiency|exerg(?:y|etic) efficiency",
    "eta_combined": "combined(?:[- ]cycle)? (?:thermal )?efficiency|overall (?:thermal )?efficiency",
    "COP_R": "coefficient of performance|(?<!carnot )cop",
    "COP_Carnot": "carnot (?:cop|coefficient of performance)|cop of (?:the|a) carnot (?:cycle|refrigerator)",
    "s_gen": "entropy generation|entropy generated",
    "x_dest": "exergy (?:destruction|destroyed)",
    "S_gen_dot": "(?:entropy generation rate|rate of entropy generation|entropy generation)",
    "X_dest_dot": "(?:exergy destruction rate|rate of exergy destruction|exergy (?:destruction|destroyed))",
    "Q_dot": "(?:heat transfer rate|rate of heat transfer|heat duty)",
    "Q_dot_L": "(?:cooling|refrigeration) capacity|rate of heat removal|cooling load",
    "W_dot_net": "net power(?: output)?",
    "W_dot_comp": "compressor power(?: input)?|power input(?: to the compressor)?",
    "W_net_combined": "(?:combined|total|overall) (?:net )?power(?: output)?|net power(?: output)?",
    "m_dot_steam": "steam (?:mass )?flow(?: rate)?",
    "m3": "(?:mixed|exit|outlet|mixture) mass flow(?: rate)?|mass flow(?: rate)? at (?:the )?(?:exit|outlet)",
    "V2": "(?:exit|outlet) velocity",
    "T3": "(?:exit|outlet|mixed|mixture) temperature",
    "T_c_out": "cold(?:[- ](?:stream|side|fluid|water))* (?:exit|outlet) temperature",
    "x4": "quality after (?:the )?throttl(?:e|ing)(?: valve)?",
    "h_in": "inlet (?:specific )?enthalpy",
    "h_out": "(?:outlet|exit) (?:specific )?enthalpy",
    "s_in": "inlet (?:specific )?entropy",
    "s_out": "(?:outlet|exit) (?:specific )?entropy",
}
_OTHERWISE = ("isentropic", "ideal", "reversible", "maximum", "change in", "difference in", "carnot")
"""Words that make another quantity of what they stand before."""
_TAIL = (
    r"(?:[ ,:()/-]|\b(?:of|per|for|from|in|at|on|the|unit|mass|kg|value|is|cycle|plant|system|steam|water"
    r"|fluid|refrigerant|mixture|this|state|stream|air|rate|and|given|output|process|here|then|therefore)\b"
    r"|\(\w{1,12}\)|\d[\d.,]* ?(?:[kM]?Pa|bar|°?C|K)?)*$"
)


@cache
def phrase(name: str) -> re.Pattern[str] | None:
    """Words that name a target, at the end of what stands before its value; None for a target without."""
    words = _words(name)
    if not words:
        return None
    before = "".join(f"(?<!{word} )" for word in _OTHERWISE)
    return re.compile(rf"(?<!\w){before}(?:{words}){_TAIL}", re.IGNORECASE)


def _words(name: str) -> str:
    state, part = state_family(name), part_of(name)
    if name in _PHRASES:
        return _PHRASES[name]
    if part:
        family = (
            "entropy (?:generation|generated)" if part[0] == "s_gen" else "exergy (?:destruction|destroyed)"
        )
        parts = "|".join(other.replace("_", "[- ]") for other in part_names(part[1]) if len(other) > 1)
        return rf"(?:{parts}) {family}|{family} (?:in|of|for|across) (?:the )?(?:{parts})"
    if state:
        words = rf"(?:specific )?(?:flow )?{_PROPERTY.get(state[0], 'mass flow rate')}"
        return rf"{words} (?:at|of) (?:state|point) {state[1]}|(?:state|point) {state[1]} {words}"
    symbol, _, end = name.partition("_")
    if symbol not in _PROPERTY or end not in ("", "f", "g"):
        return ""
    words = rf"(?:specific )?{_PROPERTY[symbol]}"
    phase = {"f": "saturated[- ]liquid", "g": "saturated[- ]vapou?r"}.get(end, "")
    return rf"{phase} {words}|{words} of (?:the )?{phase}" if phase else rf"(?<!saturation )(?:{words})"
