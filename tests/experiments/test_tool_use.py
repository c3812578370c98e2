"""What became of each tool call, from stored transcripts: `run.tool_calls()` and `run.tool_use()`."""

import json
from collections import Counter

import polars as pl
import pytest

from ansatz import Run
from ansatz.experiments.ledger import Ledger
from tests.commands import ansatz
from tests.experiments.judged_transcripts import FOLDER, judge, read_conversations
from tests.experiments.planted_run import write_planted_run
from tests.experiments.planted_transcripts import plant


@pytest.fixture(scope="module")
def planted():
    return [*plant()]


@pytest.fixture(scope="module")
def run(tmp_path_factory, planted):
    return Run(write_planted_run(tmp_path_factory.mktemp("planted"), planted))


def test_planted_uses_are_classified(run, planted):
    """At least 95 % of 200 attempts in all, and of each kind more than half."""
    calls = run.tool_calls()
    wrong: dict[str, int] = {}
    for number, each in enumerate(planted):
        found = {row["number"]: row for row in calls.filter(problem=f"p{number}").to_dicts()}
        is_wrong = any(
            found[call][name] != value
            for call, expected in each.expected.items()
            for name, value in expected.items()
        )
        wrong[each.kind] = wrong.get(each.kind, 0) + is_wrong
    assert len(planted) == 200
    assert sum(wrong.values()) <= 10, wrong


def test_uses_agree_with_judgements_by_hand(tmp_path):
    """Of the fields that the reader was sure of, at most 2 % are wrong, and 95 % are right; the rest is unknown."""
    judged = list(judge(read_conversations(FOLDER / "dev.jsonl"), tmp_path / "run"))
    sure = [each for each in judged if each.field != "right" and each.expected is not None]
    counts = Counter(each.result for each in sure)
    assert len(sure) > 550
    assert counts["wrong"] <= 0.02 * len(sure)
    assert counts["right"] >= 0.95 * len(sure)


def test_doubtful_uses_are_unknown(run, planted):
    calls = run.tool_calls()
    doubtful = {
        f"p{number}"
        for number, each in enumerate(planted)
        if any(expected.get("use") == "unknown" for expected in each.expected.values())
    }
    assert doubtful
    assert set(calls.filter(pl.col("problem").is_in(doubtful))["use"]) == {"unknown"}


def test_stages_of_the_funnel_shrink(run):
    """Every stage has its share with an interval, and no more attempts than the stage before."""
    found = run.tool_use().filter(source="fluid_state")
    counts = dict(zip(found["stage"], found["attempts"], strict=True))
    stages = [counts[name] for name in ("called", "succeeded", "used", "in answer", "right")]
    assert stages == sorted(stages, reverse=True)
    assert 0 < stages[-1] < stages[0] <= 200
    assert set(found["offered"]) == {200}
    assert (found["low"] <= found["share"]).all() and (found["share"] <= found["high"]).all()


def test_unrecorded_tools_and_calls_are_reported(run):
    """Calls of tools that the arm does not offer, and calls outside the stored conversation."""
    shown = ansatz("funnel", run.folder, "--json")
    content = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert len(content["notes"]) == 2
    assert {row["offered"] for row in content["funnel"] if row["source"] == "reaction"} == {None}


def test_no_tables_before_an_attempt_has_finished(tmp_path, planted, monkeypatch):
    monkeypatch.setattr(Ledger, "record", lambda *values, **named: None)
    folder = write_planted_run(tmp_path / "run", planted[:2])
    shown = ansatz("funnel", folder)
    assert shown.returncode == 0
    assert "has finished" in shown.stdout and "fluid_state" not in shown.stdout


def test_report_has_the_funnel(run):
    written = run.report()
    folder = run.folder / "tools"
    assert folder in written.further
    assert (folder / "funnel.csv").read_text(encoding="utf-8").count("fluid_state") == 1
    assert "What became of tool results" in written.markdown.read_text(encoding="utf-8")


def test_page_marks_places_in_the_conversation(run, planted, tmp_path):
    """Each attempt has the uses of its results, with the message and the text that shows each."""
    page = run.view(tmp_path / "page")
    scripts = [file.read_text("utf-8") for file in sorted((page.parent / "data").glob("p[0-9]*.js"))]
    parts = [json.loads(json.loads(text.split(",", 1)[1].rstrip(")\n"))) for text in scripts]
    attempts = [each for part in parts for problem in part["problems"] for each in problem["attempts"]]
    used = [use for each in attempts for use in each["uses"] if use["use"] == "used, in the answer"]
    assert len(attempts) == len(planted)
    assert len(used) > 50 and all(use["at"] is not None for use in used)
    assert sum(bool(use["places"]) for use in used) > 0.8 * len(used)
