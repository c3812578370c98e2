"""The worked solutions of our own TPBench problems end in a formula: it gives what the reference gives."""

import re
import warnings

import numpy as np
import pytest
from numpy.lib import scimath
from scipy import integrate, special

from ansatz.eval.benchmarks.tpbench import load
from ansatz.sandbox import decoding
from tests.eval.tpbench_finals import FINALS

PROBLEMS = {problem.targets[0].name: problem for problem in load()}
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
WITHIN = 1e-5


def slope(function, place):
    step = 1e-5 * abs(place)
    return (function(place + step) - function(place - step)) / (2 * step)


NAMES = {
    **{
        name: getattr(np, name) for name in ("sin", "cos", "sinh", "cosh", "tanh", "exp", "arctan", "arcsinh")
    },
    **{name: getattr(np, name) for name in ("sign", "minimum", "where", "cross", "abs", "inf", "pi")},
    **{name: getattr(scimath, name) for name in ("sqrt", "log", "arccos", "arcsin")},
    **{name: getattr(special, name) for name in ("hyp2f1", "wofz", "erfc", "hankel1")},
    "i": 1j,
    "above": lambda value, zero: np.asarray(value, dtype=complex) + 1e-15j,
    "below": lambda value, zero: np.asarray(value, dtype=complex) - 1e-15j,
    "Li2": lambda x: special.spence(1 - x),
    "Dv": lambda order, z: special.pbdv(order, z)[0],
    "lorentz": lambda velocity: (1 - velocity @ velocity) ** -0.5,
    "slope": slope,
    "integral": lambda function, low, high: integrate.quad(lambda x: complex(function(x)).real, low, high)[0],
}


def final_answer(problem):
    return problem.reference.text.split("Final answer:")[1].replace("2F1", "")


def reference(target):
    names = {}
    exec(target.value, names)
    return names[target.name]


def read(name, given):
    """What the formula comes to for some inputs; nan where it has no value of its own."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        arrays = {key: np.asarray(value) if np.ndim(value) else value for key, value in given.items()}
        try:
            found = eval(FINALS[name], NAMES | arrays)
        except ZeroDivisionError:
            return np.nan
    return np.asarray(found[-1] if isinstance(found, list) else found)


def test_every_problem_ends_in_a_formula_that_is_read():
    assert set(FINALS) == set(PROBLEMS)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_numbers_read_are_those_of_the_text(name):
    """Each number of the final answer is in its reading, and the reading has none that the solution lacks."""
    read_numbers = set(NUMBER.findall(FINALS[name]))
    assert set(NUMBER.findall(final_answer(PROBLEMS[name]))) - read_numbers == set()
    assert read_numbers - set(NUMBER.findall(PROBLEMS[name].reference.text)) == set()


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_final_answer_gives_what_the_reference_gives(name):
    target = PROBLEMS[name].targets[0]
    closed, pairs = reference(target), []
    for tagged in target.inputs:
        given = decoding.decode(tagged)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category=RuntimeWarning)
            expected, found = np.broadcast_arrays(closed(**given), read(name, given))
        pairs += [
            (one, other)
            for one, other in zip(expected.ravel(), found.ravel(), strict=True)
            if np.isfinite(other)
        ]
    keys, readings = map(np.array, zip(*pairs, strict=True))
    assert len(pairs) >= 3
    assert np.allclose(readings, keys, rtol=WITHIN, atol=1e-9 * np.max(abs(keys)))
