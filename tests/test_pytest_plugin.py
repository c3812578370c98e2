"""The fixture `ansatz_check`: a study in an example repository, its baseline, and a change of its prompt."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ansatz.pytest_plugin import Check, UndecidedWarning
from tests.fakes.behaviours import Answer, Request, Tokens
from tests.fakes.openai_server import OpenAIServer

ROOT = Path(__file__).parents[1]
TEST = """
import pytest

@pytest.mark.parametrize("copy", [0, 1])
def test_prompt(ansatz_check, copy):
    ansatz_check("study.yaml", against="baseline.json", margin={{"outcome": 20}}, arms="prompt", budget=1.0{more})
"""


def answer(request: Request) -> Answer:
    """Answer rightly unless the prompt asks for a guess."""
    [value] = set(re.findall(r"state Q = (\d+) J", request.text))
    return Answer(f"Q = {0 if 'Guess' in request.text else value} J", tokens=Tokens(input=20, output=6))


def write_repository(
    folder: Path, server: OpenAIServer, *, problems: int, prompt: str = "Take care.", more: str = ""
) -> None:
    rows = [
        {"id": f"q{n}", "question": f"Problem {n}: state Q = {n + 1} J.\n\nQ = ___ J", "answer": f"{n + 1} J"}
        for n in range(problems)
    ]
    (folder / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "test_gate.py").write_text(TEST.format(more=more))
    (folder / "study.yaml").write_text(
        f"name: gate\nmodels: [{{name: 'openai:fake', settings: {{base_url: '{server.base_url}', max_tokens: 50}}, "
        "input_price: 1, output_price: 1}]\nproblems: [{benchmark: file, settings: {path: problems.jsonl}}]\n"
        f"arms: {{prompt: {{with_prompt: {{text: '{prompt}'}}}}}}\nscorers: [outcome]\n"
    )


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT),
        "OPENAI_API_KEY": "sk-secret-of-the-test",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "ansatz.pytest_plugin",
        "-p",
        "xdist.plugin",
        "-q",
        *options,
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
    with OpenAIServer(answer) as serving:
        yield serving


def make_checks(folder: Path) -> tuple[Check, Check]:
    """Return a check that writes the baseline, and one that compares with it."""
    update = Check(folder, folder / "cache", folder / "runs", updates=True)
    return update, replace(update, updates=False)


def test_check_fails_on_a_regression(tmp_path, server):
    update, check = make_checks(tmp_path)
    write_repository(tmp_path, server, problems=12)
    with pytest.raises(pytest.fail.Exception, match="--ansatz-update"):
        check("study.yaml", against="baseline.json")
    with pytest.raises(pytest.fail.Exception, match=r"studi\.yaml: no such file") as missing:
        update("studi.yaml", against="baseline.json")
    assert not missing.value.pytrace
    assert update("study.yaml", against="baseline.json", budget=1.0) is None
    asked = len(server.requests)
    assert asked == 24
    assert check("study.yaml", against="baseline.json").status == 0
    assert len(server.requests) == asked  # every reply came from the cache
    write_repository(tmp_path, server, problems=12, prompt="Guess.")
    with pytest.raises(pytest.fail.Exception, match="worse, by at least") as failure:
        check("study.yaml", against="baseline.json", margin={"outcome": 20})
    assert "Changed between A and B: arm prompt" in str(failure.value)
    assert len(server.requests) == asked + 12  # the changed arm


def test_check_that_cannot_tell_warns_or_fails(tmp_path, server):
    update, check = make_checks(tmp_path)
    write_repository(tmp_path, server, problems=3)
    update("study.yaml", against="baseline.json")
    write_repository(tmp_path, server, problems=3, prompt="Guess.")
    with pytest.warns(UndecidedWarning, match="cannot tell"):
        assert check("study.yaml", against="baseline.json", primary="outcome").status == 3
    with pytest.raises(pytest.fail.Exception, match="cannot tell"):
        check("study.yaml", against="baseline.json", undecided="fail")


@pytest.mark.slow
def test_workers_of_xdist_share_replies(tmp_path, server):
    write_repository(tmp_path, server, problems=12)
    written = run_pytest(tmp_path, "--ansatz-update", "-k", "0")
    assert written.returncode == 0, written.stdout
    asked = len(server.requests)
    assert asked == 24
    unchanged = run_pytest(tmp_path, "-n", "2")  # two workers check the same study
    assert unchanged.returncode == 0, unchanged.stdout
    assert len(server.requests) == asked  # every reply came from the cache

    write_repository(tmp_path, server, problems=12, prompt="Guess.")
    worse = run_pytest(tmp_path, "-n", "2")
    assert worse.returncode == 1
    assert "worse, by at least" in worse.stdout and "Changed between A and B: arm prompt" in worse.stdout
    assert len(server.requests) == asked + 12  # the changed arm, once
    assert "sk-secret" not in worse.stdout + (tmp_path / "baseline.json").read_text()
