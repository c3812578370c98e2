"""Asked for a Python function, the offline model writes a formula that it recalls, or says that it knows none."""

import math

import pytest

from ansatz.agents import Question, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import BASE_PLAN

SOUND = (
    "How fast does sound travel in a perfect gas?\n\nImplement this function:\n\n"
    "```python\ndef speed(gamma: float, R: float, T: float) -> float:\n    pass\n```"
)


async def answer(question, plan=BASE_PLAN):
    return (await run_agent(plan, Question(question), connect("offline:slide-rule"))).answer


async def test_a_remembered_formula_becomes_a_function_that_runs():
    text = await answer(SOUND)
    names = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    assert names["speed"](1.4, 287.0, 300.0) == pytest.approx(math.sqrt(1.4 * 287 * 300))


async def test_other_quantities_are_beyond_it_and_it_says_so():
    text = await answer(SOUND.replace("gamma: float, R: float, T: float", "stiffness: float, mass: float"))
    assert "I know no formula that gives speed from stiffness, mass" in text
    assert "```" not in text


async def test_a_question_in_other_words_brings_no_formula_to_mind():
    text = await answer(SOUND.replace("How fast does sound travel in a perfect gas?", "Compute it."))
    assert "I know no formula" in text


async def test_a_sheet_at_hand_is_used():
    sheet = "[E1] stretch of a string\n    s = F/k\n    where s [m] stretch; F [N] force; k [N/m] stiffness"
    question = (
        "Find the stretch of a string.\n\n```python\ndef stretch(F: float, k: float) -> float: pass\n```"
    )
    text = await answer(question, BASE_PLAN.instruct(sheet))
    assert "return F/k" in text


async def test_a_constant_is_written_out_unless_it_is_a_parameter():
    sheet = "[E1] energy at rest\n    E = m*c**2\n    where E [J] energy; m [kg] mass; c = 299792458.0 m/s"
    question = "Find the energy of a body at rest.\n\n```python\ndef energy({}) -> float: pass\n```"
    alone = await answer(question.format("m: float"), BASE_PLAN.instruct(sheet))
    given = await answer(question.format("m: float, c: float"), BASE_PLAN.instruct(sheet))
    assert "    c = 299792458.0\n    return m*c**2" in alone
    assert "c = 299792458.0" not in given and "return m*c**2" in given


async def test_other_questions_are_answered_as_before():
    text = await answer(
        "Air at p = 101325 Pa and T = 300 K. Find its density.\n\nReport your answers as:\nrho = ___ kg/m^3"
    )
    assert "rho = p/(R*T)" in text and "I know no formula" not in text
