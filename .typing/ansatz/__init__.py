"""Ansatz: which intervention helps a language model with engineering work, where, and by how much.

The names below are the public interface. They load on first use, so that importing
`ansatz` (and `ansatz --help`) does not pay for LangGraph, torch or CoolProp.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent
if (_ROOT / "agents" / "plan.py").exists():  # a checkout: the sub-packages lie beside this folder
    __path__.append(str(_ROOT))

_PUBLIC = {
    "AgentPlan": "agents",
    "Question": "agents",
    "Transcript": "agents",
    "build_graph": "agents",
    "run_agent": "agents",
    "Intervention": "interventions",
    "apply_all": "interventions",
    "Problem": "eval",
    "Score": "eval",
}

__version__ = "0.1.0"
__all__ = sorted([*_PUBLIC, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ansatz' has no attribute {name!r}")
    return getattr(import_module(f"ansatz.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return __all__
