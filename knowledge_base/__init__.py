"""What is known: equations that can be executed, with where they hold, and the search that finds them.

Names are imported when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation import Equation, EvaluationError
    from ansatz.knowledge_base.inverse import Inverse
    from ansatz.knowledge_base.library import EntryError, Library, UnknownEquation
    from ansatz.knowledge_base.ranking import Ranker, UnknownRanker
    from ansatz.knowledge_base.regime import Facts, Judgement, facts, judge
    from ansatz.knowledge_base.retrieved import Retrieved
    from ansatz.knowledge_base.retriever import EquationRetriever
    from ansatz.knowledge_base.search import Searcher
    from ansatz.knowledge_base.validity import RegimeWarning
    from ansatz.quantities.units import UnitError, parse_unit, quantity, registry

_HOME = {
    "Equation": "equation",
    "EquationRetriever": "retriever",
    "EvaluationError": "equation",
    "EntryError": "library",
    "Inverse": "inverse",
    "RegimeWarning": "validity",
    "Library": "library",
    "UnknownEquation": "library",
    "Facts": "regime",
    "Judgement": "regime",
    "facts": "regime",
    "judge": "regime",
    "Ranker": "ranking",
    "Retrieved": "retrieved",
    "Searcher": "search",
    "UnitError": "units",
    "UnknownRanker": "ranking",
    "parse_unit": "units",
    "quantity": "units",
    "registry": "units",
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
    return getattr(import_module(f"ansatz.knowledge_base.{_HOME[name]}"), name)
