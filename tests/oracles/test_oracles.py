"""Entries against independent libraries, at their test vectors and at points drawn from their domains.

`make oracles` sets up the libraries in `.oracles`, an environment apart; `make verify` does it first. Each
oracle answers in a process of its own.
"""

import json
import math
import subprocess
from pathlib import Path

import pytest

from ansatz.errors import EvaluationError
from ansatz.knowledge_base.equation import draw_states, library

HERE = Path(__file__).parent
PYTHON = HERE.parent.parent / ".oracles" / "bin" / "python"
DRAWS = 40
LEAST_ANSWERED = 2  # points drawn for two dependent angles are hardly ever those of one shock
TOLERANCE = 1e-6
WIDER = {  # relative; what the oracle itself resolves, or constants that it carries to other digits
    "shock.oblique": 1e-5,
    "equilibrium.nasa": 2e-5,
    "reference.us76": 2e-4,
    "reference.g": 2e-5,
    "boundary_layer.laminar.churchill_ozoe": 2e-3,
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists(), reason="run `make oracles` first"),
]


def needs_oracles(test):
    """A slow test that is skipped where the libraries are not installed."""
    for mark in pytestmark:
        test = mark(test)
    return test


def ask(oracle, *arguments, given=None):
    found = subprocess.run(
        [PYTHON, HERE / f"{oracle}.py", *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout.splitlines()[-1])


def points(equation):
    """The entry's own test vectors, and drawn states."""
    return [dict(test.inputs) for test in equation.tests] + draw_states(equation, DRAWS)


def tolerance(id):
    return next((wider for prefix, wider in WIDER.items() if id.startswith(prefix)), TOLERANCE)


def differences(equation, asked, answers):
    """A line for each point where entry and oracle disagree, and how many were compared."""
    compared, lines = 0, []
    for given, expected in zip(asked, answers, strict=True):
        try:
            value = equation.value(**given)
        except EvaluationError:
            continue
        if expected is None:
            continue
        compared += 1
        if not math.isclose(value, expected, rel_tol=tolerance(equation.id), abs_tol=1e-12):
            lines.append(f"{equation.id} at {given}: {value:.9g}, oracle {expected:.9g}")
    return compared, lines


@pytest.mark.parametrize("oracle", ["gas_dynamics", "thermochemistry", "atmosphere", "heat_transfer"])
def test_entries_agree_with(oracle):
    equations = [library().get(id) for id in ask(oracle, "--list")]
    asked = {equation.id: points(equation) for equation in equations}
    answers = ask(oracle, given=asked)
    wrong = []
    for equation in equations:
        compared, lines = differences(equation, asked[equation.id], answers[equation.id])
        wrong += lines[:3]
        if compared < min(LEAST_ANSWERED, len(asked[equation.id])):
            wrong.append(f"{equation.id}: only {compared} points could be compared")
    assert not wrong, "\n".join(wrong)
