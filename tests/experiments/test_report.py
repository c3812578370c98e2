"""From attempts to report.md, deltas.csv, deltas.png, JSON, data frames and the terminal."""

import io
import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars
import pytest
from matplotlib.text import Text
from rich.console import Console

from ansatz.eval.score import Dimension, Scale
from ansatz.experiments.report import (
    Summary,
    attempts_frame,
    deltas_frame,
    plot_deltas,
    score_frames,
    to_json,
    write_report,
)
from ansatz.experiments.report.chapters import run_chapters
from ansatz.experiments.report.stop_reasons import warn_of_lost_answers
from ansatz.experiments.report.write import LISTING
from ansatz.experiments.view.overview import overview
from tests.experiments.rows import own_problem, tried

GOLDEN = Path(__file__).parent / "golden"
EFFECTS = {
    "baseline": {"tokens": 900.0},
    "calculator": {"outcome": 0.3, "G4": 0.5, "tokens": 2400.0},
    "protocol": {"G6": 0.5, "outcome": -0.05, "tokens": 1500.0},
}
BASES = {"outcome": 0.4, "kpi": 0.5, "G4": 0.25, "G6": 0.2, "tokens": 0.0}


def came_of(problem, model, arm, repeat):
    """Attempts at p3 failed under the protocol, and G4 of p5 is unscored in the second of two repeats."""
    number, values = int(problem.id[1:]), {}
    if (arm, number) == ("protocol", 3):
        return {"error": "ModelUnavailable: 503 | try later"}
    for at, (name, base) in enumerate(BASES.items()):
        # Scatter that differs by arm, dimension, problem and repeat, and averages out.
        scatter = ((number * 7 + repeat * 3 + at * 5 + list(EFFECTS).index(arm) * number) % 11 - 5) / 50
        value = base + EFFECTS[arm].get(name, 0.0)
        values[name] = value * (1 + scatter) if name == "tokens" else value + scatter
    if (number, repeat) == (5, 1):
        return {"values": {**values, "G4": None}, "details": {"G4": ("no sum is stated", {})}}
    return {"values": values}


def in_pairs(count, **tags):
    """Problems of which two are of a family each, on two levels."""
    return [own_problem(f"p{n}", f"f{n // 2}", level=f"L{n % 2 + 1}", **tags) for n in range(count)]


@pytest.fixture(scope="module")
def data():
    """24 problems of 12 families, two repeats."""
    slide_rule = "offline:slide-rule"
    return tried(
        in_pairs(24, domain="heating"),
        came_of,
        models=(slide_rule,),
        arms=EFFECTS,
        repeats=2,
        dimensions=tuple(BASES),
        simulated=frozenset({slide_rule}),
        resamples=500,
    )


def scored(values, count=12, **fields):
    """One model with a value for each arm and problem, each a family of its own."""
    problems = [own_problem(f"p{n}", f"f{n}", level=f"L{n % 2}") for n in range(count)]
    return tried(
        problems, lambda problem, model, arm, repeat: {"values": values(arm, int(problem.id[1:]))}, **fields
    )


def printed(data, width, *, terminal=False, full=True):
    console = Console(width=width, file=io.StringIO(), force_terminal=terminal, _environ={"TERM": "xterm"})
    console.print(Summary(data.results, full=full))
    return console.file.getvalue()


def comparison(data, arm, dimension):
    [found] = [row for row in data.comparisons if (row.arm, row.dimension.name) == (arm, dimension)]
    return found


@pytest.fixture(scope="module")
def files(data, tmp_path_factory):
    return write_report(data.results, tmp_path_factory.mktemp("run"), full=True)


@pytest.mark.parametrize("name", ["report.md", "deltas.csv"])
def test_the_files_as_as_kept(files, name):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_report.py, and read the diff."""
    written = (files.markdown.parent / name).read_text(encoding="utf-8")
    kept = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        kept.write_text(written, encoding="utf-8")
    assert written == kept.read_text(encoding="utf-8")


def test_a_report_begins_with_a_line_on_each_arm(files):
    text = files.markdown.read_text(encoding="utf-8")
    first = text.split("## ")[1].splitlines()
    assert first[0] == "What helped" and "40.0 on outcome (0–100) under baseline" in first[2]
    best, worst = (line for line in first if line.startswith("- "))
    assert best.startswith("- **calculator** +29.6") and ": helps" in best
    assert worst.startswith("- **protocol** −5.3") and "times the tokens" in worst


def test_a_small_report_leaves_out_what_it_cannot_show(tmp_path):
    """With five families, even complete agreement has p = 0.06."""
    switches = {"baseline": frozenset(), "a": frozenset("a"), "b": frozenset("b"), "ab": frozenset("ab")}
    for count, has_analyses in ((5, False), (6, True)):
        data = scored(
            lambda arm, n: {"outcome": len(switches[arm]) / 4 + n / 40},
            count,
            arms=tuple(switches),
            dimensions=("outcome",),
            switches=switches,
        )
        files = write_report(data.results, tmp_path / str(count), full=True)
        report = files.markdown.read_text(encoding="utf-8")
        for title in ("## The factorial design", "### Arms against each other", "### By level"):
            assert (title in report) is has_analyses
        assert ("families are too few" in report) is not has_analyses
        assert "### How attempts ended" in report
        assert (tmp_path / str(count) / "factorial").is_dir() is has_analyses


@pytest.mark.parametrize(("problems", "is_short"), [(30, True), (31, False)])
def test_the_report_of_a_small_study_is_short(tmp_path, problems, is_short):
    outcome = lambda arm, n: {"outcome": n % 2 / 2 + (arm == "tool") / 4}  # noqa: E731
    data = scored(outcome, problems, arms=("baseline", "tool"), dimensions=("outcome",))
    files = write_report(data.results, tmp_path)
    report = files.markdown.read_text(encoding="utf-8")
    for title in ("Significant changes against baseline", "Detectable effects and verdicts"):
        assert (f"### {title}" in report) is not is_short
        assert (title in report.partition("Left out: ")[2]) is is_short
    assert "### Outcome" in report
    full = write_report(data.results, tmp_path, full=True).markdown.read_text(encoding="utf-8")
    assert "Left out" not in full and "### How attempts ended" in full


def test_stop_reasons_are_shown_if_they_differ_from_answered(tmp_path):
    for stop, is_shown in (("answered", False), ("tool_calls", True)):
        report = write_report(two_models(tool=stop).results, tmp_path).markdown.read_text(encoding="utf-8")
        assert ("### How attempts ended" in report) is is_shown
        assert (tmp_path / "attempts" / "ended.csv").exists()


def test_equal_amounts_are_bold_where_the_page_has_a_star(tmp_path):
    """With the same difference for every problem, the ratio has an interval, and the difference has none."""
    data = scored(
        lambda arm, n: {"tokens": 90 + n + 7 * (arm == "tool")},
        20,
        arms=("baseline", "tool"),
        dimensions=("tokens",),
    )
    (row,) = data.comparisons
    assert row.is_significant and row.ends == (None, None)
    report = write_report(data.results, tmp_path, full=True).markdown.read_text(encoding="utf-8")
    assert "**+7**" in report


def test_an_arm_without_a_finished_attempt_loses_no_answers():
    counts = {("m", "baseline"): Counter(empty=8), ("m", "down"): Counter(error=8)}
    (line,) = warn_of_lost_answers(counts)
    assert "in all arms" in line and "down" not in line


def test_a_run_that_goes_on_is_provisional_and_stars_nothing(data):
    going = replace(data, planned=150)
    assert any(row.is_significant for row in data.comparisons)
    assert not any(row.is_significant for row in going.comparisons)
    assert "provisional" in printed(going, 100, full=False)


@pytest.mark.parametrize("simulated", [{"offline:slide-rule"}, set()])
def test_results_of_the_offline_model_are_called_simulated(data, tmp_path, simulated):
    changed = replace(data, simulated=frozenset(simulated))
    report = write_report(changed.results, tmp_path).markdown.read_text(encoding="utf-8")
    assert ("**Simulated.**" in report) is ("simulated" in printed(changed, 100)) is bool(simulated)
    assert to_json(changed.results)["simulated"] == sorted(simulated)


def test_the_plot_shows_headlines_with_the_best_arm_on_top(data, files):
    """Details, such as G4, have a figure of their own in the chapter."""
    from matplotlib.image import imread

    plot = plot_deltas(replace(data, arms=("baseline", "protocol", "calculator")).results)
    assert [axes.get_title("left").split()[0] for axes in plot.axes] == ["outcome", "kpi"]
    assert [each.get_text() for each in plot.axes[0].get_yticklabels()] == ["calculator", "protocol"]
    assert (files.figure.parent / "deltas" / "rubric_details.png").is_file()
    pixels = {
        tuple(pixel) for pixel in (imread(files.figure)[..., :3] * 255).round().astype(int).reshape(-1, 3)
    }
    assert {(0x00, 0x72, 0xB2), (0x99, 0x99, 0x99)} <= pixels


def test_a_figure_has_one_font_size(data):
    texts = plot_deltas(data.results).findobj(Text)
    assert len({text.get_fontsize() for text in texts if text.get_text()}) == 1


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_terminal_table_fits_and_leaves_nothing_out(data, width):
    shown = printed(data, width)
    assert max(map(len, shown.splitlines())) <= width
    estimate = 100 * comparison(data, "calculator", "outcome").delta.estimate
    for word in [*data.arms, *data.dimensions, "…", "n 23 (1)", "(47 / 1 / 0)", "0–2", f"{estimate:+.1f}"]:
        assert word in shown


def test_the_terminal_says_first_what_was_asked(data):
    """Arms by their effect on the first headline dimension, on 100 columns."""
    shown = printed(data, 100, full=False)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 100 and len(lines) <= 40
    arms = [line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in data.arms]
    assert arms == ["baseline", "calculator", "protocol"]
    assert "simulated" in shown and "142 of 144 finished, 2 failed" in shown
    assert "Cost: " in shown and "G4" not in shown


def test_a_run_without_pairs_still_reports(data, tmp_path):
    down = tuple(
        each if each.arm == "baseline" else replace(each, values={}, error="down") for each in data.attempts
    )
    changed = replace(data, attempts=down)
    report = write_report(changed.results, tmp_path).markdown.read_text(encoding="utf-8")
    assert "–<br>p –, n 0, dropped 24" in report and "– (0 / 0 / 48)" in report
    assert "n 0 (24)" in printed(changed, 100)
    told = json.loads(json.dumps(to_json(changed.results), allow_nan=False))
    assert len(told["errors"]) == 96 and {each["repeat"] for each in told["errors"]} == {0, 1}
    bare = replace(data, arms=("baseline",))
    assert "(48 / 0 / 0)" in write_report(bare.results, tmp_path).markdown.read_text(encoding="utf-8")


def test_what_this_report_no_longer_makes_is_removed_and_other_files_stay(data, tmp_path):
    listing, outside = tmp_path / LISTING, tmp_path.parent / "outside.png"
    (tmp_path / "tps").mkdir()
    for file in (*(tmp_path / name for name in ("tps/old.png", "tps/mine.png", "notes.txt")), outside):
        file.write_text("x", encoding="utf-8")
    listing.write_text("tps/old.png\n../outside.png\n")
    write_report(data.results, tmp_path)
    left = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()}
    listed = set(listing.read_text(encoding="utf-8").split())
    assert left == listed | {LISTING, "tps/mine.png", "notes.txt"}
    assert {"report.md", "deltas.csv", "deltas.png"} <= listed and outside.exists()


def two_models(**stops):
    """Two models of which the second is better by half under each arm; `stops` say how an arm's attempts end."""

    def came_of(problem, model, arm, repeat):
        n = int(problem.id[1:])
        value = 0.5 * (model == "large") + 0.2 * (arm == "tool") + 0.01 * (n % 3)
        return {"values": {"outcome": value}, "stop": stops.get(arm, "answered") if n < 4 else "answered"}

    arms = ("baseline", "tool")
    return tried(in_pairs(20), came_of, models=("small", "large"), arms=arms, dimensions=("outcome",))


def test_two_models_are_held_against_each_other_under_each_arm():
    data = two_models()
    [attempts] = [each for each in run_chapters(data.results) if each.name == "attempts"]
    tables = (table for section in attempts.sections for table in section.tables)
    [table] = [each for each in tables if each.name.startswith("models")]
    for row in table.rows:
        assert row[3].value == pytest.approx(0.5) and row[3].n == 20
    assert [row[1] and row[1].value for row in table.rows] == [None, pytest.approx(0.2)]
    assert "large − small" in printed(data, 100, full=False)


@pytest.mark.parametrize(
    ("stops", "warned"),
    [
        ({}, False),
        ({"tool": "truncated"}, True),
        ({"tool": "empty"}, True),
        ({"tool": "refused"}, True),
        ({"tool": "tool_calls"}, False),
    ],
)
def test_answers_lost_in_one_arm_alone_are_warned_of(stops, warned, tmp_path):
    data = two_models(**stops)
    report = write_report(data.results, tmp_path).markdown.read_text(encoding="utf-8")
    for shown in (report, printed(data, 200, full=False), " ".join(to_json(data.results)["warnings"])):
        assert (
            "20% of the answers of tool are truncated, empty or refused, 0% of baseline" in shown
        ) is warned
    head, *rows = (tmp_path / "attempts" / "ended.csv").read_text(encoding="utf-8").splitlines()
    assert set(stops.values()) <= set(head.split(","))
    assert [row.endswith(",20.0") for row in rows].count(True) == 2 * warned


@pytest.mark.parametrize(("stop", "remedy"), [("truncated", True), ("empty", False), ("refused", False)])
def test_lost_answers_in_all_arms_come_first(stop, remedy, tmp_path):
    data = two_models(baseline=stop, tool=stop)
    report = write_report(data.results, tmp_path).markdown.read_text(encoding="utf-8")
    for shown in (report, printed(data, 400, full=False), "\n".join(overview(data.results)["warnings"])):
        line = next(each for each in shown.splitlines() if "Warning:" in each and "small: " in each)
        assert f"20% of the answers are truncated, empty or refused, in all arms (8 {stop})" in line.replace(
            "*", ""
        )
        assert ("max_tokens" in line) is remedy
        assert line in [each for each in shown.splitlines() if each.strip()][:3]


def test_less_is_better_where_the_dimension_says_so():
    data = scored(
        lambda arm, n: {"drop": 0.1 + 0.01 * n if arm == "calculator" else 0.9},
        arms=("baseline", "calculator"),
        dimensions=(Dimension("drop", better="lower"),),
    )
    [row] = data.comparisons
    assert row.is_significant and row.is_better and row.delta.estimate < 0
    assert "\x1b[1;32m" in printed(data, 100, terminal=True, full=False)
    assert "\x1b[" not in printed(data, 100)


def test_a_factor_that_nothing_bounds_has_an_open_end():
    """Two families that differ by a hundred orders of magnitude: the logarithm's interval is no number's."""
    amounts = {"zero": (10.0, 10.0), "long": (10.0, 1e110)}
    [found] = scored(
        lambda arm, n: {"tokens": amounts[arm][n]}, 2, arms=amounts, dimensions=("tokens",)
    ).comparisons
    assert found.factor.high is None and found.factor.low == 0


def test_every_door_says_the_same_difference_on_a_scale_from_1_to_5(tmp_path):
    """Terminal, report, its data, JSON and frame; a dimension that nobody was scored on is no headline."""
    data = scored(
        lambda arm, n: {"kpi": None, "marks/page": (0.6 if arm == "baseline" else 0.1) + n / 40},
        arms=("baseline", "<b>tool"),
        dimensions=(Dimension("kpi"), Dimension("marks/page", scale=Scale.between(1, 5))),
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
    attempts, scores = attempts_frame(data.results), polars.concat(score_frames(data.results, 50))
    row = comparison(data, "calculator", "outcome")
    [found] = deltas_frame(data.results).filter(arm="calculator", dimension="outcome").to_dicts()
    assert (found["estimate"], found["p_holm"], found["pairs"]) == (row.delta.estimate, row.p_holm, 24)
    assert len(attempts) == 144 and attempts["state"].to_list().count("error") == 2
    assert len(scores) == 144 * len(data.dimensions)
    assert attempts.filter(arm="baseline")["G4"].null_count() == 1
    assert len(plot_deltas(data.results).axes) == 2  # outcome and kpi
