"""Executable equations with the regimes in which they hold, the search for them, and fluid properties.

Other packages import from the sub-packages `equation`, `regime`, `search`, `properties`, `gates` and
`browse`, not from their modules. `EquationRetriever` is imported on first use, so this package is fast to
import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ansatz.knowledge_base.search.langchain_retriever import EquationRetriever

__all__ = ["EquationRetriever"]


def __getattr__(name: str) -> Any:
    if name != "EquationRetriever":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ansatz.knowledge_base.search.langchain_retriever import EquationRetriever

    return EquationRetriever
