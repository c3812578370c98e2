"""The textbook formulas in memory are right and homogeneous, and know nothing of regimes."""

import pytest

from ansatz.agents.slide_rule.formulas import remembered
from ansatz.agents.slide_rule.naming import stored
from ansatz.quantities.scales import scale
from ansatz.quantities.tree import Formula, Name


@pytest.mark.parametrize("formula", remembered(), ids=lambda formula: formula.title)
def test_a_remembered_formula_is_right_and_homogeneous(formula):
    [known] = [each for each in stored("memory.yaml")["formulas"] if each["name"] == formula.title]
    values = {name: float(value) for name, value in known["example"].items()}
    values |= {name: constant.value for name, constant in formula.constants.items()}
    read = Formula(formula.text, formula.tree)
    assert read.value(values) == pytest.approx(known["gives"], rel=1e-3)
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {name: constant.unit for name, constant in formula.constants.items()}
    found = read.dimension(lambda leaf: scale(units[leaf.name] if isinstance(leaf, Name) else "-").dimension)
    assert found == pytest.approx(scale(formula.output.unit).dimension, abs=1e-6)
