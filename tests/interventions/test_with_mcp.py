"""The tools of an MCP server as a switch, over both transports, and a server that dies or hangs."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import polars
import pytest

import ansatz as az
from ansatz.agents.identity import identity
from ansatz.errors import PlanError, ServerFailed

pytestmark = pytest.mark.long

SERVER = Path(__file__).parent.parent / "fakes" / "mcp_server.py"
COMMAND = f"{sys.executable} {SERVER}"
QUESTION = "A pump lifts flow = {} L/s of water by head = 9 m at efficiency = 0.7. Which power?\n\nP = ___ kW"


@contextmanager
def at_a_port(*command):
    """Start the server in a separate process at a free port, and wait until it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, *(str(each).format(port=port) for each in command)])
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def call_tool(switch, **arguments):
    [tool] = switch.apply(az.AgentPlan()).tools
    call = {"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"}
    return asyncio.run(tool.ainvoke(call))


def with_time_limit(seconds, switch):
    """The switch with a shorter time limit, without a second request for the tools."""
    hurried = replace(switch, timeout_seconds=seconds)
    vars(hurried)["offer"] = switch.offer
    return hurried


def check_answers(switch, dead_time_limit=60):
    good = call_tool(switch, flow=12, head=9, efficiency=0.7)
    assert (good.text, good.status) == ("1.5105", "success")
    bad = call_tool(switch, flow=12, head=-9, efficiency=0.7)
    assert "head must not be negative" in bad.text and bad.status == "error"
    with pytest.raises(ServerFailed, match=r"did not answer shaft_power within 0\.5 s") as slow:
        call_tool(with_time_limit(0.5, switch), flow=777, head=9, efficiency=0.7)
    with pytest.raises(ServerFailed, match="shaft_power") as dead:
        call_tool(with_time_limit(dead_time_limit, switch), flow=666, head=9, efficiency=0.7)
    assert all("\n" not in str(each.value) for each in (slow, dead))


@pytest.fixture(scope="module")
def plant():
    """The server over stdio, whose tools are requested once."""
    return az.WithMCP(COMMAND)


def test_a_tool_answers_over_stdio(plant):
    check_answers(plant)


def test_a_tool_answers_over_http_until_the_server_is_gone():
    with at_a_port(SERVER, "{port}") as url:
        switch = az.WithMCP(url)
        assert switch.label == "with_mcp(plant)"
        assert identity(switch)["server"] == {"name": "plant", "version": "1.0"}
        check_answers(switch, dead_time_limit=3)  # over HTTP a client does not notice a dead server
    with pytest.raises(ServerFailed, match="shaft_power"):
        call_tool(switch, flow=12, head=9, efficiency=0.7)


def test_a_tool_has_a_name_that_providers_accept(plant):
    [offered] = plant.offer.tools
    named = replace(plant)
    vars(named)["offer"] = replace(
        plant.offer, tools=(offered.model_copy(update={"name": "plant/shaft.power"}),)
    )
    assert [each.name for each in named.apply(az.AgentPlan()).tools] == ["plant_shaft_power"]


def test_identity_is_the_server_and_its_tools(plant):
    assert identity(plant) == identity(az.WithMCP(f"{COMMAND} --elsewhere", timeout_seconds=50))
    assert identity(plant) != identity(az.WithMCP(f"{COMMAND} --second"))
    assert "shaft_power" in str(identity(plant))


@pytest.mark.parametrize(
    ("switch", "kind", "detail"),
    [
        (az.WithMCP("no-such-command"), ServerFailed, "no-such-command"),
        (az.WithMCP(f"{sys.executable} -c pass"), ServerFailed, Path(sys.executable).name),
        (az.WithMCP(COMMAND, only=("shaft",)), PlanError, "'shaft'.*shaft_power"),
    ],
)
def test_a_server_that_cannot_be_used_is_reported_in_a_line(switch, kind, detail):
    with pytest.raises(kind, match=detail) as failure:
        switch.apply(az.AgentPlan())
    assert "\n" not in str(failure.value)


def study(switch, flows, model="offline:slide-rule"):
    problems = [
        {"question": QUESTION.format(flow), "targets": [{"name": "P", "value": 0.12587 * flow, "unit": "kW"}]}
        for flow in flows
    ]
    return az.Study("plant", models=model, problems=problems, arms={"plant": switch}, scorers=[az.Outcome()])


@pytest.mark.slow
def test_a_study_is_resumed_after_its_server_died(tmp_path, plant):
    run = study(plant, (12, 666)).run(tmp_path / "run")
    assert run.counts["failed"] == 1 and run.counts["scored"] == 3
    [error] = run.errors.to_dicts()
    assert "shaft_power" in str(error)
    repaired = tmp_path / "repaired.py"
    repaired.write_text(SERVER.read_text(encoding="utf-8").replace("666", "-1"), encoding="utf-8")
    again = study(az.WithMCP(f"{sys.executable} {repaired}"), (12, 666)).run(tmp_path / "run")
    assert again.counts["failed"] == 0
    assert again["plant"]["outcome"].to_list() == [1.0, 1.0]


def test_the_funnel_shows_the_calls_of_a_server(tmp_path, plant):
    """A tool over stdio is offered, called, used, in the answer and right."""
    run = study(plant, (12, 14)).run(tmp_path / "run")
    found = run.tool_use().filter(source="shaft_power")
    assert set(found["offered"]) == {2} and set(found["calls"]) == {2}
    counts = dict(zip(found["stage"], found["attempts"], strict=True))
    assert [counts[name] for name in ("called", "succeeded", "used", "in answer", "right")] == [2] * 5
    assert run.tool_calls()["decisive"].to_list() == [True, True]


@pytest.mark.slow
def test_a_killed_server_costs_no_score(tmp_path, monkeypatch):
    """Its answers stay, the rest are failures, and the next run asks a server at another port for the rest only."""
    calls = tmp_path / "calls"
    calls.touch()
    monkeypatch.setenv("PLANT_CALLS", str(calls))

    def run(url):
        one_by_one = az.Model("offline:slide-rule", concurrency=1)
        return study(az.WithMCP(url, timeout_seconds=20), range(10, 18), one_by_one).run(tmp_path / "run")

    def kill_after(number):
        while len(called := calls.read_text().split()) < number:
            time.sleep(0.01)
        os.kill(int(called[0]), signal.SIGKILL)

    killer = threading.Thread(target=kill_after, args=(3,))
    killer.start()
    with at_a_port(SERVER, "{port}") as url:
        first = run(url)
    killer.join()
    answered = first["plant"].filter(polars.col("outcome") == 1).height
    assert 2 <= answered <= 4 and first["baseline"].height == 8
    assert first.counts == {"planned": 16, "scored": 8 + answered, "failed": 8 - answered}
    assert all("MCP server" in str(each) for each in first.errors.to_dicts()), first.errors.to_dicts()
    before = len(calls.read_text().split())
    with at_a_port(SERVER, "{port}") as url:
        again = run(url)
    assert again.counts == {"planned": 16, "scored": 16, "failed": 0}
    assert again["plant"]["outcome"].to_list() == [1.0] * 8
    assert len(calls.read_text().split()) - before == 8 - answered
