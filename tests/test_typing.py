"""What type checkers find in a user's file, and that they find the package at all."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WRONG = """
import ansatz as az

problems = az.problems([("How much?", "1 kW")])
az.problems(3)  # error
az.load(3)  # error
az.benchmark(3)  # error
az.Study("x", models=["offline:slide-rule"], problems=problems, arms={"a": az.Calculator()})
az.Study("x", models=3, problems=problems)  # error
az.Study("x", models="m", problems=problems, arms={"a": 3})  # error
az.Study("x", models="m", problems=problems, scorers=[az.Calculator()])  # error
az.Study("x", models="m", problems=problems, repeat=3)  # error
az.Model("m", concurrency="8")  # error
az.Arm.of(3)  # error
az.Run(3)  # error
az.one_at_a_time(3)  # error
az.full_factorial(3)  # error
az.Calculator(timeout="3")  # error
az.EquationRetrieval(tops=3)  # error
az.EquationTools(tops=3)  # error
az.FluidProperties(fluid="water")  # error
az.FormulaSheet(3)  # error
az.FormulationScaffold("teacher")  # error
az.SymbolicCheck(rounds="2")  # error
az.WithTools(3)  # error
az.WithRetriever(3)  # error
az.WithPrompt(3)  # error
az.WithAgent(3)  # error
az.ModelGraded(3)  # error
az.Outcome(3)  # error
az.NumberTarget(name="P", weight=1)  # error
az.Score(dimension="a", value=1)  # error
az.Dimension(3)  # error
az.Limits(calls=3)  # error
az.Question(3)  # error
az.AgentPlan().instruct(3)  # error
study = az.Study("x", models="m", problems=problems)
study.run(3)  # error
study.run().attempts(3)  # error
study.run().deltas().nothing  # error
az.Studdy  # error
reveal_type(study.run().deltas())
"""


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
