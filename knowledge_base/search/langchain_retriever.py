"""The search of the base as a LangChain retriever, for chains and graphs built with that library."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.search.searcher import Searcher, get_searcher


class EquationRetriever(BaseRetriever):
    """Returns the `k` best equations as documents, then (`prerequisites`) those that yield their open inputs.

    The content is the equation's reference sheet. The metadata are `id`, `name`, `domain`, `role` ("hit" or
    "prerequisite"), `conditions` (all that are required), and for a hit `score`, `open` (conditions that the
    question leaves open) and `against`; for a prerequisite `gives` and `needed_by`.

    >>> EquationRetriever(k=3).invoke("pressure ratio of a normal shock at Mach 4")  # doctest: +SKIP
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    searcher: Searcher = Field(default_factory=get_searcher)
    k: int = Field(default=5, ge=1)
    prerequisites: bool = True

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.searcher.search(query, self.k, traps=False, prerequisites=self.prerequisites)
        hits = [
            _make_document(
                each.equation, role="hit", score=each.score, open=list(each.open), against=list(each.against)
            )
            for each in found.hits
        ]
        needed = [
            _make_document(
                each.equation,
                role="prerequisite",
                gives=each.symbol,
                needed_by=each.needed_by.id if each.needed_by else None,
            )
            for each in found.prerequisites
        ]
        return [*hits, *needed]


def _make_document(equation: Equation, **details: Any) -> Document:
    common = {
        "id": equation.id,
        "name": equation.name,
        "domain": equation.domain,
        "conditions": [predicate.words() for predicate in equation.regime.require],
    }
    return Document(page_content=equation.sheet(), metadata={**common, **details})
