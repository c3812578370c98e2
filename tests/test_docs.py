"""Commands, code, studies and links on the documentation pages are valid."""

import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import get_type_hints

import pytest
import typer
import yaml
from langchain_core.messages import AIMessage
from pydantic import TypeAdapter

import ansatz
from ansatz.agents import Question, run_agent
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.plan import base_plan
from ansatz.errors import InvalidData
from ansatz.eval.problem_files import load
from ansatz.eval.problem_schema import Item
from ansatz.experiments.design import plugins
from ansatz.experiments.design.study_file import StudyFile
from tests.commands import ansatz as ansatz_command
from tests.commands import build_command, install
from tests.fakes.scripted_model import ScriptedModel

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]

_spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
reference = importlib.util.module_from_spec(_spec)  # a hook of MkDocs outside any package
_spec.loader.exec_module(reference)
build_pages = cache(reference.build_pages)


def blocks(language, *names):
    """Return page and text of every block in a language, of all or of the named pages."""
    shown = re.compile(rf"```{language}\n(.*?)```", re.DOTALL)
    pages = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}
    return [(name, text) for name in names or pages for text in shown.findall(pages[name])]


COMMANDS = {line for _, text in blocks("sh") for line in text.replace("\\\n", " ").splitlines()}
COMMANDS = sorted(line for line in COMMANDS if line.startswith("ansatz "))


@pytest.mark.parametrize("line", COMMANDS)
def test_documented_commands_parse(line):
    """The line is parsed and not executed."""
    command, (_, *words) = build_command(), shlex.split(line, comments=True)
    context = None
    while isinstance(command, typer.core.TyperGroup):
        context = typer.Context(command, parent=context, info_name="ansatz")
        _, command, words = command.resolve_command(context, words)
    read = command.make_context(command.name, words, parent=context)
    assert read.args == [], "words that no option or argument took"


@pytest.mark.parametrize(("page", "code"), blocks("python"))
def test_code_on_pages_runs(page, code, capsys, tmp_path, monkeypatch):
    """The code runs from a file, because the source of a class is part of its identity."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("page", tmp_path / "page.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "page", module)
    spec.loader.exec_module(module)
    assert capsys.readouterr().out.strip()
    assert not [error for folder in tmp_path.glob("runs/*") for error in ansatz.Run(folder).errors["error"]]


@pytest.mark.parametrize(("page", "text"), blocks("yaml"))
def test_documented_studies_are_valid(page, text, tmp_path):
    """Files that a study refers to contain the code of its page."""
    for name in re.findall(r"(\w+\.py):", text):
        (tmp_path / name).write_text("\n".join(code for _, code in blocks("python", page)), encoding="utf-8")
    for name in re.findall(r"(\w+)\.pdf", text):
        (tmp_path / f"{name}.pdf").touch()
    shown = yaml.safe_load(text)
    if not set(shown) <= set(StudyFile.model_fields):
        pytest.skip("a template or a problem, which other tests read")
    study = StudyFile.model_validate(
        {"name": "x", "models": "offline:slide-rule", "problems": "tps", **shown}
    )
    for choice in study.problems:
        assert callable(plugins.find_factory("ansatz.benchmarks", choice.benchmark))
    for arm in study.all_arms().values():
        for name, settings in arm.items():
            assert callable(plugins.load("ansatz.interventions", name, settings, tmp_path).apply)
    for name, _ in study.scorers:
        assert callable(plugins.find_factory("ansatz.scorers", name))


def test_links_between_pages_have_targets():
    """The target is a file or a generated page."""
    generated = build_pages()
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            target = page.parent / link
            is_generated = target.is_relative_to(DOCS) and target.relative_to(DOCS).as_posix() in generated
            assert is_generated or target.exists(), f"{page}: {link}"


def test_every_page_is_in_the_navigation_once():
    """`make docs` also checks links and anchors of the site."""
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = re.findall(r"'([\w/-]+\.md)'", str(nav))
    there = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(named) == sorted([*there, *build_pages()])


@pytest.mark.slow
def test_the_site_builds_strictly(tmp_path):
    pytest.importorskip("mkdocs", reason="the site needs the extra: pip install -e '.[docs]'")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("schema", reference.PARTS_OF_ITEMS, ids=lambda each: each.__name__)
def test_fields_of_items_have_valid_examples(schema, tmp_path):
    """All examples together are an item."""
    shown = {name: reference.make_example(schema, name) for name in schema.model_fields}
    for name in shown.keys() - {"kind"}:  # the type of a target
        assert shown[name] is not None, name
        TypeAdapter(get_type_hints(schema, include_extras=True)[name]).validate_python(shown[name])
    if schema is Item:
        (tmp_path / "item.jsonl").write_text(json.dumps(shown), encoding="utf-8")
        assert load(tmp_path / "item.jsonl")[0].reference.steps == ()


def test_reference_lists_every_name_command_and_setting():
    pages = build_pages()
    library, settings, commands = (
        pages[f"reference/{each}.md"] for each in ("library", "settings", "commands")
    )
    assert {name for name in ansatz.__all__ if f".{name}\n" not in library} == {"__version__"}
    for group in ("interventions", "scorers", "benchmarks", "rankers"):
        assert all(f"### {name}\n" in settings for name in plugins.list_names(f"ansatz.{group}"))
    assert all(f"| `{name}` |" in settings for name in (*ModelSettings.model_fields, "isolation", "at_least"))
    assert "| `timeout_seconds` | The longest run time of one program, in seconds. |" in settings
    for words in ("run", "kb search", "score", "benchmark thermoqa generate", "data gate"):
        assert f"## `ansatz {words}`\n" in commands
    assert "`--max-cost " in commands


def test_documented_package_plugs_in(tmp_path, monkeypatch):
    [(_, code)], [(_, declared)] = blocks("python", "docs/switch.md"), blocks("toml")
    (tmp_path / "my_package.py").write_text(code)
    install(tmp_path, {"name": "my-package", **tomllib.loads(declared)["project"]})
    monkeypatch.syspath_prepend(tmp_path)
    question = "How fast is sound in air at T = 300 K?"
    done = ansatz_command("solve", question, "--trace", "--with", "significant_figures:digits=3")
    assert "State every result to 3 significant figures." in done.stdout, done.stderr


@pytest.mark.parametrize(("_", "lines"), blocks("json", "docs/own-problems.md"))
def test_documented_items_load(_, lines, tmp_path):
    (tmp_path / "problems.jsonl").write_text(lines, encoding="utf-8")
    assert len(load(tmp_path / "problems.jsonl")) == len(lines.strip().splitlines())


def test_documented_errors_are_those_of_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "own-problems.md").read_text(encoding="utf-8")
    shown = re.search(r"```\n(problems\.jsonl:3.*?)```", page, re.DOTALL)[1].splitlines()
    lines = [f'{{"question": "q{number}?", "answer": "1 m"}}' for number in range(8)]
    lines[2] = '{"question": "?", "answer": "1 m", "givens": [], "steps": []}'
    lines[6] = '{"question": "??", "targets": [{"unit": "m"}]}'
    found = []
    for first in ('"value": 1e400, "unit": "m"', '"value": 1, "unit": "kmm"'):
        last = f'{{"question": "???", "targets": [{{"name": "a", {first}}}, {{"name": "b", "value": 1, "unit": "kmm"}}]}}'
        Path("problems.jsonl").write_text("\n".join([*lines, last]))
        with pytest.raises(InvalidData) as refusal:
            load("problems.jsonl")
        found += str(refusal.value).splitlines()
    assert all(any(line.startswith(each) for line in found) for each in shown), found


def test_readme_shows_the_output_of_its_script(tmp_path, monkeypatch, capsys):
    [(_, code)] = blocks("python", "README.md")
    [(_, table)] = blocks("text", "README.md")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "readme", "exec"), {"__name__": "readme"})
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert [
        row
        for line in table.splitlines()
        if (row := " ".join(line.split())) and "──" not in row and row not in shown
    ] == []


@pytest.mark.parametrize("page", ["tool", "retriever", "switch"])
async def test_documented_extensions_change_the_prompt(page):
    [(_, code)] = blocks("python", f"docs/{page}.md")
    assert len([line for line in code.splitlines() if line.strip()]) <= 12
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(code, page, "exec"), names)
    plan = names["switch"].apply(base_plan())
    model = ScriptedModel(replies=[AIMessage("a = 347 m/s")])
    transcript = await run_agent(plan, Question("How fast is sound in air at T = 300 K?"), model)
    assert transcript.stop == "answered"
    assert plan.describe() != base_plan().describe()
