"""A newcomer's path: four commands from nothing to a page, with a change of his own on the way."""

import json
import sys

from tests.commands import ansatz, one_line


def outcome(run, problem):
    shown = json.loads(ansatz("show", run, "--problem", problem, "--json").stdout)
    return {each["arm"]: each["scores"]["outcome"]["value"] for each in shown}


def test_from_nothing_to_a_page_in_four_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = []

    def type_(*arguments):
        commands.append(arguments)
        done = ansatz(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "cd pumps && ansatz run study.yaml" in type_("new", "pumps")
    monkeypatch.chdir("pumps")
    file = tmp_path / "pumps" / "problems.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 5
    lines[0]["question"] = lines[0]["question"].replace("flow = 12 L/s", "flow = 24 L/s")
    lines[0]["targets"][0]["value"] *= 2
    file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    assert "20 of 20 attempts scored" in type_("run", "study.yaml")
    assert "handbook" in type_("report", "runs/pumps")
    assert "index.html" in type_("view", "runs/pumps")
    assert len(commands) == 4
    assert outcome("runs/pumps", "pump-water") == {"baseline": 0, "tool": 1, "handbook": 0, "both": 1}
    assert outcome("runs/pumps", "weir")["handbook"] > outcome("runs/pumps", "weir")["baseline"]

    tool = tmp_path / "pumps" / "tool.py"
    tool.write_text(tool.read_text(encoding="utf-8").replace("998", "1200"), encoding="utf-8")
    for name in [each for each in sys.modules if each.startswith("tool_")]:
        monkeypatch.delitem(sys.modules, name)  # as in a process of its own
    assert ansatz("run", "study.yaml").returncode == 0
    assert outcome("runs/pumps", "pump-water")["tool"] < 1, "the effect is that of the tool, not of a record"


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not empty" in one_line(ansatz("new", tmp_path))
    assert "is not empty" in one_line(ansatz("new", tmp_path / "notes.txt"))
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]
