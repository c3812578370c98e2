"""The page on published answers shows what the commands print; the answers lie outside the repository."""

import subprocess
import sys
from pathlib import Path

import polars
import pytest

import ansatz as az

ROOT = Path(__file__).parents[2]
ANSWERS = ROOT.parent / "shared" / "data" / "thermoqa"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ANSWERS.is_dir(), reason="the published answers are not there"),
]


def test_published_answers_become_the_report_on_their_page(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    command = [sys.executable, "benchmarks/published_answers.py", str(ANSWERS), str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "studies" / "published-answers.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[1].split("```")[0].splitlines()
    printed = {line.rstrip() for line in done.stdout.splitlines()}
    assert [line for line in shown if line not in printed] == []
    published = az.Run(tmp_path / "run")["gpt-5.4"].group_by("problem").agg(polars.mean("published"))
    assert published["published"].mean() == pytest.approx(0.92914, abs=5e-4), "as in the publisher's files"
