"""Fixtures of the tests that reach a provider."""

import pytest

from tests.agents.providers import KEY, SERVERS


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
