"""Settings and grouping that apply to all tests.

The tests of a file run in one worker, since they share fixtures. A test or file marked with `xdist_group` runs with
the others of that group instead. Files marked `long` start first, so that no worker is left alone with one at the end.
"""

import gc
import os
import sys

import pytest
from hypothesis import settings

from ansatz.sandbox import code_runner

# The same cases everywhere, and no time limit for one: a busy machine is not an error.
settings.register_profile("ansatz", deadline=None, derandomize=True)
settings.load_profile("ansatz")

# The tests of a worker run one after another, so a second sandbox would hardly be used.
code_runner._MOST_SHARED_WORKERS = 1


def pytest_configure():
    """Use one thread for NumPy, which is not imported yet: a second one only spins with small matrices."""
    assert "numpy" not in sys.modules
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Exclude the modules that collection imports from garbage collection: they are never freed."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(config.rootpath))))
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
