"""The public names of the package."""

import ast
import asyncio
import doctest
import inspect
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage

import ansatz
from ansatz import RunSummary
from ansatz.experiments.design import plugins
from tests.experiments.rows import tried
from tests.experiments.studies import problem
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.transcripts import attempt

PUMPS = [("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW")]
NAMES = [name for name in ansatz.__all__ if name != "__version__"]


def friction_factor(reynolds: float) -> float:
    """Friction factor of laminar flow in a pipe."""
    return 64 / reynolds


def handbook(question: str) -> list[str]:
    return ["p = rho g h"]


def stand_ins():
    """Return names that examples use without a definition."""
    known = {
        **{name: getattr(ansatz, name) for name in NAMES},
        **{"pumps": PUMPS, "problem": problem(1), "transcript": attempt("a"), "handbook": handbook},
        **{"friction_factor": friction_factor, "my_tool": friction_factor, "create_agent": create_agent},
    }
    summary = RunSummary.of_results(
        tried(
            [problem(1)], lambda *_: {"values": {"outcome": 1.0}}, arms=["baseline"], dimensions=("outcome",)
        ).results
    )
    known |= {"before": summary, "after": replace(summary)}
    chat = ScriptedModel(replies=[AIMessage("347 m/s")])
    return known | {"chat": chat, "dataclass": dataclass, "__name__": "example"}


def test_names_load_and_are_listed():
    assert {"Study", "Run", "Calculator", "ModelGraded", "solve"} < set(NAMES) and len(NAMES) > 55
    assert all(getattr(ansatz, name).__module__.startswith("ansatz.") for name in NAMES)
    assert dir(ansatz) == ansatz.__all__ and re.fullmatch(r"\d+\.\d+\.\d+", ansatz.__version__)
    with pytest.raises(AttributeError, match="Studdy"):
        ansatz.Studdy  # noqa: B018


def test_all_switches_are_public():
    for name in plugins.list_names("ansatz.interventions"):
        assert plugins.find_factory("ansatz.interventions", name).__name__ in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example_that_runs(name, tmp_path, monkeypatch):
    text = inspect.getdoc(getattr(ansatz, name)) or ""
    assert len(text.split("Example:")) == 2, "one example each"
    monkeypatch.chdir(tmp_path)
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(key, "unused")
    Path("problems.jsonl").write_text('{"question": "How much?", "answer": "1 kW"}')
    Path("manual.pdf").touch()
    shown = text.split("Example:")[1]
    names = stand_ins()
    if ">>>" in shown:
        test = doctest.DocTestParser().get_doctest(textwrap.dedent(shown), names, name, None, 0)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0
        return
    inline = re.match(r"\s*`+(.+?)`+(\.| as the )", shown, re.DOTALL)
    code = " ".join(inline[1].split()) if inline else textwrap.dedent(shown.strip("\n"))
    run(code, {**names, **({"problems": PUMPS} if name == "Study" else {})})


def run(code, names):
    """Run an example without requests to models. A comment names the error that it raises; it may use await."""
    expected = re.search(r"# (\w+Error)", code)
    compiled = compile(code, "example", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    with mock.patch("ansatz.Study.run"), mock.patch("ansatz.Run.deltas"):
        if expected:
            with pytest.raises(names[expected[1]]):
                eval(compiled, names)
        elif inspect.iscoroutine(made := eval(compiled, names)):
            asyncio.run(made)


HEAVY = (
    *("langgraph", "langchain_core", "CoolProp", "pint", "sympy", "numpy"),
    *("openai", "anthropic", "polars", "matplotlib"),
)


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import ansatz.cli", set()),
        ("import ansatz; ansatz.AnsatzError; dir(ansatz)", set()),
        (
            "import ansatz; ansatz.Study('x', models='offline:slide-rule', problems=[('How much?', '1 kW')])",
            {"langgraph", "langchain_core", "numpy", "pint"},
        ),
    ],
)
def test_heavy_libraries_are_imported_on_first_use(code, allowed):
    code = f"import sys; {code}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(done.stdout)) <= allowed


def test_wrong_uses_cover_every_public_name():
    """`make lint` checks that mypy finds each of them."""
    wrong = Path(__file__).with_name("wrong_uses.py").read_text(encoding="utf-8").splitlines()
    used = {name for line in wrong if "# type: ignore[" in line for name in re.findall(r"\baz\.(\w+)", line)}
    assert used - {"Studdy"} == set(ansatz.__all__)
