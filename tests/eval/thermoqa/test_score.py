"""The two rules, published and strict, on answers made to tell them apart."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa import load, published_reading
from ansatz.eval.benchmarks.thermoqa.published_reading import energy_balance_error
from ansatz.eval.benchmarks.thermoqa.score import (
    ThermoQAScore,
    published,
)
from ansatz.eval.problem import LabelTarget
from ansatz.eval.score import ScoringContext
from tests.eval.thermoqa.cases import QUESTION, number, problem, strictly, write
from tests.fakes.transcripts import attempt


@pytest.mark.parametrize(
    ("answer", "published", "strict"),
    [
        ("h_f = 417.5 kJ/kg\nPhase: wet steam", 1.0, 1.0),
        ("h_f = 417.5 kJ/kg", 0.5, 0.5),
        ("h_f = 417.5 kPa\nPhase: wet steam", 1.0, 0.5),
        ("I do not know.", 0.0, 0.0),
    ],
)
def test_an_answer_has_a_score_by_each_rule(tmp_path, answer, published, strict):
    [asked] = load(str(write(tmp_path, QUESTION)))
    scores = asyncio.run(ThermoQAScore().score(ScoringContext(asked, attempt(answer))))
    assert {each.dimension: each.value for each in scores} == {"published": published, "strict": strict}


@pytest.mark.parametrize(
    ("text", "name", "tier", "value"),
    [
        ("h = 1,234.5 kJ/kg", "h", "1", 1234.5),
        ("h = 1 kJ/kg, then **h** = 2 kJ/kg", "h", "1", 2.0),
        ("H: 3", "h", "1", 3.0),
        ("enthalpy is approximately 5", "h", "1", 5.0),
        ("h = 2800000 J/kg", "h", "1", 2800.0),
        ("s = 6500", "s", "1", 6.5),
        ("x = 52 %", "x", "1", 0.52),
        ("P = 1.2 MPa", "P", "1", 1200.0),
        ("P = 1.2 bar", "P", "1", 1.2),
        ("h₂s = 7", "h2s", "2", 7.0),
        ("h_{2} = 8", "h2", "2", 8.0),
        ("η_th = 35", "eta_th", "3", 0.35),
        ("w_net = 900", "W_dot_net", "3", 900.0),
        ("v = 1.35×10^-3", "v", "1", 1.35),
        ("s = −0.5", "s", "1", None),
        ("<think>h = 9</think> none", "h", "1", None),
    ],
)
def test_the_published_reading_with_its_faults(text, name, tier, value):
    asked = problem(number(name, 1.0), tier=tier)
    assert published_reading.read(text, asked).get(name) == value


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("Phase: superheated steam", "superheated_vapor"),
        ("a compressed liquid", "subcooled_liquid"),
        ("it is a saturated liquid-vapor mixture", "wet_steam"),
        ("Supercritical fluid, neither liquid nor gas", "supercritical"),
        ("unknown", None),
    ],
)
def test_the_longest_phase_name_in_the_text_wins(text, phase):
    assert published_reading.phase(text) == phase


@pytest.mark.parametrize(
    ("expected", "absolute", "value", "passed"),
    [
        (100.0, 0.5, 102.0, True),
        (100.0, 0.5, 102.1, False),
        (0.001, 0.5, 0.4, True),
        (0.5, 0.03, 0.529, True),
        (0.5, 0.03, 0.54, False),
        (0.0, 0.5, 0.5, True),
        (0.0, 0.5, 0.6, False),
    ],
)
def test_the_published_test_is_relative_or_absolute(expected, absolute, value, passed):
    asked = problem(number("h", expected, absolute=absolute))
    assert published(asked, {"h": value})["h"].passed is passed


@pytest.mark.parametrize(
    ("name", "values", "error"),
    [
        ("energy_balance_error", {"q_in": 100, "w_net": 30, "h1": 10, "h4": 75}, 0.05),
        ("energy_balance_error", {"q_in": 100, "w_net": 30, "h1": 10, "h4": 0, "h6": 80}, 0.0),
        ("energy_balance_error", {"q_H": 200, "w_comp": 50, "q_L": 140}, 0.05),
        ("energy_balance_error", {"q_in": 100, "w_net": 30, "h1": 10}, None),
        ("energy_balance_error", {"q_in": -100, "w_net": 30, "h1": 10, "h4": 75}, None),
        (
            "energy_balance_error_gas",
            {"q_combustion": 100, "w_gas_turb": 60, "w_comp": 30, "h4": 90, "h5": 30},
            0.1,
        ),
        (
            "energy_balance_error_steam",
            {"h8": 300, "h7": 100, "w_steam_turb": 80, "w_pump": 10, "h9": 140, "h6": 20},
            0.05,
        ),
    ],
)
def test_an_energy_balance_is_recomputed_from_the_answers_own_values(name, values, error):
    assert energy_balance_error(name, values) == (None if error is None else pytest.approx(error))


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("h = 2800 kJ/kg", True),
        ("h = 2.80 MJ/kg", True),
        ("h = 2.8×10^6 J/kg", True),
        ("h = 2800", True),
        ("h = 2800 kJ/kg, corrected: h = 1 kJ/kg", False),
        ("h = 2800 kPa", False),
        ("h = 2870 kJ/kg", False),
        ("h = 2800 J/kg", False),
        ("", False),
    ],
)
def test_the_strict_rule_counts_units_and_the_last_word(answer, passed):
    asked = problem(number("h", 2800.0))
    assert strictly(asked, answer)["h"].passed is passed


def test_the_strict_rule_gives_no_volume_away():
    asked = problem(number("v", 0.001357, unit="m^3/kg"))
    assert published(asked, {"v": 0.002})["v"].passed
    assert not strictly(asked, "v = 0.002 m³/kg")["v"].passed
    assert strictly(asked, "v = 1.357×10⁻³ m³/kg")["v"].passed


def test_celsius_is_converted_as_a_temperature():
    asked = problem(number("T_sat", 150.0, unit="degC"))
    assert strictly(asked, "T_sat = 423.15 K")["T_sat"].passed
    assert not strictly(asked, "T_sat = 150 K")["T_sat"].passed


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("Phase: Superheated steam", True),
        ("Phase: superheated vapor (above T_sat, so no subcooled liquid)", True),
        ("Phase: subcooled liquid, not superheated vapor", False),
        ("The vapor was superheated before.\nPhase: subcooled liquid", False),
        ("nothing", False),
    ],
)
def test_the_strict_phase_is_the_one_stated_last(answer, passed):
    asked = problem(LabelTarget(name="phase", weight=1.0, value="superheated_vapor"))
    assert strictly(asked, answer)["phase"].passed is passed


@given(st.floats(1e-6, 1e6), st.floats(-0.019, 0.019))
def test_whatever_passes_strictly_passes_as_published(value, deviation):
    asked = problem(number("v", value, unit="m^3/kg"))
    stated = float(f"{value * (1 + deviation):.10g}")
    assert published(asked, {"v": stated})["v"].passed
    assert strictly(asked, f"v = {stated:.12f} m^3/kg")["v"].passed or stated < 1e-9
