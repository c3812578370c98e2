"""Turbines, compressors, pumps and nozzles, each in several wordings."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from tests.agents.processes.thermodynamics import (
    CELSIUS,
    KG,
    KW,
    SPECIFIC,
    Question,
    at,
    compressed,
    exergy,
    expanded,
)


def questions() -> Iterator[Question]:
    for group in (turbines, compressors, pumps, nozzles):
        yield from group()


def turbines() -> Iterator[Question]:
    start = at("water", P=6000, T=450 + CELSIUS)
    ideal, end = expanded("water", start, 50, 0.85)
    psi = [exergy("water", point) for point in (start, end)]
    yield Question(
        "turbine in prose",
        "Steam flows steadily through an adiabatic turbine, entering at 6 MPa and 450 °C and leaving at 50 kPa. The "
        "turbine's isentropic efficiency is 85 percent and steam flows at 9 kg/s. The surroundings are at 25 °C and "
        "100 kPa.",
        {
            "h_1": (KG, start.h), "s_1": (SPECIFIC, start.s), "h_2s": (KG, ideal.h), "h_2": (KG, end.h),
            "w_out": (KG, start.h - end.h), "Ẇ_out": (KW, 9 * (start.h - end.h)), "s_gen": (SPECIFIC, end.s - start.s),
            "ψ_1": (KG, psi[0]), "ψ_2": (KG, psi[1]), "x_dest": (KG, 298.15 * (end.s - start.s)),
            "η_II": ("%", 100 * (start.h - end.h) / (psi[0] - psi[1])), "x_2": ("-", end.x),
        },
    )  # fmt: skip
    yield Question(
        "turbine as a list",
        "**Steam turbine**\n\n- Inlet: P₁ = 6 MPa, T₁ = 450 °C\n- Exhaust pressure: P₂ = 50 kPa\n"
        "- Isentropic efficiency: η_t = 0.85\n- Mass flow rate: ṁ = 9 kg/s\n- Dead state: T₀ = 25 °C, P₀ = 100 kPa\n\n"
        "Heat loss and changes of kinetic energy are negligible.",
        {
            "h₁": (KG, start.h), "h₂s": (KG, ideal.h), "h₂": (KG, end.h), "T_2": ("°C", end.T - CELSIUS),
            "w_t": (KG, start.h - end.h), "s_gen": (SPECIFIC, end.s - start.s),
            "Ẋ_dest": (KW, 9 * 298.15 * (end.s - start.s)),
        },
    )  # fmt: skip
    hot = at("cold air", P=900, T=1150)
    ideal, end = expanded("cold air", hot, 120, 0.88)
    yield Question(
        "air turbine with constant specific heats",
        "Air at 900 kPa and 1150 K expands in an adiabatic gas turbine to 120 kPa with an isentropic efficiency of 88%. "
        "Treat air as an ideal gas with constant specific heats, cp = 1.005 kJ/(kg·K) and k = 1.4. T_0 = 298.15 K.",
        {
            "T_2s": ("K", ideal.T), "T_2": ("K", end.T), "w": (KG, hot.h - end.h),
            "s_gen": (SPECIFIC, end.s - hot.s), "ex_dest": (KG, 298.15 * (end.s - hot.s)),
        },
    )  # fmt: skip
    hot = at("air", P=900, T=1150)
    ideal, end = expanded("air", hot, 120, 0.88)
    yield Question(
        "air turbine with variable specific heats",
        "Hot air enters a turbine at 900 kPa and 1150 K and is discharged at 120 kPa. The isentropic efficiency of the "
        "turbine is 0.88. Specific heats vary with temperature.",
        {
            "h_1": (KG, hot.h), "h_2s": (KG, ideal.h), "h_2": (KG, end.h), "T_2": ("K", end.T),
            "w_t": (KG, hot.h - end.h), "s_gen": (SPECIFIC, end.s - hot.s),
        },
    )  # fmt: skip
    start, end = at("water", P=4000, T=400 + CELSIUS), at("water", P=20, x=0.93)
    ideal = at("water", P=20, s=start.s)
    yield Question(
        "turbine with a known exit",
        "Steam enters a turbine at 4 MPa, 400 °C. At the exit the pressure is 20 kPa and the quality is 0.93. The turbine "
        "is adiabatic and delivers 5 MW.",
        {
            "h_in": (KG, start.h), "h_out": (KG, end.h), "h_2s": (KG, ideal.h), "w": (KG, start.h - end.h),
            "η_s": ("%", 100 * (start.h - end.h) / (start.h - ideal.h)), "m_dot": ("kg/s", 5000 / (start.h - end.h)),
        },
    )  # fmt: skip
    start, end = at("water", P=5000, T=450 + CELSIUS), at("water", P=100, T=120 + CELSIUS)
    yield Question(
        "turbine that loses heat",
        "A steam turbine takes in steam at 5 MPa and 450 °C and exhausts it at 100 kPa and 120 °C. The casing loses 20 "
        "kJ/kg of heat to the surroundings, which are at 298.15 K. The casing's boundary is at the temperature T_b = 350 K.",
        {
            "h_1": (KG, start.h), "h_2": (KG, end.h), "w_out": (KG, start.h - end.h - 20),
            "s_gen": (SPECIFIC, end.s - start.s + 20 / 350), "x_dest": (KG, 298.15 * (end.s - start.s + 20 / 350)),
        },
    )  # fmt: skip


def compressors() -> Iterator[Question]:
    start = at("R134a (ASHRAE)", P=160, x=1.0)
    ideal, end = compressed("R134a (ASHRAE)", start, 900, 0.78)
    yield Question(
        "refrigerant compressor",
        "Refrigerant-134a enters an adiabatic compressor as saturated vapor at 160 kPa and is compressed to 900 kPa. The "
        "isentropic efficiency is 78%. The mass flow rate is 0.1 kg/s. Use the ASHRAE reference state.",
        {
            "h_1": (KG, start.h), "s_1": (SPECIFIC, start.s), "h_2s": (KG, ideal.h), "h_2": (KG, end.h),
            "T_2": ("°C", end.T - CELSIUS), "Ẇ": (KW, 0.1 * (end.h - start.h)), "s_gen": (SPECIFIC, end.s - start.s),
        },
    )  # fmt: skip
    start = at("R134a", P=140, T=CELSIUS - 10)
    ideal, end = compressed("R134a", start, 800, 0.85)
    psi = [exergy("R134a", point) for point in (start, end)]
    yield Question(
        "refrigerant compressor, IIR",
        "Superheated R-134a vapour is drawn into a compressor at P_1 = 140 kPa, T_1 = -10 °C; the discharge pressure is "
        "P_2 = 800 kPa. The compressor's isentropic efficiency is η_c = 0.85. Enthalpy and entropy follow the IIR reference "
        "(h = 200 kJ/kg, s = 1 kJ/(kg·K) for saturated liquid at 0 °C). The environment is at T_0 = 298.15 K, P_0 = 100 kPa.",
        {
            "h_1": (KG, start.h), "h_2s": (KG, ideal.h), "h_2a": (KG, end.h), "w_in": (KG, end.h - start.h),
            "ψ_1": (KG, psi[0]), "ψ_2": (KG, psi[1]), "η_II": ("-", (psi[1] - psi[0]) / (end.h - start.h)),
        },
    )  # fmt: skip
    start = at("cold air", P=100, T=293.15)
    ideal, end = compressed("cold air", start, 800, 0.82)
    yield Question(
        "air compressor by pressure ratio",
        "An air compressor with a pressure ratio of 8 takes in 2.5 kg/s at 100 kPa and 20 °C. Its isentropic efficiency is "
        "82 percent. Assume constant specific heats for air: cp = 1.005 kJ/(kg·K), k = 1.4.",
        {
            "T_2s": ("K", ideal.T), "T_2": ("K", end.T), "w_c": (KG, end.h - start.h),
            "W_dot": (KW, 2.5 * (end.h - start.h)), "s_gen": (SPECIFIC, end.s - start.s),
        },
    )  # fmt: skip
    start = at("air", P=95, T=295)
    ideal, end = compressed("air", start, 760, 0.84)
    yield Question(
        "air compressor with air tables",
        "Air at 95 kPa and 295 K is compressed adiabatically to 760 kPa in a compressor whose isentropic efficiency is 84%. "
        "Use variable specific heats (air tables).",
        {
            "h_1": (KG, start.h), "h_2s": (KG, ideal.h), "T_2s": ("K", ideal.T), "h_2": (KG, end.h), "T_2": ("K", end.T),
            "w_in": (KG, end.h - start.h),
        },
    )  # fmt: skip


def pumps() -> Iterator[Question]:
    start = at("water", P=20, x=0.0)
    ideal, end = compressed("water", start, 10000, 0.82)
    psi = [exergy("water", point) for point in (start, end)]
    answers = {
        "h_1": (KG, start.h), "s_1": (SPECIFIC, start.s), "h_2s": (KG, ideal.h), "h_2": (KG, end.h),
        "w_in": (KG, end.h - start.h), "Ẇ_in": (KW, 20 * (end.h - start.h)), "s_gen": (SPECIFIC, end.s - start.s),
        "ψ_1": (KG, psi[0]), "ψ_2": (KG, psi[1]), "η_II": ("%", 100 * (psi[1] - psi[0]) / (end.h - start.h)),
    }  # fmt: skip
    yield Question(
        "pump from saturation",
        "Saturated liquid water at 20 kPa enters a pump and is pressurized to 10 MPa. The isentropic efficiency of the pump "
        "is 82%; the mass flow rate is 20 kg/s. Environment: 25 °C, 100 kPa.",
        answers,
    )
    start = at("water", P=100, T=40 + CELSIUS)
    ideal, end = compressed("water", start, 5000, 0.75)
    yield Question(
        "pump of cold water",
        "A feed pump raises the pressure of water from 100 kPa to 5 MPa. The water is at 40 °C at the inlet. "
        "The pump has an isentropic efficiency of 75 percent.",
        {
            "h_1": (KG, start.h), "h_2s": (KG, ideal.h), "w_s": (KG, ideal.h - start.h), "w_a": (KG, end.h - start.h),
            "h_2": (KG, end.h), "T_2": ("°C", end.T - CELSIUS),
        },
    )  # fmt: skip
    liquid = at("water", P=10, x=0.0)
    yield Question(
        "pump of an incompressible liquid",
        "Saturated liquid water leaves a condenser at 10 kPa and is pumped to 8 MPa by an isentropic pump. Treat the liquid "
        "as incompressible, so that w = v_1 (P_2 - P_1).",
        {
            "h_1": (KG, liquid.h), "v_1": ("m³/kg", liquid.v), "w_p": (KG, liquid.v * 7990),
            "h_2": (KG, liquid.h + liquid.v * 7990),
        },
    )  # fmt: skip


def nozzles() -> Iterator[Question]:
    start = at("cold air", P=600, T=400 + CELSIUS)
    ideal, end = expanded("cold air", start, 100, 0.92)
    speed = sqrt(2000 * (start.h - end.h) + 40**2)
    yield Question(
        "air nozzle",
        "Air enters an adiabatic nozzle at 600 kPa and 400 °C with a velocity of 40 m/s and expands to 100 kPa. The nozzle "
        "efficiency is 92%. Assume constant specific heats (cp = 1.005 kJ/(kg·K), k = 1.4).",
        {
            "T_2s": ("K", ideal.T), "T_2": ("K", end.T), "V_2": ("m/s", speed), "s_gen": (SPECIFIC, end.s - start.s),
            "x_dest": (KG, 298.15 * (end.s - start.s)),
        },
    )  # fmt: skip
    start = at("water", P=1400, T=300 + CELSIUS)
    ideal, end = expanded("water", start, 800, 0.95)
    yield Question(
        "steam nozzle",
        "Steam accelerates in a nozzle. Inlet: 1.4 MPa, 300 °C, negligible velocity. Outlet: 800 kPa. The isentropic "
        "efficiency of the nozzle is 95 percent.",
        {
            "h_1": (KG, start.h), "h_2s": (KG, ideal.h), "h_2": (KG, end.h), "V_2": ("m/s", sqrt(2000 * (start.h - end.h))),
            "V_2s": ("m/s", sqrt(2000 * (start.h - ideal.h))), "s_gen": (SPECIFIC, end.s - start.s),
        },
    )  # fmt: skip
