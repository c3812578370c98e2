"""Vapour power and refrigeration cycles, in several wordings and numberings."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agents.processes.thermodynamics import (
    CELSIUS,
    KG,
    KW,
    SPECIFIC,
    T0,
    Question,
    at,
    compressed,
    expanded,
)


def questions() -> Iterator[Question]:
    for group in (rankine, reheat, refrigeration):
        yield from group()


def rankine() -> Iterator[Question]:
    liquid, steam = at("water", P=10, x=0.0), at("water", P=8000, T=500 + CELSIUS)
    _, pumped = compressed("water", liquid, 8000, 0.80)
    ideal_4, wet = expanded("water", steam, 10, 0.87)
    w_p, w_t, q_in, q_out = pumped.h - liquid.h, steam.h - wet.h, steam.h - pumped.h, wet.h - liquid.h
    net = w_t - w_p
    generated = {
        "pump": pumped.s - liquid.s, "boiler": steam.s - pumped.s - q_in / 1400, "turb": wet.s - steam.s,
        "cond": liquid.s - wet.s + q_out / 298,
    }  # fmt: skip
    total = sum(generated.values())
    yield Question(
        "actual Rankine cycle",
        "A steam power plant operates on a simple Rankine cycle between a boiler pressure of 8 MPa and a condenser pressure "
        "of 10 kPa. Steam enters the turbine at 500 °C, and saturated liquid leaves the condenser. The isentropic "
        "efficiencies of the turbine and the pump are 87% and 80%, respectively. Heat is supplied from a source at 1400 K "
        "and rejected to surroundings at 298 K; take T₀ = 298 K and P₀ = 100 kPa. The net power output is 60 MW.",
        {
            "h_1": (KG, liquid.h), "h_2": (KG, pumped.h), "h_3": (KG, steam.h), "h_4s": (KG, ideal_4.h), "h_4": (KG, wet.h),
            "x_4": ("-", wet.x), "w_p": (KG, w_p), "w_t": (KG, w_t), "w_net": (KG, net), "q_in": (KG, q_in),
            "q_out": (KG, q_out), "η_th": ("%", 100 * net / q_in), "bwr": ("-", w_p / w_t), "m_dot": ("kg/s", 60000 / net),
            **{f"s_gen,{name}": (SPECIFIC, value) for name, value in generated.items()},
            "s_gen,total": (SPECIFIC, total), "x_dest,turb": (KG, 298 * generated["turb"]), "x_dest,total": (KG, 298 * total),
            "η_II": ("%", 100 * net / (q_in * (1 - 298 / 1400))),
        },
    )  # fmt: skip
    yield Question(
        "actual Rankine cycle numbered from the turbine",
        "Rankine cycle, state 1: turbine inlet, state 2: turbine exit, state 3: condenser exit, state 4: pump exit.\n\n"
        "P_1 = 8 MPa\nT_1 = 500 °C\nP_2 = 10 kPa\nη_t = 0.87\nη_p = 0.80\n\nSaturated liquid leaves the condenser.",
        {
            "h_1": (KG, steam.h), "h_2": (KG, wet.h), "h_3": (KG, liquid.h), "h_4": (KG, pumped.h),
            "w_turb": (KG, w_t), "w_pump": (KG, w_p), "q_H": (KG, q_in), "q_L": (KG, q_out), "η_th": ("-", net / q_in),
        },
    )  # fmt: skip
    liquid, steam = at("water", P=20, x=0.0), at("water", P=5000, T=450 + CELSIUS)
    pumped, wet = at("water", P=5000, s=liquid.s), at("water", P=20, s=steam.s)
    net, q_in = steam.h - wet.h - (pumped.h - liquid.h), steam.h - pumped.h
    answers = {
        "h_1": (KG, liquid.h), "h_2": (KG, pumped.h), "h_3": (KG, steam.h), "h_4": (KG, wet.h), "x_4": ("-", wet.x),
        "w_net": (KG, net), "q_in": (KG, q_in), "q_out": (KG, wet.h - liquid.h), "η_th": ("%", 100 * net / q_in),
    }  # fmt: skip
    yield Question(
        "ideal Rankine cycle between limits",
        "An ideal Rankine cycle works between the pressure limits of 5 MPa and 20 kPa. The temperature at the turbine inlet "
        "is 450 °C.",
        answers,
    )
    yield Question(
        "ideal Rankine cycle in symbols",
        "Steam is the working fluid of an ideal Rankine cycle. The boiler delivers steam at $P_3 = 5$ MPa, $T_3 = 450$ °C; "
        "the condenser works at $P_1 = P_4 = 20$ kPa. Water leaves the condenser as a saturated liquid. The mass flow rate "
        "is 35 kg/s. Determine the performance.",
        {**answers, "Ẇ_net": ("MW", 35 * net / 1000), "Q̇_in": (KW, 35 * q_in)},
    )


def reheat() -> Iterator[Question]:
    liquid, first = at("water", P=10, x=0.0), at("water", P=15000, T=600 + CELSIUS)
    second = at("water", P=4000, T=600 + CELSIUS)
    pumped = at("water", P=15000, s=liquid.s)
    middle, wet = at("water", P=4000, s=first.s), at("water", P=10, s=second.s)
    q_in, q_out = first.h - pumped.h + second.h - middle.h, wet.h - liquid.h
    yield Question(
        "ideal reheat cycle",
        "Consider a steam power plant on an ideal reheat Rankine cycle. Steam enters the high-pressure turbine at 15 MPa and "
        "600 °C and is condensed in the condenser at a pressure of 10 kPa. The steam expands in the high-pressure turbine to "
        "4 MPa and is reheated to 600 °C before it enters the low-pressure turbine.",
        {
            "h_1": (KG, liquid.h), "h_2": (KG, pumped.h), "h_3": (KG, first.h), "h_4": (KG, middle.h), "h_5": (KG, second.h),
            "h_6": (KG, wet.h), "x_6": ("-", wet.x), "w_turb_total": (KG, first.h - middle.h + second.h - wet.h),
            "w_net": (KG, q_in - q_out), "q_in": (KG, q_in), "q_out": (KG, q_out), "η_th": ("-", 1 - q_out / q_in),
        },
    )  # fmt: skip
    liquid, first = at("water", P=8, x=0.0), at("water", P=10000, T=500 + CELSIUS)
    second = at("water", P=1500, T=480 + CELSIUS)
    _, pumped = compressed("water", liquid, 10000, 0.75)
    _, middle = expanded("water", first, 1500, 0.85)
    _, wet = expanded("water", second, 8, 0.85)
    q_in, q_out = first.h - pumped.h + second.h - middle.h, wet.h - liquid.h
    yield Question(
        "actual reheat cycle",
        "Reheat Rankine cycle\n- Boiler: 10 MPa, 500 °C at the high-pressure turbine inlet\n"
        "- Reheat: to 480 °C at a reheat pressure of 1.5 MPa\n- Condenser pressure: 8 kPa, saturated liquid at its exit\n"
        "- Isentropic efficiency of both turbine stages: 85%\n- Isentropic efficiency of the pump: 75%\n"
        "- Steam flow rate: 25 kg/s",
        {
            "h_2": (KG, pumped.h), "h_4": (KG, middle.h), "h_6": (KG, wet.h), "w_HP": (KG, first.h - middle.h),
            "w_LP": (KG, second.h - wet.h), "w_pump": (KG, pumped.h - liquid.h), "q_reheat": (KG, second.h - middle.h),
            "q_in": (KG, q_in), "η_th": ("%", 100 * (1 - q_out / q_in)), "Ẇ_net": (KW, 25 * (q_in - q_out)),
        },
    )  # fmt: skip


def refrigeration() -> Iterator[Question]:
    one, three = at("R134a", P=140, T=CELSIUS - 10), at("R134a", P=800, x=0.0)
    ideal, two = compressed("R134a", one, 800, 0.85)
    four = at("R134a", P=140, h=three.h)
    cold, warm, work = one.h - four.h, two.h - three.h, two.h - one.h
    space = CELSIUS - 5
    yield Question(
        "actual refrigeration cycle",
        "Refrigerant-134a enters the compressor of a vapor-compression refrigeration cycle as superheated vapor at 0.14 MPa "
        "and -10 °C at a rate of 0.05 kg/s, and leaves at 0.8 MPa. The refrigerant is cooled in the condenser to saturated "
        "liquid at 0.8 MPa and is throttled to 0.14 MPa. The isentropic efficiency of the compressor is 85%. The refrigerated "
        "space is at -5 °C; the surroundings are at 25 °C. Enthalpies refer to h = 200 kJ/kg for saturated liquid at 0 °C "
        "(IIR reference state).",
        {
            "h_1": (KG, one.h), "h_2s": (KG, ideal.h), "h_2": (KG, two.h), "h_3": (KG, three.h), "h_4": (KG, three.h),
            "x_4": ("-", four.x), "Q̇_L": (KW, 0.05 * cold), "Ẇ_in": (KW, 0.05 * work), "COP": ("-", cold / work),
            "s_gen,comp": (SPECIFIC, two.s - one.s), "s_gen,valve": (SPECIFIC, four.s - three.s),
            "s_gen,cond": (SPECIFIC, three.s - two.s + warm / T0), "s_gen,evap": (SPECIFIC, one.s - four.s - cold / space),
            "η_II": ("%", 100 * cold * (T0 / space - 1) / work),
        },
    )  # fmt: skip
    one, three = at("R134a", T=CELSIUS - 20, x=1.0), at("R134a", T=CELSIUS + 40, x=0.0)
    two = at("R134a", P=three.P, s=one.s)
    yield Question(
        "ideal refrigeration cycle by temperatures",
        "An ideal vapour-compression refrigeration cycle uses R-134a. The evaporator operates at -20 °C and the condenser at "
        "40 °C. Saturated vapour enters the compressor and saturated liquid leaves the condenser. The cooling capacity is "
        "12 kW.",
        {
            "P_evap": ("kPa", one.P), "P_cond": ("kPa", three.P), "h_1": (KG, one.h), "h_2": (KG, two.h),
            "T_2": ("°C", two.T - CELSIUS), "h_4": (KG, three.h), "q_L": (KG, one.h - three.h), "w_c": (KG, two.h - one.h),
            "q_H": (KG, two.h - three.h), "COP_R": ("-", (one.h - three.h) / (two.h - one.h)),
            "ṁ": ("kg/s", 12 / (one.h - three.h)),
        },
    )  # fmt: skip
    low, high = at("R134a", P=200, x=1.0), at("R134a", P=1000, x=0.0)
    one, three = at("R134a", P=200, T=low.T + 6), at("R134a", P=1000, T=high.T - 5)
    _, two = compressed("R134a", one, 1000, 0.80)
    yield Question(
        "refrigeration cycle with superheat and subcooling",
        "A refrigerator runs on R-134a between an evaporator pressure of 200 kPa and a condenser pressure of 1 MPa. The "
        "vapour at the compressor inlet is superheated by 6 °C, and the liquid leaving the condenser is subcooled by 5 °C. "
        "The compressor's isentropic efficiency is 80 percent.",
        {
            "T_1": ("°C", one.T - CELSIUS), "h_1": (KG, one.h), "h_2": (KG, two.h), "h_3": (KG, three.h),
            "q_L": (KG, one.h - three.h), "w_in": (KG, two.h - one.h), "COP": ("-", (one.h - three.h) / (two.h - one.h)),
            "s_gen,comp": (SPECIFIC, two.s - one.s),
        },
    )  # fmt: skip
