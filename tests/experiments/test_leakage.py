"""No arm shows a problem's key, solution or traps to a model or a tool; only `reference` its formulation."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import Agent, Limits, Reply
from ansatz.eval import Problem
from ansatz.eval.problem import (
    Formulation,
    Given,
    NumberTarget,
    ReferenceSolution,
    SolutionStep,
    TargetBound,
    Tolerance,
)
from ansatz.experiments.design import plugins
from ansatz.experiments.design.resolution import build_arm

KEY, STEP = 918273.645, 564738.291
FORMULATION = "CANARYFORMULATION"
SECRETS = ("918273", "564738", "CANARY")

PROBLEM = Problem(
    id="CANARYID",
    family="CANARYFAMILY",
    benchmark="CANARYBENCHMARK",
    question="Air at p = 101325 Pa and T = 300 K flows at M = 8 over a flat plate. Find the density.\n\n"
    "Report your answers as:\nrho = ___ kg/m^3",
    givens=(Given(name="p", value=101325.0, unit="Pa", description="CANARYGIVEN"),),
    targets=(
        NumberTarget(
            name="rho", unit="kg/m^3", weight=1.0, value=KEY, tolerance=Tolerance(relative=0.01), description="CANARYTARGET"
        ),
    ),
    reference=ReferenceSolution(
        formulation=Formulation(given=FORMULATION, find=FORMULATION, approach=FORMULATION, assumptions=FORMULATION),
        steps=(SolutionStep(equation="CANARYEQUATION", symbol="rho", expression="CANARYEXPRESSION", value=STEP, unit="kg/m^3"),),
        gold_equations=("CANARYGOLD",),
        trap_equations=("CANARYTRAP",),
        trap="CANARYTRAPNOTE",
        bounds=(TargetBound(target="rho", low=0.0, high=KEY, reason="CANARYBOUND"),),
    ),
    tags={"level": "CANARYLEVEL"},
)  # fmt: skip


@dataclass
class Listening:
    """Calls every tool it is offered once, then answers; keeps all it was shown."""

    received: list[str] = field(default_factory=list)
    identity: dict[str, str] = field(default_factory=dict)

    async def reply(self, messages, tools, context):
        self.received += [message.model_dump_json() for message in messages]
        self.received += [json.dumps(convert_to_openai_tool(tool)) for tool in tools]
        called = any(getattr(message, "tool_calls", None) for message in messages)
        calls = [] if called else [call(number, tool) for number, tool in enumerate(tools)]
        return Reply(AIMessage("" if calls else "rho = 1 kg/m^3", tool_calls=calls), seconds=0.0)


def call(number, tool):
    """Arguments that make the tool say something; the code looks for secrets where a tool could see them."""
    arguments = {
        "code": "import os, sys\nprint(sorted(os.environ), sys.argv, os.listdir('.'))",
        "query": PROBLEM.question,
        "id": "reference.ideal_gas",
        "values": {"p": "101325 Pa"},
        "fluid": "water",
        "first": "T = 300 K",
        "second": "P = 101325 Pa",
        "properties": ["rho"],
        "at": "P = 101325 Pa",
        "text": "a note",
        "temperature": "300 K",
    }
    return {"name": tool.name, "args": {name: arguments[name] for name in tool.args}, "id": str(number)}


NAMES = [name for name in plugins.list_names("ansatz.interventions") if not name.startswith("with_")]
PAGE = Path(__file__).parents[2] / "docs" / "tool.md"
SETTINGS = {
    "compute_matched": {"arm": "calculator"},
    "handbook": {"path": str(PAGE)},
    "model_settings": {"temperature": 0.5},
}
ALL = {name: SETTINGS.get(name, {}) for name in NAMES}
REFERENCE = {"formulation": {"source": "reference"}}
ARMS = [
    *({name: settings} for name, settings in ALL.items()),
    {"formulation": {"source": "self"}},
    ALL,
    REFERENCE,
]


@pytest.mark.parametrize("chosen", ARMS, ids=lambda chosen: "+".join(chosen))
async def test_no_arm_shows_the_key_and_one_its_formulation_alone(chosen):
    arm, client = build_arm("arm", chosen), Listening()
    plan = arm.plan.set_limits(Limits(model_calls=100, tool_calls=1000))  # a vote calls every tool five times
    transcript = await Agent(plan).run(PROBLEM.ask(arm.discloses), client)
    assert transcript.stop == "answered"
    received = "\n".join(client.received)
    assert PROBLEM.question.split("\n")[0] in received and (FORMULATION in received) == (chosen == REFERENCE)
    rest = received.replace(FORMULATION, "") if chosen == REFERENCE else received
    assert not any(secret in rest for secret in SECRETS)


@pytest.mark.parametrize("field", ["targets", "reference", "solution", "trap"])
def test_a_problem_refuses_to_disclose_anything_else(field):
    with pytest.raises(ValueError, match="can disclose formulation only"):
        PROBLEM.ask({field})
