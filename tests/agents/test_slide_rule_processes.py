"""Devices and cycles: worked right with tables, arithmetic and the protocol at hand, and coarsely without."""

import contextlib
import io
import re

import pytest
from langchain_core.tools import tool

from ansatz.agents import AgentPlan, run_agent
from ansatz.agents import Question as Asked
from ansatz.agents.plan import Limits
from ansatz.agents.slide_rule import SlideRule
from ansatz.interventions.calculator import Calculator
from ansatz.interventions.fluid_properties import FluidProperties
from ansatz.interventions.prompts import CycleProtocol
from tests.agents.processes import devices, exchangers, gas_cycles, vapour_cycles, wordings

DEVICES = [*devices.questions(), *exchangers.questions()]
CYCLES = [*vapour_cycles.questions(), *gas_cycles.questions()]
QUESTIONS = [*DEVICES, *CYCLES, *wordings.questions()]
BARE = AgentPlan(("Solve.",))


@tool
def run_python(code: str) -> str:
    """Run a program."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


EQUIPPED = FluidProperties().apply(BARE).equip(run_python)
GUIDED = CycleProtocol().apply(EQUIPPED)


async def attempt(text, plan=BARE):
    transcript = await run_agent(plan, Asked(text), SlideRule())
    assert transcript.stop == "answered"
    return transcript


def values(answer):
    """The last value of each `symbol = value unit` line."""
    return {
        found[1]: float(found[2])
        for found in re.finditer(r"^(\S+) = (-?[.\d]+(?:e-?\d+)?)(?: \S+)?$", answer, re.MULTILINE)
    }


def share_right(question, answer, tolerance):
    found = values(answer)
    right = [
        symbol in found and found[symbol] == pytest.approx(value, rel=tolerance, abs=1e-9)
        for symbol, (_, value) in question.answers.items()
    ]
    return sum(right) / len(right)


def test_there_are_enough_questions_and_each_is_its_own():
    assert len(QUESTIONS) >= 40
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question.text for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
async def test_with_tables_arithmetic_and_protocol_every_value_is_right(question):
    transcript = await attempt(question.text, GUIDED)
    found = values(transcript.answer)
    assert found.keys() >= question.answers.keys()
    for symbol, (_, value) in question.answers.items():
        assert found[symbol] == pytest.approx(value, rel=0.005, abs=1e-9), symbol
    assert len(transcript.model_calls) <= Limits().model_calls
    assert len(transcript.tool_calls) <= Limits().tool_calls


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
async def test_the_answer_comes_in_the_units_and_symbols_asked_for(question):
    answer = (await attempt(question.text)).answer
    last = answer.splitlines()[-len(question.answers) :]
    for line, (symbol, (unit, _)) in zip(last, question.answers.items(), strict=True):
        assert line.startswith(f"{symbol} = ")
        assert line.endswith(f" {unit}") or unit == "-"


async def test_each_aid_adds_to_the_one_before():
    """Alone it knows a good part, tables help more, arithmetic and the protocol more again."""
    plans = {
        "alone": BARE,
        "tables": FluidProperties().apply(BARE),
        "tables and arithmetic": EQUIPPED,
        "all": GUIDED,
    }
    shares = {
        name: sum([share_right(q, (await attempt(q.text, plan)).answer, 0.02) for q in QUESTIONS])
        / len(QUESTIONS)
        for name, plan in plans.items()
    }
    assert 0.2 < shares["alone"] < shares["tables"] - 0.1
    assert shares["tables"] < shares["tables and arithmetic"] - 0.1
    assert shares["tables and arithmetic"] < shares["all"] - 0.05
    assert shares["all"] == 1.0


async def test_devices_gain_more_from_tables_than_cycles_do():
    """What tools leave of a device's errors is less than what they leave of a cycle's."""

    async def left(questions):
        shares = [share_right(q, (await attempt(q.text, EQUIPPED)).answer, 0.02) for q in questions]
        return 1 - sum(shares) / len(shares)

    assert await left(DEVICES) < await left(CYCLES)


TURBINE = DEVICES[0]


async def test_a_turbine_is_coarse_alone_and_says_how_it_went():
    answer = (await attempt(TURBINE.text)).answer
    assert "Worked as a turbine" in answer
    assert "From remembered tables" in answer
    assert "h_2 = h_1 - eta_turbine*(h_1 - h_2s) = " in answer
    assert values(answer)["h_1"] == pytest.approx(TURBINE.answers["h_1"][1], rel=0.03)
    assert values(answer)["h_1"] != pytest.approx(TURBINE.answers["h_1"][1], rel=1e-4)


async def test_tables_are_asked_state_by_state():
    transcript = await attempt(TURBINE.text, FluidProperties().apply(BARE))
    assert {call.name for call in transcript.tool_calls} == {"fluid_state"}
    assert transcript.tool_calls[0].arguments["first"] == "P = 6000 kPa"
    assert transcript.tool_calls[0].arguments["second"] == "T = 450 degC"
    assert all(call.ok for call in transcript.tool_calls)
    assert values(transcript.answer)["h_1"] == pytest.approx(TURBINE.answers["h_1"][1], rel=1e-5)
    assert "from fluid_state(water, P = 6000 kPa, T = 450 degC)" in transcript.answer


async def test_the_real_calculator_does_the_arithmetic():
    transcript = await attempt(TURBINE.text, Calculator().apply(FluidProperties().apply(BARE)))
    assert {call.name for call in transcript.tool_calls} == {"fluid_state", "run_python"}
    assert values(transcript.answer)["s_gen"] == pytest.approx(TURBINE.answers["s_gen"][1], rel=1e-3)


async def test_a_perfect_gas_needs_no_tables():
    ideal = next(q for q in CYCLES if q.name == "ideal Brayton cycle")
    assert not (await attempt(ideal.text, FluidProperties().apply(BARE))).tool_calls


@tool("fluid_state")
def refusing(fluid: str, first: str, second: str, properties: list[str]) -> str:
    """Refuses every state."""
    raise ValueError("no such state")


async def test_when_the_tables_refuse_memory_serves():
    refused = await attempt(TURBINE.text, BARE.equip(refusing))
    assert not any(call.ok for call in refused.tool_calls)
    assert values(refused.answer) == values((await attempt(TURBINE.text)).answer)


SHEET = """Reference sheet:

[E1] Ideal gas law (gas.ideal)
    p = rho*R*T
    where p [Pa] pressure; rho [kg/m**3] density; R [J/(kg*K)] gas constant; T [K] temperature
    applies when: 100 <= temperature <= 900 K; best for: pressure < 5 MPa"""
FORMULATION = (
    "Given: P = 3 MPa (somewhere); T = 300 K\nFind: h [kJ/kg]\nApproach: a balance\nAssumptions: none"
)


@pytest.mark.parametrize("note", [SHEET, FORMULATION])
async def test_notes_before_the_question_are_not_part_of_it(note):
    noted = await attempt(f"{note}\n\n{TURBINE.text}")
    assert values(noted.answer) == values((await attempt(TURBINE.text)).answer)


@tool("run_python")
def broken(code: str) -> str:
    """Fails."""
    return "Error: no interpreter"


async def test_when_the_interpreter_fails_the_head_serves():
    failed = await attempt(TURBINE.text, BARE.equip(broken))
    assert values(failed.answer) == values((await attempt(TURBINE.text)).answer)


@pytest.mark.parametrize(
    "text",
    [
        "Steam leaves a boiler at 8 MPa and 500 °C.\n\nReport your answers as:\nh = ___ kJ/kg\ns = ___ kJ/(kg·K)\nv = ___ m³/kg",
        "A turbine blade at T_w = 900 K radiates.\n\nReport your answers as:\nq = ___ W/m^2\nE = ___ W\nF = ___ -",
        "Air enters a nozzle at M_1 = 0.3 and T_1 = 300 K.\n\nReport your answers as:\nT_0 = ___ K\na = ___ m/s",
        "A heat pump and a turbine are discussed.\n\nReport your answers as:\nalpha = ___ -\nbeta = ___ m\ngamma = ___ s",
    ],
)
async def test_what_is_not_clearly_a_process_is_left_to_formulas_and_tables(text):
    assert "Worked as a" not in (await attempt(text)).answer
