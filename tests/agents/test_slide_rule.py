"""The offline model as a chat model: each of its limits, and what removes it."""

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
from ansatz.agents.slide_rule.arithmetic import calculate_by_hand
from ansatz.agents.slide_rule.formulas import load_remembered
from ansatz.agents.slide_rule.quantity_names import load_yaml
from ansatz.interventions.formulation import FormulationScaffold
from ansatz.interventions.prompts import AnswerTemplate, CalculationProtocol
from ansatz.quantities.parser import parse_formula
from ansatz.quantities.scales import find_scale
from ansatz.quantities.tree import Formula, Name

OFFLINE = connect("offline:slide-rule")


def make_question(text, *blanks):
    return "\n".join([text, "", "Report your answers as:", *blanks])


ENTRY = make_question(
    "A probe of effective nose radius R_n = 0.6 m flies through air of density rho_inf = 3.1e-4 kg/m^3 at speed "
    "V_inf = 6837 m/s. The boundary layer is laminar and the wall is cold. Find the convective heat flux q_s at the "
    "stagnation point.",
    "q_s = ___ W/cm^2",
)
ENTRY_FLUX = 1.7415e-4 * (3.1e-4 / 0.6) ** 0.5 * 6837**3 / 1e4
JET = make_question(
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
MANY = make_question(
    "A flow has length a_1 = 1 m, length a_2 = 2 m, length a_3 = 3 m, length a_4 = 4 m, length a_5 = 5 m, length "
    "a_6 = 6 m, density rho = 1.2 kg/m^3 and speed V = 90 m/s. Find the dynamic pressure q.",
    "q = ___ Pa",
)
FORMULATED = "Formulation of the problem:\nGiven: density: rho = 1.2 kg/m^3; speed: V = 90 m/s\nFind: dynamic pressure: q [Pa]\nApproach: dynamic pressure\nAssumptions: steady flow"
FILLER = "This text belongs to a collection. It is read from the beginning to the end.\n\n1. Some items have a heading.\n2. Most have none."
STEAM = make_question(
    "Superheated steam has P = 4078 kPa and T = 529.1 °C.", "h = ___ kJ/kg", "v = ___ m³/kg"
)
WALL = make_question(
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


def make_tool(name, arguments, result):
    """A tool with one result or failure, which accepts exactly these arguments."""

    def call(**given):
        assert given == arguments
        if isinstance(result, Exception):
            raise result
        return result

    schema = {"type": "object", "properties": {each: {} for each in arguments}, "required": [*arguments]}
    return StructuredTool(name=name, description="A tool.", args_schema=schema, func=call)


SEARCH = make_tool("search_equations", {"query": ENTRY}, SHEET)
PROBE = {
    "id": "heating.sutton_graves",
    "values": {"rho": "0.00031 kg/m**3", "Rn": "0.6 m", "V": "6837.0 m/s"},
}
HOT = {"fluid": "water", "first": "P = 4078 kPa", "second": "T = 529.1 °C", "properties": ["h", "v"]}
STATE = make_tool("fluid_state", HOT, "h = 3510.1 kJ/kg\nv = 0.0879 m^3/kg")
SATURATED = "P_sat = 685.8 kPa\nh_f = 87.8 kJ/kg\nh_g = 264.7 kJ/kg"
SATURATION = make_tool("saturation_state", {"fluid": "R134a", "at": "T = 26 °C"}, SATURATED)


async def attempt(question, *tools, instructions="Solve.", note=""):
    text = f"{note}\n\n{question}" if note else question
    transcript = await run_agent(AgentPlan((instructions,), tools), Question(text), OFFLINE)
    assert transcript.stop == "answered"
    return transcript


async def answer(question, *tools, **changes):
    return (await attempt(question, *tools, **changes)).answer


def read_value(text, symbol):
    """The value of the last `symbol = value unit` line."""
    return float(re.findall(rf"^{symbol} = ([-+.\deE]+)(?: \S+)?$", text, re.MULTILINE)[-1])


def has_no_answer(text, symbol):
    """Whether the text has no line `symbol = ...`."""
    return not re.search(rf"^{symbol} =", text, re.MULTILINE)


def relative_error(text, symbol, exact):
    """The relative error of the last value of a symbol."""
    return abs(read_value(text, symbol) / exact - 1)


async def test_python_makes_mental_arithmetic_exact():
    by_head, by_python = await answer(JET), await attempt(JET, run_python)
    assert 1e-5 < relative_error(by_head, "p_0", JET_PRESSURE) < 0.02
    assert 1e-5 < relative_error(by_head, "M_inf", JET_MACH) < 0.02
    (call,) = by_python.tool_calls
    assert "print(" in call.arguments["code"]
    assert relative_error(by_python.answer, "p_0", JET_PRESSURE) < 1e-5
    assert relative_error(by_python.answer, "M_inf", JET_MACH) < 1e-5


async def test_a_sheet_brings_the_formula_that_fits_the_regime():
    recalled, looked_up = await answer(ENTRY), await answer(ENTRY, note=SHEET)
    assert relative_error(recalled, "q_s", ENTRY_FLUX) > 1
    assert "(heating.sutton_graves)" in looked_up
    assert relative_error(looked_up, "q_s", ENTRY_FLUX) < 0.02
    excluded = f"{SHEET}\n\nexcluded: Sutton-Graves (heating.sutton_graves) — the gas is not air"
    assert "heating.sutton_graves" not in await answer(ENTRY, note=excluded)


async def test_equation_tools_are_called_once_and_trusted():
    evaluate = make_tool("evaluate_equation", PROBE, "q = 1265432.1 W/m**2\nNote: kn is unknown")
    transcript = await attempt(ENTRY, SEARCH, evaluate)
    assert [call.name for call in transcript.tool_calls] == ["search_equations", "evaluate_equation"]
    assert read_value(transcript.answer, "q_s") == 126.543
    assert "Note: kn is unknown" in transcript.answer


async def test_a_calculation_that_a_tool_refuses_is_done_by_hand():
    program = (await attempt(JET, run_python)).tool_calls[0].arguments
    assert await answer(JET, make_tool("run_python", program, "Error: no interpreter")) == await answer(JET)
    text = await answer(ENTRY, SEARCH, make_tool("evaluate_equation", PROBE, ValueError("outside its range")))
    assert "outside its range" in text
    assert relative_error(text, "q_s", ENTRY_FLUX) < 0.02


async def test_only_a_tool_solves_an_implicit_equation():
    trial = {"id": "heating.trial", "values": {"q": "500.0 W/m**2", "k": "2.0 W/(m*K)"}}
    solves = make_tool("evaluate_equation", trial, "T = 1.98 K")
    assert "heating.trial" not in await answer(WALL, note=SHEET)
    assert read_value(await answer(WALL, solves, note=SHEET), "T") == 1.98


async def test_property_tables_are_coarse_and_property_tools_are_not():
    recalled, looked_up = await answer(STEAM), await attempt(STEAM, STATE, SATURATION)
    assert 1e-4 < relative_error(recalled, "h", 3510.1) < 0.2
    assert (read_value(looked_up.answer, "h"), read_value(looked_up.answer, "v")) == (3510.1, 0.0879)
    assert [call.name for call in looked_up.tool_calls] == ["fluid_state"]
    question = make_question("R-134a evaporates at T = 26 °C.", "h_fg = ___ kJ/kg", "P_sat = ___ kPa")
    text = await answer(question, SATURATION)
    assert (read_value(text, "h_fg"), read_value(text, "P_sat")) == (176.9, 685.8)
    assert 0.2 < relative_error(await answer(question), "P_sat", 685.8) < 1.0


@pytest.mark.parametrize(
    ("stated", "blank", "expected"),
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
async def test_the_nearest_remembered_row_is_the_answer(stated, blank, expected):
    text = await answer(make_question(f"Water has {stated}.", blank))
    if isinstance(expected, str):
        assert text.splitlines()[-1] == f"Phase: {expected}"
    else:
        assert relative_error(text, blank.split(" ")[0], expected) < 0.005


async def test_a_formulation_preserves_all_givens():
    """The model remembers six quantities; without a formulation, the last two of eight are lost."""
    assert has_no_answer(await answer(MANY), "q")
    assert read_value(await answer(MANY, note=FORMULATED), "q") == pytest.approx(0.5 * 1.2 * 90**2, rel=0.02)
    plan = FormulationScaffold("self").apply(AgentPlan())
    formulated = await run_agent(plan, Question(MANY), OFFLINE)
    assert "a_1 = 1 m" in formulated.answer and has_no_answer(formulated.answer, "q")


async def test_answers_are_brief_unless_the_prompt_asks_for_more():
    prompts = [
        switch.apply(AgentPlan()).instructions[0] for switch in (CalculationProtocol(), AnswerTemplate())
    ]
    short = await answer(ENTRY, note=SHEET)
    long, parts = [await answer(ENTRY, note=SHEET, instructions=prompt) for prompt in prompts]
    assert len(short.splitlines()) <= 4
    assert short.splitlines()[-1] == long.splitlines()[-1] == parts.splitlines()[-1]
    steps = "Regime Formula Parameter Dimensional Calculation Plausibility Interpretation"
    assert " ".join(re.findall(r"^\d\. (\w+)", long, re.MULTILINE)) == steps
    assert not re.search(r"^\d\. ", short, re.MULTILINE)
    assert "R_n = 0.6 m" in long
    assert not re.search("strong|weak", long)  # only dimensionless results are interpreted as such
    headings = ["**Problem Formulation**", "**Step-by-step Solution**", "**Final Answer**"]
    assert [line for line in parts.splitlines() if line.startswith("**")] == headings
    assert "General Formula: q_s = k*sqrt(rho/Rn)*V**3" in parts


@pytest.mark.parametrize("question", [ENTRY, JET, MANY, STEAM])
async def test_an_unknown_tool_and_filler_change_nothing(question):
    plain = await answer(question)
    assert await answer(question, make_tool("notepad", {"text": ""}, "Noted."), instructions=FILLER) == plain


async def test_an_earlier_answer_is_a_given():
    earlier = "Question: How fast?\n\nYour answer: By hand.\n\nV_1 = 90 m/s"
    question = make_question(
        "Now find the dynamic pressure q for the density rho = 1.2 kg/m^3.", "q = ___ Pa"
    )
    assert read_value(await answer(question, note=earlier), "q") == pytest.approx(4860, rel=0.02)
    assert has_no_answer(await answer(question), "q")


@pytest.mark.parametrize("form", ["block", "json", "tool"])
async def test_an_answer_has_the_requested_form(form):
    plan = base_plan(form)
    fields = (AnswerField("M_inf"), AnswerField("p_0"))
    transcript = await run_agent(plan, Question(JET, answer_fields=fields), OFFLINE)
    assert transcript.stop == "answered"
    if form == "json":
        stated = json.loads(transcript.answer.partition("```json")[2].partition("```")[0])
        assert stated["M_inf"] == {"value": pytest.approx(JET_MACH, rel=0.02), "unit": "-"}
    else:
        assert relative_error(transcript.answer, "p_0", JET_PRESSURE) < 0.02


SOUND = (
    "How fast does sound travel in a perfect gas?\n\nImplement this function:\n\n"
    "```python\ndef speed(gamma: float, R: float, T: float) -> float:\n    pass\n```"
)


async def test_a_requested_function_contains_a_known_formula():
    text = await answer(SOUND)
    names = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    assert names["speed"](1.4, 287.0, 300.0) == pytest.approx(math.sqrt(1.4 * 287 * 300))
    other = await answer(SOUND.replace("gamma: float, R: float, T: float", "stiffness: float, mass: float"))
    assert other and "```" not in other


def test_a_review_does_not_change_the_answer():
    messages = [SystemMessage("Solve."), HumanMessage(JET)]
    first = SlideRule().reply(messages, {})
    assert SlideRule().reply([*messages, first, HumanMessage("Look again.")], {}).text == first.text
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
def test_products_are_read_off_the_rule_and_sums_rounded(expression, values, expected):
    assert calculate_by_hand(parse_formula(expression).tree, values) == expected


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ("1.514", 1.514),
        ("P = 1514 W", 1.514),
        ("Error: no", None),
        ("?", None),
    ],
)
async def test_a_custom_tool_is_called_if_its_arguments_are_stated(result, found):
    @tool
    def shaft_power(flow: str, head: float, efficiency: float = 1.0) -> str:
        """Power."""
        return result

    transcript = await attempt(
        make_question("A pump lifts flow = 12 L/s by head = 9 m.", "P = ___ kW"), shaft_power
    )
    assert transcript.tool_calls[0].arguments == {"flow": "12 L/s", "head": 9.0}
    if found is None:
        assert has_no_answer(transcript.answer, "P")
    else:
        assert read_value(transcript.answer, "P") == found
    assert not (await attempt(make_question("A pump: head = 9 m.", "P = ___ kW"), shaft_power)).tool_calls


@pytest.mark.parametrize("entry", load_yaml("memory.yaml")["formulas"], ids=lambda entry: entry["name"])
def test_a_remembered_formula_is_right_and_homogeneous(entry):
    [formula] = [each for each in load_remembered() if each.title == entry["name"]]
    constants = {name: constant.value for name, constant in formula.constants.items()}
    parsed = Formula(formula.text, formula.tree)
    assert parsed.value(constants | entry["example"]) == pytest.approx(entry["gives"], rel=1e-3)
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {name: constant.unit for name, constant in formula.constants.items()}
    found = parsed.dimension(
        lambda leaf: find_scale(units[leaf.name] if isinstance(leaf, Name) else "-").dimension
    )
    assert found == pytest.approx(find_scale(formula.output.unit).dimension, abs=1e-6)
