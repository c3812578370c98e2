"""Batch interfaces that break: what is sent is bounded, and nothing that was paid is asked for again."""

import json

import pytest

from ansatz.agents.client import RequestContext
from ansatz.agents.models import connect
from ansatz.errors import InfrastructureError, ModelUnavailable, RequestRejected
from tests.agents.providers import ASK, IMPATIENT, MB, bomb, endless, head
from tests.fakes.batch_server import AnthropicBatchServer, Batches, OpenAIBatchServer
from tests.fakes.behaviours import Answer, Raw, Recorded, Written

pytestmark = pytest.mark.usefixtures("keys", "heartbeat")
SERVERS = {"openai:gpt-test": OpenAIBatchServer, "anthropic:claude-test": AnthropicBatchServer}


class Store:
    """Keeps batches in memory."""

    def __init__(self):
        self.batches = {}

    def save(self, batch):
        self.batches[batch.token] = batch

    def list_sent(self):
        return list(self.batches.values())


def broken(name, fault, end):
    """A server whose requests to a path with that end get the fault."""

    class Broken(SERVERS[name]):
        def _answer(self, request):
            return fault if request.path.endswith(end) else super()._answer(request)

    return Broken(lambda request: Answer("42 \u2028 kJ"), Batches(seconds=0.0))


async def outcome(name, server, store=None):
    client = connect(name, {"base_url": server.base_url, "retry": IMPATIENT})
    client.use_batches(store or Store(), 0.01, 0.01)
    try:
        return (await client.reply(ASK, (), RequestContext(key="request-1"))).message.text
    except InfrastructureError as failure:
        return failure
    finally:
        await client.aclose()


RESULTS = {"openai:gpt-test": "/content", "anthropic:claude-test": "/results"}
ROW = json.dumps({"custom_id": "x", "result": {"type": "expired"}, "response": None}).encode() + b"\n"
LARGE = {
    "a line without end": (lambda: Written(endless(head(200, "content-type: application/binary"), b"x" * MB)), "a line of the results has more than 16,777,216 bytes"),
    "lines without end": (lambda: Written(endless(head(200, "content-type: application/binary"), ROW * 1000)), "more results than requests"),
    "a bomb": (lambda: Raw(bomb(), headers={"content-encoding": "gzip"}), "a line of the results has more than 16,777,216 bytes"),
    "a redirect": (lambda: Raw(b"", status=307, headers={"location": "https://elsewhere.test/x"}), "redirects (307) to elsewhere.test"),
}  # fmt: skip


@pytest.mark.parametrize("case", LARGE)
async def test_results_that_break_are_not_asked_for_again(name, case):
    """The batch is paid: it is looked up again on resume."""
    fault, expected = LARGE[case]
    with broken(name, fault(), RESULTS[name]) as server:
        store = Store()
        failure = await outcome(name, server, store)
        assert len(server.kept.batches) == 1
    assert isinstance(failure, RequestRejected)
    assert "could not be read, and is looked up again on resume" in str(failure)
    assert expected in str(failure)
    assert len(store.list_sent()) == 1
    with SERVERS[name](lambda request: Answer("42"), server.kept) as well:
        assert await outcome(name, well, store) == "42"
        assert len(well.kept.batches) == 1


@pytest.mark.parametrize("path", ["/batches", "/files"])
async def test_a_redirect_is_not_followed_with_the_requests(path):
    name = "openai:gpt-test"
    moved = Raw(b"", status=307, headers={"location": "https://elsewhere.test/x"})
    with broken(name, moved, path) as server:
        failure = await outcome(name, server)
    assert isinstance(failure, RequestRejected)
    assert "redirects (307) to elsewhere.test, and redirects are not followed" in str(failure)
    assert len(server.requests) == (1 if path == "/files" else 2)


async def test_results_are_not_fetched_from_another_host():
    class Elsewhere(AnthropicBatchServer):
        def _describe(self, batch):
            return {**super()._describe(batch), "results_url": "https://elsewhere.test/results"}

    with Elsewhere(lambda request: Answer("42"), Batches(seconds=0.0)) as server:
        failure = await outcome("anthropic:claude-test", server)
    assert isinstance(failure, RequestRejected)
    assert "at another host, 'elsewhere.test'" in str(failure)


async def test_an_answer_with_another_separator_of_lines_is_whole():
    with OpenAIBatchServer(lambda request: Answer("42 \u2028 kJ \x85"), Batches(seconds=0.0)) as server:
        server._content = unescaped(server)
        assert await outcome("openai:gpt-test", server) == "42 \u2028 kJ \x85"


def unescaped(server):
    content = server._content
    rewrite = lambda text: json.dumps(json.loads(text), ensure_ascii=False)  # noqa: E731
    return lambda file: rewrite(text) if (text := content(file)) else text


async def test_a_row_that_cannot_be_read_costs_that_row_alone():
    """Its request is asked for again; here as often as there are tries."""
    with broken("openai:gpt-test", Recorded(200, '[1]\n{"custom_id"\n'), "/content") as server:
        failure = await outcome("openai:gpt-test", server)
    assert isinstance(failure, ModelUnavailable)
    assert "503: the batch ended without an answer" in str(failure)
