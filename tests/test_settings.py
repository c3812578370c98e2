"""Invalid settings are refused in one line, in studies and in scripts."""

import re
from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from ansatz.agents import Limits
from ansatz.agents.models import ModelSettings, RetryPolicy
from ansatz.agents.models.traffic import Rates
from ansatz.cli import app
from ansatz.errors import AnsatzError, ModelError, PluginError, SettingError, StudyError
from ansatz.eval.judging import JudgeModel
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.plugins import find_factory, list_names, load, read_settings
from ansatz.experiments.design.study_file import ProblemChoice, StudyFile
from ansatz.experiments.design.study_settings import RENAMED, Stopping, StudyOptions, StudySettings
from ansatz.experiments.study import Study
from ansatz.settings import describe_fields


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
def test_invalid_setting_is_refused_in_script_and_study(group, name, field, value):
    """The error of a study names the plug-in and the setting."""
    with pytest.raises(AnsatzError, match=rf"^{field} must be .*, not {re.escape(repr(value))}$") as refusal:
        find_factory(f"ansatz.{group}", name)(**{field: value})
    assert isinstance(refusal.value, ValueError)
    with pytest.raises(PluginError, match=rf"^{name}: {field}: must be .*") as refusal:
        load(f"ansatz.{group}", name, {field: value})
    assert refusal.value.setting == field


def test_every_field_of_a_study_is_described():
    for kind in (StudyFile, ProblemChoice, Model, JudgeModel, Limits, Rates, Stopping):
        bare = [name for name, field in kind.__pydantic_fields__.items() if not field.description]
        assert not bare, f"{kind.__name__}: {bare}"


def test_every_setting_of_an_intervention_is_described():
    for name in list_names("ansatz.interventions"):
        settings = read_settings(find_factory("ansatz.interventions", name))
        assert not [setting.name for setting in settings if not setting.description], name


def test_string_below_a_field_describes_it():
    @dataclass(frozen=True)
    class Base:
        digits: int = 4
        """Significant figures."""
        plain: int = 0

    class Derived(Base):
        """Without fields."""

    assert describe_fields(Derived) == {"digits": "Significant figures."}


def test_script_accepts_every_setting_of_a_study_file():
    assert {"name", *StudyOptions.__annotations__} == set(StudySettings.model_fields)


@pytest.mark.parametrize("command", ["run", "plan"])
def test_help_describes_each_setting(command):
    shown = " ".join(CliRunner().invoke(app, [command, "--help"]).stdout.split())
    for name, field in StudySettings.model_fields.items():
        assert f"{name} {' '.join(field.description.split())}" in shown


@pytest.mark.parametrize(("earlier", "present"), RENAMED.items())
def test_old_name_is_refused_with_the_new_one(earlier, present, tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text(f"name: x\nmodels: offline:slide-rule\nproblems: tps\n{earlier}: 3\n")
    with pytest.raises(AnsatzError) as of_file:
        Study.from_yaml(path)
    with pytest.raises(StudyError) as of_script:
        Study("x", models="offline:slide-rule", problems=[("How?", "1 W")], **{earlier: 3})
    assert str(of_file.value) == f"{path}:4: {of_script.value}"
    assert str(of_script.value) == f"{earlier}: is now called {present!r}"


@pytest.mark.parametrize(("earlier", "present"), RetryPolicy.renamed.items())
def test_old_name_of_a_retry_setting_is_refused(earlier, present, tmp_path):
    path = tmp_path / "study.yaml"
    model = f"{{name: 'offline:slide-rule', settings: {{retry: {{{earlier}: 1}}}}}}"
    path.write_text(f"name: x\nmodels: [{model}]\nproblems: tps\n")
    refusal = f"{earlier}: is now called '{present}'$"
    with pytest.raises(SettingError, match=refusal):
        RetryPolicy(**{earlier: 1.0})
    with pytest.raises(ModelError, match=refusal):
        ModelSettings.of({"retry": {earlier: 1.0}})
    with pytest.raises(AnsatzError, match=f"study.yaml:2: .*{refusal}"):
        Study.from_yaml(path)


def test_old_name_of_a_switch_is_refused(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text(
        "name: x\nmodels: offline:slide-rule\nproblems: tps\narms: {warm: {model: {temperature: 1}}}\n"
    )
    with pytest.raises(AnsatzError, match=r"study.yaml:4: .*'model' is now called 'model_settings'"):
        Study.from_yaml(path)


@pytest.mark.parametrize(
    "details", [{"concurrency": 0}, {"labl": "x"}, {"settings": {"temprature": 0}}, {"cached_price": 1.0}]
)
def test_a_model_in_a_script_is_refused_in_one_line(details):
    with pytest.raises(StudyError) as refusal:
        Model("openai:m", **details)
    assert next(iter(details)) in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("benchmark", "setting", "value"),
    [
        ("tps", "instances", 0),
        ("tps", "domains", "shock"),
        ("tps_noisy", "noisy", -1),
        ("physbench", "instances", 0),
        ("physbench_variants", "count", -3),
        ("apbench", "instances", 0),
        ("thermoqa_generated", "counts", 0),
    ],
)
def test_invalid_benchmark_setting_is_refused(benchmark, setting, value):
    with pytest.raises(PluginError, match=f"{benchmark}: {setting}: must be .*, not {value!r}"):
        load("ansatz.benchmarks", benchmark, {setting: value})
