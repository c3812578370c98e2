"""Texts in many voices, with what has to be read from each: values in K, kPa, kg/s and the like."""

TEXTS = (
    (
        "rankine",
        "Consider an actual Rankine cycle with the following operating conditions:\n- Boiler pressure: 8.0 MPa"
        "\n- Superheat temperature: 480°C (753.15 K)\n- Condenser pressure: 8 kPa\n- Turbine isentropic "
        "efficiency: η_t = 87%\n- Pump isentropic efficiency: η_p = 82%\n- Steam mass flow: 30 kg/s\n\nDetermine "
        "the following:\n1. h₁ - enthalpy of saturated liquid at the condenser outlet\n2. w_t - specific "
        "turbine work",
        {"P_3": 8000, "T_3": 753.15, "P_1": 8, "eta_turbine": 0.87, "eta_pump": 0.82, "m": 30},
    ),
    (
        "rankine",
        "A power plant runs a Rankine cycle. Superheated steam leaves the steam generator at 10 MPa / 520 °C,"
        " expands through a turbine with isentropic efficiency of 0.85 to the condenser at 40 °C, and the "
        "condensate (saturated liquid) is returned by a pump with isentropic efficiency of 0.75.",
        {"P_3": 10000, "T_3": 793.15, "eta_turbine": 0.85, "eta_pump": 0.75},
    ),
    (
        "turbine",
        "Superheated steam at 5 MPa and 400°C expands adiabatically through a turbine to a final pressure of "
        "75 kPa. If the turbine isentropic efficiency is 82% and the steam flow rate is 15 kg/s, determine "
        "the following. Reference environment: T₀ = 25°C, P₀ = 101.325 kPa.",
        {"P_1": 5000, "T_1": 673.15, "P_2": 75, "eta_turbine": 0.82, "m": 15, "T_0": 298.15, "P_0": 101.325},
    ),
    (
        "turbine",
        "A well-insulated steam turbine operates at steady state. The steam enters with a pressure of 4 MPa, "
        "a temperature of 500 °C and a mass flow rate of 11 kg/s. The turbine exhaust is at 20 kPa. The "
        "turbine has an isentropic efficiency of 88 %.",
        {"P_1": 4000, "T_1": 773.15, "P_2": 20, "eta_turbine": 0.88, "m": 11},
    ),
    (
        "refrigeration",
        "A refrigeration cycle uses R-134a. Evaporating temperature: -10 °C. Condensing temperature: 40 °C. "
        "Superheat at the compressor inlet: 5 K. Subcooling at the condenser exit: 3 K. Compressor isentropic"
        " efficiency: 75%. Cooling load: 10 kW.",
        {"T_e": 263.15, "T_c": 313.15, "superheat": 5, "subcooling": 3, "eta_compressor": 0.75, "Q_L": 10},
    ),
    (
        "refrigeration",
        "R-134a is the working fluid of a vapor-compression refrigeration cycle. It enters the compressor as "
        "a saturated vapor at -20°C and leaves the condenser as a saturated liquid at 36°C. Mass flow rate: "
        "0.08 kg/s. Compressor efficiency: 80%.",
        {"T_1": 253.15, "x_1": 1, "T_3": 309.15, "x_3": 0, "m": 0.08, "eta_compressor": 0.8},
    ),
    (
        "brayton",
        "An air-standard Brayton cycle has a compressor inlet at ambient conditions (T₁ = 300 K, P₁ = 100 "
        "kPa), a pressure ratio of 12, and a maximum temperature of 1500 K. Compressor efficiency 84%, "
        "turbine efficiency 88%. Do not use constant specific heats; cp varies with temperature.",
        {"T_1": 300, "P_1": 100, "r_p": 12, "T_3": 1500, "eta_compressor": 0.84, "eta_turbine": 0.88},
    ),
    (
        "brayton",
        "Air enters the compressor of a gas turbine at 95 kPa and 290 K with a pressure ratio of 14. The "
        "combustor raises the air temperature to 1450 K before it enters the turbine. Both machines have an "
        "isentropic efficiency of 86%. This is a Brayton cycle; use cp = 1.005 kJ/kg·K and k = 1.4.",
        {"P_1": 95, "T_1": 290, "r_p": 14, "T_3": 1450, "eta_compressor": 0.86, "eta_turbine": 0.86},
    ),
    (
        "exchanger",
        "A shell-and-tube heat exchanger cools air with water. Air flows in at 150 °C and 200 kPa at 4 kg/s "
        "and flows out at 60 °C. Water is supplied at 18 °C and 300 kPa and returns at 35 °C. Take cp = 1.005"
        " kJ/(kg·K) and k = 1.4 for air.",
        {"T_1": 423.15, "P_1": 200, "m_hot": 4, "T_2": 333.15, "T_3": 291.15, "P_3": 300, "T_4": 308.15},
    ),
    (
        "exchanger",
        "Heat exchanger.\nHot fluid (steam): enters at 300 kPa, 200 °C, leaves at 140 °C; mass flow 0.8 kg/s.\n"
        "Cold fluid (water): enters at 500 kPa, 25 °C; mass flow 3 kg/s.",
        {"P_1": 300, "T_1": 473.15, "T_2": 413.15, "m_hot": 0.8, "P_3": 500, "T_3": 298.15, "m_cold": 3},
    ),
    (
        "mixer",
        "An open feedwater heater acts as a mixing chamber at 600 kPa. Stream 1: superheated steam at 200°C, "
        "ṁ₁ = 0.5 kg/s. Stream 2: water at 50°C, ṁ₂ = 3 kg/s. The mixture leaves as a single stream.",
        {"T_1": 473.15, "m_1": 0.5, "T_2": 323.15, "m_2": 3},
    ),
    (
        "boiler",
        "Liquid water at 12 MPa and 180°C enters a boiler, where it is heated at constant pressure to 540°C. "
        "The mass flow rate is 50 kg/s and the heat source is a furnace at a uniform temperature of 1300 K.",
        {"P_1": 12000, "T_1": 453.15, "T_2": 813.15, "m": 50, "T_source": 1300},
    ),
    (
        "pump",
        "A pump takes in saturated liquid water at 45 °C and discharges it at 6 MPa. η_p = 0.8, ṁ = 12 kg/s.",
        {"x_1": 0, "T_1": 318.15, "P_2": 6000, "eta_pump": 0.8, "m": 12},
    ),
    (
        "reheat",
        "In a Rankine cycle with reheat, steam leaves the boiler at 12 MPa and 550 °C. After expanding in the"
        " first turbine stage to 2.5 MPa it is reheated to 530 °C and expands in the second stage to the "
        "condenser pressure of 10 kPa. Turbine stages: 86% isentropic efficiency. Pump: 80% isentropic "
        "efficiency.",
        {
            "P_3": 12000,
            "T_3": 823.15,
            "P_4": 2500,
            "T_5": 803.15,
            "eta_turbine": 0.86,
            "eta_pump": 0.8,
            "P_1": 10,
        },
    ),
    (
        "regenerative",
        "A regenerative gas turbine (Brayton cycle with regenerator) operates with compressor inlet "
        "conditions 100 kPa and 295 K, pressure ratio 9, turbine inlet temperature 1350 K, compressor "
        "efficiency 82%, turbine efficiency 86%, regenerator effectiveness 75%. Specific heats vary with "
        "temperature.",
        {
            "P_1": 100,
            "T_1": 295,
            "r_p": 9,
            "T_3": 1350,
            "eta_compressor": 0.82,
            "eta_turbine": 0.86,
            "epsilon": 0.75,
        },
    ),
    (
        "compressor",
        "R-134a at −10 °C and 100 kPa is compressed to 700 kPa in an adiabatic compressor with an isentropic "
        "efficiency of 76%.",
        {"T_1": 263.15, "P_1": 100, "P_2": 700, "eta_compressor": 0.76},
    ),
    (
        "nozzle",
        "Steam enters a nozzle at 2 MPa, 350 °C with a low velocity of 20 m/s and exits at 1 MPa; the nozzle "
        "efficiency is 94%. The surroundings are at 298.15 K.",
        {"P_1": 2000, "T_1": 623.15, "V_1": 20, "P_2": 1000, "eta_nozzle": 0.94, "T_0": 298.15},
    ),
    (
        "combined",
        "A combined cycle consists of a gas turbine and a steam cycle linked by a heat recovery steam "
        "generator (HRSG). Gas cycle: air at 300 K and 100 kPa enters the compressor; pressure ratio 14; "
        "turbine inlet temperature 1400 K; compressor efficiency 82%; gas turbine efficiency 86%; exhaust "
        "leaves the HRSG at 460 K. Steam cycle: steam leaves the HRSG at 8 MPa and 400 °C; condenser pressure"
        " 10 kPa; steam turbine efficiency 85%; pump efficiency 80%. Use air with variable specific heats.",
        {
            "T_1": 300,
            "P_1": 100,
            "r_p": 14,
            "T_3": 1400,
            "eta_compressor": 0.82,
            "eta_gt": 0.86,
            "T_5": 460,
            "P_8": 8000,
            "T_8": 673.15,
            "eta_st": 0.85,
            "eta_pump": 0.8,
        },
    ),
    (
        "brayton",
        "Brayton cycle with variable specific heats. Ambient conditions are 100 kPa and 300 K, which is also "
        "the state at the compressor inlet. r_p = 10, TIT = 1300 K, η_c = 0.85, η_t = 0.9.",
        {"P_0": 100, "T_0": 300, "r_p": 10, "T_3": 1300, "eta_compressor": 0.85, "eta_turbine": 0.9},
    ),
    (
        "turbine",
        "An adiabatic air turbine (treat air as an ideal gas with temperature-dependent specific heats) "
        "expands air from 1.2 MPa, 1100 K to 100 kPa with η_s = 0.87.",
        {"P_1": 1200, "T_1": 1100, "P_2": 100, "eta_turbine": 0.87},
    ),
)
