"""Names and settings become clients; the real SDKs talk to servers over HTTP."""

import asyncio
import subprocess
import sys
from contextlib import aclosing

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache
from langchain_core.messages import AIMessage

from ansatz.agents import AgentPlan, Limits, Question, Usage, run_agent
from ansatz.agents.attempt import Attempt
from ansatz.agents.client import read_usage
from ansatz.agents.models import connect, fast_path
from ansatz.errors import ModelError
from tests.agents.providers import ASK, IMPATIENT, KEY, SERVERS, ask, connected, double
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.behaviours import Answer, Failure, Tokens
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.usefixtures("keys")


async def test_an_agent_calls_a_tool_and_its_cost_is_recorded(name):
    script = [
        Answer(calls=(("double", {"number": 21}), ("double", {"number": 1.5}))),
        Answer("42 kJ", tokens=Tokens(100, 20, cached=30, reasoning=7)),
        Answer("I", finish="length"),
        Answer("I", finish="content_filter"),
    ]
    plan = AgentPlan().instruct("Use the tool.").equip(double)
    with SERVERS[name](script) as server:
        async with connected(name, server) as client:
            ended = [await run_agent(plan, Question("Double 21 and 1.5."), client) for _ in range(3)]
    assert [each.stop for each in ended] == ["answered", "truncated", "refused"]
    assert ended[0].answer == "42 kJ"
    assert [record.result for record in ended[0].tool_calls] == ["42.0", "3.0"]
    assert "Use the tool." in server.requests[0].text and '"double"' in server.requests[0].text
    assert '"42.0"' in server.requests[1].text
    written = 0 if name.startswith("anthropic") else None  # only some providers report it
    call = ended[0].model_calls[1]
    assert call.usage == Usage(input=100, output=20, cached_input=30, cache_write=written, reasoning=7)
    assert call.retries == ()


async def test_a_cache_of_langchain_is_used():
    """Requests then take the long way, through everything that LangChain has about them."""
    set_llm_cache(InMemoryCache())
    try:
        with OpenAIServer([Answer("42")]) as server:
            async with connected("openai:m", server) as client:
                assert [(await client.reply(ASK, ())).message.text for _ in range(2)] == ["42", "42"]
    finally:
        set_llm_cache(None)


@pytest.fixture
def checked_release(request, monkeypatch):
    """Whether the installed releases count as ones whose private members were checked."""
    fast_path._log_public_path.cache_clear()
    if not request.param:
        monkeypatch.setattr(fast_path, "CHECKED", dict.fromkeys(fast_path.CHECKED, "0.0"))
    return request.param


@pytest.mark.parametrize("checked_release", [True, False], indirect=True)
async def test_private_members_need_a_checked_release(checked_release, caplog):
    """Without one, requests use the public interface, and one line per member is logged."""
    calls = Answer(
        "42 kJ", calls=(("double", {"number": 21}),), tokens=Tokens(100, 20, cached=30, reasoning=7)
    )
    with OpenAIServer([calls, Failure(401, "no")]) as server:
        async with connected("openai:m", server) as client:
            reply = await client.reply(ASK, [double])
            with pytest.raises(ModelError, match=r"401: no\); check OPENAI_API_KEY"):
                await client.reply(ASK, [])
    assert ("x-stainless-retry-count" in server.requests[0].headers) == (not checked_release)
    assert (reply.message.text, reply.message.tool_calls[0]["args"]) == ("42 kJ", {"number": 21})
    assert read_usage(reply.message) == Usage(input=100, output=20, cached_input=30, reasoning=7)
    messages = [record.getMessage() for record in caplog.records]
    assert bool(messages) == (not checked_release) and len({*messages}) == len(messages)


@pytest.mark.parametrize("checked_release", [True, False], indirect=True)
async def test_public_interfaces_do_what_private_members_do(checked_release):
    """Anthropic's connections, unknown providers, profiles and tools without a coroutine."""
    with AnthropicServer([Answer("42 kJ")]) as server:
        assert (await ask("anthropic:claude-test", server)).message.text == "42 kJ"
    with pytest.raises(ModelError, match="opnai"):
        connect("opnai:gpt-5")
    with pytest.raises(ModelError, match="takes no reasoning_effort"):
        connect("openai:gpt-4o", changes={"reasoning_effort": "high"})
    request = {"name": "double", "args": {"number": 21}, "id": "1", "type": "tool_call"}
    attempt = Attempt(None, Limits(), asyncio.timeout(None))
    [result] = await attempt.run_tools(AIMessage("", tool_calls=[request]), [double])
    assert result.text == "42.0"


SET = {"temperature": 0.5, "top_p": 0.9, "max_tokens": 77}


@pytest.mark.parametrize(
    ("model", "settings", "sent"),
    [
        ("openai:gpt-test", {}, {"model": "gpt-test", "max_tokens": 16_384, "temperature": None}),
        ("anthropic:claude-unheard-of", {}, {"max_tokens": 16_384, "temperature": None}),
        ("openai:gpt-5.2", {}, {"max_tokens": 32_768}),  # it could write 128,000
        ("openai:gpt-4o", {}, {"max_tokens": 16_384}),  # all it can write
        ("openai:gpt-4", {}, {"max_tokens": 4096}),  # it writes into the window of 8,192 that it reads from
        ("anthropic:claude-opus-5", {}, {"max_tokens": 32_768}),
        ("openai:gpt-test", SET, SET),
        ("anthropic:claude-test", SET, SET),
        (
            "openai:m",
            {"seed": 7, "extra": {"reasoning_effort": "low", "extra_body": {"top_k": 40}}},
            {"seed": 7, "reasoning_effort": "low", "top_k": 40},
        ),
        (  # its own limit, through a gateway
            "openai:m",
            {"extra": {"model_kwargs": {"max_completion_tokens": 9}}},
            {"max_completion_tokens": 9, "max_tokens": None},
        ),
    ],
)
async def test_settings_reach_the_server_and_a_limit_is_always_set(model, settings, sent):
    """What the model can write within reason: hidden reasoning counts, and an answer that is cut is wrong."""
    serve = SERVERS["openai:gpt-test" if model.startswith("openai") else "anthropic:claude-test"]
    with serve([Answer("42")]) as server:
        await ask(model, server, **settings)
        identity = connect(model, {"base_url": server.base_url, **settings}).identity
    assert {name: server.requests[0].body.get(name) for name in sent} == sent
    assert identity["max_tokens"] == (sent.get("max_tokens") or 16_384)


async def test_openai_gets_its_own_parameters_by_one_api_in_all_arms(monkeypatch):
    """Its models reject max_tokens, and LangChain would ask gpt-6 by another API in the arms with tools."""
    monkeypatch.setattr("ansatz.agents.models.retrying_client.read_base_url", lambda name: None)
    calls = Answer(calls=(("double", {"number": 21}),))
    with OpenAIServer([Answer("42"), Answer("42"), calls, Answer("4", finish="length")]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        async with (
            aclosing(connect("openai:gpt-test")) as older,
            aclosing(connect("openai:gpt-6-test")) as new,
        ):
            await older.reply(ASK, ())
            assert (await new.reply(ASK, ())).message.text == "42"
            assert (await new.reply(ASK, [double])).message.tool_calls[0]["args"] == {"number": 21}
            assert (await run_agent(AgentPlan(), Question("?"), new)).stop == "truncated"
    assert [request.path for request in server.requests] == ["/v1/chat/completions", *["/v1/responses"] * 3]
    assert server.requests[0].body["max_completion_tokens"] == 16_384
    assert "max_tokens" not in server.requests[0].body


async def test_a_local_server_needs_no_key_but_the_provider_does(name, monkeypatch):
    variable = f"{name.partition(':')[0].upper()}_API_KEY"
    monkeypatch.delenv(variable)
    with pytest.raises(ModelError, match=f"needs {variable}; set it, or give base_url for a local server"):
        await connect(name).reply(ASK, ())
    with SERVERS[name]([Answer("42 kJ")]) as server:
        assert (await ask(name, server)).message.text == "42 kJ"
    assert "Bearer not-needed" in server.requests[0].headers.values()


def test_a_client_serves_one_event_loop_after_another(name):
    async def use(opened):
        async with opened as client:
            return (await client.reply(ASK, ())).message.text

    with SERVERS[name](lambda request: Answer("42 kJ")) as server:
        opened = connected(name, server)
        assert [asyncio.run(use(opened)), asyncio.run(use(opened))] == ["42 kJ", "42 kJ"]


@pytest.mark.parametrize(
    ("model", "settings", "expected"),
    [
        ("gpt-5", {}, "'gpt-5' names no provider; write provider:model, such as openai:gpt-5"),
        ("opnai:gpt-5", {}, "there is no provider 'opnai'; did you mean 'openai'?"),
        ("offline:slide-ruler", {}, "there is no offline model 'slide-ruler'; did you mean 'slide-rule'?"),
        ("offline:slide-rule", {"top_p": 1}, "offline:slide-rule takes no top_p; leave it out"),
        ("anthropic:claude-test", {"seed": 1}, "anthropic takes no seed; leave it out"),
        ("openai:gpt-6-test", {"seed": 1}, "openai:gpt-6-test takes no seed; leave it out"),
        ("mistralai:large", {}, "pip install langchain-mistralai"),
        ("anthropic:claude-fable-5-x", {"temperature": 0.0}, "`temperature` is not supported"),
        ("openai:gpt-5", {"extra": {"reasoning_efort": "high"}}, "gpt-5 takes no reasoning_efort; leave it out"),
        ("openai:m", {"extra": {"top_k": 4}}, "leave it out, or write extra: {extra_body: {top_k: …}}"),
        ("anthropic:claude-test", {"extra": {"verbosity": "low"}}, "takes no verbosity; leave it out"),
        ("openai:gpt-5", {"verbosity": "low"}, "go into extra: {verbosity: …}"),
        ("openai:gpt-5", {"temprature": 0}, "no setting 'temprature'; did you mean 'temperature'?"),
        ("openai:gpt-5", {"retry": {"trys": 2}}, "no setting 'retry.trys'; did you mean 'tries'?"),
        ("openai:gpt-5", {"max_tokens": 0}, "model setting max_tokens: Input should be greater than"),
        ("openai:gpt-5", {"max_tokens": True}, "model setting max_tokens: Input should be a valid integer"),
        ("openai:gpt-5", {"retry": {"tries": True}}, "model setting retry.tries: Input should be a valid"),
        ("openai:gpt-5", {"base_url": "localhost:8000/v1"}, "base_url must begin with http:// or https://"),
        ("openai:gpt-5", {"base_url": "http://me:secret@host"}, "base_url must not contain a password"),
        ("openai:gpt-5", {"base_url": "http://h/v1?api-version=3"}, "a query goes into extra: {default_query"),
        ("openai:gpt-5", {"extra": {"openai_api_key": KEY}}, "extra must not contain openai_api_key"),
        ("openai:m", {"extra": {"default_headers": {"X-Api-Key": KEY}}}, "must not contain X-Api-Key"),
    ],
)  # fmt: skip
def test_a_bad_name_or_setting_is_one_clear_line(model, settings, expected):
    with pytest.raises(ModelError) as caught:
        connect(model, settings)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_identity_is_what_can_change_answers(name, monkeypatch):
    def identity(**settings):
        return connect(name, settings).identity

    plain = identity()
    assert plain == {"model": name, "max_tokens": 16_384, "extra": {}}
    assert identity(timeout=9.0, retry=IMPATIENT) == plain
    for changed in ({"temperature": 0.0}, {"max_tokens": 5}, {"base_url": "http://h/v1"}, {"top_p": 0.5}):
        assert identity(**changed) != plain
    assert identity(base_url="http://h/v1/") == identity(base_url="http://h/v1")
    monkeypatch.setenv(f"{name.partition(':')[0].upper()}_BASE_URL", "http://h/v1")
    assert identity() == identity(base_url="http://h/v1")


def test_sdks_and_tracers_are_imported_on_first_use():
    """Half of what a run that only resumes takes would be OpenAI's."""
    code = (
        "import asyncio, sys; from ansatz.agents import AgentPlan, Question, run_agent\n"
        "from ansatz.agents.models import connect; connect('openai:gpt-4o', {'temperature': 0})\n"
        "print({'openai', 'anthropic', 'langchain', 'langgraph', 'numpy'} & {*sys.modules})\n"
        "from ansatz.interventions.placebo import Placebo; Placebo().apply(AgentPlan())\n"
        "asyncio.run(run_agent(AgentPlan(), Question('?'), connect('offline:slide-rule')))\n"
        "print({'langsmith', 'aiohttp'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["set()", "set()"]
