"""A formula counts as the reference's whatever its symbols are called, and no other one does."""

import pytest

from ansatz.eval.rubrics.arithmetic import read_formula
from ansatz.eval.rubrics.reference_form import is_reference_form


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("0.5*rho*V^2", "q = rho*V**2/2"),
        ("rho_inf V_inf^2/2", "q = rho*V**2/2"),
        ("(1/2)*rho*U^2", "q = rho*V**2/2"),
        ("sqrt(M^2 - 1)", "beta = sqrt(M**2 - 1)"),
        ("T*(1 + (g - 1)/2*M^2)", "T0 = T*(1 + 0.5*(gamma - 1)*M**2)"),
        ("2*asin(sqrt(1 - x^2))", "a = 2*asin(sqrt(1 - x**2))"),
    ],
)
def test_the_same_formula(written, reference):
    assert is_reference_form(read_formula(written), reference)


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("rho*V^2", "q = rho*V**2/2"),
        ("0.5*rho*V^3", "q = rho*V**2/2"),
        ("0.5*rho*V^2 + p", "q = rho*V**2/2"),
        ("rho/V", "a = rho/V"),
        ("0.5*a*b^2", "q = rho*V**2/2"),
        ("0.5*rho*V^2", ""),
        ("0.5*rho*V^2", "look it up"),
        ("0.5*1.2*100^2", "q = rho*V**2/2"),
    ],
)
def test_another_formula_or_one_that_tells_nothing(written, reference):
    assert not is_reference_form(read_formula(written), reference)
