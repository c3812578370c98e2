"""The leaderboard beside a TPS report: the same places for people and for programs."""

import csv
import os
from pathlib import Path

import pytest

from ansatz.experiments.report import write_report
from tests.experiments.report_input import small_run
from tests.experiments.tps_input import MODELS, SWITCHES, tps_run

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("tps")
    write_report(tps_run(simulated=frozenset({"steady"})).results, root)
    return root


def test_the_markdown_is_as_kept(folder):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_leaderboard.py."""
    written = (folder / "leaderboard.md").read_text(encoding="utf-8")
    if os.environ.get("UPDATE_GOLDEN"):
        (GOLDEN / "leaderboard.md").write_text(written, encoding="utf-8")
    assert written == (GOLDEN / "leaderboard.md").read_text(encoding="utf-8")


def test_ranks_and_reasons_exclude_each_other_and_simulated_models_are_called_so(folder):
    with (folder / "leaderboard.csv").open(newline="", encoding="utf-8") as file:
        places = list(csv.DictReader(file))
    assert len(places) == 2 * len(MODELS) * len(SWITCHES)  # by two reviewers
    for place in places:
        assert (place["rank"] == "") == bool(place["not ranked because"]) == (place["model"] == "silent")
        assert float(place["KPI_low"]) <= float(place["KPI"]) <= float(place["KPI_high"])
    assert {place["model"] for place in places} == {
        "silent", *(f"{name} (simulated)" for name in MODELS if name == "steady"),
        *(name for name in MODELS if name != "steady"),
    }  # fmt: skip


def test_it_is_written_beside_the_report_of_a_tps_run_and_of_no_other(folder, tmp_path):
    write_report(small_run().results, tmp_path)
    assert not list(tmp_path.glob("leaderboard*"))
    assert sorted(path.suffix for path in folder.glob("leaderboard*")) == [".csv", ".md"]
