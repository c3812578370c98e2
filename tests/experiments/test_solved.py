"""What `solve` reports about an answer: what it rests on, and what is doubtful."""

import asyncio

import pytest

from ansatz.agents import Question, Transcript, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import base_plan
from ansatz.experiments.solve import solve
from ansatz.experiments.solved import Solved
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import find_statements

TURBINE = """Steam enters an adiabatic turbine at p1 = 8 MPa and T1 = 500 degC and leaves at p2 = 10 kPa.
The isentropic efficiency is eta = 0.85. Find the specific work w of the turbine.
w = ___ kJ/kg"""


def transcript(answer):
    return Transcript(answer=answer, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0.0)


def test_steam_is_never_given_the_heat_capacity_of_air():
    found = solve(TURBINE)
    assert not found.is_complete
    assert found.quantities["w"] is None or found.quantities["w"].value == pytest.approx(1079, rel=0.01)
    assert "the gas is air" not in found.answer


@pytest.mark.parametrize("sentence", ["h = ___ kJ/kg", "Its enthalpy is h = ___ kJ/kg."])
def test_a_blank_within_a_sentence_is_answered(sentence):
    found = solve(f"Steam is at P = 1 MPa and T = 300 degC. {sentence}")
    assert found.quantities["h"].value == pytest.approx(3051.6, abs=0.1)  # Cengel and Boles, table A-6


@pytest.mark.parametrize(
    ("question", "expected", "unit"),
    [
        ("Steam is at P = 1 MPa and T = 300 degC. How large is its enthalpy?", 3051.6, "kJ/kg"),
        ("What is the boiling temperature of water at 1 atm, in K?", 373.12, "K"),  # IAPWS
        ("A fan moves air of density 1.2 kg/m3 at 10 m/s. Find the dynamic pressure.", 60, "Pa"),
        ("A pump lifts 10 L/s of water to 20 m head with 50 % efficiency. How much power?", 3914.9, "W"),
        (
            "What density in g/cm3 does air have at 300 K and 1 atm?",
            1.1766e-3,
            "g/cm^3",
        ),  # Incropera, table A.4
        ("Determine the heat needed to warm 2 kg of water from 10 C to 60 C.", 418200, "J"),
        ("What is the Carnot efficiency between 27 C and 327 C?", 0.5, "-"),
        ("What is the maximum efficiency of a heat engine between 300 °C and 25 °C?", 0.4798, "-"),
        ("What is the COP of a heat pump with 7 kW of heat and 2 kW of electricity?", 3.5, "-"),
        ("How fast is sound in air at 20 °C?", 343.2, "m/s"),
        ("At what temperature does water boil at 1 atm?", 373.12, "K"),  # IAPWS
        ("An Otto engine has a compression ratio of 8. What is its efficiency?", 0.5647, "-"),
        (
            "Air at 1 bar and 27 °C is compressed isentropically to 8 bar. What is the final temperature?",
            540.3,  # Cengel and Boles, table A-17: p_r = 8 x 1.389
            "K",
        ),
        ("How much heat does 2 kg of water need from 10 to 60 °C?", 418200, "J"),
        (
            "How much heat does it take to evaporate 3 kg of water at 100 °C?",
            6769.5,
            "kJ",
        ),  # 2256.5 kJ/kg
        ("A ball falls from 20 m. What is its speed at the ground?", 19.806, "m/s"),  # sqrt(2 g h)
        ("How much drag acts on 2 m2 at 10 m/s in air of 1.2 kg/m3 with a drag coefficient of 0.5?", 60, "N"),
        (
            "A wall of 0.2 m with a conductivity of 0.9 W/(m K) is at 20 °C inside and 0 °C outside. What is the heat flux?",
            90,
            "W/m^2",
        ),
        (
            "An aircraft flies at 300 m/s where the temperature is 223.15 K. What is its Mach number?",
            1.0019,
            "-",
        ),
    ],
)
def test_a_question_without_a_blank_is_answered(question, expected, unit):
    found = find_statements(solve(question).answer)[-1]
    assert convert_value(found.value, found.unit or "-", unit) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    "question",
    [
        "A beam of 2 m carries 300 kg. What is its colour?",
        "Steam at 40 bar and 400 C expands to 0.1 bar. What is its enthalpy?",  # two states
        "A car of 1200 kg drives at 25 m/s with 2 passengers. What is its kinetic energy?",
        "What is the escape velocity from a hill of 20 m?",
        "Air at 20 C flows at 3 m/s through 2 kg of sand. What is the speed of sound?",  # givens are left over
    ],
)
def test_a_doubtful_question_gets_its_reading_and_no_answer(question):
    found = solve(question)
    assert not found.answer and not found.is_complete
    assert any("read as given" in line for line in found.uncertain)
    assert any("___" in line for line in found.uncertain)


def test_a_state_with_one_property_gets_a_form_that_works():
    *_, form = solve("What is the density of water at 20 C?").uncertain
    assert "T = 20 degC" in form and "rho = ___ kg/m^3" in form
    found = solve("Water is at T = 20 degC, P = 1 bar. rho = ___ kg/m^3")
    assert found.quantities["rho"].value == pytest.approx(998.2, rel=1e-3)  # IAPWS


def test_a_formula_for_steam_gives_no_other_fluid():
    found = solve("What is the density of saturated R1234yf vapour at 5 degC?")
    assert all("water" not in each["id"] for each in found.equations)
    assert all(abs(each.value - 20.73) < 0.1 for each in found.quantities.values())  # CoolProp


def test_only_solve_asks_for_symbols_of_its_own_choice():
    question = Question("Find the dynamic pressure of air of density 1.2 kg/m3 at 10 m/s.")
    assert not asyncio.run(run_agent(base_plan(), question, connect("offline:slide-rule"))).answer


def test_a_work_that_vanishes_by_one_value_used_twice_is_a_fault():
    found = Solved(TURBINE, transcript("w = h1 - h2 = 777 - 777 = 0 kJ/kg"))
    assert [each.kind for each in found.faults] == ["bound"]
    assert not found.is_complete
    throttled = Solved(TURBINE, transcript("w = h1 - h2 = 777 - 776 = 1 kJ/kg"))
    assert not throttled.faults


def test_a_formula_from_memory_is_listed_as_uncertain():
    found = solve("A stream has p = 100 kPa, rho = 1.2 kg/m^3 and V = 90 m/s. q = ___ Pa", switches=[])
    assert [each["sources"] for each in found.equations if each["id"] == "memory"] == [["memory"]]
    assert any("from memory" in line for line in found.uncertain)
