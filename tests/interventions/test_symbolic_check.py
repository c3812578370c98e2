"""SymPy that a model writes for its steps runs in the sandbox, and what it prints comes back."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from ansatz.agents import InfrastructureError, Question, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import BASE_PLAN
from ansatz.experiments.design.plugins import PluginError, load
from ansatz.interventions.symbolic_check import SymbolicCheck
from ansatz.sandbox import Sandbox
from tests.fakes.scripted_model import ScriptedModel

CHECK = "The second step:\n\n```sympy\nfrom sympy import *\nx = symbols('x')\nprint(integrate(x*exp(-x), (x, 0, oo)))\n```"
FINAL = "The integral is 1.\n\n```python\ndef answer():\n    return 1.0\n```"


async def run(*replies, **settings):
    model = ScriptedModel(replies=[AIMessage(reply) for reply in replies])
    plan = SymbolicCheck(**settings).apply(BASE_PLAN)
    return await run_agent(plan, Question("Integrate."), model), model


async def test_results_of_the_checks_come_back_into_the_conversation():
    transcript, model = await run(CHECK, FINAL)
    assert transcript.answer == FINAL
    told = model.seen[1][-1]
    assert isinstance(told, HumanMessage)
    assert told.text.startswith("Results of the checks:\n\nCheck 1:\n1\n\n")
    assert "You may check 3 more times." in told.text
    assert [type(message) for message in model.seen[1]] == [
        SystemMessage,
        HumanMessage,
        AIMessage,
        HumanMessage,
    ]


async def test_several_checks_of_a_message_run_apart_and_in_order():
    both = "```sympy\nprint(6*7)\n```\nand\n```SymPy\nx = 1\n```\nand\n```sympy\nprint(x)\n```"
    _, model = await run(both, FINAL)
    told = model.seen[1][-1].text
    assert "Check 1:\n42\n\nCheck 2:\n(nothing was printed; use print)\n\nCheck 3:\nError: NameError" in told


async def test_an_error_and_endless_work_are_results_too():
    _, model = await run("```sympy\nwhile True: pass\n```\n```sympy\n1/0\n```", FINAL, timeout_seconds=0.5)
    told = model.seen[1][-1].text
    assert "Error: the code ran longer than 0.5 s" in told
    assert "ZeroDivisionError" in told


async def test_an_answer_without_checks_passes_at_once():
    transcript, model = await run(FINAL)
    assert (transcript.answer, len(model.seen)) == (FINAL, 1)


async def test_checks_end_when_their_rounds_are_up():
    transcript, model = await run(CHECK, CHECK, CHECK, rounds=2)
    assert (transcript.answer, len(model.seen)) == (CHECK, 3)
    assert "This was the last check" in model.seen[2][-1].text


async def test_a_python_block_is_an_answer_and_no_check():
    transcript, model = await run("```python\nprint(1)\n```")
    assert (transcript.stop, len(model.seen)) == ("answered", 1)


async def test_a_flood_of_output_is_cut():
    _, model = await run("```sympy\nprint('7' * 20000)\n```", FINAL)
    assert "[cut: 20000 characters in all]" in model.seen[1][-1].text
    assert len(model.seen[1][-1].text) < 5000


async def test_the_checks_see_neither_files_nor_the_network():
    _, model = await run("```sympy\nprint(open('/etc/passwd').read())\n```", FINAL)
    assert "Error" in model.seen[1][-1].text and "root:" not in model.seen[1][-1].text


async def test_a_fault_of_the_sandbox_is_one_of_infrastructure(monkeypatch):
    async def broken(*args):
        raise InfrastructureError("the worker died")

    monkeypatch.setattr(Sandbox, "run", broken)
    with pytest.raises(InfrastructureError):
        await run(CHECK, FINAL)


async def test_the_offline_model_answers_under_it_as_without_it():
    """It writes no algebra, so that the arm leaves it as it is: nothing was tuned for it."""
    question = Question(
        "Air at p = 101325 Pa and T = 300 K. Find its density.\n\nReport your answers as:\nrho = ___ kg/m^3"
    )
    model = connect("offline:slide-rule")
    bare = await run_agent(BASE_PLAN, question, model)
    checked = await run_agent(SymbolicCheck().apply(BASE_PLAN), question, model)
    assert bare.answer and checked.answer == bare.answer


def test_settings_are_part_of_the_treatment_and_are_checked():
    plans = [
        SymbolicCheck(**settings).apply(BASE_PLAN) for settings in ({}, {"rounds": 2}, {"timeout_seconds": 5})
    ]
    assert len({plan.fingerprint() for plan in plans}) == 3
    assert "at 0x" not in str(plans[0].describe())
    with pytest.raises(PluginError, match="rounds: must be greater than or equal to 1, not"):
        load("ansatz.interventions", "symbolic_check", {"rounds": 0})


@pytest.mark.parametrize("name", ["simple_prompt", "polya", "symbolic_check"])
def test_prompts_are_added_to_the_instructions_and_change_nothing_else(name):
    plan = load("ansatz.interventions", name, {}).apply(BASE_PLAN)
    assert plan.instructions[:-1] == BASE_PLAN.instructions
    assert len(plan.instructions[-1]) > 100 and not plan.tools
