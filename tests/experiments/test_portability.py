"""The offline model runs on any machine; a real model's code waits for one that can isolate it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.experiments.served_study import answer
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

# A machine of another system, as far as our own modules can see: they know it by `platform.system`, and find
# neither modules nor functions that it lacks. Libraries keep their Linux: they are not tested.
ELSEWHERE = """
import builtins, os, platform, sys
from ansatz.cli import main
system, blocked, removed, commands = {settings!r}
def ask():
    asker = sys._getframe(1).f_globals.get("__name__", "")
    return system if asker.startswith("ansatz") else "Linux"
platform.system = ask
real = builtins.__import__
def guarded(name, globals=None, *rest, **named):
    importer = str((globals or {{}}).get("__name__", ""))
    if name.partition(".")[0] in blocked and importer.startswith("ansatz"):
        raise ModuleNotFoundError(f"there is no module {{name}} on {{system}}, which {{importer}} imports")
    return real(name, globals, *rest, **named)
builtins.__import__ = guarded
for name in removed:
    delattr(os, name)
for arguments in commands:
    sys.argv = ["ansatz", *arguments]
    try:
        main()
    except SystemExit as end:
        print("exit status", end.code, flush=True)
"""
BLOCKED = {"Darwin": ["ctypes"], "Windows": ["ctypes", "fcntl", "resource", "pwd", "grp", "termios"]}
REMOVED = {
    "Darwin": ["memfd_create", "pidfd_open", "pipe2", "unshare"],
    "Windows": ["memfd_create", "pidfd_open", "pipe2", "unshare", "fork", "killpg", "wait4", "setsid"],
}
SYSTEMS = pytest.mark.parametrize("system", [pytest.param("Darwin", marks=pytest.mark.slow), "Windows"])


def run_elsewhere(system, *commands):
    """Several commands in one process: most of what it takes is to start."""
    present = [name for name in REMOVED[system] if hasattr(__import__("os"), name)]
    argument_lists = [[str(each) for each in arguments] for arguments in commands]
    settings = (system, BLOCKED[system], present, argument_lists)
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE.format(settings=settings)],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def written(folder, models, scorers="[outcome]"):
    folder.mkdir()
    study = folder / "study.yaml"
    study.write_text(
        f"name: elsewhere\nmodels: {models}\n"
        "problems: [{benchmark: tpbench, limit: 1}]\n"
        f"arms: {{checked: symbolic_check, calculator: calculator}}\nscorers: {scorers}\n",
        encoding="utf-8",
    )
    return study


@pytest.mark.slow
@SYSTEMS
def test_without_isolation_only_the_offline_models_code_may_run(system, tmp_path):
    """The real one before its first question, next to a simulated one whose code would run."""
    out = tmp_path / "out"
    simulated = written(tmp_path / "simulated", "[offline:slide-rule]", "[tpbench]")
    with OpenAIServer(answer) as server:
        models = f"[offline:slide-rule, {{name: 'openai:fake', settings: {{base_url: '{server.base_url}'}}}}]"
        real = written(tmp_path / "real", models)
        done = run_elsewhere(
            system, ("run", simulated, "--out", out), ("run", real, "--out", tmp_path / "refused")
        )
        assert server.requests == []
    assert "3 of 3 attempts scored, 0 failed" in done.stdout, done.stderr
    assert "Code in answers ran" not in done.stdout  # the offline model wrote none
    assert json.loads((out / "manifest.json").read_text())["isolation"] == ["none"]
    assert done.stdout.splitlines()[-1] == "exit status 2"
    *_, line = done.stderr.splitlines()
    assert "model-written code cannot be isolated at level landlock here" in line
    assert ("isolation: seatbelt" if system == "Darwin" else "WSL 2") in line
