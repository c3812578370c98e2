"""The ThermoQA chapter as files and on a terminal, and for runs that lack models, arms, tiers or attempts."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from ansatz.experiments.report import Summary, to_json, write_report
from ansatz.experiments.resolution import arm_of
from ansatz.experiments.study_file import read
from tests.experiments.thermoqa_input import ARMS, MODELS, table, thermoqa_run

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden" / "thermoqa.md"


@pytest.fixture(scope="module")
def data():
    return thermoqa_run()


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    return write_report(data.results, tmp_path_factory.mktemp("run")).markdown.parent


def test_the_report_is_as_kept(folder):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments, and read the diff."""
    written = (folder / "report.md").read_text(encoding="utf-8")
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")


def printed(data, width):
    console = Console(width=width, file=io.StringIO(), _environ={"TERM": "xterm"})
    console.print(Summary(data.results, full=True))
    return console.file.getvalue()


def test_a_run_of_one_model_compares_its_arms(data):
    alone = replace(
        data, models=("steady",), attempts=tuple(each for each in data.attempts if each.model == "steady")
    )
    [chapter] = alone.chapters
    titles = [section.title for section in chapter.sections]
    assert "What separates the arms" in titles
    assert [shown["arm"] for shown in table(alone, "tools_strict")] == list(ARMS)


def test_a_run_of_one_arm_says_what_it_can(data):
    attempts = tuple(each for each in data.attempts if each.arm == "text_only")
    [chapter] = replace(data, arms=("text_only",), attempts=attempts).chapters
    titles = [section.title for section in chapter.sections]
    assert "Tools by tier" not in titles and "Scores over runs" in titles


@pytest.mark.parametrize(("seed", "count"), [(0, 1), (40, 40)])
def test_an_interrupted_run_reports_what_it_has(data, seed, count, tmp_path):
    """However few attempts there are, and whichever."""
    kept = Random(seed).sample(data.attempts, count)
    part = replace(data, attempts=tuple(kept))
    assert "## ThermoQA" in write_report(part.results, tmp_path).markdown.read_text("utf-8")
    assert json.dumps(to_json(part.results), allow_nan=False)
    assert printed(part, 100)


def test_a_simulated_run_says_so(data):
    simulated = replace(data, simulated=frozenset(MODELS))
    [chapter] = simulated.chapters
    captions = [each.caption for section in chapter.sections for each in (*section.tables, *section.figures)]
    told = [caption for caption in captions if "(simulated)" in caption]
    assert len(told) == len(captions)


def test_the_page_of_the_study_names_every_section(data):
    page = (ROOT / "docs" / "studies" / "thermoqa.md").read_text("utf-8")
    table = page.split("| section | question it answers |")[1]
    named = [name for line in table.splitlines()[2:] for name in line.split(" | ")[0].strip("| ").split(", ")]
    [chapter] = data.chapters
    titles = [section.title for section in chapter.sections]
    assert [name for name in named if not any(title.startswith(name) for title in titles)] == []
    assert [title for title in titles if not any(title.startswith(name) for name in named)] == []


def test_the_study_with_tools_has_six_treatments():
    study = read(ROOT / "experiments" / "configs" / "thermoqa_tools.yaml")
    arms = {name: arm_of(name, switches).plan for name, switches in study.all_arms().items()}
    assert next(iter(arms)) == study.baseline == "text_only"
    assert len({plan.fingerprint() for plan in arms.values()}) == 6
    tools = {name: sorted(tool.name for tool in plan.tools) for name, plan in arms.items()}
    assert tools["text_only"] == []
    assert tools["all"] == sorted({*tools["calculator"], *tools["fluid_properties"]})
    assert tools["fluid_properties+cycle_protocol"] == tools["fluid_properties"] != []
