"""The calculator's code runs isolated, or the study does not start."""

import errno

import pytest

from ansatz.agents import InfrastructureError
from ansatz.agents.plan import BASE_PLAN
from ansatz.experiments.plugins import PluginError, load
from ansatz.interventions.calculator import Calculator, python_tool
from ansatz.sandbox import SandboxUnavailable, isolation
from ansatz.sandbox.docker import missing
from tests.sandbox.test_levels import LANDLOCK, UNSHARE, refusing


@pytest.fixture
def machine_without_layers(monkeypatch):
    """As in a container on an old kernel: only the system call filter is left."""
    if isolation.reached()[0] != "L3":
        pytest.skip(f"this machine does not reach L3: {isolation.reached()[1]}")
    monkeypatch.setattr(isolation, "launch", refusing({UNSHARE: errno.EPERM, LANDLOCK: errno.ENOSYS}))
    isolation.reached.cache_clear()
    yield
    isolation.reached.cache_clear()


def make(**settings):
    return load("ansatz.interventions", "calculator", settings)


async def run(calculator, code):
    (tool,) = calculator.apply(BASE_PLAN).tools
    return await tool.ainvoke({"code": code})


async def test_a_machine_that_isolates_too_little_runs_nothing_and_says_so_in_one_line(
    machine_without_layers,
):
    with pytest.raises(SandboxUnavailable) as caught:
        await run(make(), "1")
    told = str(caught.value)
    assert told.startswith("model-written code cannot be isolated at L2 here, only at L1")
    assert "`isolation: L1`" in told
    assert "\n" not in told


def test_less_is_accepted_where_it_is_asked_for(machine_without_layers):
    assert make(isolation="L1").runner.require() == "L1"
    assert make(isolation="none").runner.require() == "none"


def test_docker_is_refused_where_no_engine_runs():
    if missing() is None:
        pytest.skip("a Docker engine runs here")
    with pytest.raises(SandboxUnavailable, match="needs a Docker engine"):
        make(sandbox="docker").runner.require()


@pytest.mark.parametrize("settings", [{"isolation": "L4"}, {"sandbox": "cloud"}])
def test_a_setting_that_does_not_exist_is_named(settings):
    with pytest.raises(PluginError, match=next(iter(settings))):
        make(**settings)


@pytest.mark.parametrize("level", ["L2", "none"])
async def test_code_is_run_and_its_last_value_shown(level):
    assert await run(Calculator(isolation=level), "print('so')\n6 * 7") == "so\n42\n"


async def test_the_models_own_line_is_shown_with_its_error():
    told = await run(Calculator(), "import math\nx = -1\nprint('x is', x)\ny = math.sqrt(x)")
    assert told.splitlines()[:4] == [
        "x is -1",
        "Error: ValueError: math domain error",
        '  File "<code>", line 4, in <module>',
        "    y = math.sqrt(x)",
    ]


async def test_a_deadline_is_told_as_one():
    assert "ran longer than 0.5 s" in await run(
        Calculator(timeout_seconds=0.5), "print('so', flush=True)\nwhile True: pass"
    )


async def test_a_fault_of_the_sandbox_is_none_of_the_model():
    class Broken:
        async def run(self, code):
            raise InfrastructureError("out of order")

    with pytest.raises(InfrastructureError, match="out of order"):
        await python_tool(Broken()).ainvoke({"code": "1"})


def test_arms_share_their_workers():
    assert make(timeout_seconds=5.0).runner._pools is make(timeout_seconds=9.0).runner._pools
