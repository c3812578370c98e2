"""Errors of folders and disks are one line with an exit status, without a traceback."""

import resource
import shutil
import sqlite3

import pytest
from rich.console import Console

from ansatz.cli import console
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import to_json
from tests.commands import ansatz, one_line
from tests.test_cli import STUDY

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    file = tmp_path_factory.mktemp("study") / "Größe [b].yaml"
    file.write_text(STUDY)
    return file


@pytest.fixture(scope="module")
def run(study):
    folder = study.parent / "läuf [1]"
    done = ansatz("run", study, "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_folder_that_cannot_be_made_is_named(study):
    assert f"{study}: no run can be stored there: File exists" in one_line(
        ansatz("run", study, "--out", study)
    )


def test_full_disk_stops_a_run_that_can_be_resumed(study, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))  # SQLite reports this as a full disk
    try:
        broken = ansatz("run", study, "--out", tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (
        f"{tmp_path / 'out'} cannot be written: " in broken.stderr.splitlines()[-1] and broken.returncode == 2
    )
    assert "18 of 18 attempts scored" in ansatz("run", study, "--out", tmp_path / "out").stdout


def test_read_only_run_folder_is_readable(run, monkeypatch):
    expected = to_json(read_results(run))
    monkeypatch.setattr("ansatz.experiments.ledger.file.os.access", lambda *_: False)
    assert to_json(read_results(run)) == expected


def test_report_is_printed_if_it_cannot_be_written(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "copy")
    (copy / "report.md").unlink(missing_ok=True)
    (copy / "report.md").mkdir()
    done = ansatz("report", copy)
    assert "Is a directory" in one_line(done)
    assert "The report could not be written" in done.stdout
    assert "tools" in done.stdout


def test_run_without_attempts_is_reported(tmp_path, run):
    copy = shutil.copytree(run, tmp_path / "copy")
    change(copy, "DELETE FROM about WHERE key = 'study'")
    assert "interrupted before its first attempt" in one_line(ansatz("report", copy))


def test_study_of_another_version_is_refused_by_field(tmp_path, run):
    copy = shutil.copytree(run, tmp_path / "copy")
    with Ledger.open(copy) as ledger:
        source = ledger.about("source")
        source["file"]["repeat"] = source["file"].pop("repeats")
        ledger.describe({"source": source})
    assert "its stored study: repeat: there is no such field; did you mean 'repeats'?" in one_line(
        ansatz("run", copy)
    )


def test_incomplete_run_and_earlier_plan_are_reported(tmp_path, study, run):
    copy = shutil.copytree(run, tmp_path / "copy")
    assert "12 finished attempts of an earlier plan are stored" in ansatz("run", copy, "--limit", 2).stdout
    change(copy, "DELETE FROM outcome WHERE attempt = (SELECT key FROM attempt WHERE position = 0)")
    assert "5 of 6 finished, 0 failed" in ansatz("report", copy).stdout
    assert "--out is for a study file" in one_line(ansatz("run", copy, "--out", tmp_path / "other"))


def change(folder, command):
    with sqlite3.connect(folder / "ledger.sqlite") as ledger:
        ledger.execute(command)
    ledger.close()


def test_narrow_terminal_shows_whole_cells(monkeypatch, capsys):
    monkeypatch.setattr(console, "console", lambda: Console(width=24, force_terminal=True, color_system=None))
    console.print_rows([{"answer": "x" * 50, "[b] of": "[/b]"}], as_json=False)
    shown = capsys.readouterr().out
    assert shown.count("x") == 50
    assert "[b] of" in shown
    assert "[/b]" in shown
