"""Values laid out over lines: tables, records, blocks, reasoning, blanks and answers cut short."""

import pytest

from tests.eval.thermoqa.cases import read_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[h_in] = [198.1] kJ/kg\n[s_in] = [0.8012] kJ/(kg·K)", {"h_in": 198.1, "s_in": 0.8012}),
        (
            "| Symbol | Value | Unit |\n|---|---|---|\n| h_1 | 3399.0 | kJ/kg |\n| s_1 | 6.489 | kJ/(kg·K) |",
            {"h1": 3399.0, "s1": 6.489},
        ),
        (
            "| Quantity | Symbol | Unit | Value |\n|---|---|---|---|\n| Inlet enthalpy | h₁ | kJ/kg | 3399.0 |\n| Net power | Ẇ_net | kW | 95,060 |",
            {"h1": 3399.0, "W_dot_net": 95060},
        ),
        ("| Value | Unit | Symbol |\n|---|---|---|\n| 3399.0 | kJ/kg | h₁ |", {"h1": 3399.0}),
        ("| Unit | Symbol | Value |\n|:--|:-:|--:|\n| kJ/kg | h₂s | 2420.5 |", {"h2s": 2420.5}),
        (
            "| State | T (°C) | h (kJ/kg) | s (kJ/kg·K) |\n|---|---|---|---|\n| 1 | 45.8 | 191.8 | 0.649 |\n| 2s | 46.0 | 195.0 | 0.649 |\n| 3 | 500 | 3433.8 | 6.98 |",
            {"h1": 191.8, "h2s": 195.0, "h3": 3433.8, "s3": 6.98},
        ),
        (
            "| Property | State 1 | State 2 | State 3 |\n|---|---|---|---|\n| h (kJ/kg) | 191.8 | 195.0 | 3433.8 |\n| s (kJ/kg·K) | 0.649 | 0.650 | 6.98 |",
            {"h1": 191.8, "h3": 3433.8, "s2": 0.65},
        ),
        ("| | 1 | 2 | 3 |\n|---|---|---|---|\n| h [kJ/kg] | 191.8 | 195.0 | 3433.8 |", {"h2": 195.0}),
        (
            "| State | h | s |\n|---|---|---|\n| State 1 | 191.8 kJ/kg | 0.649 |\n| State 2 (actual) | 195.0 kJ/kg | 0.65 |",
            {"h1": 191.8, "h2": 195.0},
        ),
        (
            "| Component | s_gen (kJ/kg·K) | x_dest (kJ/kg) |\n|---|---|---|\n| Pump | 0.0031 | 0.92 |\n| Boiler | 1.21 | 360.8 |\n| Turbine | 0.14 | 41.7 |\n| **Total** | **1.36** | **405.0** |",
            {"s_gen_pump": 0.0031, "x_dest_boiler": 360.8, "s_gen_total": 1.36},
        ),
        (
            "\\begin{aligned}\nh_1 &= 191.8\\ \\text{kJ/kg} \\\\\nh_2 &= 195.0\\ \\text{kJ/kg}\n\\end{aligned}",
            {"h1": 191.8, "h2": 195.0},
        ),
        ("w_turb = 1203.3 kJ/kg\n...\nFinal:\nw_turb = 1210.0 kJ/kg", {"w_turb": 1210.0}),
        (
            "w_net = 1200.3 kJ/kg\n\nFinal answers:\nw_net = ___ kJ/kg\nη_th = ",
            {"w_net": 1200.3, "eta_th": None},
        ),
        ("h_1 = 191.8 kJ/kg\n\n**Final Answer**\nh_1 = \nh_2 = ", {"h1": 191.8, "h2": None}),
        ("<think>h = 9 kJ/kg</think>\nh = 10 kJ/kg", {"h": 10}),
        ("<think>h = 10 kJ/kg</think>\nThe answer follows above.", {"h": 10}),
        ("<reasoning>\nh = 9\n</reasoning>h = 10 kJ/kg", {"h": 10}),
        (
            "h = 10 kJ/kg\nw_net = 1200.3 kJ/kg\n\nSummary:\nh = 10 kJ/kg\nw_net = 12",
            {"h": 10, "w_net": 1200.3},
        ),
        ("1. h₁ = 191.8 kJ/kg\n2. h₂ = 195.0 kJ/kg", {"h1": 191.8, "h2": 195.0}),
        ("```\nh_1 = 191.8 kJ/kg\nh_2 = 195.0 kJ/kg\n```", {"h1": 191.8, "h2": 195.0}),
        ("COP_R = 3.41\nCOP_Carnot = 5.02", {"COP_R": 3.41, "COP_Carnot": 5.02}),
        ("V₂ = 540.3 m/s\nv₂ = 0.4 m³/kg", {"V2": 540.3}),
        ("W_dot_net = 95 MW\nw_net = 1200.3 kJ/kg", {"W_dot_net": 95000, "w_net": 1200.3}),
        ('{"h1": 191.8, "h2": 195.0}', {"h1": 191.8, "h2": 195.0}),
        ('"h1": {"value": 191.8, "unit": "kJ/kg"}', {"h1": 191.8}),
        ("h1,191.8,kJ/kg\nh2,195.0,kJ/kg", {"h1": 191.8, "h2": 195.0}),
        ("h1\t191.8\tkJ/kg", {"h1": 191.8}),
        ("<b>h<sub>1</sub></b> = 191.8 kJ/kg", {"h1": 191.8}),
        ("h_1 = <u>191.8</u> kJ/kg", {"h1": 191.8}),
        ("h_1=\n191.8 kJ/kg", {"h1": 191.8}),
        ("h_1\n= 191.8 kJ/kg", {"h1": 191.8}),
        ("h_1\n191.8 kJ/kg", {"h1": 191.8}),
        ("w_HPT = 420.1 kJ/kg\nw_LPT = 800.2 kJ/kg", {"w_HPT": 420.1, "w_LPT": 800.2}),
    ],
)
def test_a_layout_is_read(text, values):
    assert read_values(text, *values) == {
        name: None if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
        for name, value in values.items()
    }
