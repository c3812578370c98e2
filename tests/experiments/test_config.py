"""Study files: their content, and the messages about a bad one."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from ansatz.errors import AnsatzError, InvalidData
from ansatz.experiments.design.resolution import build_arm
from ansatz.experiments.design.study_file import read, read_stored_study
from ansatz.experiments.design.study_settings import RENAMED
from ansatz.experiments.study import Study

CONFIGS = Path(__file__).parents[2] / "experiments" / "configs"
HEAD = "name: x\nmodels: [offline:slide-rule]\n"
THREE = "problems: [{benchmark: physbench, settings: {count: 7}}]\n"
GOOD = HEAD + THREE


def written(folder, text):
    path = folder / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def load(folder, text):
    return read(written(folder, text))


def test_a_short_study_has_a_bare_baseline_and_defaults(tmp_path):
    study = load(tmp_path, GOOD)
    assert study.all_arms() == {}
    assert (study.repeats, study.seed, [name for name, _ in study.scorers]) == (1, 0, ["outcome", "verifier"])
    assert study.models[0].settings.max_tokens is None  # sized by the model's profile


def test_arms_are_written_as_names_lists_or_mappings(tmp_path):
    arms = "arms:\n  one: calculator\n  two: [calculator, placebo]\n  three:\n    equation_retrieval: {top: 3}\n    placebo:\n"
    assert load(tmp_path, GOOD + arms).all_arms() == {
        "one": {"calculator": {}},
        "two": {"calculator": {}, "placebo": {}},
        "three": {"equation_retrieval": {"top": 3}, "placebo": {}},
    }


@pytest.mark.parametrize("entry", ["own.csv", "[own.csv]", "[{benchmark: own.csv, settings: {fields: {}}}]"])
def test_problems_can_be_the_path_of_a_file(tmp_path, entry):
    (tmp_path / "own.csv").write_text("question,answer\nHow warm?,300 K\n")
    (problem,) = Study.from_yaml(written(tmp_path, HEAD + f"problems: {entry}\n")).problems.values()
    assert problem.question == "How warm?"


@pytest.mark.parametrize(
    "settings",
    [
        "repeats: 2\narms: {with: [placebo]}\n",
        "repeats: {least: 1, most: 3}\narms: {with: [placebo]}\n",
        "design: screening\ninterventions: [calculator, placebo, calculation_protocol, formulation]\n",
        "design: leave_one_out\ninterventions: [calculator, placebo, calculation_protocol]\n",
    ],
)
def test_attempts_are_counted_without_listing_them(tmp_path, settings):
    design = Study.from_yaml(written(tmp_path, GOOD + settings)).design
    size = design.size
    assert "attempts" not in vars(design) and size == len(design.attempts) > 0
    assert Counter(each.arm for each in design.attempts) == design.attempts_by_arm


def test_a_design_makes_arms_beside_named_ones(tmp_path):
    text = GOOD + "design: one_at_a_time\ninterventions: {a: {x: 1}, b: }\narms: {both: [a, b]}\n"
    assert list(load(tmp_path, text).all_arms()) == ["a", "b", "both"]
    arms = load(tmp_path, GOOD + "design: full_factorial\ninterventions: [a, b, c, d, e]\n").all_arms()
    assert len(arms) == 31 and arms["a+c"] == {"a": {}, "c": {}}


@pytest.mark.parametrize("name", [file.stem for file in CONFIGS.glob("*.yaml")])
def test_shipped_studies_have_different_arms_and_state_simulation(name):
    study = read(CONFIGS / f"{name}.yaml")
    plans = {repr(build_arm(arm, switches).plan) for arm, switches in study.all_arms().items()}
    assert (study.name, len(plans)) == (name, len(study.all_arms()))
    assert name == "thermoqa" or "not an LLM" in (CONFIGS / f"{name}.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD + "repeat: 3\n", 4, "repeat: there is no such field; did you mean 'repeats'?"),
        (GOOD + "limits:\n  model_call: 3\n", 5, "limits.model_call: there is no such field; did you mean 'model_calls'?"),
        (HEAD + "problems: [{benchmark: tps, limt: 3}]\n", 3, "problems[0].limt: there is no such field; did you mean 'limit'?"),
        (GOOD + "design: factorial\ninterventions: [a]\n", 4, "design: 'factorial' is not valid; did you mean 'full_factorial'?"),
        (GOOD + "design: full_factorial\n", 4, "design needs `interventions`"),
        (GOOD + "interventions: [a]\n", 4, "interventions need a design"),
        (GOOD + "baseline: bare\narms: {base: []}\n", 4, "there is no arm 'bare'; did you mean 'base'?"),
        (GOOD + "name: again\n", 4, "'name' is given twice"),
        (GOOD + "arms:\n  a: [x]\n  a: [y]\n", 6, "'a' is given twice"),
        ("models: [offline:slide-rule]\nproblems: [tps]\n", 1, "name: is missing"),
        (GOOD + "arms:\n  a: [x, 3]\n", 5, 'arms.a: must be an object, not ["x", 3]'),
        (GOOD + "arms:\n  on: x\n", 4, "arms: the name True must be text; write it in quotes"),
        (HEAD + "problems: [{benchmark: tps, where: {level: 1}}]\n", 3, "problems[0].where.level: must be text or a list, not 1"),
        (GOOD.replace("[offline:slide-rule]", "[offline:slide-rule, offline:slide-rule]"), 2, "models: two are called 'offline:slide-rule'"),
        (GOOD.replace("[offline:slide-rule]", ""), 2, "models: must be a list, not null"),
        (GOOD.replace("[offline:slide-rule]", "[{name: x, settings: [{api_key: s3cret}]}]"), 2, "models[0].settings: must be an object"),
        (GOOD + "limits: {seconds: \x07}\n", 4, "not valid YAML: it has a control character"),
        (GOOD + "limits: &a [*a]\n", 4, "an anchor refers to a node that contains it"),
        (GOOD + "prior: 0.5\n", 4, "prior: this setting was removed; delete the line"),
        ("name: [\n", 2, "not valid YAML"),
        ("models: [a\nname: x\n", 2, "not valid YAML: expected ',' or ']', but got ':' (while parsing a flow sequence that begins in line 1)"),
        ("", 1, "expected `key: value` lines"),
        (HEAD.replace("slide-rule", "slide-rul") + THREE, 2, "no offline model 'slide-rul'; did you mean 'slide-rule'?"),
        (HEAD + "problems: [tpz]\n", 3, "there is no benchmark 'tpz'; did you mean 'tps'?"),
        (HEAD + "problems:\n  - benchmark: tps\n    settings:\n      instance: 2\n", 6, "tps has no setting 'instance'; did you mean 'instances'?"),
        (HEAD + "problems:\n  - benchmark: tps\n    where:\n      level: L9\n", 6, "tps has no problem with level 'L9'"),
        (HEAD + "problems:\n  - benchmark: tps\n    where: {levl: L1}\n", 5, "tps has no tag 'levl'; did you mean 'level'?"),
        (HEAD + "problems: [{benchmark: file, settings: {path: nowhere.jsonl}}]\n", 3, "nowhere.jsonl: No such file"),
        (HEAD + "problems: [{benchmark: physbench, settings: {count: many}}]\n", 3, "physbench: count: must be a whole number, not 'many'"),
        (GOOD + "arms:\n  a:\n    formulation: {source: teacher}\n", 6, "formulation: source: 'teacher' is not valid (valid: reference, self)"),
        (GOOD + "arms:\n  a: [calculater]\n", 5, "there is no intervention 'calculater'; did you mean 'calculator'?"),
        (GOOD.replace("[offline:slide-rule]", "[{name: openai:m, settings: {reasoning_effort: high}}]"), 2, "go into extra: {reasoning_effort: …}"),
        (GOOD + "arms:\n  a: [{model_settings: {verbosity: low}}]\n", 5, "go into extra: {verbosity: …}"),
        (GOOD + "arms:\n  a: [coolprop]\n", 5, "with_tools)"),
        (GOOD + "design: one_at_a_time\ninterventions:\n  calculator: {timeout: 3}\n", 6, "did you mean 'timeout_seconds'?"),
        (HEAD + "problems: [items]\n", 3, "the benchmark 'items' is now called 'file'"),
        (HEAD + "problems: [properties]\n", 3, "the benchmark 'properties' is now called 'thermoqa_generated'"),
        (GOOD + "scorers: [rubric]\n", 4, "the scorer 'rubric' is now called 'verifier'"),
        (GOOD + "scorers: [outcomes]\n", 4, "there is no scorer 'outcomes'; did you mean 'outcome'?"),
        (GOOD + "arms: {a: calculator, b: calculator}\n", 4, "arms 'a' and 'b' are the same treatment"),
        (GOOD + "arms:\n  a:\n  - calculator\n  - calculator: {timeout_seconds: 3}\n", 5, "arms.a: 'calculator' is given twice"),
        (GOOD + "arms: no\n", 4, "arms: must be an object, not false"),
        (GOOD + "executor: {dask: ''}\n", 4, "executor: must not be empty"),
        (GOOD.replace("offline:slide-rule", "{name: offline:slide-rule, label: ' '}"), 2, "models: a name must be text in one line"),
        (GOOD + "limits: {seconds: yes}\n", 4, "limits.seconds: must be a number, not true"),
        (HEAD + THREE.replace("}}]", "}}, {benchmark: physbench, settings: {count: 7}}]"), 3, "every id must be unique"),
    ],
)  # fmt: skip
def test_a_bad_study_gets_one_line_with_file_line_and_field(tmp_path, text, line, message):
    with pytest.raises(AnsatzError) as failure:
        Study.from_yaml(written(tmp_path, text))
    printed = str(failure.value)
    assert printed.startswith(f"{tmp_path / 'study.yaml'}:{line}: ") and message in printed
    assert "\n" not in printed and "s3cret" not in printed


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        *(("name", wrong) for wrong in (3, "../x", " ")),
        ("baseline", 3),
        ("primary", {"outcome": 1}),
        *(("repeats", wrong) for wrong in (0, True, "3", 1.5, 10**20)),
        *(("seed", wrong) for wrong in (-1, 1.5, "1")),
        ("answer_form", "blok"),
        *(("limits", wrong) for wrong in (3, {"model_call": 3}, {"model_calls": 0}, {"seconds": float("inf")})),
        *(("stop", wrong) for wrong in ({"look": 3}, {"looks": 1}, {"futility": 1})),
        *(("rates", wrong) for wrong in (3, {"openai": {"request": 3}}, {"openai": {"requests": 0}}, {"openai": {}})),
        ("max_identical_failures", 0),
        *(("budget", wrong) for wrong in ("5", {"dollars": 0})),
        ("answer_reader", 3),
        ("executor", 3),
        *(("cache", wrong) for wrong in (3, "", "a\0b")),
    ],
)  # fmt: skip
def test_a_file_and_a_script_are_told_the_same(tmp_path, setting, wrong):
    content = {**yaml.safe_load(GOOD), setting: wrong}
    path = written(tmp_path, yaml.safe_dump(content))
    with pytest.raises(AnsatzError) as of_file:
        Study.from_yaml(path)
    with pytest.raises(AnsatzError) as of_script:
        Study(**{"name": "x", "models": "offline:slide-rule", "problems": [("How?", "1 W")], setting: wrong})
    place, fault = str(of_file.value).split(": ", 1)
    assert (place.rpartition(":")[0], fault) == (str(path), str(of_script.value))


def test_a_stored_study_may_have_earlier_settings(tmp_path):
    """Removed settings are left out, and renamed ones get their present names."""
    content = load(tmp_path, GOOD).model_dump(mode="json")
    earlier = {present: name for name, present in RENAMED.items()}
    stored = {earlier.get(name, name): value for name, value in content.items()}
    for prior in (None, 0.5):
        found, _ = read_stored_study({"file": {**stored, "prior": prior}, "folder": str(tmp_path)}, tmp_path)
        assert found.model_dump(mode="json") == content


def test_a_stored_study_may_name_renamed_plugins(tmp_path):
    """A run of an earlier version can be resumed: its scorers, benchmarks and switches get present names."""
    text = HEAD + "problems: [{benchmark: items, settings: {path: a.jsonl}}]\nscorers: [outcome, rubric]\n"
    text += "arms: {cold: [{model: {temperature: 0}}]}\n"
    design = "design: one_at_a_time\ninterventions: [{model: {seed: 1}}]\n"
    stored = load(tmp_path, text + design).model_dump(mode="json")
    found, _ = read_stored_study({"file": stored, "folder": str(tmp_path)}, tmp_path)
    assert found.scorers == (("outcome", {}), ("verifier", {}))
    assert found.problems[0].benchmark == "file"
    assert found.arms == {"cold": {"model_settings": {"temperature": 0}}}
    assert found.interventions == {"model_settings": {"seed": 1}}


def test_exponents_and_a_single_primary_dimension_are_read(tmp_path):
    text = "rates: {openai: {tokens: 2e6}}\nlimits: {seconds: 1.5e2}\nprimary: outcome\n"
    study = load(tmp_path, GOOD + text)
    assert (study.rates["openai"].tokens, study.limits.seconds) == (2e6, 150)
    assert study.primary == ("outcome",)
    changed = read(written(tmp_path, GOOD + "budget: {dollars: 9}\n"), ["budget.dollars=5"])
    assert changed.budget == 5 and changed.model_dump()["budget"] == {"dollars": 5}


def test_all_faults_of_a_file_are_listed(tmp_path):
    with pytest.raises(InvalidData) as failure:
        load(tmp_path, GOOD + "repeat: 3\nseeds: 4\n")
    assert len(str(failure.value).splitlines()) == 2
    with pytest.raises(InvalidData, match="no such file"):
        read(tmp_path / "nowhere.yaml")


def test_a_function_beside_the_study_is_a_tool(tmp_path):
    (tmp_path / "own.py").write_text('def double(x: float) -> float:\n    """Twice x."""\n    return 2 * x\n')
    written(tmp_path, GOOD + 'arms: {own: "own.py:double"}\n')
    study = Study.from_yaml(tmp_path / "study.yaml")
    assert [tool.name for tool in study.arms["own"].plan.tools] == ["double"]
