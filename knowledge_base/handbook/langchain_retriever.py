"""A handbook as a LangChain retriever, for use in chains and graphs."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field


class HandbookRetriever(BaseRetriever):
    """Returns the best passage of each section that fits a question; nothing if the handbook does not fit.

    The metadata of a document are `source` (what an answer cites), `file`, `section`, `page` and `score`.

    >>> HandbookSearch.load(folder).as_retriever(3).invoke("How is a relief valve sized?")  # doctest: +SKIP
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    searcher: Any
    """A `HandbookSearch`."""
    k: int = Field(default=4, ge=1)
    """The largest number of sections."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [
            Document(page_content=hit.passage.text, metadata={"source": hit.passage.source, **hit.to_dict()})
            for hit in self.searcher.search(query, self.k)
        ]
