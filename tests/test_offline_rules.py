"""The offline model knows no problem, no key and no equation base."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SLIDE_RULE = ROOT / "agents" / "slide_rule"
ALLOWED = (
    "ansatz.agents.slide_rule",
    "ansatz.quantities",
    "ansatz.errors",
    "ansatz.agents.answer_form",  # the name of the tool that submits an answer
)


def test_the_offline_model_reads_only_its_own_files():
    for file in SLIDE_RULE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ansatz"):
                assert node.module.startswith(ALLOWED), f"{file.name} imports {node.module}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "open", f"{file.name} opens a file"
            if isinstance(node, ast.Attribute) and node.attr in ("read_text", "read_bytes", "open"):
                assert ast.unparse(node).startswith("Path(__file__).with_name("), f"{file.name} reads a file"


@pytest.mark.parametrize("benchmark", ["tps", "physbench", "tpbench", "apbench"])
def test_the_offline_model_knows_no_problem_statement(benchmark):
    """No run of eight words of a problem file occurs in the model's sources, its memories included."""
    sources = [file for file in SLIDE_RULE.rglob("*") if file.suffix in (".py", ".yaml")]
    known = set().union(*(_runs_of_eight(file) for file in sources))
    files = list((ROOT / "eval" / "benchmarks" / benchmark).rglob("*.yaml"))
    assert files and len(known) > 999
    for file in files:
        assert not _runs_of_eight(file) & known, file.name


def _runs_of_eight(file: Path) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W\d_]+", file.read_text(encoding="utf-8").lower())
    return {tuple(words[start : start + 8]) for start in range(len(words) - 7)}
