"""What type checkers find in a user's file, and that they find the package at all."""

import re
import subprocess
import sys
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
    pytest.importorskip("basedpyright")
    checked = ["experiments/study.py", "ansatz/__init__.py", "agents/plan.py"]
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", *checked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "error: Import" not in done.stdout and "reportMissingImports" not in done.stdout, done.stdout
    assert " errors, " in done.stdout or " error, " in done.stdout, done.stdout + done.stderr
