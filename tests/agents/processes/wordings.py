"""The same few processes in many styles: lists, tables, bare symbols, other numberings, other words."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agents.processes.gas_cycles import gas
from tests.agents.processes.thermodynamics import (
    CELSIUS,
    KG,
    KW,
    RATE,
    SPECIFIC,
    T0,
    Question,
    at,
    compressed,
    exergy,
    expanded,
)


def questions() -> Iterator[Question]:
    for group in (
        turbine,
        compressor,
        pump,
        boiler,
        exchanger,
        mixer,
        nozzle,
        rankine,
        brayton,
        refrigeration,
    ):
        yield from group()


def _numbered(name: str, answers: dict[str, tuple[str, float]], *bodies: str) -> Iterator[Question]:
    for number, body in enumerate(bodies, 1):
        yield Question(f"{name}, wording {number}", body, answers)


def turbine() -> Iterator[Question]:
    start = at("water", P=8000, T=480 + CELSIUS)
    ideal, end = expanded("water", start, 10, 0.86)
    yield from _numbered(
        "turbine",
        {
            "h_1": (KG, start.h), "s_1": (SPECIFIC, start.s), "h_2s": (KG, ideal.h), "h_2": (KG, end.h), "x_2": ("-", end.x),
            "w_t": (KG, start.h - end.h), "W_dot": (KW, 10 * (start.h - end.h)), "s_gen": (SPECIFIC, end.s - start.s),
        },
        "P1 = 8 MPa, T1 = 480 °C, P2 = 10 kPa, eta_t = 0.86, m_dot = 10 kg/s. The device is an adiabatic steam turbine.",
        "A steam turbine receives 10 kg/s of steam at 80 bar and 480 °C and exhausts it to a condenser at 0.1 bar. The "
        "isentropic efficiency (η_s) of the adiabatic machine is 86%.",
        "An adiabatic turbine is supplied with superheated steam. Find the quantities below.\n\n| Quantity | Value |\n|---|---|\n"
        "| Inlet pressure | 8 MPa |\n| Inlet temperature | 480 °C |\n| Outlet pressure | 10 kPa |\n"
        "| Isentropic efficiency | 86 % |\n| Mass flow rate | 10 kg/s |",
        "Water vapour expands adiabatically in a turbine from 8 MPa and 480 °C to 10 kPa. The flow is 10 kg/s. The actual "
        "work is 86 percent of that of an isentropic expansion, i.e. the isentropic efficiency is 86 percent.",
        "Steam turbine analysis.\nGiven:\nInlet (state 1): P_1 = 8 MPa; T_1 = 480 °C\nOutlet (state 2): P_2 = 10 kPa\n"
        "Turbine isentropic efficiency = 0.86\nSteam mass flow rate = 10 kg/s",
    )  # fmt: skip


def compressor() -> Iterator[Question]:
    start = at("R134a", P=200, T=CELSIUS)
    ideal, end = compressed("R134a", start, 1000, 0.80)
    psi = [exergy("R134a", point) for point in (start, end)]
    yield from _numbered(
        "compressor",
        {
            "h_1": (KG, start.h), "h_2s": (KG, ideal.h), "h_2": (KG, end.h), "w_in": (KG, end.h - start.h),
            "s_gen,comp": (SPECIFIC, end.s - start.s), "x_dest": (KG, T0 * (end.s - start.s)),
            "η_II": ("%", 100 * (psi[1] - psi[0]) / (end.h - start.h)),
        },
        "Adiabatic compressor, working fluid R-134a (IIR reference). Suction: 200 kPa, 0 °C. Discharge: 1.0 MPa. Isentropic "
        "efficiency 0.8. Surroundings: T0 = 298.15 K, P0 = 100 kPa.",
        "R134a vapour at 0.2 MPa and 0 °C is to be compressed to 1 MPa. The compressor is well insulated; its isentropic "
        "efficiency is 80%. The dead state is 25 °C and 100 kPa.",
        "- Fluid: refrigerant-134a\n- Compressor inlet: P₁ = 200 kPa, T₁ = 0 °C\n- Compressor outlet: P₂ = 1000 kPa\n"
        "- η_c = 80%\n- Environment: T₀ = 298.15 K, P₀ = 100 kPa",
    )  # fmt: skip
    start = at("cold air", P=100, T=300)
    ideal, end = compressed("cold air", start, 900, 0.84)
    yield from _numbered(
        "air compressor",
        {
            "T_2s": ("K", ideal.T),
            "T_2": ("K", end.T),
            "w": (KG, end.h - start.h),
            "s_gen": (SPECIFIC, end.s - start.s),
        },
        "Ambient air at 100 kPa and 300 K enters an adiabatic compressor and leaves at 900 kPa. Isentropic efficiency: 84%. "
        "Air has the constant specific heat cp = 1.005 kJ/(kg·K), with k = 1.4 and R = 0.287 kJ/(kg·K).",
        "The inlet conditions of an adiabatic air compressor are 300 K and 100 kPa; its pressure ratio is 9:1. The compressor "
        "efficiency is 0.84. Assume an ideal gas with cp = 1.005 kJ/kg-K and k = 1.4.",
    )


def pump() -> Iterator[Question]:
    start = at("water", P=100, T=15 + CELSIUS)
    ideal, end = compressed("water", start, 4000, 0.7)
    yield from _numbered(
        "pump",
        {
            "h_1": (KG, start.h),
            "h_2s": (KG, ideal.h),
            "h_2": (KG, end.h),
            "w_pump": (KG, end.h - start.h),
            "Ẇ_pump": (KW, 5 * (end.h - start.h)),
            "s_gen,pump": (SPECIFIC, end.s - start.s),
        },
        "Water at 15 °C and 100 kPa is pumped to 4 MPa at a rate of 5 kg/s by an adiabatic pump whose isentropic efficiency "
        "is 70%.",
        "Pump: T_1 = 15 °C, P_1 = 0.1 MPa, P_2 = 4 MPa, η_pump = 0.70, ṁ = 5 kg/s, liquid water.",
    )


def boiler() -> Iterator[Question]:
    start, end = at("water", P=10000, T=150 + CELSIUS), at("water", P=10000, T=550 + CELSIUS)
    heat = end.h - start.h
    generated = end.s - start.s - heat / 1500
    yield from _numbered(
        "boiler",
        {"h_1": (KG, start.h), "h_2": (KG, end.h), "q": (KG, heat), "s_gen": (SPECIFIC, generated), "x_dest": (KG, T0 * generated)},
        "Water enters a boiler as compressed liquid at 10 MPa, 150 °C (state 1) and leaves at 10 MPa, 550 °C (state 2). The "
        "heat source is at T_H = 1500 K; T₀ = 298.15 K, P₀ = 101.325 kPa.",
        "A boiler works at a constant pressure of 10 MPa. Feedwater enters at 150 °C, steam exits at 550 °C. Heat is "
        "transferred from a furnace at 1500 K. The environment is at 298.15 K.",
        "Boiler inlet: 10 MPa, 150 °C\nBoiler outlet: 10 MPa, 550 °C\nTemperature of the boundary where heat enters: 1500 K\n"
        "Dead state: 298.15 K, 100 kPa",
    )  # fmt: skip


def exchanger() -> Iterator[Question]:
    hot = at("water", P=200, T=85 + CELSIUS), at("water", P=200, T=50 + CELSIUS)
    start = at("water", P=300, T=20 + CELSIUS)
    end = at("water", P=300, h=start.h + 1.5 * (hot[0].h - hot[1].h) / 2.0)
    generated = 1.5 * (hot[1].s - hot[0].s) + 2.0 * (end.s - start.s)
    yield from _numbered(
        "exchanger",
        {
            "Q_dot": (KW, 1.5 * (hot[0].h - hot[1].h)), "h_c,out": (KG, end.h), "T_c,out": ("°C", end.T - CELSIUS),
            "S_gen": (RATE, generated), "Ex_dest": (KW, T0 * generated),
        },
        "Adiabatic heat exchanger, water on both sides.\nHot side: T_h,in = 85 °C, T_h,out = 50 °C, P_h = 200 kPa, ṁ_h = 1.5 kg/s\n"
        "Cold side: T_c,in = 20 °C, P_c = 300 kPa, ṁ_c = 2.0 kg/s\nT_0 = 298.15 K",
        "The hot stream of a heat exchanger is water at 200 kPa, 1.5 kg/s, that enters at 85 °C and leaves at 50 °C. The cold "
        "stream is water at 300 kPa, 2 kg/s, entering at 20 °C. The shell is adiabatic. The dead state temperature is 25 °C.",
    )  # fmt: skip


def mixer() -> Iterator[Question]:
    hot, cold = at("water", P=500, T=160 + CELSIUS), at("water", P=500, T=25 + CELSIUS)
    mixed = at("water", P=500, h=(1.2 * hot.h + 4.0 * cold.h) / 5.2)
    generated = 5.2 * mixed.s - 1.2 * hot.s - 4.0 * cold.s
    yield from _numbered(
        "mixer",
        {"h_1": (KG, hot.h), "h_2": (KG, cold.h), "m_dot_3": ("kg/s", 5.2), "h_3": (KG, mixed.h), "S_dot_gen": (RATE, generated)},
        "In an adiabatic mixing chamber at 500 kPa, 1.2 kg/s of superheated steam at 160 °C (stream 1) and 4 kg/s of liquid "
        "water at 25 °C (stream 2) are mixed into one stream.",
        "Mixing chamber, P = 500 kPa throughout.\n- Hot stream: steam, 160 °C, 1.2 kg/s\n- Cold stream: water, 25 °C, 4.0 kg/s\n"
        "- No heat loss",
    )  # fmt: skip


def nozzle() -> Iterator[Question]:
    start = at("air", P=300, T=700)
    ideal, end = expanded("air", start, 110, 0.93)
    yield from _numbered(
        "nozzle",
        {
            "h_1": (KG, start.h),
            "h_2s": (KG, ideal.h),
            "h_2": (KG, end.h),
            "T_2": ("K", end.T),
            "V_2": ("m/s", (2000 * (start.h - end.h) + 900) ** 0.5),
            "s_gen": (SPECIFIC, end.s - start.s),
        },
        "Air flows through an adiabatic nozzle from 300 kPa, 700 K and 30 m/s to 110 kPa. The nozzle's isentropic efficiency "
        "is 93%. Use temperature-dependent specific heats.",
        "Nozzle with air (variable specific heats): P_1 = 300 kPa, T_1 = 700 K, V_1 = 30 m/s, P_2 = 110 kPa, η_N = 0.93.",
    )


def rankine() -> Iterator[Question]:
    liquid, steam = at("water", P=8, x=0.0), at("water", P=12000, T=520 + CELSIUS)
    _, pumped = compressed("water", liquid, 12000, 0.85)
    _, wet = expanded("water", steam, 8, 0.88)
    q_in, q_out = steam.h - pumped.h, wet.h - liquid.h
    yield from _numbered(
        "Rankine",
        {
            "w_turbine": (KG, steam.h - wet.h), "w_pump": (KG, pumped.h - liquid.h), "q_in": (KG, q_in), "q_out": (KG, q_out),
            "w_net": (KG, q_in - q_out), "η_th": ("%", 100 * (1 - q_out / q_in)), "x_4": ("-", wet.x),
            "first_law_error": ("%", 0.0),
        },
        "Rankine cycle data:\n- Boiler pressure: P_high = 12 MPa\n- Condenser pressure: P_low = 8 kPa\n"
        "- Turbine inlet temperature: T_max = 520 °C\n- Turbine isentropic efficiency: 88%\n- Pump isentropic efficiency: 85%",
        "A Rankine cycle has steam leaving the boiler at 12 MPa and 520 °C. The condenser operates at 8 kPa and delivers "
        "saturated liquid to the pump. The turbine (isentropic efficiency 88 percent) and the pump (isentropic efficiency 85 "
        "percent) are adiabatic.",
        "In a steam power plant on the Rankine cycle, superheated steam at 120 bar, 520 °C expands in a turbine of 88% "
        "isentropic efficiency to a condenser pressure of 0.08 bar. The feed pump has 85% isentropic efficiency and takes in "
        "saturated liquid.",
    )  # fmt: skip


def brayton() -> Iterator[Question]:
    found = gas("air", 12, 1400, 0.82, 0.88)
    yield from _numbered(
        "Brayton",
        {
            "w_comp": (KG, found["w_c"]), "w_turb": (KG, found["w_t"]), "w_net": (KG, found["w_net"]),
            "q_in": (KG, found["q_in"]), "η_th": ("%", 100 * found["eta_th"]), "BWR": ("-", found["bwr"]),
            "T_4": ("K", found["T_4"]),
        },
        "Air-standard Brayton cycle, variable specific heats.\nT_min = 300 K\nT_max = 1400 K\nP_min = 100 kPa\nr_p = 12\n"
        "η_c = 0.82\nη_t = 0.88",
        "A gas-turbine plant works on the Brayton cycle with a pressure ratio of 12. The minimum and maximum temperatures of "
        "the cycle are 300 K and 1400 K and the compressor draws in air at 100 kPa. The compressor has an isentropic "
        "efficiency of 82% and the turbine one of 88%. Specific heats vary with temperature.",
        "Consider a Brayton cycle. At the compressor inlet air is at 100 kPa and 300 K; it leaves the compressor at 1200 kPa. "
        "The gas enters the turbine at 1400 K. Isentropic efficiencies: compressor 82%, turbine 88%. Use air tables.",
    )  # fmt: skip


def refrigeration() -> Iterator[Question]:
    one, three = at("R134a", P=140, x=1.0), at("R134a", P=800, x=0.0)
    _, two = compressed("R134a", one, 800, 0.8)
    four = at("R134a", P=140, h=three.h)
    cold, warm, work = one.h - three.h, two.h - three.h, two.h - one.h
    yield from _numbered(
        "refrigeration",
        {
            "h_1": (KG, one.h), "h_2": (KG, two.h), "h_4": (KG, three.h), "q_evap": (KG, cold), "q_cond": (KG, warm),
            "w_comp": (KG, work), "COP": ("-", cold / work), "x_4": ("-", four.x),
            "s_gen,throttle": (SPECIFIC, four.s - three.s), "x_dest,comp": (KG, T0 * (two.s - one.s)),
        },
        "Vapor-compression refrigeration cycle with R-134a.\n- Evaporator pressure: 140 kPa (saturated vapor at the exit)\n"
        "- Condenser pressure: 800 kPa (saturated liquid at the exit)\n- Compressor isentropic efficiency: 80%\n"
        "- Dead state: T₀ = 298.15 K, P₀ = 100 kPa",
        "A refrigerator uses refrigerant-134a in a vapour-compression cycle between 0.14 and 0.8 MPa. The refrigerant leaves "
        "the evaporator as saturated vapour and the condenser as saturated liquid. The adiabatic compressor has an "
        "isentropic efficiency of 80%. The environment is at 25 °C.",
        "A refrigeration cycle with R-134a has P_1 = P_4 = 140 kPa and P_2 = P_3 = 800 kPa. State 1 is saturated vapor and "
        "state 3 is saturated liquid. η_c = 0.80, T_0 = 298.15 K.",
    )  # fmt: skip
