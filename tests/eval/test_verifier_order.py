"""The order of a solution: results before their working, numbering, trial values of an iteration."""

import pytest

from ansatz.eval.rubrics.order import is_ordered
from ansatz.eval.rubrics.verifier import CHECKS, read, review
from tests.eval.faults.corpus import problem
from tests.eval.heating_answers import attempt

SLAB = problem("heating.bond_line", 0)
TUBE = problem("shock.tube_run", 0)
FINALS = "alpha_s = 1.8188e-6 m^2/s\nFo = 1.0699\nT_b = 737.0 K"
DIFFUSIVITY = "alpha_s = k_s/(rho_s c_s) = 0.66/(324*1120) = 1.8188e-6 m^2/s"
FOURIER = "Fo = alpha_s t/L_s^2 = 1.8188e-6*170/0.017^2 = 1.0699"
BRACKET = "Fo - 1/6 = 1.0699 - 0.1667 = 0.9032"
TEMPERATURE = "T_b = 295 + 19000*0.017/0.66*0.9032 = 737.0 K"
TOLD = "At the back face the temperature lags, as heat has to cross the slab first."


def marked(asked, *lines):
    return review(asked, attempt("\n\n".join(lines)))["G8"].points


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        ((DIFFUSIVITY, FOURIER, BRACKET, TEMPERATURE), 2),
        ((DIFFUSIVITY, FOURIER, BRACKET, TOLD, TEMPERATURE), 2),
        ((DIFFUSIVITY, FOURIER, TEMPERATURE, TOLD, BRACKET), 1),
        ((TEMPERATURE, BRACKET, FOURIER, DIFFUSIVITY), 1),
        ((FOURIER, DIFFUSIVITY, BRACKET, TEMPERATURE), 1),
        ((f"1. {DIFFUSIVITY}", f"2. {FOURIER}", f"3. {BRACKET}", f"4. {TEMPERATURE}"), 2),
        ((f"4. {DIFFUSIVITY}", f"1. {FOURIER}", f"3. {BRACKET}", f"2. {TEMPERATURE}"), 1),
        ((DIFFUSIVITY, FOURIER, BRACKET, TEMPERATURE, "The data should have come first."), 1),
        ((DIFFUSIVITY, FOURIER, BRACKET, TEMPERATURE, "The bond should have been kept cooler."), 2),
    ],
)
def test_a_step_stands_behind_those_whose_results_it_uses(lines, points):
    assert marked(SLAB, *lines, FINALS) == points


def test_a_value_worked_out_again_in_a_check_was_not_used_early():
    check = "Check: 19000*170/(324*1120*0.017) = 523.6 K, and the mean Fo - 1/6 = 0.9032 agrees."
    assert marked(SLAB, DIFFUSIVITY, FOURIER, "So Fo - 1/6 = 0.9032.", TEMPERATURE, check, FINALS) == 2


RELATION = "r_41 = (1 + 1.16667*(M_s^2 - 1))*(1 - 0.058022*(M_s - 1/M_s))^(-7), 345/991 = 0.34813"
BEHIND = "r_21 = 1 + 1.16667*(3.9162^2 - 1) = 17.726\nT_2 = 296*3.9175 = 1159.6 K"
TUBE_FINALS = "M_s = 3.9162\nr_21 = 17.726\nT_2 = 1159.6 K"


@pytest.mark.parametrize(
    ("trials", "points"),
    [
        ("M_s = 3.8: 83.26\nM_s = 4.0: 103.06", 2),
        ("- M_s = 3.8 → 83.26, too low\n- M_s = 4.0 → 103.06, too high", 2),
        ("M_s = 3.8", 0),
        ("M_s = 3.8\nM_s = 4.0", 0),
    ],
)
def test_trial_values_contradict_no_result(trials, points):
    assert marked(TUBE, RELATION, trials, BEHIND, TUBE_FINALS) == points


def test_order_is_asked_of_the_working_alone():
    working = read(SLAB, attempt("\n\n".join((DIFFUSIVITY, FOURIER, BRACKET, TEMPERATURE, FINALS))))
    assert is_ordered(working)
    assert "G8" in CHECKS
