"""Processes that index one handbook: killed anywhere, or at the same time, they lose nothing and leave nothing stale."""

import json
import subprocess
import sys

import pytest


def run(folder, *arguments):
    command = [sys.executable, "-m", "tests.knowledge_base.indexing_processes", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("points", [5, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_killed_index_is_continued(tmp_path, points):
    """A reader finds the old index, the new one or none; the next run completes it and removes what was left."""
    found = run(tmp_path, "kill", str(points))
    whole = {version: each["digest"] for version, each in found["whole"].items()}
    assert len(found["rows"]) >= 2 * 5
    for row in found["rows"]:
        assert row["killed"], row
        before = {"old": [None, whole["old"]], "new": [whole["old"], whole["new"]]}[row["version"]]
        assert row["left"]["before"] in before, row
        assert row["left"]["digest"] == row["left"]["after"] == whole[row["version"]], row
        assert row["names"] == 3, row  # the manifest, the state and the lock


def test_two_processes_index_one_folder(tmp_path):
    found = run(tmp_path, "together")
    assert found["writers"] == ["complete", "complete"]
    assert set(found["read"]) <= {each["digest"] for each in found["whole"].values()}
    assert found["names"] == 3
