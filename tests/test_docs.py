"""What the pages show works as it stands: commands have their options, code runs, studies and links are valid."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from ansatz.cli import app
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.item import Item, Solution
from ansatz.eval.problem import (
    Bound,
    ChoiceTarget,
    Formulation,
    Given,
    LabelTarget,
    NumberTarget,
    SymbolicTarget,
)
from ansatz.eval.problem_files import load
from ansatz.experiments import plugins
from ansatz.experiments.study_file import StudyFile

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language):
    """Page and text of every block in a language."""
    for page in PAGES:
        for text in re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            yield page.relative_to(ROOT).as_posix(), text


COMMANDS = sorted(
    {
        line
        for _, text in blocks("sh")
        for line in text.replace("\\\n", " ").splitlines()
        if line.startswith("ansatz ")
    }
)


def test_there_are_commands_to_try():
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_that_is_shown_takes_what_it_is_given(line):
    """Parsed as typed, and not executed."""
    command, (_, *words) = typer.main.get_command(app), shlex.split(line, comments=True)
    context = None
    while isinstance(command, typer.core.TyperGroup):
        context = typer.Context(command, parent=context, info_name="ansatz")
        _, command, words = command.resolve_command(context, words)
    read = command.make_context(command.name, words, parent=context)
    assert read.args == [], "words that no option or argument took"


@pytest.mark.parametrize(("page", "code"), [each for each in blocks("python") if each[0] != "README.md"])
def test_code_on_pages_runs(page, code, capsys):
    exec(compile(code, page, "exec"), {"__name__": "page"})
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(("page", "text"), list(blocks("yaml")))
def test_studies_on_pages_are_valid_and_name_what_there_is(page, text):
    shown = yaml.safe_load(text)
    if not set(shown) <= set(StudyFile.model_fields):
        pytest.skip("a template or a problem, which other tests read")
    study = StudyFile.model_validate(
        {"name": "x", "models": "offline:slide-rule", "problems": "tps", **shown}
    )
    for choice in study.problems:
        assert callable(plugins.factory_of("ansatz.benchmarks", choice.benchmark))
    for arm in study.all_arms().values():
        for name, settings in arm.items():
            assert callable(plugins.load("ansatz.interventions", name, settings).apply)
    for name, _ in study.scorers:
        assert callable(plugins.factory_of("ansatz.scorers", name))


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page}: {link}"


def test_the_package_of_the_readme_plugs_in_word_by_word(tmp_path):
    code = [text for page, text in blocks("python") if page == "README.md"][-1]
    [declared] = [text for page, text in blocks("toml") if page == "README.md"]
    (tmp_path / "my_package.py").write_text(code)
    installed = tmp_path / "my_package-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    groups = tomllib.loads(declared)["project"]["entry-points"]
    lines = [
        f"[{group}]\n{name} = {value}\n" for group, each in groups.items() for name, value in each.items()
    ]
    (installed / "entry_points.txt").write_text("".join(lines))
    asked = [sys.executable, "-m", "ansatz.cli", "solve", "How fast is sound in air at T = 300 K?"]
    done = subprocess.run(
        [*asked, "--with", "significant_figures:digits=3"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "State every result to 3 significant figures." in done.stdout, done.stderr


ITEMS = [text for page, text in blocks("json") if page == "docs/own-problems.md"]


@pytest.mark.parametrize("lines", ITEMS, ids=["smallest", "every field", "targets"])
def test_items_on_the_page_of_own_problems_load(lines, tmp_path):
    (tmp_path / "problems.jsonl").write_text(lines, encoding="utf-8")
    assert len(load(tmp_path / "problems.jsonl")) == len(lines.strip().splitlines())


def test_that_page_names_every_field():
    page = (ROOT / "docs" / "own-problems.md").read_text(encoding="utf-8")
    known = {*Item.model_fields, *Item.short_forms, *Solution.model_fields, *Given.model_fields}
    known |= {*NumberTarget.model_fields, *ChoiceTarget.model_fields, *LabelTarget.model_fields}
    known |= {*SymbolicTarget.model_fields, *Bound.model_fields, *Formulation.model_fields} - {"language"}
    assert {name for name in known if f"`{name}`" not in page and f'"{name}"' not in page} == set()


def test_the_faults_it_shows_are_those_of_such_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "own-problems.md").read_text(encoding="utf-8")
    shown = re.search(r"```\n(problems\.jsonl:3.*?)```", page, re.DOTALL)[1].splitlines()
    good = '{"question": "q%d?", "answer": "1 m"}'
    lines = [good % number for number in range(9)]
    lines[2] = '{"question": "?", "answer": "1 m", "givens": [], "steps": []}'
    lines[6] = '{"question": "??", "targets": [{"unit": "m"}]}'
    lines[8] = (
        '{"question": "???", "targets": [{"name": "a", "value": 1e400, "unit": "m"}, '
        '{"name": "b", "value": 1, "unit": "kmm"}]}'
    )
    Path("problems.jsonl").write_text("\n".join(lines))
    with pytest.raises(InvalidData) as refusal:
        load("problems.jsonl")
    found = str(refusal.value).splitlines()
    lines[8] = lines[8].replace("1e400", "1")
    Path("problems.jsonl").write_text("\n".join(lines))
    with pytest.raises(InvalidData) as refusal:
        load("problems.jsonl")
    found += str(refusal.value).splitlines()
    assert all(any(line.startswith(each) for line in found) for each in shown), found
