"""Your own agent as an arm: its requests are limited, stored, and not paid twice."""

import pytest
from langchain.agents import create_agent

import ansatz as az
from ansatz.errors import SettingError
from tests.experiments.records import records_of
from tests.experiments.test_library import close
from tests.fakes.behaviours import Answer, Failure, Tokens
from tests.fakes.openai_server import OpenAIServer


def shaft_power(flow: float) -> float:
    """Shaft power of a pump in kW, from flow in L/s."""
    return 0.0981 * flow


def reply(request):
    last = request.body["messages"][-1]
    if last["role"] == "tool":
        return Answer(f"answer = {last['content']} kW", tokens=Tokens(20, 10))
    calls = (("shaft_power", {"flow": 1}),)
    return Answer(calls=calls) if "tools" in request.body else Answer("answer = 1 kW")


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
        first = next(each.transcript for each in records_of(tmp_path / "run") if each.arm == "agent")
        assert [call.name for call in first.tool_calls] == ["shaft_power"]
        assert len(first.model_calls) == 2 and first.tokens > 30
        calls = run.tool_calls()
        assert calls["use"].to_list() == ["used"] * 3 and calls["decisive"].all()
        assert set(run.tool_use()["offered"]) == {None}  # which tools an agent offers is not recorded
        again = study(server, az.WithAgent(agent), repeats=2).run(tmp_path / "run")
        assert len(server.requests) == 9 + 9, "only the second repeat is asked"
        assert len(again["agent"]) == 6


@pytest.mark.parametrize(("limits", "made"), [({"model_calls": 1}, 1), ({"tool_calls": 0}, 0)])
def test_limits_hold_inside_it_and_what_it_did_until_then_is_kept(tmp_path, limits, made):
    with OpenAIServer(reply) as server:
        run = study(server, az.WithAgent(agent), limits=limits).run(tmp_path / "run")
        assert run["agent"]["stop"].to_list() == [*limits] * 3
        assert len(server.requests) == 3 + 3
    kept = [each.transcript for each in records_of(tmp_path / "run") if each.arm == "agent"]
    assert [len(each.tool_calls) for each in kept] == [made] * 3


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
        close(chat)


def test_a_function_that_makes_no_graph_is_named(tmp_path):
    with OpenAIServer(reply) as server:
        run = study(server, az.WithAgent(lambda model: 5, name="none")).run(tmp_path / "run")
    assert "must return a graph, not 5" in run.errors["error"][0]


async def answer_later(model):
    return model


@pytest.mark.parametrize("function", [answer_later, lambda: None, lambda model, question: None])
def test_a_function_that_cannot_make_a_graph_is_refused(function):
    with pytest.raises(SettingError, match="takes a chat model and returns a graph"):
        az.WithAgent(function, name="v1")
