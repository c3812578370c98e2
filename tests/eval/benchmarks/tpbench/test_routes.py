"""Our own TPBench problems: each reference against a second route, on every test input."""

import warnings

import numpy as np
import pytest

from ansatz.eval.benchmarks.tpbench import load
from ansatz.sandbox import encoding
from tests.eval.benchmarks.tpbench.routes import ROUTES

PROBLEMS = {problem.targets[0].name: problem for problem in load()}
WITHIN = 1e-3


def reference(target):
    names = {}
    exec(target.value, names)
    return names[target.name]


def test_every_problem_has_a_second_route():
    assert set(ROUTES) == set(PROBLEMS)
    levels = [problem.tags["level"] for problem in PROBLEMS.values()]
    assert len(PROBLEMS) >= 30
    assert {level: levels.count(level) >= 6 for level in "12345"} == dict.fromkeys("12345", True)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_reference_agrees_with_a_second_route(name):
    target = PROBLEMS[name].targets[0]
    closed, route = reference(target), ROUTES[name]
    values = []
    for tagged in target.inputs:
        given = encoding.decode(tagged)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category=RuntimeWarning)
            values.append((given, np.asarray(closed(**given)), np.asarray(route(**given))))
    scale = max(np.max(abs(value)) for _, value, _ in values)
    for given, expected, found in values:
        assert found.shape == expected.shape, given
        assert np.allclose(found, expected, rtol=WITHIN, atol=1e-7 * scale), (given, found, expected)


def probes(problem):
    """The kinds of argument that a problem's inputs probe."""
    found = set()
    for tagged in problem.targets[0].inputs:
        for value in encoding.decode(tagged).values():
            array = np.asarray(value)
            found |= {"array"} if array.ndim else set()
            found |= {"complex"} if np.iscomplexobj(array) and np.any(array.imag != 0) else set()
            found |= {"negative"} if np.any(array.real < 0) else set()
            found |= {"limit"} if np.any(array == 0) or not np.all(np.isfinite(array)) else set()
    return found


def test_inputs_include_negative_complex_and_array_arguments():
    counted = dict.fromkeys(("negative", "complex", "limit", "array"), 0)
    for problem in PROBLEMS.values():
        assert len(problem.targets[0].inputs) >= 3, problem.id
        assert probes(problem), problem.id
        for kind in probes(problem):
            counted[kind] += 1
    assert counted["complex"] >= 6
    assert min(counted["negative"], counted["limit"], counted["array"]) >= 12
