"""Settings out of their bounds are refused in one line, in a study and in a script alike."""

import re

import pytest

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.experiments.plugins import PluginError, load
from ansatz.interventions.calculator import Calculator
from ansatz.interventions.equation_retrieval import EquationRetrieval
from ansatz.interventions.equation_tools import EquationTools
from ansatz.interventions.progressive import Progressive
from ansatz.interventions.symbolic_check import SymbolicCheck
from ansatz.interventions.with_retriever import WithRetriever


def nothing(question: str) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("make", "field", "value"),
    [
        (EquationRetrieval, "top", 0),
        (EquationRetrieval, "top", -3),
        (EquationTools, "top", 0),
        (lambda top: WithRetriever(nothing, top=top), "top", 0),
        (SymbolicCheck, "rounds", 0),
        (Calculator, "timeout_seconds", 0.0),
        (Calculator, "timeout_seconds", float("inf")),
        (Calculator, "memory_mb", -1),
        (Progressive, "at_least", 1.5),
        (TPBenchScore, "timeout_seconds", -1.0),
        (TPBenchScore, "memory_mb", 0),
        (TPBenchScore, "relative", 0.0),
        (ThermoQAScore, "relative", 2.0),
    ],
)
def test_an_object_is_not_made_with_it(make, field, value):
    with pytest.raises(AnsatzError, match=rf"^{field} must be .*, not {re.escape(repr(value))}$") as refusal:
        make(**{field: value})
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize(
    ("group", "name", "settings"),
    [
        ("interventions", "equation_retrieval", {"top": 0}),
        ("interventions", "equation_tools", {"top": -3}),
        ("interventions", "symbolic_check", {"rounds": 0}),
        ("interventions", "calculator", {"timeout_seconds": -1}),
        ("interventions", "calculator", {"memory_mb": 0}),
        ("scorers", "thermoqa", {"relative": 0}),
        ("scorers", "tpbench", {"memory_mb": 0}),
    ],
)
def test_a_study_is_told_which_setting_it_is(group, name, settings):
    [(setting, value)] = settings.items()
    with pytest.raises(PluginError, match=rf"^{name}: {setting}: must be .*, not {value}$") as refusal:
        load(f"ansatz.{group}", name, settings)
    assert refusal.value.setting == setting


def test_bounds_are_kept_to():
    assert EquationRetrieval(top=1).top == 1
    assert TPBenchScore().relative is None and TPBenchScore(relative=0.01).relative == 0.01
