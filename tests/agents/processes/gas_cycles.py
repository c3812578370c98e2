"""Gas power cycles and the combined cycle, in several wordings and numberings."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agents.processes.thermodynamics import (
    CELSIUS,
    KG,
    KW,
    SPECIFIC,
    Question,
    at,
    compressed,
    expanded,
)


def questions() -> Iterator[Question]:
    for group in (brayton, regenerative, combined):
        yield from group()


def gas(fluid: str, ratio: float, T3: float, eta_c: float, eta_t: float) -> dict[str, float]:
    start, hot = at(fluid, P=100, T=300), at(fluid, P=100 * ratio, T=T3)
    ideal_2, two = compressed(fluid, start, 100 * ratio, eta_c)
    ideal_4, four = expanded(fluid, hot, 100, eta_t)
    w_c, w_t, q_in = two.h - start.h, hot.h - four.h, hot.h - two.h
    return {
        "h_1": start.h, "h_2s": ideal_2.h, "h_2": two.h, "h_3": hot.h, "h_4s": ideal_4.h, "h_4": four.h, "T_2s": ideal_2.T,
        "T_2": two.T, "T_4s": ideal_4.T, "T_4": four.T, "w_c": w_c, "w_t": w_t, "w_net": w_t - w_c, "q_in": q_in,
        "q_out": four.h - start.h, "eta_th": (w_t - w_c) / q_in, "bwr": w_c / w_t, "s_12": two.s - start.s,
        "s_34": four.s - hot.s, "s_23": hot.s - two.s, "s_41": start.s - four.s,
    }  # fmt: skip


def brayton() -> Iterator[Question]:
    found = gas("cold air", 10, 1300, 0.83, 0.87)
    yield Question(
        "actual Brayton cycle with constant specific heats",
        "In a Brayton cycle air enters the compressor at 100 kPa and 300 K. The pressure ratio across the compressor is 10 "
        "and the temperature at the turbine inlet is 1300 K. The isentropic efficiencies are 83% for the compressor and 87% "
        "for the turbine. Use constant specific heats cp = 1.005 kJ/(kg·K), k = 1.4. Heat comes from a source at 1600 K and "
        "is rejected to surroundings at 300 K, which are the dead state with P_0 = 100 kPa.",
        {
            "T_2s": ("K", found["T_2s"]), "T_2": ("K", found["T_2"]), "T_4": ("K", found["T_4"]), "w_c": (KG, found["w_c"]),
            "w_t": (KG, found["w_t"]), "q_in": (KG, found["q_in"]), "η_th": ("%", 100 * found["eta_th"]),
            "r_bw": ("-", found["bwr"]), "s_gen,comp": (SPECIFIC, found["s_12"]), "s_gen,turb": (SPECIFIC, found["s_34"]),
            "ex_dest,comp": (KG, 300 * found["s_12"]), "s_gen,comb": (SPECIFIC, found["s_23"] - found["q_in"] / 1600),
            "ex_dest,total": (
                KG, 300 * (found["q_out"] / 300 - found["q_in"] / 1600),
            ),
            "η_II": ("%", 100 * found["eta_th"] / (1 - 300 / 1600)),
        },
    )  # fmt: skip
    found = gas("cold air", 8, 1200, 1.0, 1.0)
    yield Question(
        "ideal Brayton cycle",
        "A gas turbine engine operates on the ideal cold-air-standard Brayton cycle with P₁ = 100 kPa, T₁ = 300 K, a pressure "
        "ratio r_p = 8 and T₃ = 1200 K (cp = 1.005 kJ/kg·K, k = 1.4). Mass flow rate of air: 12 kg/s.",
        {
            "T_2": ("K", found["T_2"]), "T_4": ("K", found["T_4"]), "w_comp": (KG, found["w_c"]),
            "w_turb": (KG, found["w_t"]), "w_net": (KG, found["w_net"]), "q_in": (KG, found["q_in"]),
            "q_out": (KG, found["q_out"]), "η": ("%", 100 * found["eta_th"]), "Ẇ_net": (KW, 12 * found["w_net"]),
        },
    )  # fmt: skip
    found = gas("air", 8, 1300, 0.80, 0.85)
    yield Question(
        "actual Brayton cycle with variable specific heats",
        "A gas-turbine power plant operating on a Brayton cycle has a pressure ratio of 8. Air enters the compressor at 300 K "
        "and 100 kPa, and the turbine inlet temperature is 1300 K. The isentropic efficiency is 80% for the compressor and "
        "85% for the turbine. Account for the variation of specific heats with temperature.",
        {
            "h_1": (KG, found["h_1"]), "h_2s": (KG, found["h_2s"]), "h_2": (KG, found["h_2"]), "T_2": ("K", found["T_2"]),
            "h_4": (KG, found["h_4"]), "T_4": ("K", found["T_4"]), "w_c": (KG, found["w_c"]), "w_t": (KG, found["w_t"]),
            "w_net": (KG, found["w_net"]), "q_in": (KG, found["q_in"]), "eta_th": ("%", 100 * found["eta_th"]),
            "r_bw": ("%", 100 * found["bwr"]),
        },
    )  # fmt: skip


def _regenerated(fluid: str) -> dict[str, float]:
    found = gas(fluid, 10, 1400, 0.85, 0.85)
    h_5 = found["h_2"] + 0.80 * (found["h_4"] - found["h_2"])
    h_6 = found["h_4"] - (h_5 - found["h_2"])
    five, six = at(fluid, P=1000, h=h_5), at(fluid, P=100, h=h_6)
    q_in = found["h_3"] - h_5
    changed = {
        "h_5": h_5,
        "h_6": h_6,
        "T_5": five.T,
        "T_6": six.T,
        "q_in": q_in,
        "q_regen": h_5 - found["h_2"],
    }
    return found | changed | {"eta_th": found["w_net"] / q_in, "q_out": h_6 - found["h_1"]}


def regenerative() -> Iterator[Question]:
    found = _regenerated("cold air")
    names = ("T_2s", "T_2", "T_4", "T_5", "T_6")
    yield Question(
        "regenerative cycle with constant specific heats",
        "Air enters the compressor of a regenerative gas-turbine cycle at 100 kPa and 300 K. The pressure ratio is 10 and "
        "the maximum cycle temperature is 1400 K. The compressor and the turbine both have an isentropic efficiency of 85 "
        "percent, and the regenerator has an effectiveness of 0.80. Use the cold-air-standard with cp = 1.005 kJ/(kg·K) and "
        "k = 1.4.",
        {
            **{name: ("K", found[name]) for name in names}, "w_net": (KG, found["w_net"]), "q_in": (KG, found["q_in"]),
            "q_regen": (KG, found["q_regen"]), "eta_th": ("-", found["eta_th"]),
        },
    )  # fmt: skip
    found = _regenerated("air")
    yield Question(
        "regenerative cycle with variable specific heats, numbered along the flow",
        "A Brayton cycle with regeneration uses air with variable specific heats. Conditions:\n"
        "- State 1 (compressor inlet): P₁ = 100 kPa, T₁ = 300 K\n- State 2: compressor exit, pressure ratio 10, η_c = 0.85\n"
        "- State 3: cold side exit of the regenerator, effectiveness ε = 0.80\n- State 4 (turbine inlet): T₄ = 1400 K\n"
        "- State 5: turbine exit, η_t = 0.85\n- State 6: hot side exit of the regenerator",
        {
            "h_2": (KG, found["h_2"]), "h_3": (KG, found["h_5"]), "h_5": (KG, found["h_4"]), "h_6": (KG, found["h_6"]),
            "w_net": (KG, found["w_net"]), "q_in": (KG, found["q_in"]), "q_regen": (KG, found["q_regen"]),
            "q_out": (KG, found["q_out"]), "η_th": ("%", 100 * found["eta_th"]),
        },
    )  # fmt: skip


def plant(fluid: str, stack: float) -> dict[str, float]:
    topping = gas(fluid, 8, 1300, 0.80, 0.85)
    out = at(fluid, P=100, T=stack)
    liquid, steam = at("water", P=5, x=0.0), at("water", P=7000, T=500 + CELSIUS)
    pumped = at("water", P=7000, s=liquid.s)
    _, wet = expanded("water", steam, 5, 0.90)
    y = (topping["h_4"] - out.h) / (steam.h - pumped.h)
    w_steam = steam.h - wet.h - (pumped.h - liquid.h)
    net = topping["w_net"] + y * w_steam
    return topping | {
        "h_5": out.h, "h_6": liquid.h, "h_7": pumped.h, "h_8": steam.h, "h_9": wet.h, "y": y, "w_steam": w_steam,
        "net": net, "eta": net / topping["q_in"], "q_out": y * (wet.h - liquid.h) + out.h - topping["h_1"],
    }  # fmt: skip


def combined() -> Iterator[Question]:
    found = plant("cold air", 450)
    yield Question(
        "combined cycle with constant specific heats",
        "Consider a combined gas-steam power cycle. The topping gas-turbine cycle has a pressure ratio of 8. Air enters the "
        "compressor at 300 K and 100 kPa and the gas turbine at 1300 K. The isentropic efficiency of the compressor is 80 "
        "percent and that of the gas turbine is 85 percent. The exhaust gases leave the heat-recovery steam generator at "
        "450 K. Steam enters the steam turbine at 7 MPa and 500 °C and condenses at 5 kPa. The steam turbine has an "
        "isentropic efficiency of 90% and the pump is isentropic. Treat air as an ideal gas with cp = 1.005 kJ/(kg·K) and "
        "k = 1.4. The mass flow rate of air is 100 kg/s. States 1-5 are gas states, state 6 is the pump inlet, 7 the pump "
        "exit, 8 the steam turbine inlet, 9 the steam turbine exit.",
        {
            "T_2": ("K", found["T_2"]), "T_4": ("K", found["T_4"]), "h_6": (KG, found["h_6"]), "h_8": (KG, found["h_8"]),
            "h_9": (KG, found["h_9"]), "y": ("kg/kg", found["y"]), "w_gas": (KG, found["w_net"]),
            "w_steam": (KG, found["w_steam"]), "Ẇ_net": (KW, 100 * found["net"]), "m_dot_s": ("kg/s", 100 * found["y"]),
            "Q̇_in": (KW, 100 * found["q_in"]), "η_cc": ("%", 100 * found["eta"]), "q_out": (KG, found["q_out"]),
        },
    )  # fmt: skip
    found = plant("air", 420)
    yield Question(
        "combined cycle with variable specific heats",
        "Combined-cycle power plant (Brayton topping cycle, Rankine bottoming cycle, HRSG in between).\n\n"
        "Gas side (air, variable specific heats):\n- Compressor inlet: P₁ = 100 kPa, T₁ = 300 K\n- Pressure ratio: 8\n"
        "- Gas turbine inlet temperature: T₃ = 1300 K\n- Compressor isentropic efficiency: 80%\n"
        "- Gas turbine isentropic efficiency: 85%\n- Stack temperature: T₅ = 420 K\n- Air flow rate: 50 kg/s\n\n"
        "Steam side:\n- Condenser pressure: P₆ = 5 kPa (saturated liquid at the pump inlet)\n"
        "- Steam turbine inlet: P₈ = 7 MPa, T₈ = 500 °C\n- Steam turbine isentropic efficiency: 90%\n- The pump is ideal.",
        {
            "h_2": (KG, found["h_2"]), "h_4": (KG, found["h_4"]), "h_5": (KG, found["h_5"]), "h_7": (KG, found["h_7"]),
            "h_9": (KG, found["h_9"]), "ṁ_steam": ("kg/s", 50 * found["y"]), "Ẇ_gas": (KW, 50 * found["w_net"]),
            "Ẇ_steam": (KW, 50 * found["y"] * found["w_steam"]), "Ẇ_net": (KW, 50 * found["net"]),
            "η_combined": ("%", 100 * found["eta"]),
        },
    )  # fmt: skip
    found = plant("cold air", 450)
    yield Question(
        "combined cycle numbered from the steam side",
        "In a combined gas-steam power plant the steam cycle has states 1 (pump inlet), 2 (pump exit), 3 (steam turbine inlet) "
        "and 4 (steam turbine exit); the gas cycle has states 5 (compressor inlet), 6 (compressor exit), 7 (gas turbine "
        "inlet), 8 (gas turbine exit) and 9 (heat recovery steam generator exit).\n\nGas: T_5 = 300 K, P_5 = 100 kPa, pressure "
        "ratio 8, T_7 = 1300 K, T_9 = 450 K, compressor efficiency 80%, gas turbine efficiency 85%; air with cp = 1.005 "
        "kJ/(kg·K) and k = 1.4.\nSteam: P_3 = 7 MPa, T_3 = 500 °C, P_4 = 5 kPa, steam turbine efficiency 90%, ideal pump, "
        "saturated liquid at the pump inlet.",
        {
            "w_net,gas": (KG, found["w_net"]), "w_net,steam": (KG, found["w_steam"]), "y": ("-", found["y"]),
            "η_th": ("%", 100 * found["eta"]), "h_4": (KG, found["h_9"]), "T_8": ("K", found["T_4"]),
        },
    )  # fmt: skip
