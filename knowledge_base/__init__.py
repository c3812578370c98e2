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
        Library,
        RegimeWarning,
        UnknownEquation,
    )
    from ansatz.knowledge_base.regime import Facts, Judgement, facts, judge
    from ansatz.knowledge_base.search import Ranker, Retrieved, Searcher, UnknownRanker
    from ansatz.knowledge_base.search.langchain_retriever import EquationRetriever
    from ansatz.quantities.units import UnitError, parse_unit, quantity, registry

_ROOMS = {
    "ansatz.knowledge_base.equation": "EntryError Equation EvaluationError Library RegimeWarning "
    "UnknownEquation",
    "ansatz.knowledge_base.regime": "Facts Judgement facts judge",
    "ansatz.knowledge_base.search": "Ranker Retrieved Searcher UnknownRanker",
    "ansatz.knowledge_base.search.langchain_retriever": "EquationRetriever",
    "ansatz.quantities.units": "UnitError parse_unit quantity registry",
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "EntryError",
    "Equation",
    "EquationRetriever",
    "EvaluationError",
    "Facts",
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
