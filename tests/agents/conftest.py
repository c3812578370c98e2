"""Fixtures of the tests that reach a provider."""

import asyncio
import contextlib
import importlib
import os
import time
from pathlib import Path

import pytest

from tests.agents.providers import KEY, SERVERS

MOST_GROWTH = 200  # MB that one case may add to the process
MB = 2**20


@pytest.fixture(params=SERVERS)
def name(request):
    """A model of each provider that has a fake server."""
    return request.param


@pytest.fixture
def keys(monkeypatch):
    """A planted key for each provider, and no address from the outside."""
    for variable in ("OPENAI_API_BASE", "OPENAI_BASE_URL", "ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, KEY)


@pytest.fixture(scope="session")
def imported():
    """The SDKs take a second to import, which no case should wait for."""
    for package in ("langchain_openai", "langchain_anthropic"):
        importlib.import_module(package)


@pytest.fixture
def no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def resident():
    """Megabytes of memory; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
    return 0.0


@pytest.fixture
async def heartbeat(imported, record_property):
    """Fail a case that takes too much memory, and record how long it blocked the event loop.

    Counted is the processor time of the loop's thread between two beats. `python -m benchmarks.broken_provider` holds it to a limit.
    """
    longest, before, most = 0.0, resident(), 0.0

    async def beat():
        nonlocal longest, most
        while True:
            started = time.thread_time()
            await asyncio.sleep(0.01)
            longest = max(longest, time.thread_time() - started)
            most = max(most, resident())

    beating = asyncio.create_task(beat())
    yield
    await asyncio.sleep(0.01)
    beating.cancel()
    record_property("longest_block_s", round(longest, 3))
    record_property("most_memory_mb", round(most))
    assert most - before < MOST_GROWTH
