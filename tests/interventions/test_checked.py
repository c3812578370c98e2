"""The errors that `checked` finds without a key, and the answers that it sends back."""

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Question, run_agent
from ansatz.agents.plan import base_plan
from ansatz.interventions.checked import Checked, find_errors
from tests.fakes.scripted_model import ScriptedModel

FLUX = "Air flows at V = 7 km/s past a nose of Rn = 0.5 m. Heat flux?\n\nq = ___ W/m^2"


@pytest.mark.parametrize(
    ("answer", "question", "kind", "quote"),
    [
        ("F = 3.1*4.2 = 13.9 N", "", "arithmetic", "3.1*4.2 = 13.9 N"),
        ("P = 600 kPa = 6 MPa", "", "unit", "600 kPa = 6 MPa"),
        ("L = 3.2 m + 4.1 s = 7.3 m", "", "unit", "3.2 m + 4.1 s = 7.3 m"),
        ("so T_2 = -12.5 K", "", "bound", "T_2 = -12.5 K"),
        ("The thermal efficiency eta = 112 %", "", "bound", "eta = 112 %"),
        (
            "By radiation.tauber_sutton.earth: q_rad = 4.7*C_1 = 2.3e6 W/m^2",
            "A probe enters the atmosphere of the Earth at a speed of 7 km/s with Rn = 0.5 m.",
            "regime",
            "radiation.tauber_sutton.earth",
        ),
    ],
)
def test_an_error_is_reported_with_its_quote(answer, question, kind, quote):
    assert [(each.kind, each.quote) for each in find_errors(answer, question)] == [(kind, quote)]


@pytest.mark.parametrize(
    "answer",
    [
        "F = 3.1*4.2 = 13.0 N",
        "| state | T | s |\n|---|---|---|\n| 1 | 600 °C | 7.4357 kJ/(kg·K) |",
        "P = 22.064 MPa (22064 kPa)",
        "radiation.tauber_sutton.earth does not apply at this speed.",
        "heating.sutton_graves.earth (do not use where bl_state = turbulent; use radiation.tauber_sutton.earth)",
        "Not radiation.tauber_sutton.earth, whose V = 7 km/s is beyond its range.",
        "",
    ],
)
def test_an_answer_without_certain_errors_passes(answer):
    assert find_errors(answer, FLUX) == []


async def checked(*replies, **settings):
    model = ScriptedModel(replies=[AIMessage(reply) for reply in replies])
    return await run_agent(Checked(**settings).apply(base_plan()), Question(FLUX), model), model


async def test_an_answer_is_sent_back_until_it_is_corrected():
    transcript, model = await checked("q = 2*3.5*11 = 78 W/m^2", "q = 2*3.5*11 = 77 W/m^2")
    assert "“2*3.5*11 = 78 W/m^2”: comes to 77, stated 78" in model.seen[1][-1].text
    assert transcript.answer == "q = 2*3.5*11 = 77 W/m^2"
    assert [each.sent_back for each in transcript.reviews] == [True, False]
    assert transcript.reviews[0].details["findings"][0]["computed"] == 77


async def test_an_answer_is_sent_back_at_most_rounds_times():
    wrong = "q = 2*3.5*11 = 78 W/m^2"
    transcript, model = await checked(wrong, wrong, rounds=1)
    assert (len(model.seen), transcript.stop, transcript.answer) == (2, "answered", wrong)
    assert [each.sent_back for each in transcript.reviews] == [True, False]
    assert transcript.reviews[1].details["findings"]
