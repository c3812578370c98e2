"""Settings out of their bounds are refused in one line, in a study and in a script alike."""

import re

import pytest

from ansatz.errors import AnsatzError
from ansatz.experiments.design.plugins import PluginError, factory_of, load


@pytest.mark.parametrize(
    ("group", "name", "field", "value"),
    [
        ("interventions", "equation_retrieval", "top", 0),
        ("interventions", "equation_retrieval", "top", -3),
        ("interventions", "equation_tools", "top", 0),
        ("interventions", "symbolic_check", "rounds", 0),
        ("interventions", "calculator", "timeout_seconds", 0.0),
        ("interventions", "calculator", "timeout_seconds", float("inf")),
        ("interventions", "calculator", "memory_mb", -1),
        ("interventions", "progressive", "at_least", 1.5),
        ("scorers", "tpbench", "timeout_seconds", -1.0),
        ("scorers", "tpbench", "memory_mb", 0),
        ("scorers", "thermoqa", "relative", 2.0),
    ],
)
def test_neither_a_script_nor_a_study_makes_it(group, name, field, value):
    """A study is told which plug-in and which setting it is."""
    with pytest.raises(AnsatzError, match=rf"^{field} must be .*, not {re.escape(repr(value))}$") as refusal:
        factory_of(f"ansatz.{group}", name)(**{field: value})
    assert isinstance(refusal.value, ValueError)
    with pytest.raises(PluginError, match=rf"^{name}: {field}: must be .*") as refusal:
        load(f"ansatz.{group}", name, {field: value})
    assert refusal.value.setting == field


@pytest.mark.parametrize(
    ("benchmark", "setting", "value"),
    [
        ("tps", "instances", 0),
        ("tps", "domains", "shock"),
        ("tps_noisy", "noisy", -1),
        ("physbench", "instances", 0),
        ("physbench_variants", "count", -3),
        ("apbench", "instances", 0),
        ("properties", "count", 0),
    ],
)
def test_a_benchmark_gives_no_set_that_nobody_meant(benchmark, setting, value):
    with pytest.raises(PluginError, match=f"{benchmark}: {setting}: must be .*, not {value!r}"):
        load("ansatz.benchmarks", benchmark, {setting: value})
