"""The chapters on benchmarks: as kept, adding up, and of runs that lack something."""

import io
import json
import os
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from ansatz.eval.benchmarks.apbench.scoring import CLASSES, judge_strict
from ansatz.eval.benchmarks.tps.chapter import tier_of
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.experiments.report import Summary, to_json
from ansatz.experiments.report.charts import write_png
from ansatz.experiments.report.text import chapter_markdown
from tests.experiments.chapter_runs import apbench_run, physbench_run, thermoqa_run, tpbench_run
from tests.experiments.tps_input import tps_run

ROOT = Path(__file__).parents[2]
RUNS = {
    "apbench": apbench_run,
    "physbench": physbench_run,
    "thermoqa": thermoqa_run,
    "tpbench": tpbench_run,
    "tps": tps_run,
    "tps_noisy": partial(tps_run, noisy=True),
}


@cache
def run(name):
    return RUNS[name]()


def titles(data):
    return [section.title for section in data.chapters[0].sections]


@pytest.mark.parametrize("name", RUNS)
def test_the_chapters_are_as_kept(name):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_report_chapters.py, and read the diff."""
    kept = Path(__file__).parent / "golden" / f"{name}.md"
    made = "\n\n".join(block for each in run(name).chapters for block in chapter_markdown(each)) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        kept.write_text(made, encoding="utf-8")
    assert made == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "table", "parts", "whole"),
    [
        ("thermoqa", "gain", ("on property steps", "on reasoning steps"), "gain"),
        ("tps", "track_a", ("exact", "acceptable", "order-correct", "wrong"), 1),
        ("tps", "quadrants", ("HH", "HL", "LH", "LL"), 1),
        ("apbench", "rules", ("both right", "published alone", "strict alone", "neither"), "answers"),
        ("apbench", "errors", CLASSES, 1),
    ],
)
def test_parts_add_up(name, table, parts, whole):
    for row in run(name).tables(table):
        shown = {head: getattr(entry, "value", entry) for head, entry in row.items()}
        assert sum(shown[part] for part in parts) == pytest.approx(shown.get(whole, whole), abs=1e-12)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize(("seed", "count"), [(0, 1), (40, 40)])
def test_an_interrupted_run_reports_what_it_has(name, seed, count):
    """However few attempts there are, and whichever."""
    part = replace(run(name), attempts=tuple(Random(seed).sample(run(name).attempts, count)))
    assert json.dumps(to_json(part.results), allow_nan=False)
    Console(width=100, file=io.StringIO()).print(Summary(part.results, full=True))


@pytest.mark.parametrize(
    ("name", "table"), [("thermoqa", "tools_strict"), ("apbench", "topics_strict"), ("tps", "quadrants")]
)
def test_failed_attempts_are_left_out_and_not_wrong(name, table):
    kept = replace(run(name), attempts=tuple(each for each in run(name).attempts if not each.error))
    assert len(kept.attempts) == len(run(name).attempts) - 1
    assert kept.tables(table) == run(name).tables(table)


@pytest.mark.parametrize("name", ["apbench", "physbench", "tpbench"])
def test_there_is_no_chapter_without_scores(name):
    unscored = tuple(replace(each, values={}) for each in run(name).attempts)
    assert not replace(run(name), attempts=unscored, scorers=()).chapters


def test_a_simulated_run_says_so():
    data = run("thermoqa")
    sections = replace(data, simulated=frozenset(data.models)).chapters[0].sections
    captions = [each.caption for section in sections for each in (*section.tables, *section.figures)]
    assert all("(simulated)" in caption for caption in captions)


def test_a_run_without_models_arms_or_reviewers_is_reported():
    alone = replace(run("thermoqa"), models=("steady",))
    assert "What separates the arms" in titles(alone)
    assert [row["arm"] for row in alone.tables("tools_strict")] == ["text_only", "tools", "protocol"]
    bare = titles(replace(run("thermoqa"), arms=("text_only",)))
    assert "Tools by tier" not in bare and "Scores over runs" in bare
    assert titles(replace(run("tps"), dimensions=("tokens",), switches={})) == ["Track A: outcome"]


def test_marks_by_an_embedding_alone_are_said_to_be():
    data = run("apbench")
    attempts = tuple(
        replace(each, values={**each.values, "message": each.values["cosine"]}) if "message" in each.values else each
        for each in data.attempts
    )  # fmt: skip
    assert {row["basis"] for row in replace(data, attempts=attempts).tables("messages")} == {
        "embedding alone"
    }


def test_the_figure_of_outcomes_omits_unverified_systems():
    data = run("tpbench")
    lost = tuple(
        replace(each, error="down", values={}) if each.arm == data.arms[1] else each for each in data.attempts
    )
    panels = replace(data, attempts=lost).chapters[0].sections[1].figures[0].panels
    assert panels[0].labels == ["zero-shot", "symbolic_check"]


def test_a_figure_of_every_kind_is_drawn(tmp_path):
    found = [
        figure
        for name in RUNS
        for chapter in run(name).chapters
        for section in chapter.sections
        for figure in section.figures
    ]
    kinds = {each.kind: each for each in found}
    assert len(kinds) == 4
    for kind, figure in kinds.items():
        write_png(figure, tmp_path / f"{kind}.png")
        assert (tmp_path / f"{kind}.png").stat().st_size > 5000


def test_the_page_of_the_study_names_every_section():
    page = (ROOT / "docs" / "studies" / "thermoqa.md").read_text("utf-8")
    table = page.split("| section | question it answers |")[1]
    named = [name for line in table.splitlines()[2:] for name in line.split(" | ")[0].strip("| ").split(", ")]
    made = titles(run("thermoqa"))
    assert [name for name in named if not any(title.startswith(name) for title in made)] == []
    assert [title for title in made if not any(title.startswith(name) for name in named)] == []


@pytest.mark.parametrize(
    ("published", "tier"),
    [(0.81, "frontier"), (0.80, "strong"), (0.62, "strong"), (0.61, "unnamed"), (0.50, "unnamed"), (0.49, "low")],
)  # fmt: skip
def test_tiers_are_cut_as_published(published, tier):
    assert tier_of(published) == tier


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("v = 7.5 km/s", None),
        ("v = 7500 m/s", None),
        ("nothing", "not stated"),
        ("v = 7.5 kg", "unit"),
        ("v = -7.5 km/s", "sign"),
        ("v = 7500 km/s", "power of ten"),
        ("v = 0.075 km/s", "power of ten"),
        ("v = 429.718 km/s", "degrees or radians"),
        ("v = 15 km/s", "factor of two"),
        ("v = 3.75 km/s", "factor of two"),
        ("v = 8 km/s", "within 10 %"),
        ("v = 5 km/s", "within 50 %"),
        ("v = 0 km/s", "beyond 50 %"),
        ("v = 40 km/s", "beyond 50 %"),
    ],
)
def test_slips_are_told_apart(text, kind):
    target = NumberTarget(name="v", unit="km/s", weight=1.0, value=7.5)
    asked = Problem(id="p", family="p", benchmark="apbench", question="v?", targets=(target,))
    assert [each.error for each in judge_strict(asked, text)] == [kind]
