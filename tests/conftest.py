"""Settings and grouping of all tests.

The tests of a file run in one worker, because they share fixtures. Tests marked with `xdist_group` run with the
others of that group instead. Files marked `long` start first, so that all workers finish at about the same time.
"""

import gc
import os
import sys

import pytest
from hypothesis import settings

from ansatz.sandbox import code_runner

# Use the same cases on every machine, without a time limit, because a machine may be busy.
settings.register_profile("ansatz", deadline=None, derandomize=True)
settings.load_profile("ansatz")

# The tests of a worker run one after another, so one sandbox is enough.
code_runner._MOST_SHARED_WORKERS = 1


def pytest_configure():
    """Use one thread for NumPy, which is not imported yet; more threads do not help with small matrices."""
    assert "numpy" not in sys.modules
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_unconfigure():
    """End without a search of all objects for garbage."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Exclude imported modules from garbage collection, because they are never freed."""
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
