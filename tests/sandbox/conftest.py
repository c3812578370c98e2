"""Share one warm sandbox per level, because workers start slowly, especially at level filter."""

import asyncio
import re

import pytest

from ansatz.sandbox import Sandbox
from ansatz.sandbox.isolation import LEVELS, reached


@pytest.fixture(scope="session")
def sandboxes():
    """Return the sandbox of a level, created on first use, with deadlines of five seconds.

    What comes on demand does so at full isolation alone, since a second start takes seconds.
    """
    made = {}

    def of(level):
        known = ("numpy", "sympy") if level == "full" else ("numpy", "sympy", "CoolProp.CoolProp")
        least, forced = ("none", None) if level == "none" else ("filter", level)
        if level not in made:
            made[level] = Sandbox(1, known, timeout=5.0, min_isolation=least, level=forced)
        return made[level]

    yield of
    for sandbox in made.values():
        asyncio.run(sandbox.aclose())


@pytest.fixture(params=LEVELS)
def level(request):
    """A level that this machine reaches."""
    return _reached(request.param)


@pytest.fixture(params=(*LEVELS, "none"))
def isolation(request):
    """A level, or none: results do not depend on the isolation."""
    return request.param if request.param == "none" else _reached(request.param)


def _reached(level):
    found, reasons = reached((level,))
    if found is None:
        assert not re.match(r"\w+Error: ", reasons[level]), (
            f"an error of Ansatz and not of this machine: {reasons}"
        )
        pytest.skip(f"{level} is not reached here: {reasons[level]}")
    return level


@pytest.fixture
def sandbox(sandboxes, level):
    """A sandbox of a level."""
    return sandboxes(level)


@pytest.fixture
def anywhere(sandboxes, isolation):
    """A sandbox of a level, or without any."""
    return sandboxes(isolation)


@pytest.fixture
def best(sandboxes):
    """The sandbox of the best level that this machine reaches."""
    found, reasons = reached()
    if found is None:
        pytest.skip(f"no level is reached here: {reasons}")
    return sandboxes(found)
