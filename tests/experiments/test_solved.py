"""What `solve` reports about an answer: what it rests on, and what is doubtful."""

import pytest

from ansatz.agents import Transcript
from ansatz.experiments.solve import solve
from ansatz.experiments.solved import Solved

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


def test_a_question_without_a_blank_is_refused_with_a_reason():
    found = solve("Steam is at P = 1 MPa and T = 300 degC. How large is its enthalpy?")
    assert not found.is_complete
    assert "no blank" in found.uncertain[0]


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
