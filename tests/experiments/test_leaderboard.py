"""The leaderboard beside a TPS report: four files of the same places, and a page that fetches nothing."""

import csv
import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ansatz.eval.views import Board, BoardColumn
from ansatz.experiments.report import write_report
from ansatz.experiments.report.boards import board_files, page
from tests.experiments.report_input import small_run
from tests.experiments.tps_input import MODELS, SWITCHES, tps_run

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def board():
    [chapter] = [
        chapter for chapter in tps_run(simulated=frozenset({"steady"})).chapters if chapter.name == "tps"
    ]
    return board_files(chapter.boards[0])


class Page(HTMLParser):
    """Rows of cells, every tag in order, and whatever would fetch something."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open, self.fetched, self.metas = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.fetched += [value for key, value in attrs.items() if key in ("src", "href", "action")]
        if tag in ("meta", "input"):
            self.metas.append(attrs)
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append([attrs, ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1][1] += data


def test_the_markdown_is_as_kept(board):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_leaderboard.py."""
    if os.environ.get("UPDATE_GOLDEN"):
        (GOLDEN / "leaderboard.md").write_text(board["leaderboard.md"], encoding="utf-8")
    assert board["leaderboard.md"] == (GOLDEN / "leaderboard.md").read_text(encoding="utf-8")


def test_all_four_forms_hold_the_same_places(board):
    places = json.loads(board["leaderboard.json"])["places"]
    assert len(places) == 2 * len(MODELS) * len(SWITCHES)  # by two reviewers
    rows = list(csv.DictReader(io.StringIO(board["leaderboard.csv"])))
    shown = Page(board["leaderboard.html"])
    assert not shown.open
    for place, row, cells in zip(places, rows, shown.rows[1:], strict=True):
        assert row["arm"] == place["arm"] == cells[2][1]
        assert float(row["kpi"]) == place["kpi"] == pytest.approx(float(cells[4][0]["data-value"]), rel=1e-4)
        assert place["kpi_low"] <= place["kpi"] <= place["kpi_high"]
    assert [len(cells) for cells in shown.rows] == [len(shown.rows[0])] * len(shown.rows)


def test_ranks_and_reasons_exclude_each_other(board):
    for place in json.loads(board["leaderboard.json"])["places"]:
        assert (place["rank"] is None) == bool(place["not_ranked_because"]) == (place["model"] == "silent")


def test_the_page_stands_alone_and_fits_a_phone(board):
    shown = Page(board["leaderboard.html"])
    assert shown.fetched == []
    assert not re.search(r"https?:|@import|url\(|fetch\(|XMLHttp", board["leaderboard.html"])
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in shown.metas
    assert "$" not in board["leaderboard.html"]


def test_simulated_models_are_called_so_everywhere(board):
    assert (
        "steady (simulated)" in board["leaderboard.md"]
        and "silent (simulated)" not in board["leaderboard.md"]
    )
    assert "steady (simulated)" in board["leaderboard.html"]
    assert "no claim about language models" in json.loads(board["leaderboard.json"])["notices"][0]
    assert {row["simulated"] for row in csv.DictReader(io.StringIO(board["leaderboard.csv"]))} == {
        "True",
        "False",
    }


def test_names_cannot_break_the_page():
    place = {"x": '"><script>'}
    text = page(Board("board", "<b>", ["a & b"], {"x": BoardColumn('"x"')}, [place]))
    shown = Page(text)
    assert shown.rows[1][0][1] == '"><script>'
    assert text.count("<script>") == 1


def test_it_is_written_beside_the_report_of_a_tps_run_and_of_no_other(tmp_path):
    write_report(small_run().results, tmp_path / "other")
    assert not list((tmp_path / "other").glob("leaderboard*"))
    files = write_report(tps_run(models=("steady",), resamples=50).results, tmp_path / "tps")
    written = sorted(path.name for path in (tmp_path / "tps").glob("leaderboard*"))
    assert written == [f"leaderboard.{ending}" for ending in ("csv", "html", "json", "md")]
    assert "leaderboard.html" in files.listed()
