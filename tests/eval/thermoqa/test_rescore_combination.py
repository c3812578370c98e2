"""Two extractions made into one: what each way knows and what it cannot do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.combination import WAYS, by_agreement, combine, take_max
from ansatz.eval.benchmarks.thermoqa.extraction import Reading
from ansatz.eval.benchmarks.thermoqa.judgement import unit_aware
from ansatz.eval.benchmarks.thermoqa.score import published, question_score
from tests.eval.thermoqa.cases import number, problem

ASKED = problem(number("h1", 100.0), number("h2", 200.0))


def read(**values):
    return {name: Reading(value, unit, "") for name, (value, unit) in values.items()}


@pytest.mark.parametrize(
    ("first", "second", "agreed", "best"),
    [
        ({}, {}, None, None),
        ({"h1": (90, "kJ/kg")}, {}, 90, 90),
        ({}, {"h1": (90, "kJ/kg")}, 90, 90),
        ({"h1": (90, "kJ/kg")}, {"h1": (100, "kJ/kg")}, 90, 100),
        ({"h1": (100, "kJ/kg")}, {"h1": (90, "kJ/kg")}, 100, 100),
        ({"h1": (90, "kJ/kg")}, {"h1": (91, "kJ/kg")}, 90, 91),
        ({"h1": (100, "kJ/kg")}, {"h1": (100.05, "kJ/kg")}, 100, 100.05),
        ({"h1": (90, "kPa")}, {"h1": (91, "kJ/kg")}, 91, 91),
        ({"h1": (0.1, "MJ/kg")}, {"h1": (100, "kJ/kg")}, 0.1, 100),
    ],
)
def test_what_is_kept_of_two_readings(first, second, agreed, best):
    first, second = read(**first), read(**second)
    assert getattr(by_agreement(ASKED, first, second).get("h1"), "value", None) == agreed
    assert getattr(take_max(ASKED, first, second).get("h1"), "value", None) == best
    assert combine("first_pass", ASKED, first, second) == first


readings = st.dictionaries(
    st.sampled_from(["h1", "h2"]),
    st.builds(Reading, st.floats(50, 300), st.sampled_from(["", "kJ/kg", "MJ/kg", "kPa"]), st.just("")),
)


def score(readings):
    return question_score(ASKED, published(ASKED, unit_aware(ASKED, readings)))


@given(readings, readings)
def test_take_max_never_scores_less_than_either_and_agreement_needs_no_key(first, second):
    assert score(take_max(ASKED, first, second)) >= max(score(first), score(second))
    other_key = problem(number("h1", 5.0), number("h2", 7.0))
    assert by_agreement(ASKED, first, second) == by_agreement(other_key, first, second)
    for way in WAYS:
        assert set(combine(way, ASKED, first, second)) <= set(first) | set(second)
