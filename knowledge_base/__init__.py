"""What is known: equations that can be executed, with where they hold, and the search that finds them.

The rooms are `equation`, `regime`, `search`, `properties`, `gates` and `browse`; who stands outside imports
from a room, never past it. The names here load when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation import (
        EntryError,
        Equation,
        EvaluationError,
        Inverse,
        Library,
        RegimeWarning,
        UnknownEquation,
    )
    from ansatz.knowledge_base.regime import Facts, Judgement, facts, judge
    from ansatz.knowledge_base.search import Ranker, Retrieved, Searcher, UnknownRanker
    from ansatz.knowledge_base.search.langchain_retriever import EquationRetriever
    from ansatz.quantities.units import UnitError, parse_unit, quantity, registry

_QUANTITIES = "ansatz.quantities.units"
_HOME = {
    "EntryError": "ansatz.knowledge_base.equation",
    "Equation": "ansatz.knowledge_base.equation",
    "EquationRetriever": "ansatz.knowledge_base.search.langchain_retriever",
    "EvaluationError": "ansatz.knowledge_base.equation",
    "Facts": "ansatz.knowledge_base.regime",
    "Inverse": "ansatz.knowledge_base.equation",
    "Judgement": "ansatz.knowledge_base.regime",
    "Library": "ansatz.knowledge_base.equation",
    "Ranker": "ansatz.knowledge_base.search",
    "RegimeWarning": "ansatz.knowledge_base.equation",
    "Retrieved": "ansatz.knowledge_base.search",
    "Searcher": "ansatz.knowledge_base.search",
    "UnknownEquation": "ansatz.knowledge_base.equation",
    "UnknownRanker": "ansatz.knowledge_base.search",
    "facts": "ansatz.knowledge_base.regime",
    "judge": "ansatz.knowledge_base.regime",
    "UnitError": _QUANTITIES,
    "parse_unit": _QUANTITIES,
    "quantity": _QUANTITIES,
    "registry": _QUANTITIES,
}

__all__ = [
    "EntryError",
    "Equation",
    "EquationRetriever",
    "EvaluationError",
    "Facts",
    "Inverse",
    "Judgement",
    "Library",
    "Ranker",
    "RegimeWarning",
    "Retrieved",
    "Searcher",
    "UnitError",
    "UnknownEquation",
    "UnknownRanker",
    "facts",
    "judge",
    "parse_unit",
    "quantity",
    "registry",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
