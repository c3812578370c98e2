"""The commands as a person types them."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer
from typer.testing import CliRunner

from ansatz.cli import app

QUESTION = "A duct carries air at p = 101325 Pa and T = 300 K. Find the density rho.\n\nReport your answers as:\nrho = ___ kg/m^3"
STUDY = """\
name: small
models: [offline:slide-rule]
problems: [{benchmark: properties, settings: {count: 6, seed: 1}}]
arms: {tools: fluid_properties, placebo: placebo}
scorers: [outcome]
"""


def ansatz(*arguments, text=None):
    command = [sys.executable, "-m", "ansatz.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=text, timeout=120)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "study.yaml").write_text(STUDY)
    done = ansatz("run", folder / "study.yaml", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder, done


def test_the_version_is_the_installed_one():
    assert ansatz("--version").stdout == f"ansatz {version('ansatz-eval')}\n"


def test_a_run_says_how_it_went_and_keeps_everything_in_its_folder(ran):
    folder, done = ran
    assert "18 of 18 units scored, 0 failed" in done.stdout
    assert {file.name for file in (folder / "out").iterdir()} == {"ledger.sqlite", "lock", "manifest.json"}


def test_a_second_start_does_nothing_again(ran):
    folder, _ = ran
    again = ansatz("run", folder / "study.yaml", "--out", folder / "out")
    assert "18 of 18 units are already in the ledger" in again.stderr
    from_folder = ansatz("run", folder / "out")
    assert "18 of 18 units scored" in from_folder.stdout


def test_a_report_is_printed_and_written(ran):
    folder, _ = ran
    report = ansatz("report", folder / "out")
    assert report.returncode == 0, report.stderr
    assert "tools" in report.stdout
    assert "\x1b[" not in report.stdout
    for name in ("report.md", "deltas.csv", "deltas.png"):
        assert (folder / "out" / name).stat().st_size > 100
    assert "simulated" in (folder / "out" / "report.md").read_text().lower()
    assert json.loads(ansatz("report", folder / "out", "--json").stdout)


def test_another_study_does_not_overwrite_a_run(ran, tmp_path):
    folder, _ = ran
    (tmp_path / "other.yaml").write_text(STUDY.replace("name: small", "name: other"))
    done = ansatz("run", tmp_path / "other.yaml", "--out", folder / "out")
    assert done.returncode == 2
    assert "holds the study 'small', not 'other'" in done.stderr


def test_a_limit_runs_the_first_problems_and_the_rest_follows(tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY)
    first = ansatz("run", tmp_path / "study.yaml", "--out", tmp_path / "out", "--limit", 2)
    assert "6 of 6 units scored" in first.stdout
    rest = ansatz("run", tmp_path / "study.yaml", "--out", tmp_path / "out")
    assert "6 of 18 units are already in the ledger" in rest.stderr
    assert "18 of 18 units scored" in rest.stdout


def test_one_question_is_answered_with_its_trace():
    done = ansatz("solve", "-", "--with", "calculator", text=QUESTION)
    assert done.returncode == 0, done.stderr
    assert "rho = 1.17" in done.stdout
    transcript = json.loads(ansatz("solve", QUESTION, "--json").stdout)
    assert transcript["stop"] == "answered"


def test_an_arm_is_drawn_as_mermaid(tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY)
    drawn = ansatz("graph", tmp_path / "study.yaml", "--arm", "tools").stdout
    assert drawn.lstrip().startswith("---\nconfig")
    assert "tools" in drawn
    wrong = ansatz("graph", tmp_path / "study.yaml", "--arm", "tool")
    assert (wrong.returncode, "did you mean 'tools'?" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("kind", ["interventions", "benchmarks", "scorers"])
def test_what_is_installed_is_listed(kind):
    rows = json.loads(ansatz("list", kind, "--json").stdout)
    assert all(row["name"] and row["what it does"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "nowhere.yaml"], "ansatz: nowhere.yaml: no such file"),
        (
            ["report", "nowhere"],
            "ansatz: nowhere holds no run; start one with `ansatz run STUDY --out nowhere`",
        ),
        (["solve", "?", "--model", "opena:gpt-5"], "opena"),
        (["solve", "?", "--model", "openai:gpt-5"], "OPENAI_API_KEY"),
        (["solve", "?", "--with", "calculater"], "did you mean 'calculator'?"),
        (["solve", "?", "--with", "equation_retrieval:top"], "write name or name:setting=value"),
        (["list", "things"], "there is no list of 'things'"),
        (["kb", "show", "shock.normal.pressure"], "shock.normal.pressure_ratio"),
    ],
)
def test_bad_input_is_one_clear_line(arguments, said, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = ansatz(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_knowledge_base_is_searched_and_shown():
    found = json.loads(
        ansatz("kb", "search", "Newtonian pressure coefficient at Mach 20", "-k", 3, "--json").stdout
    )
    assert len(found["hits"]) == 3
    assert "Cp" in ansatz("kb", "show", "newtonian.pressure.sine_squared").stdout


def test_no_help_loses_its_brackets():
    """Rich takes [names] for markup unless the bracket is escaped."""

    def commands(group, path=()):
        for name, command in getattr(group, "commands", {}).items():
            yield (*path, name), command
            yield from commands(command, (*path, name))

    tree = dict(commands(typer.main.get_command(app)))
    texts = {
        (path, part.name): part.help or ""
        for path, command in tree.items()
        for part in command.params
        if hasattr(part, "help")
    }
    texts |= {(path, ""): command.help or "" for path, command in tree.items()}
    assert [place for place, text in texts.items() if re.search(r"(?<!\\)\[\w", text)] == []
    shown = CliRunner().invoke(app, ["kb", "evaluate", "--help"], env={"COLUMNS": "200"}).stdout
    assert '"gold": [names], "traps": [names]' in shown
