"""A whole run shows no model any part of a solution, an answer or a reference."""

import re
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import Reply
from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.experiments.design import Design
from ansatz.experiments.factors import Model
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.resolution import arm_of
from ansatz.experiments.runner import run
from tests.experiments.test_leakage import call

PROBLEMS = load()
WINDOW = 24  # characters: what is shorter may be common property, such as "1/sqrt(1 - b^2)"
SPYING = "```sympy\nimport os, sys, glob\nprint(sys.argv, sorted(os.environ), os.listdir('.'), glob.glob('**/*.yaml'))\n```"


@dataclass
class Recording:
    """Calls every tool at its first sight of an arm, spies in a check, then answers; keeps what it was shown."""

    heard: set[str] = field(default_factory=set)
    met: set[str] = field(default_factory=set)
    identity: dict[str, str] = field(default_factory=dict)

    async def reply(self, messages, tools):
        self.heard |= {message.model_dump_json() for message in messages}
        self.heard |= {message.text for message in messages}
        self.heard |= {str(convert_to_openai_tool(tool)) for tool in tools}
        arm = messages[0].text + str(sorted(tool.name for tool in tools))
        if arm in self.met:
            return Reply(AIMessage("I do not know."), seconds=0.0)
        self.met.add(arm)
        calls = [call(number, tool) for number, tool in enumerate(tools)]
        return Reply(AIMessage("" if calls else SPYING, tool_calls=calls), seconds=0.0)

    async def aclose(self):
        pass


ARMS = {"baseline": {}, "checked": {"polya": {}, "symbolic_check": {}}, "tools": {"calculator": {}}}
"""Those that run code beside a reference; every switch alone is in tests/experiments."""


def windows(text):
    flat = re.sub(r"\\n|\s+", " ", text)
    return {flat[start : start + WINDOW] for start in range(len(flat) - WINDOW + 1)}


def secrets(problem):
    """What distinguishes the key: every window of it that no question holds."""
    target = problem.targets[0]
    parts = (problem.reference.text, target.description, target.value)
    return set().union(*map(windows, parts)) - ASKED


ASKED = set().union(*(windows(problem.question) for problem in PROBLEMS))


async def test_no_message_of_a_whole_run_holds_a_part_of_any_key(tmp_path):
    asked = {each.id: each for each in (PROBLEMS[0], PROBLEMS[-1])}
    client = Recording()
    states = []
    arms = {name: arm_of(name, switches) for name, switches in ARMS.items()}
    models = {"test:recording": Model(client, label="test:recording")}
    plan = Design("leakage", models, arms, asked, (TPBenchScore(),))
    with Ledger.open(tmp_path) as ledger:
        ledger.plan(plan.units, plan.problems.values())
        await run(plan, ledger, states.append)
    assert states == [None] * len(plan.units) and len(states) == 6
    heard = set().union(*map(windows, client.heard))
    for problem in asked.values():
        assert windows(problem.question.replace('"', '\\"')) & heard, problem.id
        assert len(secrets(problem)) > 50, problem.id
        assert not secrets(problem) & heard, problem.id


def test_a_leak_would_be_found():
    leaked = windows(f"Hint: {PROBLEMS[0].reference.text}")
    assert secrets(PROBLEMS[0]) & leaked
