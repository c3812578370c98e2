"""Doors out: tables that read back as they were, and logs that Inspect's own reader takes."""

import csv
import io
import json
import subprocess
from pathlib import Path

import polars
import pytest
import yaml
from polars.testing import assert_frame_equal

from ansatz.experiments.export import write_inspect_logs, write_tables
from ansatz.experiments.report import score_frames
from ansatz.experiments.report.text import csv_text
from ansatz.experiments.run import Run
from tests.commands import ansatz, one_line
from tests.experiments.view_run import ARMS, DIMENSIONS, MODELS, write_run

ORACLES = Path(__file__).parent.parent / "oracles"
PYTHON = ORACLES.parent.parent / ".oracles" / "bin" / "python"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def whole(run):
    return Run(run)


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_tables_read_back_as_the_library_has_them(whole, tmp_path, kind):
    files = write_tables(whole, kind, tmp_path)
    read = {"parquet": polars.read_parquet, "csv": polars.read_csv, "jsonl": polars.read_ndjson}[kind]
    back = {file.stem: read(file) for file in files if file.suffix == f".{kind}"}
    assert_frame_equal(back["deltas"], whole.deltas(), check_dtypes=False)
    numbers = ["problem", "repeat", "outcome", "exact", "tokens", "dollars"]
    assert_frame_equal(back["attempts"][numbers], whole.attempts()[numbers], check_dtypes=False)
    messages = [json.loads(each) if each else None for each in back["attempts"]["messages"]]
    assert messages == [json.loads(each) if each else None for each in whole.attempts()["messages"]]
    first = back["attempts"].row(0, named=True)
    assert first["question"].startswith("<script>") and first["reference"] == "W = 88.26 J"
    read = back["attempts"].filter(arm="calculator", problem="pump.5#0")["values_read"][0]
    assert json.loads(read) == {"W": {"value": pytest.approx(529.56), "unit": "J"}}
    assert back["scores"].filter(dimension="slips")["evidence"].drop_nulls()[0] == "2*3 is 6"
    assert back["scores"].filter(dimension="tokens")["evidence"].null_count() == len(whole.attempts())
    scores = back["scores"].filter(polars.col("dimension") == "outcome")
    assert scores["value"].to_list() == whole.attempts()["outcome"].to_list()


@pytest.mark.slow
def test_a_run_larger_than_a_slice_is_written_whole_and_in_order(whole, tmp_path, monkeypatch):
    one = {file.name: file.read_bytes() for file in write_tables(whole, "csv", tmp_path / "one")}
    monkeypatch.setattr("ansatz.experiments.export.tidy._ROWS", 7)
    assert {file.name: file.read_bytes() for file in write_tables(whole, "csv", tmp_path / "slices")} == one


def test_no_text_cell_of_a_csv_file_begins_a_formula(tmp_path):
    asked = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\x1b[2J", "\x9b2J"]
    rows = [{"arm": text, "number": -1.5} for text in asked]
    read = list(csv.DictReader(io.StringIO(csv_text(["arm", "number"], rows), newline="")))
    cells = [row["arm"] for row in read]
    assert all(cell.startswith("'") for cell in cells[:7])
    assert not set("\x1b\x9b\r") & set("".join(cells))
    assert {row["number"] for row in read} == {"-1.5"}


def test_tables_as_csv_hold_no_formula_and_the_card_says_so(tmp_path, whole, monkeypatch):
    hostile = "=HYPERLINK(1)"
    frames = whole.attempt_frames(5)
    changed = [frame.with_columns(polars.lit(hostile).alias("answer")) for frame in frames]
    monkeypatch.setattr(Run, "attempt_frames", lambda *_: iter(changed))
    write_tables(whole, "csv", tmp_path)
    assert set(polars.read_csv(tmp_path / "attempts.csv")["answer"]) == {f"'{hostile}"}
    assert "apostrophe" in (tmp_path / "README.md").read_text()
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_mode & 0o077} == set()


def test_the_card_names_the_tables_as_dataset_hubs_read_it(whole, tmp_path):
    write_tables(whole, "parquet", tmp_path)
    _, header, words = (tmp_path / "README.md").read_text().split("---\n", 2)
    named = {each["config_name"]: each["data_files"] for each in yaml.safe_load(header)["configs"]}
    assert all((tmp_path / file).is_file() for file in named.values())
    assert set(named) == {"attempts", "scores", "deltas"}
    assert "two (simulated)" in words


def test_a_log_for_each_model_and_arm_has_the_scores_of_the_run(run, whole, tmp_path):
    logs = [json.loads(path.read_text()) for path in write_inspect_logs(run, tmp_path)]
    systems = [(log["eval"]["model"], log["eval"]["metadata"]["arm"]) for log in logs]
    assert systems == [(model, arm) for model in MODELS for arm in ARMS]
    exported = {
        (*system, sample["id"], sample["epoch"] - 1, name): score["value"]
        for system, log in zip(systems, logs, strict=True)
        for sample in log["samples"]
        for name, score in sample["scores"].items()
    }
    scores = polars.concat(score_frames(whole.results, 1000)).drop_nulls("value")
    shown = scores.filter(scores["dimension"].is_in([each.name for each in DIMENSIONS]))
    kept = shown.select("model", "arm", "problem", "repeat", "dimension", "value").rows()
    assert exported == {tuple(who): value for *who, value in kept}
    failed = [sample for log in logs for sample in log["samples"] if "error" in sample]
    assert {sample["id"] for sample in failed} == {"pump.3#0"}


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason="run `make oracles` first")
def test_inspect_reads_its_logs(run, tmp_path):
    for path in write_inspect_logs(run, tmp_path):
        asked = [PYTHON, ORACLES / "inspect_log.py", path]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        read, log = json.loads(done.stdout.splitlines()[-1]), json.loads(path.read_text())
        assert read["listed"] and read["status"] == "success"
        means = {each["name"]: each["metrics"]["mean"]["value"] for each in log["results"]["scores"]}
        assert read["means"] == means
        for own, sample in zip(read["samples"], log["samples"], strict=True):
            assert own["scores"] == {name: score["value"] for name, score in sample["scores"].items()}
            who = (sample["id"], sample["epoch"], "error" in sample)
            assert (own["id"], own["epoch"], bool(own["error"])) == who
            calls = [call for message in sample["messages"] for call in message.get("tool_calls", ())]
            assert own["tools"] == [[call["function"], call["arguments"]] for call in calls]


def test_without_a_format_the_command_lists_them(run):
    assert "parquet, csv, jsonl (tables), inspect" in one_line(ansatz("export", run))


@pytest.mark.slow
def test_the_command_writes_beside_the_run_and_knows_its_formats(run):
    done = ansatz("export", run, "--to", "csv")
    assert done.stdout.splitlines()[0] == str(run / "export" / "csv" / "attempts.csv")
    assert "did you mean 'parquet'" in one_line(ansatz("export", run, "--to", "parket"))
