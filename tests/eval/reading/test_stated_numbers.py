"""Values in free answers, in the notations of real answers; each row represents a class."""

import pytest

from ansatz.eval.problem import NumberTarget
from ansatz.eval.reading.stated_numbers import read_numbers
from ansatz.quantities.parser import read_formula
from ansatz.quantities.tree import Numeral

ANSWER = NumberTarget(name="answer", unit="m/s", weight=1, value=1)
SHARE = NumberTarget(name="answer", unit="%", weight=1, value=1)
PURE = NumberTarget(name="answer", unit="-", weight=1, value=1)


POWER = NumberTarget(name="P", unit="kW", weight=1, value=1, description="shaft power")


def read(text, target=ANSWER, free_form=True):
    found = read_numbers(text, [target], free_form=free_form)[target.name].statement
    return found and (pytest.approx(found.value), found.unit)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [  # marked answers and conclusions
        (r"\boxed{9.5} \times 10^{-3} \, \text{m/s}", 9.5e-3, "m/s"),
        (r"\[\boxed{5\sqrt{6}\text{ m/s}}\]", 12.2474487, "m/s"),
        (r"\boxed{\text{(b) } 7\text{ m/s}}", 7, "m/s"),
        (r"\boxed{v \approx 3.2}", 3.2, ""),
        (r"v = 9, so after correction v = \boxed{\frac{25}{4}}", 6.25, ""),
        (r"\boxed{4\pi \times 10^{-2}\,\text{m/s} \approx 0.126\,\text{m/s}}", 0.126, "m/s"),
        ("The speed is [ANSWER]4.5 m/s[/ANSWER]", 4.5, "m/s"),
        ("Some words.\n#### 42", 42, ""),
        ("Answer: (b) 33 m/s", 33, "m/s"),
        ("t = 2 s.\n\nSo the speed is approximately $6.5 \\mathrm{~m} \\mathrm{~s}^{-1}$.", 6.5, "m·s^-1"),
        ("Therefore, the speed is 8 m/s. If the mass were 2 kg, it would be 4 m/s.", 8, "m/s"),
        ("v = 3 m/s\n\n$\\ln v = 2$\n\n12 m/s", 12, "m/s"),
        (r"Final Answer: $\frac{3}{4} \mathrm{~m}\mathrm{~s}^{-1}$", 0.75, "m·s^-1"),
        (r"With numbers, v = 14 m/s, and u = 5 m/s. \boxed{v = \sqrt{2gh}}", 14, "m/s"),
        (r"v = 1400 cm/s, so \boxed{1400}", 1400, "cm/s"),
        (r"\boxed{\text{The lowest speed } 14\text{ m/s}}", 14, "m/s"),
        (r"\boxed{3\text{ s}, 14\text{ m/s}}", 14, "m/s"),
        (r"\boxed{t = 3\text{ s and } v = 14\text{ m/s}}", 14, "m/s"),
        ("Final answer: 4 m/s of the 6 m/s are lost.", 4, "m/s"),
        ("The speed is **7.5 m/s** (turbulent, Re = 5200).", 7.5, "m/s"),
        ("The model predicts 3.4 m/s (σ = 0.4 m/s) at full load.", 3.4, "m/s"),
        ("The limit is at x = 230 mm. There the profile has 7.86 m/s", 7.86, "m/s"),
        ("The speed is 17.8 m/s. (Dew point: 23.0 °C)", 17.8, "m/s"),
        ("That's 206.8 m/s, roughly 207 m/s.", 206.8, "m/s"),
        ("It is set to 1.4 m/s (140 cm/s in the database).", 1.4, "m/s"),
        ("Mean 12.3 m/s, maximum 21.8 m/s.", None, ""),
        ("With 38 m/s at the inlet, it is **21 m/s** at the outlet. The limit of 40 m/s holds.", 21, "m/s"),
        ("Bei 20 °C sind es 3,976 m/s (rund 14,3 km/h).", 3.976, "m/s"),
        ("It is **7 m/s** or 9 m/s.", None, ""),
        *((text, None, "") for text in ("No number.", r"\boxed{\frac{4-e}{32+e}}", "It is 1731 J/(2 n F)")),
    ],
)
def test_a_single_target_is_read(text, value, unit):
    assert read(text) == (value and (value, unit))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"The ratio is \boxed{6:1}", 6),
        (r"\alpha = \boxed{\ln 2}", 0.69314718),
        ("The ratio x_A / x_B is 19.", 19),
        ("The number is 13⅓.", 13.333333),
        ("answer ≈ 1.0 × 10⁵ (99 800)", 1e5),
        (r"answer \approxeq 3/4", 0.75),
        (r"\boxed{\text{three}}", 3),
        (r"\boxed{\text{Three photons}}", 3),
        ("answer = 0.018 (0.0179 by Haaland)", 0.018),
        ("answer = 3 (4)", 12),
        ("answer = 52000 > 4000", 52000),
    ],
)
def test_pure_numbers(text, value):
    assert read(text, PURE) == (value, "")


@pytest.mark.parametrize(
    "text",
    [
        "The shaft power is 13.3 kW.",
        "<answer>P = 13.3 kW</answer>",
        "P = 13.3 kW. Note: if eta were 0.8, P = 12.0 kW",
        "SHAFT POWER: 13.3 KW",
        "P = 13.3 kW > 10 kW",
        r"- Power needed: **\(P \approx 13.3\ \mathrm{kW}\)**",
        r"$P = 1.33 \times 10^4 \text{ W} = 13.3 \text{ kW}$",
        '{"shaft_power_kW": 13.3}',
    ],
)
def test_a_single_target_is_found_by_symbol_or_description(text):
    assert read(text, POWER)[0] == 13.3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("η = tanh(mL)/mL = 0.5122/0.5657 = 0.905, i.e. 90.5 %", 90.5),
        ("123.4 of 412.7 kW, i.e. 29.9 %.", 29.9),
    ],
)
def test_a_percentage_counts_rather_than_its_fraction(text, value):
    assert read(text, SHARE) == (value, "%")


def test_a_share_of_another_value_is_not_the_value():
    assert read("The concentration reaches 84.8 % of the equilibrium value.", PURE) is None


@pytest.mark.parametrize(("words", "value"), [(250, 8), (600, None)])
def test_a_conclusion_is_near_the_end(words, value):
    remarks = "as the flow is steady " * (words // 22)
    found = read(f"So the flow speed is 8 m/s.\n\nThis holds {remarks}in the pipe.")
    assert found == (value and (value, "m/s"))


def test_prose_after_a_block_of_results_is_not_read():
    targets = [NumberTarget(name=name, unit="m", weight=1, value=1) for name in ("a", "b", "c")]
    text = "Results:\n\na = 1 m\nb = 2 m\n\nNote that in the other case, which is not asked for, a = 9 m."
    assert read_numbers(text, targets)["a"].statement.value == 1


def test_a_fixed_form_is_not_read_from_other_words():
    assert (
        read("The pressure is 5 m/s", NumberTarget(name="v_2", unit="m/s", weight=1), free_form=False) is None
    )


@pytest.mark.parametrize(
    "text",
    [
        "h_1 and s_1 are 2676 kJ/kg and 7.354 kJ/(kg·K), respectively.",
        "State    h (kJ/kg)    s (kJ/kg·K)\n1        2676         7.354\n2        2800         7.9",
        "| | State 1 | State 2 |\n|---|---|---|\n| h [kJ/kg] | 2676 | 2800 |\n| s [kJ/(kg·K)] | 7.354 | 7.9 |",
        r"\boxed{h_1 = 2676\ \text{kJ/kg},\quad s_1 = 7.354\ \text{kJ/(kg·K)}}",
    ],
)
def test_several_targets_are_each_given_their_own_value(text):
    targets = [
        NumberTarget(name=name, unit=unit, weight=1, value=1)
        for name, unit in (("h_1", "kJ/kg"), ("s_1", "kJ/(kg*K)"))
    ]
    found = read_numbers(text, targets, free_form=True)
    assert [found[target.name].statement.value for target in targets] == [2676, 7.354]


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        (r"30 \text{ MeV}/c", "MeV/c"),
        (r"7.08 \mu \text{F}", "uF"),
        (r"2 \, \text{k}\Omega", "kohm"),
        (r"8.6 \times 10^{22} \, \text{Am}^2", "A·m^2"),
        (r"3 \mathrm{~kW} \mathrm{~m}^{-2}", "kW·m^-2"),
        ("62 L Torr K^{-1} mol^{-1}", "L·torr·K^-1·mol^-1"),
        ("5 Tesla", "tesla"),
        ("0.2 M", "M"),
        ("5 N(m/kg)^2", "N·(m/kg)^2"),
    ],
)
def test_units_after_a_box_or_in_it(written, unit):
    assert read(rf"\boxed{{{written}}}", PURE)[1] == unit


def test_expressions_have_the_intended_values():
    numbers = {"a": Numeral(6.0, 1), "b": Numeral(2.0, 1)}
    assert read_formula("a/2b").at(numbers).readings() == [6.0, 1.5]
    assert read_formula("e^0 + (b - a)").at(numbers).readings() == [-3.0]
    pressure = read_formula("0.5*1.2 kg/m^3*(340 m/s)^2")
    assert pressure.dimension() == (-1.0, 1.0, -2.0, 0.0, 0.0, 0.0, 0.0)
    assert pytest.approx(69360) in pressure.readings()


JUNK = [
    *("((((", "a=", "x = ", "1,234", "1 234 ", "|", "| a | 5 ", "**a", "{", r"\dot", r"\frac{", "5 kg*", "min("),
    *("a = 5 (", "(a) 1 ", "is about ", " ", "\n=", "1e", "abc ", "a(b)", "W/m/", "a = 1 = 2 ", "τ", r"\boxed{"),
    *('{"a": 1, ', "<td>", "= 3 m/s ", "If a is 5 m/s ", "a = 5 m/s\n"),
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK)
def test_hostile_text_is_read_quickly(junk):
    """Reading takes linear time (quadratic reading would take minutes here), and length adds no value."""
    short, long = (read((junk * size)[:size]) for size in (500, 50_000))
    assert long in (None, short)
