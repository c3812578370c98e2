"""The comparison of two computed values: relative, with a floor, without units."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.tpbench.score import find_difference, find_scales, split_components
from ansatz.eval.problem import Tolerance
from ansatz.sandbox import Symbolic


def compare(answered, expected, relative=1e-6, floor=1e-12):
    floors = [floor * scale for scale in find_scales([split_components(expected)])]
    found = find_difference(answered, expected, Tolerance(relative=relative), floors)
    return found and found[0]


@pytest.mark.parametrize(
    ("answered", "expected", "verdict"),
    [
        (2.0, 2, None),
        (np.float32(0.5), 0.5, None),
        (1e-34 * 1.1, 1e-34, "wrong value"),
        (1 + 1e-13j, 1.0, None),
        (1 + 1e-3j, 1.0, "wrong value"),
        (np.array(3.0), 3.0, None),
        (3.0, np.array([3.0]), "wrong shape or type"),
        ([1.0, 2.0], np.array([1.0, 2.0]), None),
        (np.array([1.0, 2.0]), (1.0, 2.0), None),
        ([1.0, 2.0, 3.0], (1.0, 2.0), "wrong shape or type"),
        (np.ones((2, 1)), np.ones(2), "wrong shape or type"),
        (([1.0, 2.0], 3.0), (np.array([1.0, 2.0]), 3.0), None),
        (np.array([0.0, 1.0]), np.array([1e-16, 1.0]), None),
        (np.array([0.0, 1.0]), np.array([1e-6, 1.0]), "wrong value"),
        (math.nan, 1.0, "wrong value"),
        (math.inf, math.inf, None),
        (-math.inf, math.inf, "wrong value"),
        (math.inf, 1e300, "wrong value"),
        (10**400, 1.0, "wrong value"),
        (True, 1.0, "wrong shape or type"),
        (np.array([True]), np.array([1.0]), "wrong shape or type"),
        ("1.0", 1.0, "wrong shape or type"),
        ([1.0, [2.0]], np.array([1.0, 2.0]), "wrong shape or type"),
        (Symbolic("x"), 1.0, "wrong shape or type"),
    ],
)
def test_the_rule_of_comparison(answered, expected, verdict):
    assert compare(answered, expected) == verdict


NUMBERS = st.complex_numbers(min_magnitude=1e-100, max_magnitude=1e100, allow_nan=False, allow_infinity=False)


@given(
    st.lists(NUMBERS, min_size=1, max_size=5),
    st.sampled_from([0.0, 5e-7, 3e-6, 1e-3, -1e-2]),
    st.floats(0, 6.28),
)
def test_a_relative_deviation_passes_exactly_below_the_tolerance(values, deviation, phase):
    expected = np.array(values)
    answered = expected * (1 + deviation * np.exp(1j * phase))
    assert (compare(answered, expected, floor=0.0) is None) == (abs(deviation) < 1e-6)


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.floats(1e-30, 1e30))
def test_the_verdict_does_not_depend_on_units(values, unit):
    expected = np.array(values)
    answered = expected + 1e-8 * np.abs(expected).max()
    assert compare(answered, expected) == compare(answered * unit, expected * unit)
