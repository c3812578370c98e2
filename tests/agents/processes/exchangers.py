"""Devices that exchange heat or mix streams, each in several wordings."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agents.processes.thermodynamics import CELSIUS, KG, KW, RATE, SPECIFIC, Point, Question, at, exergy


def questions() -> Iterator[Question]:
    for group in (boilers, exchangers, mixers):
        yield from group()


def boilers() -> Iterator[Question]:
    start, end = at("water", P=8000, T=200 + CELSIUS), at("water", P=8000, T=500 + CELSIUS)
    heat, generated = end.h - start.h, end.s - start.s - (end.h - start.h) / 1200
    psi = exergy("water", end) - exergy("water", start)
    yield Question(
        "boiler with a source",
        "Feedwater enters a boiler at 8 MPa and 200 °C and leaves as superheated steam at 500 °C. The pressure loss is "
        "negligible and the mass flow rate is 15 kg/s. The heat is supplied by a source at a temperature of 1200 K. The "
        "environment is at 298.15 K and 100 kPa.",
        {
            "h_1": (KG, start.h), "h_2": (KG, end.h), "q_in": (KG, heat), "Q_dot": ("MW", 15 * heat / 1000),
            "s_gen": (SPECIFIC, generated), "ex_dest": (KG, 298.15 * generated),
            "eta_II": ("%", 100 * psi / (heat * (1 - 298.15 / 1200))),
        },
    )  # fmt: skip
    start, end = at("water", P=3000, T=100 + CELSIUS), at("water", P=3000, x=1.0)
    yield Question(
        "boiler to saturation",
        "Water enters a steam generator at 3 MPa and 100 °C at a rate of 4 kg/s. Saturated vapor leaves at the same "
        "pressure. Combustion gases act as a thermal reservoir at 900 K.",
        {
            "h_in": (KG, start.h), "h_out": (KG, end.h), "q": (KG, end.h - start.h), "Q̇_in": (KW, 4 * (end.h - start.h)),
            "Ṡ_gen": (RATE, 4 * (end.s - start.s - (end.h - start.h) / 900)),
        },
    )  # fmt: skip


def _exchange(hot: tuple[Point, Point], cold: tuple[Point, Point], m_hot: float) -> dict[str, float]:
    heat = m_hot * (hot[0].h - hot[1].h)
    m_cold = heat / (cold[1].h - cold[0].h)
    return {
        "Q": heat,
        "m_cold": m_cold,
        "S": m_hot * (hot[1].s - hot[0].s) + m_cold * (cold[1].s - cold[0].s),
    }


def exchangers() -> Iterator[Question]:
    hot = at("water", P=300, T=90 + CELSIUS), at("water", P=300, T=60 + CELSIUS)
    cold = at("water", P=200, T=15 + CELSIUS), at("water", P=200, T=45 + CELSIUS)
    found = _exchange(hot, cold, 2.0)
    yield Question(
        "water to water",
        "In a counter-flow heat exchanger hot water is cooled from 90 °C to 60 °C at 300 kPa with a mass flow rate of "
        "2 kg/s. Cold water enters at 15 °C and leaves at 45 °C, at 200 kPa. The exchanger is well insulated. The dead state "
        "is at 25 °C and 100 kPa.",
        {
            "Q̇": (KW, found["Q"]), "ṁ_c": ("kg/s", found["m_cold"]), "h_h,in": (KG, hot[0].h), "h_c,out": (KG, cold[1].h),
            "Ṡ_gen": (RATE, found["S"]), "Ẋ_dest": (KW, 298.15 * found["S"]),
        },
    )  # fmt: skip
    hot = at("R134a", P=1000, T=70 + CELSIUS), at("R134a", P=1000, T=35 + CELSIUS)
    cold = at("water", P=300, T=15 + CELSIUS), at("water", P=300, T=25 + CELSIUS)
    found = _exchange(hot, cold, 0.1)
    yield Question(
        "refrigerant condenser",
        "R-134a (IIR reference state) at 1 MPa and 70 °C enters a condenser at 0.1 kg/s and leaves at 35 °C at the same "
        "pressure. It is cooled by water at 300 kPa that enters at 15 °C and leaves at 25 °C. No heat is lost from the "
        "heat exchanger.",
        {
            "h_1": (KG, hot[0].h), "h_2": (KG, hot[1].h), "h_3": (KG, cold[0].h), "h_4": (KG, cold[1].h),
            "Q_dot": (KW, found["Q"]), "m_dot_w": ("kg/s", found["m_cold"]), "S_dot_gen": (RATE, found["S"]),
        },
    )  # fmt: skip
    hot = at("cold air", P=110, T=500.0), at("cold air", P=110, T=400.0)
    cold = at("water", P=500, T=20 + CELSIUS), at("water", P=500, T=80 + CELSIUS)
    found = _exchange(hot, cold, 3.0)
    gained = found["m_cold"] * (exergy("water", cold[1]) - exergy("water", cold[0]))
    yield Question(
        "air to water",
        "Heat exchanger data:\n- Hot stream: air (cp = 1.005 kJ/(kg·K), k = 1.4), inlet 500 K, outlet 400 K, 110 kPa, 3 kg/s\n"
        "- Cold stream: water, inlet 20 °C, outlet 80 °C, 500 kPa\n- Dead state: 298.15 K, 100 kPa",
        {
            "Q_dot": (KW, found["Q"]), "m_dot_c": ("kg/s", found["m_cold"]), "S_dot_gen": (RATE, found["S"]),
            "η_II": ("-", gained / (gained + 298.15 * found["S"])),
        },
    )  # fmt: skip


def mixers() -> Iterator[Question]:
    hot, cold = at("water", P=150, T=80 + CELSIUS), at("water", P=150, T=20 + CELSIUS)
    mixed = at("water", P=150, T=42 + CELSIUS)
    m_2 = 0.5 * (hot.h - mixed.h) / (mixed.h - cold.h)
    generated = (0.5 + m_2) * mixed.s - 0.5 * hot.s - m_2 * cold.s
    yield Question(
        "mixing to a known temperature",
        "Hot water at 80 °C enters a mixing chamber at a rate of 0.5 kg/s where it is mixed with a stream of cold water at "
        "20 °C. The mixture leaves the chamber at 42 °C. The chamber operates at 150 kPa. T_0 = 298.15 K.",
        {
            "h_1": (KG, hot.h), "h_2": (KG, cold.h), "h_3": (KG, mixed.h), "m_dot_2": ("kg/s", m_2),
            "m_dot_3": ("kg/s", 0.5 + m_2), "S_dot_gen": (RATE, generated), "X_dot_dest": (KW, 298.15 * generated),
        },
    )  # fmt: skip
    steam, water = at("water", P=300, T=200 + CELSIUS), at("water", P=300, T=30 + CELSIUS)
    mixed = at("water", P=300, h=(0.4 * steam.h + 2.6 * water.h) / 3.0)
    generated = 3.0 * mixed.s - 0.4 * steam.s - 2.6 * water.s
    yield Question(
        "mixing of known flows",
        "Two streams are mixed adiabatically at a pressure of 300 kPa. Stream 1 is steam at 200 °C with ṁ₁ = 0.4 kg/s; "
        "stream 2 is liquid water at 30 °C with ṁ₂ = 2.6 kg/s.",
        {
            "h_1": (KG, steam.h), "h_2": (KG, water.h), "h_3": (KG, mixed.h), "T_3": ("°C", mixed.T - CELSIUS),
            "Ṡ_gen": (RATE, generated), "Ẋ_dest": (KW, 298.15 * generated),
        },
    )  # fmt: skip
