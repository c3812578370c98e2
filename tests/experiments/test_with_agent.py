"""An agent of one's own as an arm: its requests are limited, kept, and not paid for twice."""

import inspect
import random

import pytest
from langchain.agents import create_agent

import ansatz as az
from ansatz.experiments.ledger import Ledger
from tests.commands import process
from tests.experiments.served_study import command, write_study
from tests.experiments.test_kill import kill_after
from tests.fakes.behaviours import Answer, Failure, Tokens
from tests.fakes.openai_server import OpenAIServer


def shaft_power(flow: float) -> float:
    """Shaft power of a pump in kW, from flow in L/s."""
    return 0.0981 * flow


def reply(request):
    last = request.body["messages"][-1]
    if last["role"] == "tool":
        return Answer(f"answer = {last['content']} kW", tokens=Tokens(20, 10))
    return (
        Answer(calls=(("shaft_power", {"flow": 1}),)) if "tools" in request.body else Answer("answer = 1 kW")
    )


def agent(model):
    return create_agent(model, [shaft_power])


def study(server, switch, **settings):
    model = az.Model("openai:m", settings={"base_url": server.base_url})
    problems = [(f"Pump {n} lifts 1 L/s by 10 m. Shaft power?", "0.0981 kW") for n in range(3)]
    return az.Study(
        "agents", models=model, problems=problems, arms={"agent": switch}, scorers=[az.Outcome()], **settings
    )


def test_an_agent_of_ones_own_goes_through_the_ledger(tmp_path):
    with OpenAIServer(reply) as server:
        run = study(server, az.WithAgent(agent)).run(tmp_path / "run")
        assert run["agent"]["outcome"].to_list() == [1.0] * 3, run.errors
        assert len(server.requests) == 3 + 6
        with Ledger.open(tmp_path / "run", write=False) as ledger:
            [first, *_] = [each.transcript for each in ledger.records() if each.arm == "agent"]
        assert [call.name for call in first.tool_calls] == ["shaft_power"]
        assert len(first.model_calls) == 2 and first.tokens > 30
        again = study(server, az.WithAgent(agent), repeats=2).run(tmp_path / "run")
        assert len(server.requests) == 9 + 9, "only the second repeat is asked"
        assert len(again["agent"]) == 6


def test_limits_hold_inside_it(tmp_path):
    with OpenAIServer(reply) as server:
        run = study(server, az.WithAgent(agent), limits=az.Limits(model_calls=1)).run(tmp_path / "run")
        assert run["agent"]["stop"].to_list() == ["model_calls"] * 3
        assert len(server.requests) == 3 + 3


def test_a_broken_off_attempt_pays_for_its_last_request_alone(tmp_path):
    """The first reply of each attempt is kept where the second one fails."""

    broken = {"now": True}

    def script(request):
        late = request.body["messages"][-1]["role"] == "tool"
        return Failure(400, "not now") if late and broken["now"] else reply(request)

    with OpenAIServer(script) as server:
        first = study(server, az.WithAgent(agent)).run(tmp_path / "run")
        assert first.counts["failed"] == 3 and len(server.requests) == 9
        broken["now"] = False
        second = study(server, az.WithAgent(agent)).run(tmp_path / "run")
        assert second.counts["failed"] == 0 and len(server.requests) == 9 + 3


@pytest.mark.slow
def test_a_killed_run_pays_again_for_what_was_in_flight_alone(tmp_path):
    own = (
        "from langchain.agents import create_agent\n"
        + inspect.getsource(shaft_power)
        + inspect.getsource(agent)
    )
    (tmp_path / "own.py").write_text(own)
    with OpenAIServer(lambda request: reply(request), latency=0.05) as server:
        file = write_study(tmp_path, server.base_url, problems=15)
        text = file.read_text().replace(
            "{placebo: placebo}", "{agent: {with_agent: {agent: 'own.py:agent'}}}"
        )
        file.write_text(text)
        whole = 15 + 2 * 15  # the baseline asks once, the agent twice
        kill_after(command(file, tmp_path / "run"), server, random.Random(3))
        killed = len(server.requests)
        assert 0 < killed < whole
        done = process(*command(file, tmp_path / "run"))  # an agent of one's own leaves its sockets open
        assert done.returncode == 0, done.stderr
        assert whole <= len(server.requests) <= whole + 4
    with Ledger.open(tmp_path / "run", write=False) as ledger:
        states = [(record.state, record.arm) for record in ledger.records()]
    assert states.count(("scored", "agent")) == states.count(("scored", "baseline")) == 15


def test_a_finished_graph_needs_a_name_and_is_accounted_for(tmp_path):
    from langchain_openai import ChatOpenAI

    with OpenAIServer(reply) as server:
        chat = ChatOpenAI(model="own", base_url=server.base_url, api_key="unused", max_retries=0)
        graph = create_agent(chat, [shaft_power])
        with pytest.raises(ValueError, match="needs a name"):
            az.WithAgent(graph)
        run = study(server, az.WithAgent(graph, name="v1")).run(tmp_path / "run")
        assert run["agent"]["outcome"].to_list() == [1.0] * 3, run.errors
        assert run["agent"]["tokens"].to_list() == [45.0] * 3
