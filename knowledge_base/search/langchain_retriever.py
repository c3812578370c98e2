"""The equation search as a LangChain retriever, for use in chains and graphs."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.search.searcher import Searcher, get_searcher


class EquationRetriever(BaseRetriever):
    """Returns the best equations as documents, then those that yield their open inputs.

    The content of a document is the equation's reference sheet. Its metadata are `id`, `name`, `domain`,
    `conditions` (all that are required) and `role`, which is "hit" or "prerequisite". A hit also has `score`,
    `open` (conditions that the question leaves open) and `against`. A prerequisite also has `gives` and
    `needed_by`.

    >>> EquationRetriever(k=3).invoke("pressure ratio of a normal shock at Mach 4")  # doctest: +SKIP
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    searcher: Searcher = Field(default_factory=get_searcher)
    """The search; by default that of the shipped base."""
    k: int = Field(default=5, ge=1)
    """The largest number of hits."""
    prerequisites: bool = True
    """Whether to add equations that yield open inputs of the hits."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.searcher.search(query, self.k, traps=False, prerequisites=self.prerequisites)
        hits = [
            _make_document(
                hit.equation, role="hit", score=hit.score, open=list(hit.open), against=list(hit.against)
            )
            for hit in found.hits
        ]
        needed = [
            _make_document(
                prerequisite.equation,
                role="prerequisite",
                gives=prerequisite.symbol,
                needed_by=prerequisite.needed_by.id if prerequisite.needed_by else None,
            )
            for prerequisite in found.prerequisites
        ]
        return [*hits, *needed]


def _make_document(equation: Equation, **details: Any) -> Document:
    common = {
        "id": equation.id,
        "name": equation.name,
        "domain": equation.domain,
        "conditions": [predicate.describe() for predicate in equation.regime.require],
    }
    return Document(page_content=equation.sheet(), metadata={**common, **details})
