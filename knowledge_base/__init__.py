"""What is known: equations that can be executed, with where they hold, and the search that finds them.

The rooms are `equation`, `regime`, `search`, `properties`, `gates` and `browse`; who stands outside imports
from a room, never past it. What is here loads when first used, so that importing this package costs nothing.
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
