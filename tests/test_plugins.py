"""Packages plug in by entry points."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest

from ansatz.experiments.design.plugins import load
from tests.commands import ansatz, install, one_line

PACKAGE = Path(__file__).parent / "plugin_package"
STUDY = """\
name: plugged
models: [offline:slide-rule]
problems: [{benchmark: doubling, settings: {count: 2}}]
arms: {figures: {significant_figures: {digits: 3}}}
scorers: {outcome: , brevity: {words: 60}}
"""


@pytest.fixture
def plugged(tmp_path_factory, monkeypatch):
    """Runs `ansatz` with the test package installed."""
    site = tmp_path_factory.mktemp("site")
    shutil.copy(PACKAGE / "ansatz_test_plugins.py", site)
    install(site, tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"])
    monkeypatch.syspath_prepend(site)
    return ansatz


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("misspelt", "cannot be loaded from ansatz_test_plugins:SignificantFigure: module"),
        ("absent", "the intervention 'absent' cannot be loaded from ansatz_test_absent:Thing: No module"),
        ("unfinished", "unfinished is not an intervention: Unfinished has no apply"),
        ("calculator", "several packages offer the intervention 'calculator': ansatz.interventions"),
    ],
)
def test_package_error_is_one_line(plugged, name, message):
    assert message in one_line(plugged("solve", "How fast is sound in air at T = 300 K?", "--with", name))


def test_list_includes_plugins_that_fail_to_load(plugged):
    rows = {row["name"]: row["what it does"] for row in json.loads(plugged("list", "--json").stdout)}
    for unusable in ("misspelt", "absent", "unfinished", "undimensioned", "unscaled"):
        assert rows[unusable].startswith("unusable: ")
    assert rows["significant_figures"] == "Ask for a number of significant figures."
    assert {"doubling", "brevity"} <= set(rows)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("{figures: {significant_figures: {digits: 3}}}", "\n  a: calculation_protocol\n  b: breaking"), 6, "breaking: apply failed: TypeError"),
        (("{figures: {significant_figures: {digits: 3}}}", "\n  a:\n    - polya\n    - forgetful"), 5, "forgetful: apply must return the changed AgentPlan"),
        (("benchmark: doubling", "benchmark: numbers"), 3, "numbers: a benchmark must return Problems, not int"),
        (("brevity: {words: 60}", "undimensioned: "), 5, "Undimensioned: its dimensions cannot be read: KeyError: 'scale'"),
        (("brevity: {words: 60}", "unscaled: "), 5, "Unscaled: dimensions must be a tuple of Dimensions, not ('length',)"),
    ],
)  # fmt: skip
def test_package_error_has_file_and_line(plugged, tmp_path, change, line, message):
    (tmp_path / "study.yaml").write_text(STUDY.replace(*change))
    error = one_line(plugged("run", tmp_path / "study.yaml", "--out", tmp_path / "run"))
    assert error.startswith(f"ansatz: {tmp_path / 'study.yaml'}:{line}: ") and message in error


def test_plugin_runs_in_a_study(plugged, tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY)
    done = plugged("run", tmp_path / "study.yaml", "--out", tmp_path / "run")
    assert "4 of 4 attempts scored" in done.stdout, done.stderr


def test_plugin_ranker_is_evaluated(plugged):
    questions = Path(__file__).parent / "knowledge_base" / "questions.jsonl"
    rankers = ("--ranker", "by_name", "--ranker", "bm25")
    found = json.loads(plugged("kb", "evaluate", "--queries", questions, *rankers, "--json").stdout)[
        "rankers"
    ]
    assert found["by_name"]["n"] == found["bm25"]["n"]
    assert 0 < found["by_name"]["recall@5"] < found["bm25"]["recall@5"]
    searched = plugged("kb", "search", "normal shock at Mach 4", "--ranker", "by_name", "-k", "2")
    assert searched.stdout.startswith("[E1] ")


def test_regions_default_to_all_and_are_distinct():
    every, one = (
        load("ansatz.benchmarks", "physbench_variants", {"count": 2, "regions": regions})
        for regions in ([], ["asia", "asia"])
    )
    assert len(every) == 8 and len({each.id for each in one}) == len(one) == 4
