"""What type checkers find in a user's file, and that they find the package at all."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ansatz

_NAME = re.compile(r"\baz\.(\w+)")
ROOT = Path(__file__).parent.parent
WRONG = Path(__file__).with_name("wrong_uses.py").read_text(encoding="utf-8")


def expected(text):
    return [number for number, line in enumerate(text.splitlines(), start=1) if line.endswith("# error")]


def test_mypy_finds_a_wrong_use_of_each_name(tmp_path):
    file = tmp_path / "user.py"
    file.write_text(WRONG)
    (tmp_path / "mypy.ini").write_text(
        f"[mypy]\nstrict = True\nmypy_path = {ROOT / '.typing'}\nplugins = pydantic.mypy\nfollow_imports = silent\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "user.py"], cwd=tmp_path, capture_output=True, text=True
    )
    found = sorted({int(each) for each in re.findall(r"^user\.py:(\d+): error", done.stdout, re.MULTILINE)})
    assert found == expected(WRONG), done.stdout + done.stderr
    assert 'Revealed type is "polars.dataframe.frame.DataFrame"' in done.stdout


def test_every_public_name_is_used_wrongly():
    used = {name for line in WRONG.splitlines() if line.endswith("# error") for name in _NAME.findall(line)}
    assert used - {"Studdy"} == set(ansatz.__all__)


def test_an_editor_resolves_the_imports_of_the_checkout():
    """With the extra paths that pyproject.toml tells editors of; without them none of ours is found."""
    pytest.importorskip("ty")
    pyright = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pyright"]
    rules = ["--ignore", "all", "--error", "import-not-found"]
    command = [sys.executable, "-m", "ty", "check", "--python", sys.prefix, *rules, "agents", "ansatz"]
    extra = [part for path in pyright["extraPaths"] for part in ("--extra-search-path", path)]
    found = [
        subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True) for paths in (extra, [])
    ]
    assert found[0].returncode == 0, found[0].stdout + found[0].stderr
    assert found[1].returncode == 1 and "`ansatz.agents.plan`" in found[1].stdout
