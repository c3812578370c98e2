"""Sections of a report as text: what a cell shows, and what the data files hold of it."""

from dataclasses import replace
from itertools import combinations

import pytest
from matplotlib.text import Text

from ansatz.eval.score import PERCENT, Scale
from ansatz.experiments.report.charts import draw_canvas, write_png
from ansatz.experiments.report.tables import (
    COUNT,
    PROBABILITY,
    Chapter,
    Column,
    Figure,
    Panel,
    Section,
    Table,
)
from ansatz.experiments.report.text import chapter_markdown, literal, records, show, table_csv
from ansatz.experiments.results import Estimate

CHANGE = Column("Δ", PERCENT, change=True)
MEAN = Column("mean", PERCENT)
ADJUSTED = Estimate(-0.1, -0.2, -0.05, p=0.049, is_adjusted=True)


def of(*tables, figures=(), notes=()):
    """A chapter of one section as Markdown."""
    return chapter_markdown(Chapter("own", "a<b", [Section("S", ["found"], tables, figures, notes)]))


@pytest.mark.parametrize(
    ("column", "entry", "text"),
    [
        (Column("arm"), "a|b", "a|b"),
        (Column("arm"), None, "–"),
        (MEAN, None, "–"),
        (MEAN, 0.5, "50.0"),
        (MEAN, Estimate(None), "–"),
        (MEAN, Estimate(0.5, 0.25, 0.75, p=0.01, n=9), "50.0 [25.0, 75.0]"),
        (MEAN, Estimate(0.5, sigma=0.0125), "50.0 ± 1.2"),
        (MEAN, Estimate(0.1, -0.05, 0.2), "10.0 [−5.0, 20.0]"),
        (COUNTED := Column("n", COUNT), 1234, "1,234"),
        (COUNTED, Estimate(0), "0"),
        (CHANGE, Estimate(0.1), "+10.0"),
        (CHANGE, Estimate(-0.1, -0.2, 0.05), "−10.0 [−20.0, +5.0]"),
        (CHANGE, Estimate(0.1, 0.05, 0.2, p=0.001, n=7), "+10.0 [+5.0, +20.0]<br>p 0.001, n 7"),
        # in bold only if the interval excludes zero and p is small, both adjusted
        (CHANGE, ADJUSTED, "**−10.0 [−20.0, −5.0]**<br>p 0.049"),
        (CHANGE, replace(ADJUSTED, p=0.0001, n=7), "**−10.0 [−20.0, −5.0]**<br>p <0.001, n 7"),
        (CHANGE, replace(ADJUSTED, p=0.05), "−10.0 [−20.0, −5.0]<br>p 0.050"),
        (CHANGE, replace(ADJUSTED, high=0.0), "−10.0 [−20.0, 0.0]<br>p 0.049"),
        (CHANGE, replace(ADJUSTED, low=None), "−10.0<br>p 0.049"),
        (CHANGE, Estimate(0.1, p=0.001, decided=True), "**+10.0**<br>p 0.001"),
        (MEAN, Estimate(-0.0001, -0.1), "0.0"),
        (Column("p", PROBABILITY), 0.0004, "<0.001"),
    ],
)
def test_a_cell_shows_what_is_known_of_a_number(column, entry, text):
    assert show(column, entry) == text


def test_the_report_leaves_rows_out_and_says_where_they_are():
    table = Table("t", "T.", [Column("arm"), MEAN], [["a", 0.1], ["b", 0.2], ["c", 0.3]], max_rows=1)
    text = "\n".join(of(table))
    assert "| a | 10.0 |" in text and "| b |" not in text
    assert "The 2 further rows are in own/t.csv." in text
    assert len(records(table)) == 3


def test_a_column_without_any_value_is_named_in_the_caption():
    empty = replace(CHANGE, name="kpi")
    table = Table(
        "t", "T.", [Column("arm"), MEAN, empty], [["a", 0.1, Estimate(None, n=0)], ["b", 0.2, None]]
    )
    assert of(table)[-2:] == [
        "T. Without a value: kpi.",
        "| arm | mean |\n| --- | ---: |\n| a | 10.0 |\n| b | 20.0 |",
    ]
    assert "kpi" in table_csv(table)


def test_every_row_of_a_data_file_has_the_same_fields():
    columns = [Column("arm"), CHANGE]
    table = Table("t", "T.", columns, [["a", None], ["b", Estimate(0.1, 0.05, 0.2, p=0.1234567)]])
    assert records(table) == [
        {"arm": "a", "delta": None, "delta_low": None, "delta_high": None, "delta_p": None},
        {"arm": "b", "delta": 10.0, "delta_low": 5.0, "delta_high": 20.0, "delta_p": 0.12346},
    ]
    assert table_csv(replace(table, rows=[])) == "arm,delta\n"


def test_a_chapter_has_findings_figures_tables_and_notes():
    figure = Figure("heatmap", "fig", "A figure", ())
    made = of(Table("t", "T.", [MEAN], [[0.5]]), figures=[figure], notes=["One.", "Two."])
    blocks = ["![A figure](own/fig.png)", "T.", "| mean |\n| ---: |\n| 50.0 |", "One.", "Two."]
    assert made == ["## a<b", "### S", "- found", *blocks]


def test_columns_of_data_files_have_ascii_names():
    columns = [Column("arm"), Column("Δ a − b × 1–2", PERCENT, change=True)]
    assert table_csv(Table("t", "T.", columns, [["é", 0.5]])) == "arm,delta a - b x 1-2\né,50.0\n"


def test_names_and_reasons_hold_no_markup():
    table = Table("t", "Of <b>", [Column("arm"), CHANGE], [["<script>x</script>", Estimate(0.1, p=0.5)]])
    text = literal("\n".join(of(table)))
    assert r"\<script>x\</script>" in text and r"Of \<b>" in text and r"a\<b" in text
    assert "+10.0<br>p 0.500" in text


def test_a_scale_above_zero_shifts_values_but_no_differences():
    marks = Scale.between(1, 5)
    columns = [Column("mean", marks), Column("Δ", marks, change=True), Column("spread", marks)]
    row = [0.5, Estimate(-0.125, -0.25, 0.0), Estimate(0.5, sigma=0.25)]
    table = Table("t", "T.", columns, [row])
    assert list(map(show, columns, row)) == ["3.00", "−0.50 [−1.00, 0.00]", "3.00 ± 1.00"]
    change, spread = (
        {"delta": -0.5, "delta_low": -1.0, "delta_high": 0.0},
        {"spread": 3.0, "spread_sigma": 1.0},
    )
    assert records(table) == [{"mean": 3.0, **change, **spread}]


def test_names_in_figures_are_no_formulas_and_may_lack_a_font(tmp_path):
    panel = Panel("$x_", ["$5", r"$\frac$", "中"], {"difference": [Estimate(0.1, 0.0, 0.2)] * 3})
    write_png(Figure("intervals", "f", "of $ and $", [panel], zero=True), tmp_path / "f.png")
    assert (tmp_path / "f.png").stat().st_size


def test_what_an_arm_costs_is_drawn_only_where_it_is_known():
    known, unknown = Estimate(0.3), Estimate(None)
    panel = Panel("m", ["dollars", "marks"], {
        "free?": [unknown, Estimate(0.5), unknown],
        "dear": [known, Estimate(0.5, 0.25, 0.75), Estimate(1.0)],
    }, Scale.between(1, 5))  # fmt: skip
    [axes] = draw_canvas(Figure("frontier", "f", "F", [panel])).axes
    [point], labels = axes.get_legend_handles_labels()
    assert point.lines[0].get_xydata().tolist() == [[0.3, 3.0]] and labels == ["dear"]


def test_points_of_a_frontier_have_names_that_do_not_overlap():
    near = {f"arm {n}": [Estimate(100.0 + n), Estimate(0.5), Estimate(0.0)] for n in range(6)}
    other = {name: [Estimate(cost.value * 40), *rest] for name, (cost, *rest) in near.items()}
    panels = [Panel(model, ["tokens", "outcome"], series) for model, series in (("a", near), ("b", other))]
    canvas = draw_canvas(Figure("frontier", "f", "F", panels))
    canvas._repr_png_()
    for axes in canvas.axes:
        boxes = [Text.get_window_extent(text) for text in axes.texts]
        assert len(boxes) == 6 and not canvas.legends
        assert not [1 for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert canvas.axes[0].get_xlim()[1] < canvas.axes[1].get_xlim()[0]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0004, "+0.04"),
        (-0.000003, "−<0.001"),
        (0.00049, "+0.05"),
        (0.052, "+5.2"),
        (0.0, "0.0"),
        (None, "–"),
    ],
)
def test_the_end_beside_a_star_is_not_rounded_to_zero(value, shown):
    assert PERCENT.show_end(value) == shown
