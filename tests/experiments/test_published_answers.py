"""The page on published answers shows what the commands print; the answers lie outside the repository."""

from pathlib import Path

import polars
import pytest

import ansatz as az
from tests.commands import ansatz

ROOT = Path(__file__).parents[2]
ANSWERS = ROOT.parent / "shared" / "data" / "thermoqa"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ANSWERS.is_dir(), reason="the published answers are not there"),
]


def test_published_answers_become_the_report_on_their_page(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    files = sorted(map(str, ANSWERS.glob("tier*-responses-*.jsonl")))
    asked = ("--problems", f"thermoqa:questions={ANSWERS}", "--scorer", "outcome", "--scorer", "thermoqa")
    made = ansatz("score", "--from", "thermoqa", *files, *asked, "--out", tmp_path / "run")
    assert made.returncode == 0, made.stderr
    done = ansatz("report", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "studies" / "published-answers.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[1].split("```")[0].splitlines()
    printed = {line.rstrip() for line in done.stdout.splitlines()}
    assert [line for line in shown if line not in printed] == []
    published = az.Run(tmp_path / "run")["gpt-5.4"].group_by("problem").agg(polars.mean("published"))
    assert published["published"].mean() == pytest.approx(0.92914, abs=5e-4), "as in the publisher's files"
