"""From cells to report.md, deltas.csv, deltas.png, JSON and the terminal."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import polars
import pytest
from rich.console import Console

from ansatz.eval.score import Dimension, Scale
from ansatz.eval.statistics import holm
from ansatz.experiments.report import (
    Summary,
    attempts_frame,
    deltas_frame,
    plot_deltas,
    score_frames,
    to_json,
    write_report,
)
from ansatz.experiments.report.chapters import views
from ansatz.experiments.report.write import LISTING
from tests.experiments.report_input import small_run
from tests.experiments.rows import Attempt, Cell

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def data():
    return small_run()


@pytest.fixture(scope="module")
def files(data, tmp_path_factory):
    return write_report(data.results, tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize("name", ["report.md", "deltas.csv"])
def test_the_files_are_as_kept(files, name):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_report.py, and read the diff."""
    written = (files.markdown.parent / name).read_text(encoding="utf-8")
    kept = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        kept.write_text(written, encoding="utf-8")
    assert written == kept.read_text(encoding="utf-8")


def comparison(data, arm, dimension):
    [found] = [row for row in data.comparisons if (row.arm, row.dimension.name) == (arm, dimension)]
    return found


@pytest.mark.parametrize(("arm", "dimension"), [("calculator", "G4"), ("protocol", "outcome")])
def test_problems_weigh_the_same_whatever_repeats_were_scored_and_failures_do_not(data, arm, dimension):
    """G4 of p5 has one scored repeat of two, and p3 failed under the protocol: a mean over attempts differs."""
    by_problem = {}
    for cell in data.cells:
        if (cell.arm, cell.dimension, cell.state) == (arm, dimension, "scored"):
            by_problem.setdefault(cell.problem, []).append(cell.value)
    means = [sum(values) / len(values) for values in by_problem.values()]
    assert comparison(data, arm, dimension).mean.value == pytest.approx(sum(means) / len(means))


def test_p_is_adjusted_over_all_arms_and_quality_dimensions_and_resources_apart(data):
    for role in ("quality", "resource"):
        rows = [row for row in data.comparisons if row.dimension.role == role]
        tested = {at: row for at, row in enumerate(rows) if row.verdict is not None}
        adjusted = holm({at: row.verdict.p for at, row in tested.items()})
        assert [rows[at].p_holm for at in tested] == list(adjusted.values())
        for row in tested.values():
            assert row.verdict.p <= row.p_adjusted <= row.p_holm + 0.01


def test_a_run_that_goes_on_is_provisional_and_stars_nothing(data):
    going = replace(data, planned=150)
    assert any(row.is_significant for row in data.comparisons)
    assert not any(row.is_significant for row in going.comparisons)
    assert "provisional" in printed(going, 100, full=False)
    assert len([row for row in data.comparisons if row.dimension.role == "quality"]) == 8


@pytest.mark.parametrize(("simulated", "said"), [({"offline:slide-rule"}, True), (set(), False)])
def test_results_of_the_offline_model_are_called_simulated(data, tmp_path, simulated, said):
    changed = replace(data, simulated=frozenset(simulated))
    report = write_report(changed.results, tmp_path).markdown.read_text(encoding="utf-8")
    assert ("**Simulated.**" in report) is said
    assert ("simulated" in printed(changed, 100)) is said
    assert to_json(changed.results)["simulated"] == sorted(simulated)


def test_the_figure_is_a_picture_of_every_dimension(data, files, tmp_path):
    from matplotlib.image import imread

    height, width, _ = imread(files.figure).shape
    taller, same, _ = imread(
        write_report(replace(data, models=("offline:slide-rule", "b")).results, tmp_path).figure
    ).shape
    assert taller > 1.5 * height and same == width
    pixels = {
        tuple(pixel) for pixel in (imread(files.figure)[..., :3] * 255).round().astype(int).reshape(-1, 3)
    }
    assert {(0x00, 0x72, 0xB2), (0x99, 0x99, 0x99)} <= pixels


def printed(data, width, *, terminal=False, full=True):
    console = Console(width=width, file=io.StringIO(), force_terminal=terminal, _environ={"TERM": "xterm"})
    console.print(Summary(data.results, full=full))
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_terminal_table_fits_and_leaves_nothing_out(data, width):
    shown = printed(data, width)
    assert max(map(len, shown.splitlines())) <= width
    assert "…" in shown
    for word in [*data.arms, *data.dimensions, "n 23 (1)", "(47 / 1 / 0)", "0–2"]:
        assert word in shown
    estimate = 100 * comparison(data, "calculator", "outcome").delta.estimate
    assert f"{estimate:+.1f}" in shown


def test_a_run_without_pairs_still_reports(data, tmp_path):
    cells = tuple(
        replace(cell, value=None, state="error", reason="down") if cell.arm != "baseline" else cell
        for cell in data.cells
    )
    changed = replace(data, cells=cells)
    report = write_report(changed.results, tmp_path).markdown.read_text(encoding="utf-8")
    assert "–<br>p –, n 0, dropped 24" in report
    assert "– (0 / 0 / 48)" in report
    assert "n 0 (24)" in printed(changed, 100)
    told = json.loads(json.dumps(to_json(changed.results), allow_nan=False))
    assert len(told["errors"]) == 96 and {each["repeat"] for each in told["errors"]} == {0, 1}
    bare = replace(data, arms=("baseline",), cells=tuple(each for each in cells if each.arm == "baseline"))
    assert "(48 / 0 / 0)" in write_report(bare.results, tmp_path).markdown.read_text(encoding="utf-8")


def test_what_this_report_no_longer_makes_is_removed_and_other_files_stay(tmp_path):
    data = small_run().results
    write_report(data, tmp_path)
    (tmp_path / "tps").mkdir()
    for name in ("tps/old.png", "tps/mine.png", "notes.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    listing = tmp_path / LISTING
    listing.write_text(f"{listing.read_text(encoding='utf-8')}tps/old.png\n")
    outside = tmp_path.parent / "outside.png"
    outside.write_text("x", encoding="utf-8")
    listing.write_text(f"{listing.read_text(encoding='utf-8')}../outside.png\n")
    write_report(data, tmp_path)
    left = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()}
    assert {"report.md", "deltas.csv", "deltas.png", LISTING, "tps/mine.png", "notes.txt"} <= left
    assert "tps/old.png" not in left
    assert outside.exists()
    listed = set(listing.read_text(encoding="utf-8").split())
    assert listed == left - {LISTING, "tps/mine.png", "notes.txt"}


def test_the_terminal_says_first_what_was_asked(data):
    """Arms by their effect on the first headline dimension, on 100 columns."""
    shown = printed(data, 100, full=False)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 100 and len(lines) <= 40
    arms = [line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in data.arms]
    assert arms == ["baseline", "calculator", "protocol"]
    assert "simulated" in shown and "142 of 144 finished, 2 failed" in shown
    assert "Cost: " in shown and "G4" not in shown


def two_models(**stops):
    """Two models of which the second is better by half under each arm; `stops` say how an arm's attempts end."""
    cells, attempts = [], []
    for model, gain in (("small", 0.0), ("large", 0.5)):
        for arm, help_ in (("baseline", 0.0), ("tool", 0.2)):
            for n in range(20):
                who = (model, arm, f"p{n}")
                cells.append(Cell(*who, f"f{n // 2}", 0, "outcome", gain + help_ + 0.01 * (n % 3), "scored"))
                ends = stops.get(arm, "answered") if n < 4 else "answered"
                attempts.append(Attempt(*who, 0, "x = 1", stop=ends))
    changes = {"models": ("small", "large"), "arms": ("baseline", "tool"), "dimensions": ("outcome",)}
    rows = {"cells": tuple(cells), "attempts": tuple(attempts), "tags": {}, "simulated": frozenset()}
    return small_run(**changes, **rows, planned=80)


def test_two_models_are_held_against_each_other_under_each_arm():
    data = two_models()
    [attempts] = [each for each in views(data.results) if each.name == "attempts"]
    [table] = [
        table for section in attempts.sections for table in section.tables if table.name.startswith("models")
    ]
    for row in table.rows:
        assert row[3].value == pytest.approx(0.5) and row[3].n == 20
    assert [row[1] and row[1].value for row in table.rows] == [None, pytest.approx(0.2)]
    assert "large − small" in printed(data, 100, full=False)


@pytest.mark.parametrize(
    ("stops", "warned"),
    [({}, False), ({"tool": "truncated"}, True), ({"tool": "empty"}, True), ({"tool": "tool_calls"}, False)],
)
def test_answers_lost_in_one_arm_alone_are_warned_of(stops, warned, tmp_path):
    data = two_models(**stops)
    report = write_report(data.results, tmp_path).markdown.read_text(encoding="utf-8")
    for shown in (report, printed(data, 200, full=False), " ".join(to_json(data.results)["warnings"])):
        assert ("20% of the answers of tool are truncated or empty, 0% of baseline" in shown) is warned
    how = {"truncated", "empty", "tool_calls"} & set(stops.values())
    table = (tmp_path / "attempts" / "ended.csv").read_text(encoding="utf-8")
    assert all(name in table.splitlines()[0] for name in how)
    assert (table.count(",20.0\n") == 2) is warned


def test_less_is_better_where_the_dimension_says_so():
    falling = Dimension("drop", better="lower")
    cells = [
        Cell("m", arm, f"p{n}", f"f{n}", 0, "drop", value, "scored")
        for n in range(12)
        for arm, value in (("baseline", 0.9), ("calculator", 0.1 + 0.01 * n))
    ]
    changes = {"models": ("m",), "arms": ("baseline", "calculator"), "dimensions": (falling,)}
    data = small_run(cells=tuple(cells), tags={}, simulated=frozenset(), **changes)
    [row] = data.comparisons
    assert row.is_significant and row.is_better and row.delta.estimate < 0
    assert "\x1b[1;32m" in printed(data, 100, terminal=True, full=False)
    assert "\x1b[" not in printed(data, 100)


def test_a_factor_that_nothing_bounds_has_an_open_end():
    """Two families that differ by a hundred orders of magnitude: the logarithm's interval is no number's."""
    cells = tuple(
        Cell("m", arm, f"p{n}", f"f{n}", 0, "tokens", value, "scored")
        for arm, values in {"zero": (10.0, 10.0), "long": (10.0, 1e110)}.items()
        for n, value in enumerate(values)
    )
    changes = {"models": ("m",), "arms": ("zero", "long"), "baseline": "zero", "dimensions": ("tokens",)}
    data = small_run(cells=cells, tags={}, simulated=frozenset(), **changes)
    [found] = data.comparisons
    assert found.factor.high is None and found.factor.low == 0


def test_every_door_says_the_same_difference_on_a_scale_from_1_to_5(tmp_path):
    """Terminal, report, its data, JSON and frame; a dimension that nobody was scored on is no headline."""
    marks, unknown = Dimension("marks/page", scale=Scale.between(1, 5)), Dimension("kpi")
    cells = tuple(
        Cell("m", arm, f"p{n}", f"f{n}", 0, name, None if name == "kpi" else level + n / 40, "scored")
        for n in range(12)
        for arm, level in (("baseline", 0.6), ("<b>tool", 0.1))
        for name in ("kpi", "marks/page")
    )
    changes = {"models": ("m",), "arms": ("baseline", "<b>tool"), "dimensions": (unknown, marks)}
    data = small_run(
        cells=cells, tags={"p0": {"level": "L1"}, "p1": {"level": "L2"}}, simulated=frozenset(), **changes
    )
    files = write_report(data.results, tmp_path)
    assert (tmp_path / "breakdown" / "marks_page_by_level.csv").is_file()
    shown = printed(data, 100, full=False)
    assert "−2.00*" in shown and "kpi" not in shown
    report = files.markdown.read_text(encoding="utf-8")
    assert r"| \<b>tool | –" in report and "**−2.00 [" in report
    *_, compared = to_json(data.results)["comparisons"]
    assert compared["delta"] == -2.0 and compared["arm_mean"] == pytest.approx(1.95)
    assert ",marks/page,1–5,-2.0," in files.csv.read_text(encoding="utf-8")
    rubric = (tmp_path / "deltas" / "rubric.csv").read_text(encoding="utf-8")
    assert rubric.splitlines()[1].startswith("<b>tool,-2.0,")
    assert deltas_frame(data.results)["estimate"].to_list()[-1] == pytest.approx(-0.5)


def test_frames_hold_the_same_numbers(data):
    deltas, attempts = (make(data.results) for make in (deltas_frame, attempts_frame))
    scores = polars.concat(score_frames(data.results, 50))
    row = comparison(data, "calculator", "outcome")
    [found] = deltas.filter((deltas["arm"] == "calculator") & (deltas["dimension"] == "outcome")).to_dicts()
    assert (found["estimate"], found["p_holm"], found["pairs"]) == (row.delta.estimate, row.p_holm, 24)
    assert len(attempts) == 144 and attempts["state"].to_list().count("error") == 2
    assert len(scores) == 144 * len(data.dimensions)
    assert attempts.filter(attempts["arm"] == "baseline")["G4"].null_count() == 1
    assert len(plot_deltas(data.results).axes) == 2  # outcome and kpi
