"""A newcomer's path: four commands from nothing to a page, with the newcomer's own changes."""

import json
import re
import sys
from pathlib import Path

from tests.commands import ansatz, one_line

PAGE = Path(__file__).parents[2] / "docs" / "first-ablation.md"


def outcome(run, problem):
    shown = json.loads(ansatz("show", run, "--problem", problem, "--json").stdout)
    return {each["arm"]: each["scores"]["outcome"]["value"] for each in shown}


def rows(text):
    """The rows of the arms, with single spaces."""
    arms = ("baseline", "tool", "reminder", "draft_handbook")
    return [
        " ".join(line.split()) for line in text.splitlines() if line.split()[:1] and line.split()[0] in arms
    ]


def test_from_nothing_to_a_page_in_four_commands(tmp_path, monkeypatch):
    """One arm helps, one changes nothing, one does harm, as the page of the documentation shows."""
    monkeypatch.chdir(tmp_path)
    commands = []

    def type_(*arguments):
        commands.append(arguments)
        done = ansatz(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "cd pumps && ansatz run study.yaml" in type_("new", "pumps")
    monkeypatch.chdir("pumps")
    assert "80 of 80 attempts scored" in type_("run", "study.yaml")
    expected = re.search(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert rows(type_("report", "runs/pumps")) == rows(expected) != []
    assert "index.html" in type_("view", "runs/pumps")
    assert len(commands) == 4


def test_a_change_of_a_file_changes_the_result(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ansatz("new", "pumps")
    monkeypatch.chdir("pumps")
    file, tool = Path("problems.jsonl"), Path("tool.py")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lines[0]["question"] = lines[0]["question"].replace("flow = 12 L/s", "flow = 24 L/s")
    lines[0]["targets"][0]["value"] *= 2
    file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    ansatz("run", "study.yaml", "--problem", lines[0]["id"])
    found = outcome("runs/pumps", lines[0]["id"])
    assert found == {"baseline": 0, "tool": 1, "reminder": 0, "draft_handbook": 0}

    tool.write_text(tool.read_text(encoding="utf-8").replace("998", "1200"), encoding="utf-8")
    for name in [each for each in sys.modules if each.startswith("tool_")]:
        monkeypatch.delitem(sys.modules, name)  # as in a separate process
    assert ansatz("run", "study.yaml", "--problem", lines[0]["id"]).returncode == 0
    assert outcome("runs/pumps", lines[0]["id"])["tool"] < 1, "the tool's new code is used"


def test_a_folder_with_a_space_is_quoted_in_the_next_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "cd 'my study' && ansatz run" in ansatz("new", "my study").stdout


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not empty" in one_line(ansatz("new", tmp_path))
    assert "is not empty" in one_line(ansatz("new", tmp_path / "notes.txt"))
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]
