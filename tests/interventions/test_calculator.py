"""The calculator's code runs isolated, or not at all."""

import errno
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from ansatz.agents import Question, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import base_plan
from ansatz.errors import SandboxUnavailable
from ansatz.interventions.calculator import Calculator, make_python_tool
from ansatz.sandbox import isolation
from tests.fakes.scripted_model import ScriptedModel
from tests.sandbox.test_levels import LANDLOCK, UNSHARE, refusing


@pytest.fixture
def machine_without_layers(monkeypatch):
    """A machine with only the system call filter, as in a container on an old kernel."""
    if isolation.reached()[0] != "full":
        pytest.skip(f"this machine does not reach full isolation: {isolation.reached()[1]}")
    monkeypatch.setattr(isolation, "launch", refusing({UNSHARE: errno.EPERM, LANDLOCK: errno.ENOSYS}))
    isolation.reached.cache_clear()
    yield
    isolation.reached.cache_clear()


async def run(calculator, code):
    (tool,) = calculator.apply(base_plan()).tools
    return await tool.ainvoke({"code": code})


async def test_code_needs_the_chosen_level_of_isolation(machine_without_layers):
    with pytest.raises(SandboxUnavailable) as caught:
        await run(Calculator(), "1")
    message = str(caught.value)
    assert "`isolation: filter`" in message and "\n" not in message
    assert Calculator(isolation="filter").runner.require() == "filter"
    assert Calculator(isolation="none").runner.require() == "none"


@pytest.mark.parametrize(
    ("code", "output", "settings"),
    [
        ("print('so')\n6 * 7", "so\n42\n", {}),
        ("print('so')\n6 * 7", "so\n42\n", {"isolation": "none"}),
        ("x = 1", "(nothing was printed; use print)", {}),
        ("while True: pass", "Error: the code ran longer than 0.5 s", {"timeout_seconds": 0.5}),
        (
            "import math\nx = -1\nprint('x is', x)\ny = math.sqrt(x)",
            "x is -1\nError: ValueError: math domain error\n"
            '  File "<code>", line 4, in <module>\n    y = math.sqrt(x)',
            {},
        ),
    ],
)
async def test_a_model_sees_what_its_code_prints_or_where_it_fails(code, output, settings):
    assert (await run(Calculator(**settings), code)).startswith(output)


def test_arms_share_their_workers():
    assert Calculator(timeout_seconds=5.0).runner._pools is Calculator(timeout_seconds=9.0).runner._pools


@pytest.fixture
def machine_of_another_system(monkeypatch):
    """A machine without isolation, where only the code of a simulated model runs."""
    monkeypatch.setattr("platform.system", lambda: "Windows")
    isolation.reached.cache_clear()
    yield
    isolation.reached.cache_clear()


CALL = {"name": "run_python", "args": {"code": "6 * 7"}, "id": "1"}


def scripted():
    return ScriptedModel(replies=[AIMessage("", tool_calls=[CALL]), AIMessage("42")])


def make_client(is_simulated):
    """An external client that claims to be simulated, or not."""
    client = connect(scripted())
    return SimpleNamespace(identity={}, reply=client.reply, aclose=client.aclose, is_simulated=is_simulated)


def external_agent(model):
    """An external agent, which has its own calculator and may have its own model too."""

    async def run(state):
        calculator = make_python_tool(Calculator().runner)
        return {"messages": [AIMessage(await calculator.ainvoke(CALL["args"]))]}

    return RunnableLambda(run)


@pytest.mark.parametrize(
    ("client", "agent", "runs"),
    [
        (make_client(True), None, True),
        (connect(scripted()), None, False),
        (make_client("offline"), None, False),
        (make_client(True), external_agent, False),
    ],
    ids=["simulated", "real", "wrong claim", "external agent"],
)
async def test_only_simulated_models_run_code_without_isolation(
    machine_of_another_system, client, agent, runs
):
    plan = Calculator().apply(base_plan())
    plan = plan if agent is None else plan.replace_with_agent(agent)
    with nullcontext() if runs else pytest.raises(SandboxUnavailable):
        transcript = await run_agent(plan, Question("6 * 7?"), client)
        assert [call.result for call in transcript.tool_calls] == ["42\n"]
