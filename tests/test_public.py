"""The public face of the package."""

import subprocess
import sys

import ansatz


def test_the_public_names_are_these_and_load():
    assert ansatz.__all__ == [
        "AgentPlan", "Intervention", "Problem", "Question", "Score", "Transcript", "__version__",
        "apply_all", "build_graph", "run_agent",
    ]  # fmt: skip
    for name in ansatz.__all__:
        assert getattr(ansatz, name) is not None
    assert dir(ansatz) == ansatz.__all__


def test_help_imports_nothing_heavy():
    heavy = (
        "langgraph",
        "langchain_core",
        "torch",
        "CoolProp",
        "pint",
        "sympy",
        "numpy",
        "openai",
        "anthropic",
    )
    code = f"import sys, ansatz.cli; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
