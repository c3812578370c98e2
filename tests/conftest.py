"""What holds for all tests."""

import functools
import gc
import os
import re
import sys

import pytest
import typer.testing
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from ansatz.sandbox import code_runner

# The same cases everywhere, and no limit on the time of one: a busy machine is no fault.
settings.register_profile("ansatz", deadline=None, derandomize=True)
settings.load_profile("ansatz")

# A worker's tests wait for each other: a second sandbox would be started for hardly any.
code_runner._MOST_SHARED_WORKERS = 1

# The commands are made of their functions' types once, not again for each that is typed.
typer.testing._get_command = functools.cache(typer.testing._get_command)

# Begun first, so that no worker is alone with one of them in the end: they take long, or wait most of their time.
LONG = {
    "eval/test_statistics_coverage.py",
    "experiments/test_batches.py",
    "experiments/test_cluster.py",
    "experiments/test_demo.py",
    "experiments/test_kill.py",
    "experiments/test_library.py",
    "experiments/test_physbench_study.py",
    "experiments/test_portability.py",
    "experiments/test_storm.py",
    "experiments/test_study_pages.py",
    "interventions/test_mcp_server.py",
    "interventions/test_with_mcp.py",
    "sandbox/test_attacks.py",
    "sandbox/test_lifecycle.py",
    "sandbox/test_sandbox.py",
    "sandbox/test_soak.py",
    "test_cli.py",
    "test_cli_faults.py",
    "test_packaging.py",
}

# What the tests of a file that may run apart share, by their ids.
APART = {
    "experiments/test_study_pages.py": re.compile(r"\[\w+"),
    "sandbox/test_attacks.py": re.compile(r"\[(?:L\d-\w+|exec|plain)-"),
}

TOGETHER = {
    "physbench, instantiated": {
        "eval/test_physbench.py",
        "eval/test_physbench_worked.py",
        "eval/test_template_vectors.py",
    },
    "sandboxes of every level": {
        "sandbox/test_lessons.py",
        "sandbox/test_sandbox.py",
    },
    "parsed sources": {"test_architecture.py", "test_rooms.py"},
}


def pytest_configure():
    """One thread for NumPy, which is not imported yet: with small matrices a second one does nothing but spin."""
    assert "numpy" not in sys.modules
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules that collecting imports stay for good: the garbage collector need not look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    folder = config.rootpath / "tests"
    items.sort(key=lambda item: item.path.relative_to(folder).as_posix() not in LONG)


class ByFile(LoadFileScheduling):
    """The tests of a file run in one worker, as do files that share more: what they share is made once.

    Attacks on one level by one user share the process that they are put to, as those without protection do, and
    tests of one page the run of its studies.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid).removeprefix("tests/")
        if file in APART and (shared := APART[file].search(nodeid)):
            return f"{file} {shared[0]}"
        return next((group for group, files in TOGETHER.items() if file in files), file)


def pytest_xdist_make_scheduler(config, log):
    return ByFile(config, log)
