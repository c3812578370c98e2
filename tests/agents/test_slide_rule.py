"""The offline model as a chat model: each of its limits, lifted by one thing alone."""

import contextlib
import io
import json
import math
import re

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.tools import StructuredTool, tool

from ansatz.agents import AgentPlan, Question, run_agent
from ansatz.agents.answer_form import AnswerField
from ansatz.agents.models import connect
from ansatz.agents.plan import base_plan
from ansatz.agents.slide_rule import SlideRule
from ansatz.agents.slide_rule.arithmetic import by_hand
from ansatz.agents.slide_rule.formulas import remembered
from ansatz.agents.slide_rule.naming import stored
from ansatz.interventions.formulation import FormulationScaffold
from ansatz.interventions.prompts import AnswerTemplate, CalculationProtocol
from ansatz.quantities.parser import parse_formula
from ansatz.quantities.scales import find_scale
from ansatz.quantities.tree import Formula, Name

OFFLINE = connect("offline:slide-rule")


def asking(text, *blanks):
    return "\n".join([text, "", "Report your answers as:", *blanks])


ENTRY = asking(
    "A probe of effective nose radius R_n = 0.6 m flies through air of density rho_inf = 3.1e-4 kg/m^3 at speed "
    "V_inf = 6837 m/s. The boundary layer is laminar and the wall is cold. Find the convective heat flux q_s at the "
    "stagnation point.",
    "q_s = ___ W/cm^2",
)
ENTRY_FLUX = 1.7415e-4 * (3.1e-4 / 0.6) ** 0.5 * 6837**3 / 1e4
JET = asking(
    "A jet flies at speed V_inf = 251.3 m/s through air of temperature T_inf = 223.15 K and pressure p_inf = 26.57 kPa. "
    "Find the Mach number M_inf and the stagnation pressure p_0 of the stream.",
    "M_inf = ___ -",
    "p_0 = ___ kPa",
)
JET_MACH = 251.3 / (1.4 * 287 * 223.15) ** 0.5
JET_PRESSURE = 26.57 * (1 + 0.2 * JET_MACH**2) ** 3.5
SHEET = """Reference sheet:

[E1] Sutton-Graves stagnation heating (Earth) (heating.sutton_graves)
    q = k*sqrt(rho/Rn)*V**3
    where q [W/m**2] cold-wall stagnation-point convective heat flux; rho [kg/m**3] free-stream density; Rn [m] effective nose radius; V [m/s] free-stream speed; k = 1.7415e-4 kg**0.5/m
    applies when: gas in {air}; kn < 0.01; best for: 2000 <= speed <= 8000 m/s; bl_state = laminar

[E2] Wall temperature by trial (heating.trial)
    0 = T**4 + T*q/k - q, solved for T
    where T [K] wall temperature by trial; q [W/m**2] heat flux; k [W/(m*K)] conductivity"""
MANY = asking(
    "A flow has length a_1 = 1 m, length a_2 = 2 m, length a_3 = 3 m, length a_4 = 4 m, length a_5 = 5 m, length "
    "a_6 = 6 m, density rho = 1.2 kg/m^3 and speed V = 90 m/s. Find the dynamic pressure q.",
    "q = ___ Pa",
)
FORMULATED = "Formulation of the problem:\nGiven: density: rho = 1.2 kg/m^3; speed: V = 90 m/s\nFind: dynamic pressure: q [Pa]\nApproach: dynamic pressure\nAssumptions: steady flow"
FILLER = "This text belongs to a collection. It is read from the beginning to the end.\n\n1. Some items have a heading.\n2. Most have none."
STEAM = asking("Superheated steam has P = 4078 kPa and T = 529.1 °C.", "h = ___ kJ/kg", "v = ___ m³/kg")
WALL = asking(
    "A wall of conductivity k = 2 W/(m*K) takes the heat flux q = 500 W/m^2. Find the wall temperature by trial T.",
    "T = ___ K",
)


@tool
def run_python(code: str) -> str:
    """Run a program."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


def told(name, arguments, result):
    """A tool that gives one result, or fails, and is to be called with just these arguments."""

    def call(**given):
        assert given == arguments
        if isinstance(result, Exception):
            raise result
        return result

    schema = {"type": "object", "properties": {each: {} for each in arguments}, "required": [*arguments]}
    return StructuredTool(name=name, description="A tool.", args_schema=schema, func=call)


SEARCH = told("search_equations", {"query": ENTRY}, SHEET)
PROBE = {
    "id": "heating.sutton_graves",
    "values": {"rho": "0.00031 kg/m**3", "Rn": "0.6 m", "V": "6837.0 m/s"},
}
HOT = {"fluid": "water", "first": "P = 4078 kPa", "second": "T = 529.1 °C", "properties": ["h", "v"]}
STATE = told("fluid_state", HOT, "h = 3510.1 kJ/kg\nv = 0.0879 m^3/kg")
SATURATED = "P_sat = 685.8 kPa\nh_f = 87.8 kJ/kg\nh_g = 264.7 kJ/kg"
SATURATION = told("saturation_state", {"fluid": "R134a", "at": "T = 26 °C"}, SATURATED)


async def attempt(question, *tools, instructions="Solve.", note=""):
    text = f"{note}\n\n{question}" if note else question
    transcript = await run_agent(AgentPlan((instructions,), tools), Question(text), OFFLINE)
    assert transcript.stop == "answered"
    return transcript


async def answer(question, *tools, **changes):
    return (await attempt(question, *tools, **changes)).answer


def final(text, symbol):
    """The value of the last `symbol = value unit` line."""
    return float(re.findall(rf"^{symbol} = ([-+.\deE]+)(?: \S+)?$", text, re.MULTILINE)[-1])


def off(text, symbol, exact):
    return abs(final(text, symbol) / exact - 1)


async def test_mental_arithmetic_is_a_little_off_and_python_makes_it_exact():
    by_head, by_python = await answer(JET), await attempt(JET, run_python)
    assert 1e-5 < off(by_head, "p_0", JET_PRESSURE) < 0.02
    assert 1e-5 < off(by_head, "M_inf", JET_MACH) < 0.02
    (call,) = by_python.tool_calls
    assert "print(" in call.arguments["code"]
    assert off(by_python.answer, "p_0", JET_PRESSURE) < 1e-5
    assert off(by_python.answer, "M_inf", JET_MACH) < 1e-5


async def test_memory_has_no_regime_and_a_sheet_brings_the_formula_that_fits():
    recalled, looked_up = await answer(ENTRY), await answer(ENTRY, note=SHEET)
    assert "Kinetic energy flux" in recalled and off(recalled, "q_s", ENTRY_FLUX) > 1
    assert "Sutton-Graves stagnation heating (Earth) (heating.sutton_graves):" in looked_up
    assert "q_s = k*sqrt(rho/Rn)*V**3 = 1.74e-4*sqrt(3.1e-4/0.6)*6840**3 = " in looked_up
    assert off(looked_up, "q_s", ENTRY_FLUX) < 0.02
    excluded = f"{SHEET}\n\nexcluded: Sutton-Graves (heating.sutton_graves) — the gas is not air"
    assert "heating.sutton_graves" not in await answer(ENTRY, note=excluded)


async def test_equation_tools_are_searched_once_and_believed():
    evaluate = told("evaluate_equation", PROBE, "q = 1265432.1 W/m**2\nNote: kn is unknown")
    transcript = await attempt(ENTRY, SEARCH, evaluate)
    assert [call.name for call in transcript.tool_calls] == ["search_equations", "evaluate_equation"]
    assert final(transcript.answer, "q_s") == 126.543
    assert "Note: kn is unknown" in transcript.answer


async def test_what_a_tool_refuses_is_done_in_the_head():
    program = (await attempt(JET, run_python)).tool_calls[0].arguments
    assert await answer(JET, told("run_python", program, "Error: no interpreter")) == await answer(JET)
    text = await answer(ENTRY, SEARCH, told("evaluate_equation", PROBE, ValueError("outside its range")))
    assert "refused (Error: outside its range)" in text
    assert off(text, "q_s", ENTRY_FLUX) < 0.02


async def test_an_implicit_equation_is_solved_by_a_tool_alone():
    trial = {"id": "heating.trial", "values": {"q": "500.0 W/m**2", "k": "2.0 W/(m*K)"}}
    solves = told("evaluate_equation", trial, "T = 1.98 K")
    assert "heating.trial" not in await answer(WALL, note=SHEET)
    assert final(await answer(WALL, solves, note=SHEET), "T") == 1.98


async def test_property_tables_are_coarse_and_property_tools_are_not():
    recalled, looked_up = await answer(STEAM), await attempt(STEAM, STATE, SATURATION)
    assert 1e-4 < off(recalled, "h", 3510.1) < 0.2 and "remembered water table" in recalled
    assert (final(looked_up.answer, "h"), final(looked_up.answer, "v")) == (3510.1, 0.0879)
    assert [call.name for call in looked_up.tool_calls] == ["fluid_state"]
    question = asking("R-134a evaporates at T = 26 °C.", "h_fg = ___ kJ/kg", "P_sat = ___ kPa")
    text = await answer(question, SATURATION)
    assert (final(text, "h_fg"), final(text, "P_sat")) == (176.9, 685.8)
    assert 0.2 < off(await answer(question), "P_sat", 685.8) < 1.0


@pytest.mark.parametrize(
    ("stated", "asked", "expected"),
    [  # a remembered row, or 0.47 of the way from 850 to 2800 kJ/kg
        ("P = 2150 kPa and a quality x = 0.47", "h = ___ J/kg", 1766.5e3),
        ("a pressure of 2150 kPa and a quality of 0.47", "h = ___ J/kg", 1766.5e3),
        ("P = 3929 kPa and h = 2914 kJ/kg", "T = ___ K", 573.15),
        ("P = 17410 kPa and T = 317.3 °C", "h = ___ J/kg", 1300e3),
        ("T = 124.1 °C", "s_g = ___ J/(kg·K)", 7400),
        ("P = 100 kPa and T = 400 °C", "rho = ___ kg/m^3", 1 / 3.1),
        ("P = 210.3 kPa and T = 100 °C", "Phase: ___", "compressed liquid"),
        ("P = 210.3 kPa and T = 200 °C", "Phase: ___", "superheated vapor"),
        ("P = 210.3 kPa and h = 1500 kJ/kg", "Phase: ___", "saturated mixture"),
    ],
)
async def test_the_nearest_row_of_a_few_is_what_is_remembered(stated, asked, expected):
    text = await answer(asking(f"Water has {stated}.", asked))
    if isinstance(expected, str):
        assert text.splitlines()[-1] == f"Phase: {expected}"
    else:
        assert off(text, asked.split(" ")[0], expected) < 0.005


async def test_a_formulation_keeps_what_is_forgotten_without_one():
    """Six quantities are kept in mind; of eight the last two are lost, and with them the answer."""
    assert "I know no way to find q" in await answer(MANY)
    assert final(await answer(MANY, note=FORMULATED), "q") == pytest.approx(0.5 * 1.2 * 90**2, rel=0.02)
    plan = FormulationScaffold("self").apply(AgentPlan())
    own = await run_agent(plan, Question(MANY), OFFLINE)
    assert "Given as formulated: a_1 = 1 m (A flow has length)" in own.answer
    assert "I know no way to find q" in own.answer


async def test_terse_unless_a_protocol_or_a_worked_solution_is_asked_for():
    asked = [each.apply(AgentPlan()).instructions[0] for each in (CalculationProtocol(), AnswerTemplate())]
    short = await answer(ENTRY, note=SHEET)
    long, parts = [await answer(ENTRY, note=SHEET, instructions=each) for each in asked]
    assert len(short.splitlines()) <= 4
    assert short.splitlines()[-1] == long.splitlines()[-1] == parts.splitlines()[-1]
    steps = "Regime Formula Parameter Dimensional Calculation Plausibility Interpretation"
    assert " ".join(re.findall(r"^\d\. (\w+)", long, re.MULTILINE)) == steps
    assert not re.search(r"^\d\. ", short, re.MULTILINE)
    assert "R_n = 0.6 m (A probe effective nose radius)" in long
    assert "assumed to apply because the sheet offers it here (applies when: gas in {air}" in long
    assert "the effect it measures" not in long  # a flux in W/m² is neither weak nor strong
    headings = ["**Problem Formulation**", "**Step-by-step Solution**", "**Final Answer**"]
    assert [line for line in parts.splitlines() if line.startswith("**")] == headings
    assert "General Formula: q_s = k*sqrt(rho/Rn)*V**3" in parts


@pytest.mark.parametrize("question", [ENTRY, JET, MANY, STEAM])
async def test_an_unknown_tool_and_filler_change_nothing(question):
    plain = await answer(question)
    assert await answer(question, told("notepad", {"text": ""}, "Noted."), instructions=FILLER) == plain


async def test_an_earlier_answer_is_a_given():
    earlier = "Question: How fast?\n\nYour answer: By hand.\n\nV_1 = 90 m/s"
    asked = asking("Now find the dynamic pressure q for the density rho = 1.2 kg/m^3.", "q = ___ Pa")
    assert final(await answer(asked, note=earlier), "q") == pytest.approx(4860, rel=0.02)
    assert "I know no way to find q" in await answer(asked)


@pytest.mark.parametrize("form", ["block", "json", "tool"])
async def test_an_answer_is_stated_in_the_form_asked_for(form):
    plan = base_plan(form)
    asked = (AnswerField("M_inf"), AnswerField("p_0"))
    transcript = await run_agent(plan, Question(JET, answer_fields=asked), OFFLINE)
    assert transcript.stop == "answered"
    if form == "json":
        stated = json.loads(transcript.answer.partition("```json")[2].partition("```")[0])
        assert stated["M_inf"] == {"value": pytest.approx(JET_MACH, rel=0.02), "unit": "-"}
    else:
        assert off(transcript.answer, "p_0", JET_PRESSURE) < 0.02


SOUND = (
    "How fast does sound travel in a perfect gas?\n\nImplement this function:\n\n"
    "```python\ndef speed(gamma: float, R: float, T: float) -> float:\n    pass\n```"
)


async def test_asked_for_a_function_it_writes_the_formula_it_recalls():
    text = await answer(SOUND)
    names = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    assert names["speed"](1.4, 287.0, 300.0) == pytest.approx(math.sqrt(1.4 * 287 * 300))
    other = await answer(SOUND.replace("gamma: float, R: float, T: float", "stiffness: float, mass: float"))
    assert "I know no formula that gives speed from stiffness, mass" in other and "```" not in other


def test_an_answer_sent_back_for_review_stays_and_its_tokens_are_estimated_from_words():
    asked = [SystemMessage("Solve."), HumanMessage(JET)]
    first = SlideRule().reply(asked, {})
    assert SlideRule().reply([*asked, first, HumanMessage("Look again.")], {}).text == first.text
    assert first.usage_metadata["input_tokens"] == pytest.approx(1.3 * len(JET.split()), abs=3)
    assert first.usage_metadata["output_tokens"] == pytest.approx(1.3 * len(first.text.split()), abs=1)
    assert first.response_metadata["finish_reason"] == "stop"
    for messages in ([], [HumanMessage("")], [HumanMessage("What is life?")], [first]):
        assert SlideRule().reply(messages, {}).text == ""


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        ("a*b", {"a": 3.14159, "b": 2.0}, 6.3),  # 0.1 is the division from 5 on
        ("a + b", {"a": 1234.6, "b": 1.0}, 1230.0),
        ("sqrt(a)", {"a": 2.0}, 1.42),  # 0.02 is the division up to 2
        ("a/b", {"a": 1.0, "b": 0.0}, None),
        ("log(a)", {"a": -1.0}, None),
    ],
)
def test_products_are_read_off_and_sums_are_rounded(expression, values, expected):
    assert by_hand(parse_formula(expression).tree, values) == expected


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ("1.514", "P = 1.514 kW"),
        ("P = 1514 W", "P = 1.514 kW"),
        ("Error: no", "I know no way"),
        ("?", "I know no way"),
    ],
)
async def test_a_tool_nobody_here_knows_is_called_where_the_question_states_what_it_takes(result, found):
    @tool
    def shaft_power(flow: str, head: float, efficiency: float = 1.0) -> str:
        """Power."""
        return result

    transcript = await attempt(asking("A pump lifts flow = 12 L/s by head = 9 m.", "P = ___ kW"), shaft_power)
    assert transcript.tool_calls[0].arguments == {"flow": "12 L/s", "head": 9.0}
    assert found in transcript.answer
    assert not (await attempt(asking("A pump: head = 9 m.", "P = ___ kW"), shaft_power)).tool_calls


@pytest.mark.parametrize("entry", stored("memory.yaml")["formulas"], ids=lambda entry: entry["name"])
def test_a_remembered_formula_is_read_right_and_homogeneous(entry):
    [formula] = [each for each in remembered() if each.title == entry["name"]]
    constants = {name: constant.value for name, constant in formula.constants.items()}
    read = Formula(formula.text, formula.tree)
    assert read.value(constants | entry["example"]) == pytest.approx(entry["gives"], rel=1e-3)
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {name: constant.unit for name, constant in formula.constants.items()}
    found = read.dimension(
        lambda leaf: find_scale(units[leaf.name] if isinstance(leaf, Name) else "-").dimension
    )
    assert found == pytest.approx(find_scale(formula.output.unit).dimension, abs=1e-6)
