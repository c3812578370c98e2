"""Property questions: remembered coarsely, or read from bound tools."""

import re

import pytest
from langchain_core.tools import tool

from ansatz.agents import AgentPlan, Question, run_agent
from ansatz.agents.slide_rule import SlideRule
from ansatz.agents.slide_rule.properties import property_question
from ansatz.agents.slide_rule.reading import read


def question(text, *answers):
    return f"{text}\n\nReport your answers as:\n" + "\n".join(answers)


@pytest.mark.parametrize("name", ["R134a", "R-134a", "HFC-134a", "refrigerant 134a", "Refrigerant-134a"])
async def test_r134a_goes_by_many_names_and_to_the_tool_by_one(name):
    @tool("fluid_state")
    def state(fluid: str, first: str, second: str, properties: list[str]) -> str:
        """Answers one state only."""
        assert (fluid, first, second, properties) == ("R134a", "P = 800 kPa", "T = 50 degC", ["h", "s"])
        return "h = 286.69 kJ/kg\ns = 0.9802 kJ/(kg K)"

    text = question(
        f"{name} at 800 kPa and 50 °C is cooled by water. Find h and s.", "h = ___ kJ/kg", "s = ___ kJ/(kg·K)"
    )
    assert values((await ask(text, state)).answer) == {"h": 286.69, "s": 0.9802}
    recalled = (await ask(text)).answer
    assert "remembered R134a table (h = s = 0 for saturated liquid at -40 °C)" in recalled
    assert values(recalled)["h"] == pytest.approx(286.7, rel=0.1)


async def test_saturated_r134a_is_asked_for_by_temperature():
    @tool("saturation_state")
    def saturated(fluid: str, at: str) -> str:
        """Answers one state only."""
        assert (fluid, at) == ("R134a", "T = 26 degC")
        return "P_sat = 685.8 kPa\nh_f = 87.8 kJ/kg\nh_g = 264.7 kJ/kg"

    text = question("R-134a evaporates at 26 °C.", "h_fg = ___ kJ/kg", "P_sat = ___ kPa")
    assert values((await ask(text, saturated)).answer) == {"h_fg": 176.9, "P_sat": 685.8}


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("A wing at V = 90 m/s in air of density rho = 1.2 kg/m^3. Find q.", ["q = ___ Pa"]),
        ("Air at T = 300 K and p = 100 kPa. Find rho.", ["rho = ___ kg/m^3"]),
        ("Water flows at 300 K, 100 kPa, 3 m/s. Find h.", ["h = ___ kJ/kg"]),
        ("Water at 300 K. Find h.", ["h = ___ kJ/kg"]),
        ("Oil at 300 K and 100 kPa. Find h.", ["h = ___ kJ/kg"]),
    ],
)
def test_other_questions_are_not_about_properties(text, answers):
    assert property_question(read(question(text, *answers))) is None


async def ask(text, *tools):
    transcript = await run_agent(AgentPlan(tools=tools), Question(text), SlideRule())
    assert transcript.stop == "answered"
    return transcript


def values(answer):
    return {
        name: float(value) for name, value in re.findall(r"^(\w+) = ([-+.\deE]+)\s\S+$", answer, re.MULTILINE)
    }


MIXTURE = question(
    "Wet steam at 2150.0 kPa has a quality of 0.47.",
    "h = ___ J/g",
    "v = ___ m³/kg",
    "T = ___ K",
    "Phase: ___",
)


async def test_recall_shows_its_straight_lines_and_source():
    transcript = await ask(MIXTURE)
    from CoolProp.CoolProp import PropsSI

    exact = PropsSI("H", "P", 2.15e6, "Q", 0.47, "Water") / 1e3
    assert values(transcript.answer)["h"] == pytest.approx(exact, rel=0.02)
    assert values(transcript.answer)["h"] != pytest.approx(exact, rel=1e-4)
    assert "remembered water table" in transcript.answer
    assert "Phase: wet steam" in transcript.answer


@tool
def fluid_state(fluid: str, first: str, second: str, properties: list[str]) -> str:
    """Answers one state only."""
    assert (fluid, first, second) == ("water", "P = 2150.0 kPa", "x = 0.47"), (fluid, first, second)
    lines = {
        "h": "h = 1893.12 kJ/kg",
        "v": "v = 0.0488 m^3/kg",
        "T": "T = 216.1 degC",
        "phase": "phase = two phase",
    }
    return "\n".join(lines[name] for name in properties)


@tool
def saturation_state(fluid: str, at: str) -> str:
    """Saturated water at 150 °C."""
    assert at in ("T = 150.0 degC", "T = 150.0degC"), at
    return "T_sat = 150 degC\nP_sat = 476.165 kPa\nh_f = 632.179 kJ/kg\nh_g = 2745.93 kJ/kg\nv_f = 0.00109 m^3/kg"


async def test_a_bound_tool_is_called_and_its_lines_are_believed_and_converted():
    transcript = await ask(MIXTURE, fluid_state)
    assert [call.name for call in transcript.tool_calls] == ["fluid_state"]
    assert values(transcript.answer) == {"h": 1893.12, "v": 0.0488, "T": 489.25}
    assert "Phase: wet steam" in transcript.answer


async def test_saturation_is_asked_for_saturated_values():
    text = question(
        "Water boils at 150.0°C.",
        "h_g = ___ kJ/kg",
        "h_fg = ___ kJ/kg",
        "P_sat = ___ MPa",
        "v_f = ___ m^3/kg",
    )
    transcript = await ask(text, fluid_state, saturation_state)
    assert [call.name for call in transcript.tool_calls] == ["saturation_state"]
    assert values(transcript.answer) == {"h_g": 2745.93, "h_fg": 2113.75, "P_sat": 0.476165, "v_f": 0.00109}


@tool("fluid_state")
def refusing(fluid: str, first: str, second: str, properties: list[str]) -> str:
    """Refuses every state."""
    raise ValueError("no such state")


LIQUID = question("Find the enthalpy of saturated liquid water at 150.0°C.", "h = ___ kJ/kg")


async def test_a_refused_call_is_followed_by_the_other_sensible_one():
    transcript = await ask(LIQUID, refusing, saturation_state)
    assert [(call.name, call.ok) for call in transcript.tool_calls] == [
        ("fluid_state", False),
        ("saturation_state", True),
    ]
    assert values(transcript.answer) == {"h": 632.179}


async def test_when_tools_fail_memory_serves():
    refused, alone = await ask(LIQUID, refusing), await ask(LIQUID)
    assert len(refused.tool_calls) == 1
    assert refused.answer == alone.answer
    assert values(alone.answer)["h"] == pytest.approx(632, rel=0.01)


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("Water at 195 °C and 900 kPa: subcooled liquid, wet steam, superheated steam?", "superheated steam"),
        ("Water at 140 °C and 900 kPa: compressed liquid or superheated vapour?", "compressed liquid"),
        ("What is the phase of water at 450 °C and 30 MPa?", "supercritical"),
        ("What is the phase of R-134a at 30 °C and 400 kPa?", "superheated vapor"),
    ],
)
async def test_a_phase_is_named_as_the_question_names_it(text, phase):
    assert (await ask(question(text, "Phase: ___"))).answer.endswith(f"Phase: {phase}")


async def test_beyond_the_tables_it_guesses_and_says_so():
    answer = (await ask(question("Water at -40 °C and 100 kPa. Find h.", "h = ___ kJ/kg"))).answer
    assert "order-of-magnitude guess" in answer


async def test_air_is_a_perfect_gas_of_room_temperature():
    answer = (await ask(question("Air at 350 K and 200 kPa.", "h = ___ kJ/kg", "v = ___ m³/kg"))).answer
    assert values(answer)["h"] == pytest.approx(1.005 * 350, rel=0.01)
    assert values(answer)["v"] == pytest.approx(0.287 * 350 / 200, rel=0.01)
