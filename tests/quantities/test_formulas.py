"""The parser of written expressions, compared with the formulas of the knowledge base."""

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.quantities.parser import parse_formula


def test_parser_and_equation_agree_for_every_entry():
    """The parser knows every function that entries use, and reads the same precedence."""
    formulas = [each for each in library() if each.expr is not None]
    for equation in formulas:
        numbers = {**equation.constant_values, **equation.tests[0].inputs}
        parsed = parse_formula(equation.expr, equation.formula.names)
        assert parsed.value(numbers) == pytest.approx(equation.formula(numbers), rel=1e-9), equation.id


def test_erfcx_of_large_numbers_is_finite():
    # erfcx(x) tends to 1/(x sqrt(pi)): Abramowitz and Stegun 7.1.23
    assert parse_formula("erfcx(30)").value() == pytest.approx(0.56418958 / 30, rel=1e-3)
