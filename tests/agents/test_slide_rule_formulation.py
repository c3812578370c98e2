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


def answer(question, formulation=""):
    text = SlideRule().invoke([SystemMessage("Solve."), HumanMessage(f"{formulation}\n\n{question}")]).text
    return float(re.findall(r" = ([-+.\deE]+) ?\S*$", text)[-1])


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
