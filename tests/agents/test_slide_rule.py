"""The offline model as a chat model: each of its limits, lifted by one thing alone."""

import contextlib
import io
import re
import time

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool

from ansatz.agents import AgentPlan, Question, run_agent
from ansatz.agents.slide_rule import SlideRule
from ansatz.interventions.prompts import AnswerTemplate

ENTRY = """A probe of effective nose radius R_n = 0.6 m flies through air of density rho_inf = 3.1e-4 kg/m^3 at
speed V_inf = 6837 m/s. The boundary layer is laminar and the wall is cold. Find the convective heat flux q_s at the
stagnation point.

Report your answers as:
q_s = ___ W/cm^2"""
ENTRY_FLUX = 1.7415e-4 * (3.1e-4 / 0.6) ** 0.5 * 6837**3 / 1e4

JET = """A jet flies at speed V_inf = 251.3 m/s through air of temperature T_inf = 223.15 K and pressure
p_inf = 26.57 kPa. Find the Mach number M_inf and the stagnation pressure p_0 of the stream.

Report your answers as:
M_inf = ___ -
p_0 = ___ kPa"""
JET_MACH = 251.3 / (1.4 * 287 * 223.15) ** 0.5
JET_PRESSURE = 26.57 * (1 + 0.2 * JET_MACH**2) ** 3.5

SHEET = """Reference sheet:

[E1] Fully turbulent stagnation heating (heating.turbulent)
    q = c*rho**0.8*V**3/Rn**0.2
    where q [W/m**2] stagnation-point convective heat flux; rho [kg/m**3] free-stream density; Rn [m] effective nose radius; V [m/s] free-stream speed; c = 1.0e-4 kg**0.2/m**0.4
    applies when: bl_state in {turbulent}

[E2] Sutton-Graves stagnation heating (Earth) (heating.sutton_graves)
    q = k*sqrt(rho/Rn)*V**3
    where q [W/m**2] cold-wall stagnation-point convective heat flux; rho [kg/m**3] free-stream density; Rn [m] effective nose radius; V [m/s] free-stream speed; k = 1.7415e-4 kg**0.5/m
    applies when: gas in {air}; kn < 0.01; best for: 2000 <= speed <= 8000 m/s; bl_state = laminar
    do not use when: kn > 0.1 (overpredicts; exceeds the free-molecular bound)
"""
PLAIN_SHEET = re.sub(r"\n    (applies|do not).*", "", SHEET)
PROTOCOL = """1. Regime identification: name the regime.
2. Formula selection: justify it.
3. Parameter extraction: list givens.
4. Dimensional setup: check units.
5. Calculation: substitute.
6. Plausibility check: compare with a bound.
7. Interpretation: say what it means."""
FILLER = """This text belongs to a collection. It is read from the beginning to the end.

1. Some items have a heading.
2. Most have none.

Please proceed in your usual way."""


@tool
def run_python(code: str) -> str:
    """Run a program."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


@tool
def notepad(text: str) -> str:
    """Keep a note."""
    return "Noted."


@tool
def search_equations(query: str) -> str:
    """Find equations."""
    assert "R_n = 0.6 m" in query
    return SHEET


@tool
def evaluate_equation(id: str, values: dict[str, str]) -> str:
    """Evaluate an equation."""
    assert (id, values) == (
        "heating.sutton_graves",
        {"rho": "0.00031 kg/m**3", "Rn": "0.6 m", "V": "6837.0 m/s"},
    ), values
    return "q = 1265432.1 W/m**2\nwarning: kn is unknown"


async def attempt(question, *tools, instructions="Solve.", note=""):
    text = f"{note}\n\n{question}" if note else question
    plan = AgentPlan((instructions,), tools)
    transcript = await run_agent(plan, Question(text), SlideRule())
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


async def test_a_failing_program_leaves_mental_arithmetic():
    @tool("run_python")
    def broken(code: str) -> str:
        """Fails."""
        return "Error: no interpreter"

    assert await answer(JET, broken) == await answer(JET)


async def test_memory_has_no_regime_and_a_sheet_with_conditions_has():
    recalled, looked_up = await answer(ENTRY), await answer(ENTRY, note=SHEET)
    assert "Kinetic energy flux" in recalled
    assert off(looked_up, "q_s", ENTRY_FLUX) < 0.02
    assert "Sutton-Graves stagnation heating (Earth) (heating.sutton_graves)" in looked_up
    assert "V_inf = 6837 m/s (2000 <= speed <= 8000 m/s)" in looked_up
    assert "laminar (bl_state = laminar)" in looked_up
    assert "Rejected Fully turbulent stagnation heating: the question says laminar" in looked_up


async def test_a_sheet_without_conditions_does_not_help_to_choose():
    text = await answer(ENTRY, note=PLAIN_SHEET)
    assert "Fully turbulent" in text
    assert "applies" not in text


async def test_the_other_regime_gets_the_other_formula():
    text = await answer(ENTRY.replace("laminar", "turbulent"), note=SHEET)
    assert "Fully turbulent stagnation heating (heating.turbulent)" in text


async def test_terse_unless_a_protocol_is_asked_for():
    terse, long = await answer(ENTRY, note=SHEET), await answer(ENTRY, note=SHEET, instructions=PROTOCOL)
    assert len(terse.splitlines()) <= 6
    for heading in (
        "Regime",
        "Formula",
        "Parameter",
        "Dimensional",
        "Calculation",
        "Plausibility",
        "interpretation",
    ):
        assert re.search(rf"^\d\. .*{heading}", long, re.MULTILINE), heading
        assert heading not in terse
    assert terse.splitlines()[-1] == long.splitlines()[-1]
    assert "R_n = 0.6 m (probe effective nose radius)" in long
    assert "has the unit W/m^2, as required" in long
    assert "q_s = k*sqrt(rho/Rn)*V**3 = 0.000174*sqrt(0.00031/0.6)*6840**3 = 1.26e6 W/m^2" in long
    bound = 0.5 * 3.1e-4 * 6837**3
    assert f"q_s = 126 W/cm^2 <= {bound / 1e4:.0f} W/cm^2, the energy flux 0.5*rho*V^3" in long
    assert "so a wall that sheds it by radiation alone must reach" in long


async def test_a_worked_solution_in_parts_where_its_headings_are_asked_for():
    template = AnswerTemplate().apply(AgentPlan()).instructions[0]
    terse, parts = await answer(ENTRY, note=SHEET), await answer(ENTRY, note=SHEET, instructions=template)
    headings = ("**Problem Formulation**", "**Step-by-step Solution**", "**Final Answer**")
    assert [line for line in parts.splitlines() if line.startswith("**")] == list(headings)
    assert "Given: R_n = 0.6 m (probe effective nose radius); rho_inf" in parts
    assert "General Formula: q_s = k*sqrt(rho/Rn)*V**3" in parts
    assert "Calculation: 0.000174*sqrt(0.00031/0.6)*6840**3 = 1.26e6 W/m^2" in parts
    assert terse.splitlines()[-1] == parts.splitlines()[-1]


async def test_a_failed_check_is_admitted():
    entry = SHEET.replace("k = 1.7415e-4", "k = 1.7415e-2")
    assert "NOT plausible" in await answer(ENTRY, note=entry, instructions=PROTOCOL)


MANY = """A flow has length a_1 = 1 m, length a_2 = 2 m, length a_3 = 3 m, length a_4 = 4 m, length a_5 = 5 m, length
a_6 = 6 m, density rho = 1.2 kg/m^3 and speed V = 90 m/s. Find the dynamic pressure q.

Report your answers as:
q = ___ Pa"""


async def test_equation_tools_are_searched_once_and_believed():
    transcript = await attempt(ENTRY, search_equations, evaluate_equation)
    assert [call.name for call in transcript.tool_calls] == ["search_equations", "evaluate_equation"]
    assert final(transcript.answer, "q_s") == 126.543
    assert "warning: kn is unknown" in transcript.answer


async def test_a_refused_evaluation_falls_back_to_the_head():
    @tool("evaluate_equation")
    def refuses(id: str, values: dict[str, str]) -> str:
        """Refuses."""
        raise ValueError("outside its range")

    text = await answer(ENTRY, search_equations, refuses)
    assert "refused (Error: outside its range)" in text
    assert off(text, "q_s", ENTRY_FLUX) < 0.02


@pytest.mark.parametrize("question", [ENTRY, JET, MANY])
async def test_an_unknown_tool_and_filler_change_nothing(question):
    plain = await answer(question)
    assert await answer(question, notepad) == plain
    assert await answer(question, instructions=FILLER) == plain
    assert await answer(question, note=FILLER) == plain
    assert await answer(question, notepad, instructions=FILLER, note=FILLER) == plain


async def test_without_a_formula_it_guesses_and_says_so():
    question = "Find the magnetic flux B of a coil of radius r = 0.1 m.\n\nReport your answers as:\nB = ___ T"
    assert "I do not recall the formula for B" in await answer(question)


@pytest.mark.parametrize("question", [ENTRY, JET, MANY])
def test_every_target_has_a_final_line_in_its_unit(question):
    text = SlideRule().invoke([HumanMessage(question)]).text
    for symbol, unit in re.findall(r"^(\w+) = ___ (\S+)", question, re.MULTILINE):
        assert re.search(rf"^{symbol} = \S+ {re.escape(unit)}$".replace(r" \-", ""), text, re.MULTILINE)


def test_a_word_that_no_formula_gives_is_left_undetermined():
    text = SlideRule().invoke([HumanMessage("Who wins?\n\nReport your answers as:\nWinner: ___")]).text
    assert text.splitlines()[-1] == "Winner: undetermined"


def test_an_answer_sent_back_for_review_stays():
    model = SlideRule()
    first = model.invoke([SystemMessage("Solve."), HumanMessage(JET)])
    again = model.invoke([SystemMessage("Solve."), HumanMessage(JET), first, HumanMessage("Look again.")])
    assert again.text == first.text


def test_usage_is_estimated_from_words():
    reply = SlideRule().invoke([HumanMessage(JET)])
    assert reply.usage_metadata["input_tokens"] == pytest.approx(1.3 * len(JET.split()), abs=1)
    assert reply.usage_metadata["output_tokens"] == pytest.approx(1.3 * len(reply.text.split()), abs=1)
    assert reply.response_metadata["finish_reason"] == "stop"


@pytest.mark.parametrize(
    "messages",
    [[], [HumanMessage("")], [HumanMessage("Hello")], [AIMessage("x")], [HumanMessage("find x in")]],
)
def test_any_chat_gets_a_reply(messages):
    assert isinstance(respond_to(messages), str)


def respond_to(messages):
    return SlideRule()._generate(messages).generations[0].message.text


def test_it_answers_two_hundred_questions_per_second_of_processor_time():
    model = SlideRule()
    questions = [
        [SystemMessage("Solve."), HumanMessage(text)] for text in (ENTRY, JET, MANY, f"{SHEET}\n\n{ENTRY}")
    ]
    model.invoke(questions[0])
    started = time.process_time()
    for _ in range(25):
        for messages in questions:
            model.invoke(messages)
    assert 100 / (time.process_time() - started) > 200
