"""One warm sandbox a level for a whole run: starting workers is what takes long."""

import asyncio

import pytest

from ansatz.sandbox import Sandbox
from ansatz.sandbox.isolation import LEVELS, reached


@pytest.fixture(scope="session")
def sandboxes():
    """Sandboxes by level, started when first asked for."""
    made: dict[str, Sandbox] = {}
    yield made
    for sandbox in made.values():
        asyncio.run(sandbox.aclose())


@pytest.fixture(params=LEVELS)
def level(request):
    """Each level that this machine reaches."""
    found, reasons = reached((request.param,))
    if found is None:
        pytest.skip(f"{request.param} is not reached here: {reasons[request.param]}")
    return request.param


@pytest.fixture
def sandbox(sandboxes, level):
    """A sandbox of a level, with deadlines of three seconds."""
    if level not in sandboxes:
        sandboxes[level] = Sandbox(timeout=3.0, min_isolation="L1", level=level)
    return sandboxes[level]


@pytest.fixture
def best(sandboxes):
    """A sandbox at the best level of this machine."""
    if "best" not in sandboxes:
        sandboxes["best"] = Sandbox(timeout=3.0, min_isolation="L1")
    return sandboxes["best"]
