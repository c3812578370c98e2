"""Each instruction of the cycle protocol lifts one gap of the offline model, and nothing else does."""

import re
from pathlib import Path

import pytest

from ansatz.agents.plan import BASE_PLAN
from ansatz.agents.slide_rule.procedures.habits import habits_in
from ansatz.interventions import prompts
from ansatz.interventions.placebo import Placebo
from ansatz.interventions.prompts import CalculationProtocol
from tests.agents.test_slide_rule_processes import EQUIPPED, QUESTIONS, TURBINE, attempt, values

TEXT = Path(prompts.__file__).with_name("cycle_protocol.md").read_text(encoding="utf-8")
ITEMS = dict(re.findall(r"^(\d+)\. (.*)$", TEXT, re.MULTILINE))
HABITS = {
    "3": {"isentropes"},
    "4": {"heat additions", "effectiveness"},
    "5": {"streams"},
    "6": {"boundaries"},
    "7": {"closing"},
}


def named(name):
    return next(question for question in QUESTIONS if question.name == name)


def off(question, answer):
    """Symbols whose value is more than 0.5 % off."""
    found = values(answer)
    return {
        symbol
        for symbol, (_, value) in question.answers.items()
        if found[symbol] != pytest.approx(value, rel=0.005, abs=1e-9)
    }


async def told(question, *numbers):
    """The answer to a question, with tools and these items of the protocol."""
    plan = (
        EQUIPPED.instruct("\n".join(f"{number}. {ITEMS[number]}" for number in numbers))
        if numbers
        else EQUIPPED
    )
    return (await attempt(question.text, plan)).answer


@pytest.mark.parametrize("number", ITEMS)
def test_an_item_of_the_protocol_makes_its_own_habits(number):
    assert habits_in(ITEMS[number]) == HABITS.get(number, set())


@pytest.mark.parametrize(
    "plan", [BASE_PLAN, CalculationProtocol().apply(BASE_PLAN), Placebo().apply(BASE_PLAN)]
)
def test_other_instructions_make_none(plan):
    assert habits_in("\n\n".join(plan.instructions)) == set()


def test_a_habit_needs_its_words_in_one_item():
    assert habits_in("Balance entropy.\n\nMeasure the temperature at the boundary.") == set()
    assert habits_in("- Divide heat by its boundary temperature when you balance entropy.") == {"boundaries"}


@pytest.mark.parametrize(
    ("name", "number", "gaps"),
    [
        ("ideal reheat cycle", "4", {"q_in", "η_th"}),
        ("boiler with a source", "6", {"s_gen", "ex_dest"}),
        (
            "actual Brayton cycle with constant specific heats",
            "6",
            {"s_gen,comb", "ex_dest,total"},
        ),
        ("combined cycle with constant specific heats", "5", {"q_out"}),
        ("turbine that loses heat", "6", {"s_gen", "x_dest"}),
    ],
)
async def test_one_item_lifts_a_gap_and_all_others_do_not(name, number, gaps):
    question = named(name)
    others = [each for each in ITEMS if each not in (number, "7")]
    assert off(question, await told(question)) == gaps
    assert off(question, await told(question, *others)) == gaps
    assert off(question, await told(question, number)) == set()


async def test_gases_follow_the_isentrope_of_cold_air_until_told_otherwise():
    question = named("actual Brayton cycle with variable specific heats")
    assert {"w_t", "w_net", "eta_th"} <= off(question, await told(question))
    assert off(question, await told(question, "3")) == set()


async def test_pump_work_is_volume_times_pressure_until_told_otherwise():
    question = named("pump from saturation")
    plain, careful = await told(question), await told(question, "3")
    assert "w_s = v_1*(P_2 - P_1)" in plain
    assert "v_1" not in careful
    incompressible = named("pump of an incompressible liquid")
    assert "w_s = v_1*(P_2 - P_1)" in await told(incompressible, "3")


@pytest.mark.parametrize("name", ["ideal reheat cycle", "combined cycle with constant specific heats"])
async def test_a_balance_that_does_not_close_is_noticed_and_put_right(name):
    question = named(name)
    answer = await told(question, "7")
    assert off(question, answer) == set()
    assert re.search(r"The energy balance left [\d.]+ % unexplained", answer)
    assert re.search(r"Energy balance over all devices: [-\d.e]+ % of the energy supplied", answer)


async def test_a_balance_that_closes_is_left_alone():
    answer = await told(named("actual Rankine cycle"), "7")
    assert "unexplained" not in answer
    assert "Energy balance over all devices" in answer
    assert "State 3 (turbine inlet): P = 8000 kPa, T = 773.15 K, h = 3399.5 kJ/kg" in answer


async def test_the_protocol_does_not_change_what_is_right_without_it():
    question = named("turbine in prose")
    assert values(await told(question, *ITEMS)) == values((await attempt(TURBINE.text, EQUIPPED)).answer)


async def test_a_formula_question_is_answered_as_tersely_as_before():
    text = (
        "Air has T = 300 K and p = 101325 Pa. Find the density.\n\nReport your answers as:\nrho = ___ kg/m^3"
    )
    guided = (await attempt(text, EQUIPPED.instruct(TEXT))).answer
    assert guided == (await attempt(text, EQUIPPED)).answer
