"""A supplied formulation lifts the limits of an own reading and takes nothing away."""

import re

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents.slide_rule import SlideRule

DUCT = """Nitrogen-free dry air flows in a duct with static pressure p_1 = 60 kPa, static temperature T_1 = 280 K and
speed V_1 = 250 m/s. Find the stagnation temperature T_0 of the air.

Report your answers as:
T_0 = ___ K"""
PLATE = """Heat flows steadily through a slab of thickness L = 20 mm and area A = 0.3 m^2. Its hot side is at
T_h = 500 K, its cold side at T_c = 320 K, its conductivity is k = 1.5 W/(m*K). Find the heat rate Q_s.

Report your answers as:
Q_s = ___ W"""
CROWDED = """A tank of length a_1 = 1 m, width a_2 = 2 m, height a_3 = 3 m, rim a_4 = 4 m, base a_5 = 5 m and lid
a_6 = 6 m lies in a stream of density rho = 1.2 kg/m^3 and speed V = 90 m/s. Find the dynamic pressure q.

Report your answers as:
q = ___ Pa"""

MANY = """A flow has length a_1 = 1 m, length a_2 = 2 m, length a_3 = 3 m, length a_4 = 4 m, length a_5 = 5 m, length
a_6 = 6 m, density rho = 1.2 kg/m^3 and speed V = 90 m/s. Find the dynamic pressure q.

Report your answers as:
q = ___ Pa"""

CASES = [
    (
        DUCT,
        "static pressure: p_1 = 60 kPa; static temperature: T_1 = 280 K; speed: V_1 = 250 m/s; gas: gas = air",
        "stagnation temperature: T_0 [K]",
        280 + 250**2 / (2 * 1004.5),
    ),
    (
        PLATE,
        "L = 20 mm (thickness); A = 0.3 m^2 (area); T_h = 500 K (hot side temperature);"
        " T_c = 320 K (cold side temperature); k = 1.5 W/(m*K) (thermal conductivity); geometry = slab (body)",
        "Q_s [W] (conduction heat rate)",
        1.5 * 0.3 * 180 / 0.02,
    ),
    (
        CROWDED,
        "density: rho = 1.2 kg/m^3; speed: V = 90 m/s",
        "dynamic pressure: q [Pa]",
        0.5 * 1.2 * 90**2,
    ),
]


def text_of(question, note=""):
    return SlideRule().invoke([SystemMessage("Solve."), HumanMessage(f"{note}\n\n{question}")]).text


def answer(question, formulation=""):
    return float(re.findall(r" = ([-+.\deE]+) ?\S*$", text_of(question, formulation))[-1])


def error(value, exact):
    return abs(value / exact - 1)


@pytest.mark.parametrize(("question", "given", "find", "exact"), CASES, ids=["duct", "slab", "crowded"])
def test_a_correct_formulation_never_makes_it_worse(question, given, find, exact):
    formulation = f"Given: {given}\nFind: {find}\nApproach: the principle that fits\nAssumptions: steady flow"
    told = error(answer(question, formulation), exact)
    assert told < 0.02
    assert told <= error(answer(question), exact)


def test_it_lifts_the_limit_of_what_is_kept_in_mind():
    question, given, find, exact = CASES[-1]
    assert error(answer(question), exact) > 0.5
    assert error(answer(question, f"Given: {given}\nFind: {find}\nApproach: x\nAssumptions: y"), exact) < 0.01


def test_an_approach_in_the_formulation_steers_the_choice():
    givens = "Given: rho_inf = 1.2 kg/m^3; V_inf = 90 m/s; p_inf = 95 kPa; T_inf = 300 K\nFind: p_0 [kPa]\n"
    asked = "Find the stagnation pressure p_0.\n\nReport your answers as:\np_0 = ___ kPa"
    incompressible = givens + "Approach: bernoulli equation\nAssumptions: none"
    compressible = givens + "Approach: isentropic relations\nAssumptions: none"
    assert "Bernoulli" in text_of(asked, note=incompressible)
    assert "Isentropic" in text_of(asked, note=compressible)


def test_own_reading_drops_givens_and_a_formulation_supplies_them():
    formulation = """Given: rho = 1.2 kg/m^3 (density); V = 90 m/s (speed)
Find: q [Pa]
Approach: dynamic pressure of the stream
Assumptions: incompressible"""
    assert "I do not recall" in text_of(MANY)
    assert "Given as formulated: rho = 1.2 kg/m^3 (density), V = 90 m/s (speed)." in text_of(
        MANY, note=formulation
    )
    assert error(answer(MANY, formulation), 4860) < 0.01


def test_it_writes_its_own_formulation_and_gains_nothing_from_it():
    request = (
        "Formulate the problem. Do not solve it. Answer in four lines:\nGiven: all\nFind: all\nApproach: x"
    )
    model = SlideRule()
    written = model.invoke([HumanMessage(f"{request}\n\n{MANY}")]).text
    assert [line.partition(":")[0] for line in written.splitlines()] == [
        "Given",
        "Find",
        "Approach",
        "Assumptions",
    ]
    assert "a_6 = 6 m" in written
    assert "rho" not in written
    assert "I do not recall" in text_of(MANY, note=f"Formulation:\n{written}")
