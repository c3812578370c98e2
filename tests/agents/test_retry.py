"""Retries: which requests are repeated, how long a client waits, and when it gives up."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage

from ansatz.agents.models import connect
from ansatz.agents.models.retry import RetryPolicy, listen_for_waits, parse_retry_after
from ansatz.errors import ModelUnavailable

NEW_YEAR = 4102444800.0  # 2100-01-01T00:00:00Z


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Fri, 01 Jan 2100 00:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 31 Dec 2099 23:00:00 GMT"}, 0.0),
        ({"retry-after": "Fri, 01 Jan 2100 01:00:30 +0100"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(headers, seconds):
    assert parse_retry_after(headers, NEW_YEAR) == seconds


class Unavailable(Exception):
    """A failure with the status and headers of the SDKs' errors."""

    status_code = 503

    def __init__(self, text, seconds):
        super().__init__(text)
        self.headers = {"retry-after": str(seconds)} if seconds else {}


class Flaky(FakeListChatModel):
    """Fails the given number of times, then answers."""

    failures: int
    retry_after: float | None = None
    tries: int = 0

    async def _agenerate(self, *args, **kwargs):
        self.tries += 1
        if self.tries <= self.failures:
            raise Unavailable(f"failure {self.tries}", self.retry_after)
        return await super()._agenerate(*args, **kwargs)


def flaky(failures, **settings):
    return Flaky(responses=["answer"], failures=failures, **settings)


async def ask(model, policy):
    return await connect(model, {"retry": policy}).reply([HumanMessage("?")], ())


async def test_who_waits_for_nothing_may_try_any_number_of_times():
    """Two to the power of tries is no float from 1024 on."""
    policy = RetryPolicy(tries=1200, initial_wait=0, max_wait=0)
    assert (await ask(flaky(1100), policy)).message.text == "answer"


async def test_waits_double_up_to_the_longest_and_are_recorded():
    policy = RetryPolicy(tries=6, initial_wait=0.01, max_wait=0.04)
    retries = (await ask(flaky(4), policy)).retries
    assert [retry.reason for retry in retries] == [f"503: failure {n}" for n in (1, 2, 3, 4)]
    beyond = [retry.waited - least for retry, least in zip(retries, [0.01, 0.02, 0.04, 0.04], strict=True)]
    assert 0 <= min(beyond) <= max(beyond) <= 0.01


@given(failures=st.integers(0, 6), tries=st.integers(1, 6), waits=st.integers(0, 6))
async def test_tries_are_capped_and_total_waiting_before_it_is_begun(failures, tries, waits):
    model, allowed = flaky(failures, retry_after=0.001), min(tries, waits + 1)
    policy = RetryPolicy(tries=tries, max_total_wait=waits * 0.001 + 0.0005, initial_wait=0, max_wait=0)
    try:
        retries, gave_up = (await ask(model, policy)).retries, False
    except ModelUnavailable as ended:
        retries, gave_up = ended.retries, True
    assert gave_up == (failures >= allowed)
    assert model.tries == len(retries) + 1 == min(failures + 1, allowed)


async def test_waits_are_reported_to_their_own_run():
    async def run(number, reported):
        with listen_for_waits(reported.append):
            models = [flaky(1, name=f"model {number}.{n}") for n in range(2)]
            await asyncio.gather(*(ask(model, RetryPolicy(initial_wait=0.01)) for model in models))

    reports = [[], []]
    with listen_for_waits((everything := []).append):
        await asyncio.gather(*(run(number, reported) for number, reported in enumerate(reports)))
    assert [{line.partition(".")[0] for line in reported} for reported in reports] == [
        {"model 0"},
        {"model 1"},
    ]
    assert len(everything) == 4
