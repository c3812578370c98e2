"""The examples run as they stand, and are short."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
SHOWN = {
    "model_graded": "assumptions",
    "own_model": "other parrot",
    "own_problems": "retrieval",
    "own_retriever": "handbook",
    "own_tool": "answer = 1.514 kW",
}


def test_there_is_an_example_of_each_kind():
    assert [each.stem for each in EXAMPLES] == sorted(SHOWN)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_as_it_stands(path, tmp_path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 25
    marks = Answer(calls=(("record_marks", {"justification": "they are", "points": 2}),))
    with OpenAIServer(lambda request: marks) as server:
        environment = {
            **os.environ,
            "JUDGE_URL": server.base_url,
            "POLARS_FMT_MAX_COLS": "-1",
            "POLARS_FMT_MAX_ROWS": "-1",
        }
        done = subprocess.run(
            [sys.executable, path], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
        )
    assert done.returncode == 0, done.stderr
    assert SHOWN[path.stem] in done.stdout
