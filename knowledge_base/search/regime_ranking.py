"""Rank by regime: exclude entries that the question contradicts, and promote those that it supports."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.regime.facts import Facts
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.judgement import Conditions
from ansatz.knowledge_base.regime.stated_quantities import remove_blanks
from ansatz.knowledge_base.search.encoders import DEFAULT, Reranker, find_reranker
from ansatz.knowledge_base.search.index import standardize
from ansatz.knowledge_base.search.ranking import Hybrid, Ranker
from ansatz.knowledge_base.search.supplied_inputs import GivenInputs, get_dimension, get_output_dimension
from ansatz.knowledge_base.search.tokenizing import make_entry_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library

_BLANK = re.compile(r"^[ \t]*[\w{}\\]+[ \t]*=[ \t]*_{2,}[ \t]*(\S.*?)?[ \t]*$", re.MULTILINE)
CANDIDATES = 40
"""The number of best entries whose inputs and outputs are compared with the question."""
RERANKED = 20
"""The number of best entries that a reranker orders."""
_SHARPNESS = 0.1  # one standard deviation of relevance counts as much as one contradicted condition
# Relative changes of a score.
_HOLDS, _AGAINST, _COVERED, _REQUESTED_UNIT = 0.05, 0.10, 0.10, 0.10
_MOST_HOLDING = 4.0


@dataclass(frozen=True)
class Ranked:
    """The ranking of all entries for a question; entries are identified by their place in the library."""

    known: Facts
    """The facts of the question."""
    given: GivenInputs
    requested: tuple[str, ...]
    """The dimensions of the requested quantities."""
    relevance: NDArray[np.float64]
    """Standardized scores without conditions."""
    scores: NDArray[np.float64]
    """Scores with conditions; -inf if a condition excludes the entry."""
    candidates: list[int]
    """The places of the best entries."""

    def select_best(self, count: int) -> list[int]:
        """Return the places of the best `count` entries that are not excluded, best first."""
        if count > len(self.candidates):
            return _find_best(self.scores, count)
        return sorted(self.candidates, key=lambda place: -self.scores[place])[:count]

    def deviation(self, place: int) -> float:
        """Convert a score, with conditions, to standard deviations of relevance; -inf if excluded."""
        score = float(self.scores[place])
        return math.log(score) / _SHARPNESS if score > 0 else -math.inf

    def select_traps(self, count: int) -> list[int]:
        """Return excluded entries that are as relevant as the best `count` candidates, best first."""
        allowed = np.sort(self.relevance[self.candidates])[::-1][:count]
        least = allowed[-1] if len(allowed) else -np.inf
        places = np.flatnonzero(self.relevance >= least)
        places = places[np.isneginf(self.scores[places])]
        return [int(place) for place in places[np.argsort(-self.relevance[places], kind="stable")]]


class RegimeAware:
    """A ranker by regime on top of another ranker.

    Parameters:
        library: The base.
        relevance: The other ranker; by default `Hybrid`.
        conditions: Whether conditions count. Otherwise, only relevance and the given inputs do.
        encoder: The name of the encoder of `Hybrid`.
        reranker: The name of a reranker that orders the best entries; by default none does.
    """

    reads_meaning = True

    def __init__(
        self,
        library: Library,
        relevance: Ranker | None = None,
        conditions: bool = True,
        encoder: str = DEFAULT,
        reranker: str | None = None,
    ):
        self._library = library
        self._relevance = relevance if relevance is not None else Hybrid(library, encoder)
        self._reranker = find_reranker(reranker) if reranker is not None else None
        self._conditions = Conditions(library.entries)
        self._uses_conditions = conditions

    def scores(self, question: str) -> NDArray[np.float64]:
        return self.rank(question).scores

    def rank(self, question: str) -> Ranked:
        """Rank all entries for a question."""
        known, requested = find_facts(question, self._library), find_requested_dimensions(question)
        relevance = standardize(self._relevance.scores(remove_blanks(question)))
        verdict = self._conditions.judge(known)
        scores = np.exp(_SHARPNESS * relevance)
        if self._uses_conditions:
            change = _HOLDS * np.minimum(verdict.favour, _MOST_HOLDING) - _AGAINST * verdict.against
            scores *= np.maximum(1 + change, 0.1)
            scores[verdict.excluded] = -np.inf
        scores[np.isneginf(relevance)] = -np.inf
        given, candidates = GivenInputs(known.givens), _find_best(scores, CANDIDATES)
        for place in candidates:
            equation = self._library.entries[place]
            fits = get_output_dimension(equation) in requested
            scores[place] *= 1 + _COVERED * given.coverage(equation) + _REQUESTED_UNIT * fits
        if self._reranker is not None:
            self._rerank(self._reranker, question, scores, candidates)
        return Ranked(known, given, requested, relevance, scores, candidates)

    def _rerank(
        self, reranker: Reranker, question: str, scores: NDArray[np.float64], candidates: Sequence[int]
    ) -> None:
        """Give the best of the candidates' scores to the entries that the reranker prefers."""
        best = sorted(candidates, key=lambda place: -scores[place])[:RERANKED]
        texts = [make_entry_text(self._library.entries[place]) for place in best]
        if best:
            preferred = np.argsort(-np.asarray(reranker.rate(question, texts)), kind="stable")
            scores[[best[place] for place in preferred]] = scores[best]


def find_requested_dimensions(question: str) -> tuple[str, ...]:
    """Return the distinct dimensions of the blanks `name = ___ unit` at the end of a question."""
    dimensions = (get_dimension(blank[1] or "-") for blank in _BLANK.finditer(question))
    return tuple(dict.fromkeys(dimension for dimension in dimensions if dimension is not None))


def _find_best(scores: NDArray[np.float64], count: int) -> list[int]:
    count = min(count, len(scores))
    best = np.sort(np.argpartition(scores, -count)[-count:]) if count else np.arange(0)
    best = best[np.isfinite(scores[best])]
    places: list[int] = best[np.argsort(-scores[best], kind="stable")].tolist()
    return places
