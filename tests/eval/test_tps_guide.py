"""What docs/tps.md shows works as it stands."""

import re
import shlex
from pathlib import Path

import yaml

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.templates import library_faults, make_problems
from ansatz.eval.benchmarks.templates.consistency import contradictions
from ansatz.eval.benchmarks.tps import core, load
from ansatz.eval.benchmarks.tps.__main__ import COMMANDS as command
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate
from ansatz.knowledge_base.equation import library

GUIDE = (Path(__file__).parents[2] / "docs" / "tps.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)


def test_its_commands_run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    commands = [shlex.split(line) for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    assert commands
    for words in commands:
        assert words[:3] == ["python", "-m", "ansatz.eval.benchmarks.tps"]
        assert command.main(words[3:]) == 0
    shown = capsys.readouterr().out
    assert "420 items" in shown and "B_P" in shown
    assert len(problem_files.load("tps.jsonl")) == 840


def test_its_study_chooses_problems():
    [study] = [
        yaml.safe_load(text) for kind, text in BLOCKS if kind == "yaml" and text.startswith("problems")
    ]
    [source] = study["problems"]
    made = load(**{**source["settings"], "domains": source["where"]["domain"]})
    chosen = [one for one in made if one.tags["task_type"] in source["where"]["task_type"]]
    assert chosen
    assert all(one.tags["domain"] == "radiation" and one.tags["language"] == "zh" for one in chosen)


def test_its_template_makes_problems():
    [text] = [text for kind, text in BLOCKS if kind == "yaml" and text.startswith("id:")]
    template = TPSTemplate.model_validate(yaml.safe_load(text))
    assert [*contradictions(template), *library_faults(template, library())] == []
    assert len(make_problems(template, 2, 0, library())) == 2
    assert len(make_problems(template, 2, 0, library(), "zh")) == 2


def test_it_counts_every_level_domain_and_task_type():
    counted = dict(re.findall(r"^\| (\w+) \|.*\| (\d+) \|$", GUIDE, re.MULTILINE))
    expected = {**core.LEVEL_COUNTS, **core.DOMAIN_COUNTS, **core.TYPE_COUNTS}
    assert counted == {name: str(count) for name, count in expected.items()}
