"""SymPy programs that a model writes for its steps run in the sandbox, and their output comes back."""

import re

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Question, run_agent
from ansatz.agents.plan import base_plan
from ansatz.errors import InfrastructureError
from ansatz.interventions.symbolic_check import SymbolicCheck
from ansatz.sandbox import Sandbox
from tests.fakes.scripted_model import ScriptedModel

CHECK = "The second step:\n\n```sympy\nfrom sympy import *\nx = symbols('x')\nprint(integrate(x*exp(-x), (x, 0, oo)))\n```"
FINAL = "The integral is 1.\n\n```python\ndef answer():\n    return 1.0\n```"


async def run(*replies, **settings):
    model = ScriptedModel(replies=[AIMessage(reply) for reply in replies])
    plan = SymbolicCheck(**settings).apply(base_plan())
    return await run_agent(plan, Question("Integrate."), model), model


async def test_results_of_the_checks_come_back_into_the_conversation():
    transcript, model = await run(CHECK, FINAL)
    assert transcript.answer == FINAL
    assert [message.type for message in model.seen[1]] == ["system", "human", "ai", "human"]
    reply = model.seen[1][-1].text
    assert reply.startswith("Results of the checks:\n\nCheck 1:\n1\n\n")
    assert "You may check 3 more times." in reply


async def test_checks_run_separately_and_failures_are_results():
    programs = "print(6*7)", "x = 1", "print(x)", "while True: pass"
    message = "\nand\n".join(f"```SymPy\n{each}\n```" for each in programs)
    _, model = await run(message, FINAL, timeout_seconds=1)
    results = re.split(r"\n*Check \d:\n", model.seen[1][-1].text)[1:]
    assert results[:2] == ["42", "(nothing was printed; use print)"]
    assert results[2].startswith("Error: NameError")
    assert results[3].startswith("Error: the code ran longer than 1 s")


@pytest.mark.parametrize("answer", [FINAL, "```python\nprint(1)\n```"])
async def test_an_answer_without_checks_is_final(answer):
    transcript, model = await run(answer)
    assert (transcript.answer, len(model.seen)) == (answer, 1)


async def test_checks_end_after_the_last_round():
    transcript, model = await run(CHECK, CHECK, CHECK, rounds=2)
    assert (transcript.answer, len(model.seen)) == (CHECK, 3)
    assert "This was the last check" in model.seen[2][-1].text


async def test_a_flood_of_output_is_cut():
    _, model = await run("```sympy\nprint('7' * 20000)\n```", FINAL)
    assert "[cut: 20000 characters in all]" in model.seen[1][-1].text
    assert len(model.seen[1][-1].text) < 5000


async def test_a_fault_of_the_sandbox_fails_the_attempt(monkeypatch):
    async def broken(*args):
        raise InfrastructureError("the worker died")

    monkeypatch.setattr(Sandbox, "run", broken)
    with pytest.raises(InfrastructureError):
        await run(CHECK, FINAL)
