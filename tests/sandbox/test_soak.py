"""Many calls, a tenth of them hostile, leave the framework's process as it was."""

import json
import subprocess
import sys

import pytest

from tests.sandbox.containment_machine import ROOT
from tests.sandbox.containment_runners import refusal_of


def soak(calls: int) -> dict[str, object]:
    """In a process of its own, whose memory no other test fills."""
    command = [sys.executable, "-m", "tests.sandbox.containment_soak", "--calls", str(calls)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("calls", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_nothing_grows_and_every_benign_call_is_right(calls):
    if refusal := refusal_of("L3"):
        pytest.skip(f"L3: {refusal}")
    found = soak(calls)
    assert found["wrong"] == []
    assert found["hostile"] > calls / 20
    assert found["left_at_the_end"] == []
    assert max(found["growth"].values()) <= 0.05, found
