"""The error tags on single answers."""

import asyncio

import pytest

from ansatz.eval.score import ScoringContext
from ansatz.eval.verifier.errors import Errors
from tests.eval.heating_answers import GOOD, HEATING, SLIP, TERSE, TRAPPED, attempt


def tags(problem, transcript):
    return {
        each.dimension: each.value
        for each in asyncio.run(Errors().score(ScoringContext(problem, transcript)))
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, {}),
        (SLIP, {"error.arithmetic": 1}),
        (TRAPPED, {"error.formula": 1}),
        ("q_s = 1.2447e6 W", {"error.unit": 1}),
        ("q_s = -5 W/m^2", {"error.plausibility": 1}),
        (
            GOOD.replace("k*sqrt(rho_inf/R_n)*V_inf^3", "k*rho_inf^0.7*V_inf^2.6/R_n^0.4")
            .replace("sqrt(3.1e-4/0.6) * 6800^3 = 1.2447e6", "3.1e-4^0.7 * 6800^2.6/0.6^0.4 = 7.1e3")
            .replace("1.2447e6", "7.1e3")
            .replace("Sutton-Graves", "Mertens-Okafor"),
            {"error.formula": 1, "error.hallucination": 1, "error.arithmetic": 1},
        ),
    ],
    ids=["good", "slip", "trapped", "unit", "negative", "invented"],
)
def test_tags_of_single_answers(text, expected):
    found = tags(HEATING, attempt(text))
    assert {name for name, value in found.items() if value == 1} == set(expected), found


def test_what_cannot_be_told_is_not_called_absent():
    found = tags(HEATING, attempt(TERSE))
    assert found["error.arithmetic"] is found["error.hallucination"] is found["error.formula"] is None
    assert all(value is None for value in tags(HEATING, attempt("", stop="refused")).values())
