"""Find the sections of a handbook that answer a question, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.knowledge_base.handbook.abstention import fits_question
from ansatz.knowledge_base.handbook.handbook import Handbook, make_passage
from ansatz.knowledge_base.handbook.splitting import Passage
from ansatz.knowledge_base.search.encoders import Reranker, find_reranker
from ansatz.knowledge_base.search.index import Match

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever

_CANDIDATES = 200  # passages from which sections are collected
_RERANKED = 60  # the best of them, which a reranker sorts
_NEIGHBOUR = 0.1  # weight of the score of the passages before and after


@dataclass(frozen=True)
class SectionHit:
    """A section, by its best passage."""

    passage: Passage
    score: float
    """The standardized scores of words and meaning, added, or the reranker's score. It compares hits of one
    question only."""

    def to_dict(self) -> dict[str, Any]:
        """Return the place as JSON; the page is null for formats without pages."""
        passage = self.passage
        return {
            "file": passage.file,
            "section": passage.section,
            "page": passage.page,
            "score": round(self.score, 4),
        }

    def format(self) -> str:
        """Return the source, for citing, and the text."""
        return f"[{self.passage.source}]\n{self.passage.text}"


class HandbookSearch:
    """Searches one handbook.

    Passages are ranked by the sum of their standardized scores by words and by meaning (`Match`), and a
    tenth of those of the passages before and after: an answer is often next to passages about the same. A
    section has the rank of its best passage.

    Args:
        handbook: The handbook.
        reranker: A cross-encoder, or its name, that sorts the best passages again.
    """

    def __init__(self, handbook: Handbook, reranker: str | Reranker | None = None):
        self.handbook = handbook
        self._reranker = find_reranker(reranker) if isinstance(reranker, str) else reranker

    @classmethod
    def load(cls, folder: Path, reranker: str | Reranker | None = None) -> HandbookSearch:
        """Open a stored index. Raises InvalidData or SettingError."""
        return cls(Handbook.load(folder), reranker)

    def search(self, question: str, top: int = 5, always: bool = False) -> list[SectionHit]:
        """Return the best sections, best first.

        Args:
            question: In plain language.
            top: The largest number of sections.
            always: Whether to return sections also if nothing in the handbook fits.
        """
        index = self.handbook.index
        if not always and not fits_question(index, question):
            return []
        matches = index.search(question, _CANDIDATES)
        ranked = rank_with_neighbours(matches)
        if self._reranker is not None:
            ranked = ranked[:_RERANKED]
            scores = self._reranker.rate(question, [passage.searched for passage, _ in ranked])
            ranked = [(passage, float(score)) for (passage, _), score in zip(ranked, scores, strict=True)]
            ranked.sort(key=lambda each: -each[1])
        best: dict[tuple[str, str], SectionHit] = {}
        for passage, score in ranked:
            best.setdefault((passage.file, passage.section), SectionHit(passage, score))
        return list(best.values())[:top]

    def as_retriever(self, top: int = 4) -> BaseRetriever:
        """Return this search as a LangChain retriever."""
        from ansatz.knowledge_base.handbook.langchain_retriever import HandbookRetriever

        return HandbookRetriever(searcher=self, k=top)


def rank_with_neighbours(matches: Sequence[Match]) -> list[tuple[Passage, float]]:
    """Return passages, best first, with scores to which the passages before and after contribute."""
    scores = {(match.data["file"], match.data["place"]): match.score for match in matches}
    ranked = []
    for match in matches:
        file, place = match.data["file"], match.data["place"]
        near = scores.get((file, place - 1), 0.0) + scores.get((file, place + 1), 0.0)
        ranked.append((make_passage(match.data), match.score + _NEIGHBOUR * near))
    return sorted(ranked, key=lambda each: -each[1])
