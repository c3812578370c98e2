"""One warm sandbox a level for a whole run: starting workers is what takes long, most of all at L1."""

import asyncio
import re

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
    return _reached(request.param)


@pytest.fixture(params=(*LEVELS, "none"))
def isolation(request):
    """Each level, and none: what a program comes to does not depend on what it is kept from."""
    return request.param if request.param == "none" else _reached(request.param)


def _reached(level):
    found, reasons = reached((level,))
    if found is None:
        assert not re.match(r"\w+Error: ", reasons[level]), f"a fault of ours, not of this machine: {reasons}"
        pytest.skip(f"{level} is not reached here: {reasons[level]}")
    return level


@pytest.fixture
def sandbox(sandboxes, level):
    """A sandbox of a level, with deadlines of five seconds."""
    return sandboxes.setdefault(level, Sandbox(workers=1, timeout=5.0, min_isolation="L1", level=level))


@pytest.fixture
def anywhere(sandboxes, isolation):
    """A sandbox of a level, or without any, with deadlines of five seconds."""
    settings = (
        {"min_isolation": "none"} if isolation == "none" else {"min_isolation": "L1", "level": isolation}
    )
    return sandboxes.setdefault(isolation, Sandbox(workers=1, timeout=5.0, **settings))


@pytest.fixture
def best(sandboxes):
    """The sandbox of the best level that this machine reaches."""
    found, reasons = reached()
    if found is None:
        pytest.skip(f"no level is reached here: {reasons}")
    return sandboxes.setdefault(found, Sandbox(workers=1, timeout=5.0, min_isolation="L1", level=found))
