"""The examples run unchanged and are short."""

import ast
import importlib.util
import inspect
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import polars
import pytest

from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
ORACLES_PYTHON = ROOT / ".oracles" / "bin" / "python"
SHOWN = {
    "model_graded": "assumptions",
    "own_model": "other parrot",
    "own_problems": "retrieval",
    "own_retriever": "handbook",
    "own_tool": "answer = 1.514 kW",
}


def test_there_is_an_example_of_each_kind():
    assert [each.stem for each in EXAMPLES] == sorted(SHOWN)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_unchanged(path, tmp_path, monkeypatch, capsys):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 25
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    marks = Answer(calls=(("record_marks", {"justification": "they are", "points": 2}),))
    with OpenAIServer(lambda request: marks) as server, polars.Config(tbl_cols=-1, tbl_rows=-1):
        monkeypatch.setenv("JUDGE_URL", server.base_url)
        spec.loader.exec_module(module)
    assert SHOWN[path.stem] in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not ORACLES_PYTHON.exists(), reason="run `make oracles` first")
def test_jupyter_shows_the_table_and_the_plot(tmp_path):
    """nbconvert executes the notebook; its environment borrows the packages of this one."""
    paths = os.pathsep.join([str(ROOT), sysconfig.get_paths()["purelib"]])
    command = [ORACLES_PYTHON, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", tmp_path]
    environment = {**os.environ, "PYTHONPATH": paths}
    shutil.copy(ROOT / "examples" / "first_look.ipynb", tmp_path / "source.ipynb")
    command += ["--output", "done", tmp_path / "source.ipynb"]
    subprocess.run(command, env=environment, cwd=tmp_path, timeout=300, check=True, capture_output=True)
    cells = json.loads((tmp_path / "done.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    shown = [output["data"] for output in outputs if "data" in output]
    assert [data for data in shown if "image/png" in data]
    assert [data for data in shown if "Δ from baseline" in "".join(data.get("text/html", ""))]
    assert not [text for output in outputs for text in output.get("text", ()) if "Warning" in text]


async def displayed(notebook):
    """Return the last output of each code cell, run in order on an event loop as in a kernel."""
    names = {"__name__": "__main__"}
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        parts = [tree, *([ast.Expression(last.value)] if last else [])]
        for part in parts:
            mode = "eval" if isinstance(part, ast.Expression) else "exec"
            code = compile(part, f"cell {number}", mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            found = eval(code, names)
            found = await found if inspect.isawaitable(found) else found
        if last:
            yield found


async def test_notebook_runs_and_shows_its_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problems, run, deltas, outcomes, plot, page = [
        each async for each in displayed(ROOT / "examples" / "first_look.ipynb")
    ]
    shown = run._repr_html_()
    assert len(problems) == 3 and "Δ from baseline" in shown and "data:image/png;base64," in shown
    assert plot._repr_png_().startswith(b"\x89PNG")
    outcome = deltas.filter(polars.col("dimension") == "outcome")
    effects = dict(outcome.select("arm", "estimate").rows())
    assert effects["tool"] == 0.5 and effects["reminder"] == 0 and effects["handbook"] < -0.4
    clear = outcome.filter(polars.col("p_adjusted") < 0.05)["arm"].to_list()
    assert sorted(clear) == ["handbook", "tool"]
    assert outcomes.shape == (16, 5) and plot.axes and page.name == "index.html"
