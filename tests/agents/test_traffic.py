"""What goes out to a provider: no more at once than it bears, no faster than its rates."""

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import repeat
from random import Random

import pytest

from ansatz.agents.models import traffic
from ansatz.agents.models.retry import RetryPolicy, Transient
from ansatz.agents.models.traffic import Rates, Traffic, _parse_seconds
from tests.agents.providers import ASK, SERVERS, connected
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.usefixtures("keys")
NAME = "openai:gpt-test"  # where it does not matter which
PATIENT = RetryPolicy(tries=50, max_total_wait=60, initial_wait=0.01, max_wait=0.05)


async def asked(name, server, shared, count):
    """Seconds that so many requests take, all begun at once, and how many tries were refused."""
    async with connected(name, server, retry=PATIENT) as client:
        client.traffic = shared
        started = time.perf_counter()
        replies = await asyncio.gather(*(client.reply(ASK, ()) for _ in range(count)))
    return time.perf_counter() - started, sum(len(reply.retries) for reply in replies)


def always(request):
    return Answer("42")


class Crowded(OpenAIServer):
    """Refuses whatever comes while it has eight requests under way; each takes a while."""

    busy = most = 0

    async def _act(self, behaviour, request, writer):
        if self.busy >= 8:
            return await super()._act(Failure(429, "too many at once"), request, writer)
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            await asyncio.sleep(0.05)
            return await super()._act(behaviour, request, writer)
        finally:
            self.busy -= 1


async def test_as_many_at_once_as_the_provider_bears():
    with Crowded(always) as server:
        _, refused = await asked(NAME, server, shared := Traffic(64), 300)
    assert server.most == 8  # all its room is used
    assert 2 <= shared.concurrency <= 20
    assert refused < 200  # 64 at once for ever would be refused several times each
    with OpenAIServer(always) as server:
        await asked(NAME, server, shared := Traffic(64), 100)
    assert shared.concurrency == 64


def refusing(shares):
    """A request that is refused by chance: the shares are those of one request after another."""
    chance = Random(0)

    async def ask():
        refused = chance.random() < next(shares)
        await asyncio.sleep(0)
        if refused:
            raise Transient("429", is_overload=True)

    return ask


async def at_once(shared, ask, count):
    """`count` requests, all begun together; gives the smallest concurrency on the way."""
    least = shared.concurrency

    async def one():
        nonlocal least
        with suppress(Transient):
            await shared.run(10, ask)
        least = min(least, shared.concurrency)

    await asyncio.gather(*(one() for _ in range(count)))
    return least


@pytest.mark.parametrize("share", [0.0, 0.01, 0.03])
@pytest.mark.parametrize("ceiling", [8, 50, 200])
async def test_stray_refusals_cost_no_concurrency(share, ceiling):
    assert await at_once(Traffic(ceiling), refusing(repeat(share)), 4000) >= ceiling / 2


@pytest.mark.parametrize("ceiling", [4, 64, 200])
async def test_what_went_out_together_is_cut_once(ceiling):
    shared = Traffic(ceiling)
    await at_once(shared, refusing(repeat(1.0)), ceiling)
    assert shared.concurrency == ceiling / 2


async def test_a_cut_is_made_good_within_few_rounds():
    """Halfway back in each: one more a round would take fifteen thousand answers."""
    shared, asked = Traffic(200), 0
    await at_once(shared, refusing(repeat(1.0)), 200)
    while shared.concurrency < 199:
        asked += await good_ones(shared, 50)
    assert asked < 2000


async def good_ones(shared, count):
    await at_once(shared, refusing(repeat(0.0)), count)
    return count


async def test_a_lasting_refusal_ends_at_one_at_a_time_and_passes():
    """Of 200 at once, then back within some rounds, as few more than the provider refused."""
    shared = Traffic(200)
    assert await at_once(shared, refusing(repeat(1.0)), 1000) == 1
    asked = 0
    while shared.concurrency < 200:
        asked += await good_ones(shared, 10)
    assert asked < 1000


async def test_traffic_as_text_is_what_runs_and_what_holds_it_back():
    shared, gate = Traffic(4), asyncio.Event()
    assert str(shared) == "0 in flight"
    tasks = [asyncio.create_task(shared.run(10, gate.wait)) for _ in range(6)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert str(shared) == "4 in flight"
    gate.set()
    await asyncio.gather(*tasks)
    await at_once(shared, refusing(repeat(1.0)), 4)
    assert str(shared) == "0 in flight (at most 2 of 4, as 50% were refused at more)"
    shared.learn({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "30s"}, None)
    assert "the provider has nothing left for 30 s" in str(shared)


async def test_who_is_cancelled_while_waiting_gives_up_the_place():
    shared, gate = Traffic(1), asyncio.Event()
    first, second, third = (asyncio.create_task(shared.run(10, gate.wait)) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    gate.set()
    assert await third
    assert str(shared) == "0 in flight"


@pytest.mark.parametrize("stated", [True, False])
async def test_rates_are_those_of_the_study_or_of_the_headers(name, stated, monkeypatch):
    """1,200 a minute are 20 a second; a window of 0.2 s lets four go at once."""
    monkeypatch.setattr(traffic, "_WINDOW", 0.2)
    openai = {"x-ratelimit-limit-requests": "1200", "x-ratelimit-remaining-requests": "900"}
    anthropic = {"anthropic-ratelimit-requests-limit": "1200", "anthropic-ratelimit-requests-remaining": "90"}
    headers = openai if name.startswith("openai") else anthropic

    class WithHeaders(SERVERS[name]):
        def extra_headers(self):
            return {} if stated else headers

    with WithHeaders(always) as server:
        shared = Traffic(8, Rates(requests=1200) if stated else None)
        await asked(name, server, shared, 1)
        seconds, _ = await asked(name, server, shared, 24)
    assert 0.9 <= seconds < 6


async def test_tokens_a_minute_are_what_answers_really_took(monkeypatch):
    """15 tokens each by usage, 6,000 a minute: 6.7 a second."""
    monkeypatch.setattr(traffic, "_WINDOW", 0.3)
    with OpenAIServer(always) as server:
        shared = Traffic(8, Rates(tokens=6000))
        await asked(NAME, server, shared, 1)
        seconds, _ = await asked(NAME, server, shared, 10)
    assert seconds >= 1.0


async def test_no_request_is_sent_while_the_provider_has_nothing_left():
    shared = Traffic(4)
    shared.learn({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "300ms"}, None)
    started = time.perf_counter()

    async def ask():
        return time.perf_counter() - started

    assert await shared.run(10, ask) >= 0.29


async def test_a_gateway_that_knows_no_limit_holds_nothing_back():
    shared = Traffic(4)
    unknown = {"x-ratelimit-limit-requests": "-1", "x-ratelimit-remaining-requests": "-1"}
    shared.learn({**unknown, "x-ratelimit-reset-requests": "60s"}, None)
    async with asyncio.timeout(1):
        assert await shared.run(10, lambda: asyncio.sleep(0, "asked")) == "asked"


def test_how_providers_say_when():
    soon = (datetime.now(UTC) + timedelta(seconds=30)).isoformat().replace("+00:00", "Z")
    expected = {"1s": 1.0, "6m0s": 360.0, "20ms": 0.02, "1h2m": 3720.0, "2.5": 2.5, "soon": None, None: None}
    assert {text: _parse_seconds(text) for text in expected} == expected
    assert _parse_seconds("1" * 100_000) is None  # nothing that takes long to read
    assert _parse_seconds(soon) == pytest.approx(30, abs=2)
