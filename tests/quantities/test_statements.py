"""Stated quantities are read from any notation, and no text breaks the reader."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.quantities.statements import find_statement


def read(text, symbol):
    found = find_statement(text, symbol)
    return (found.value, found.unit) if found else None


@pytest.mark.parametrize(
    ("text", "symbol", "value", "unit"),
    [
        (r"\[\boxed{\dot q_s \approx 3.45 \cdot 10^{3}\ \text{W m}^{-2}}\]", "q_s", 3450, "W·m^-2"),
        (r"$s = 0.5\,\frac{\text{kJ}}{\text{kg}\cdot\text{K}}$", "s", 0.5, "(kJ)/(kg·K)"),
        (r"h \approx 1{,}234.5\ \text{kJ/kg}", "h", 1234.5, "kJ/kg"),
        ("h = 1\u202f234\u202f567 J/kg", "h", 1234567, "J/kg"),
        ("[h] = [198.1]", "h", 198.1, ""),
        ("eta = a/b = 0.38", "eta", 0.38, ""),
        ("eta_th = 38.2 %", "eta_th", 38.2, "%"),
        ("h = 5.10 ± 0.02 kJ/kg", "h", 5.10, "kJ/kg"),
        ("R = 287 J/kg K", "R", 287, "J/kg·K"),
        ("T = 291.0^\\circ\\text{C}", "T", 291, "°C"),
        ("beta = 72.3 dB.", "beta", 72.3, "-"),
        ("d = 78.6 Mpc", "d", 78.6, "Mpc"),
        ("C = 4.7 microfarads", "C", 4.7, "microfarads"),
        ("q = 3.2 watts per square metre", "q", 3.2, "watts/metre^2"),
        ("w = 5 kJ/kg - 3 kJ/kg = 2 kJ/kg", "w", 2, "kJ/kg"),
        ("h = a + b\n  = 12.5 kJ/kg", "h", 12.5, "kJ/kg"),
        ("s_gen,total = 2.9 kJ/K", "s_gen,total", 2.9, "kJ/K"),
        ("q [kW/m²] = 597", "q", 597, "kW/m^2"),
        ("q_s = 592–602 kW/m²", "q_s", 597, "kW/m^2"),
        ("q_s = 597 kW/m² (0.597 MW/m²)", "q_s", 597, "kW/m^2"),
        ("q_s = q(300 K, 2 kPa) = 597 kW/m²", "q_s", 597, "kW/m^2"),
        ('{"q_s": {"value": 597, "unit": "kW/m²"}}', "q_s", 597, "kW/m^2"),
        ("<b>q<sub>s</sub></b> = 597 kW/m²", "q_s", 597, "kW/m^2"),
        ("p = 1.234,5 Pa", "p", 1234.5, "Pa"),
        ("p = 1'234.5 Pa", "p", 1234.5, "Pa"),
        ("峰值减速度a_p约为133 m/s^2。", "a_p", 133, "m/s^2"),
        ("答案：a_p=133米/秒²；", "a_p", 133, "m/s^2"),
        ("q_s＝1.5×10^6 瓦/平方米，T_w ＝ １５００ 开尔文", "T_w", 1500, "K"),
        ("T_w等于1500K，q_s为1500千瓦每平方米", "q_s", 1500, "kW/m^2"),
        ("答案：1500 K", "answer", 1500, "K"),
        *(
            (f"{spelling} = 5 W", "q_s", 5, "W")
            for spelling in ("q_{s}", "qₛ", r"q\_s", "qs", r"\dot q_s", r"\dot{q}_{\text{s}}", "q̇ₛ")
        ),
        ("P = (2.5 kg/s) w_t = 1288.5 kW", "P", 1288.5, "kW"),
    ],
)
def test_quantity_is_read(text, symbol, value, unit):
    assert read(text, symbol) == (pytest.approx(value, rel=1e-12), unit)


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("V2 = 340 m/s", "v2"),
        ("W_dot_net = 50 kW", "w_net"),
        ("h_1 - h_2 = 515.4 kJ/kg", "h_2"),
        ("q_s is 3 times the flat-plate value", "q_s"),
        ("q_s = ___ W/m^2", "q_s"),
        ("p = 2 kg (3000 - 16) Pa", "p"),
        ("p =\nq = 5 Pa", "p"),
        ("p = 100-400 Pa", "p"),
        ("p = 590–604 Pa", "p"),
        ("h = 2*pi*3", "h"),
        ("| p_1 | – | kPa |\n| p_2 | n/a | kPa |", "p_1"),
        ("| Symbol | Value |\n|---|---|\n| p_1 | |\n| p_2 | ___ |", "p_1"),
        ("| State | T (K) |\n|---|---|\n| 1 | 300 |\n| 2 | 310 |", "p_1"),
    ],
)
def test_quantity_that_is_not_stated_is_not_read(text, symbol):
    assert find_statement(text, symbol) is None


TABLES = {
    "values in any column": "| Unit | Symbol | Value |\n|---|---|---|\n| kPa | p_1 | 5 |\n| kPa | p_2 | 6 |",
    "value before its name": "| Value | Unit | Symbol |\n|---|---|---|\n| 5 | kPa | p_1 |\n| 6 | kPa | p_2 |",
    "states down": "| State | p (kPa) | T (K) |\n|---|---|---|\n| 1 (inlet) | 5 | 300 |\n| State 2 | 6 | 310 |",
    "states across": "| Property | State 1 | State 2 |\n|---|---|---|\n| p (kPa) | 5 | 6 |\n| T (K) | 300 | 310 |",
    "a column each": "| p_1 (kPa) | p_2 (kPa) |\n|---|---|\n| 5 | 6 |",
    "a word and a formula between": "| Quantity | Value |\n|---|---|\n| p_1 | 5 kPa |\n| verdict | holds |\n"
    "| t_h | nu/(2*v_s) |\n| p_2 | 6 kPa |",
    "columns under dashes": "Quantity    Value\n--------    -----\np_1         5 kPa\np_2         6 kPa",
    "HTML": "<table>\n<tr>\n <th>p_1 [kPa]</th>\n <th>p_2 [kPa]</th>\n</tr>\n<tr><td>5</td><td>6</td></tr></table>",
    "HTML items": "<ul><li>p_1 = 5 kPa</li><li>p_2 = 6 kPa</li></ul>",
    "tabs": "p_1\t5\tkPa\np_2\t6\tkPa",
    "LaTeX": r"\begin{tabular}{ll} p_1 & 5 & kPa \\ p_2 & 6 & kPa \end{tabular}",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_tables_of_any_layout_are_read(text):
    assert (read(text, "p_1"), read(text, "p_2")) == ((5, "kPa"), (6, "kPa"))


@pytest.mark.parametrize(
    ("text", "digits"), [("1.50e3", 3), ("0.0012", 2), ("600", 1), ("6.00e2", 3), ("101325", 6)]
)
def test_significant_digits(text, digits):
    assert find_statement(f"p = {text} Pa", "p").digits == digits


RENDERINGS = [
    "so that **{symbol}** = **{plain} {unit}**.",
    "- `{symbol} = {plain} {unit}`",
    "| {symbol} | {plain} | {unit} |",
    "{symbol}: {plain} {unit}",
    "{symbol} ≈ {power} {unit}",
    "{symbol} is {plain} {unit}",
    r"\[ \boxed{{{latex_symbol} = {latex}\,\mathrm{{{unit}}}}} \]",
    r"$${latex_symbol} \approx {latex}~\text{{{unit}}}$$",
    "{symbol} = a*b/c = {plain} {unit}",
    "{symbol} = {unicode} {unit}",
]
SYMBOLS = [
    ("q_s", "q_{s}"),
    ("tau_w", r"\tau_w"),
    ("h_2s", "h_{2s}"),
    ("T", "T"),
    ("W_dot_net", r"\dot{W}_{net}"),
]
UNITS = ["W/m^2", "kPa", "kJ/(kg·K)", "m/s", "K", "J·kg^-1·K^-1", "°C"]


@given(
    mantissa=st.integers(-99_999, 99_999),
    exponent=st.integers(-12, 12),
    symbol=st.sampled_from(SYMBOLS),
    unit=st.sampled_from(UNITS),
    rendering=st.sampled_from(RENDERINGS),
)
@settings(max_examples=200)
def test_every_rendering_of_a_quantity_is_read_back(mantissa, exponent, symbol, unit, rendering):
    value = float(f"{mantissa}e{exponent}")
    coefficient, power = f"{value:.5e}".split("e")
    superscript = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    text = rendering.format(
        symbol=symbol[0],
        latex_symbol=symbol[1],
        unit=unit,
        plain=repr(value),
        power=f"{coefficient} x 10^{int(power)}",
        latex=rf"{coefficient}\times 10^{{{int(power)}}}",
        unicode=f"{coefficient}×10{superscript}".replace("-", "−"),
    )
    found = find_statement(text, symbol[0])
    assert found is not None
    assert math.isclose(found.value, value, rel_tol=1e-12)
    assert found.unit == unit
