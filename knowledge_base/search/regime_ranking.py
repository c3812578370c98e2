"""The ranker that knows the regime: what a question contradicts is excluded, what it affirms is moved up."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.regime.facts import Facts
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.judgement import Conditions
from ansatz.knowledge_base.regime.stated_quantities import remove_blanks
from ansatz.knowledge_base.search.ranking import Hybrid, Ranker, standardize
from ansatz.knowledge_base.search.supplied_inputs import GivenInputs, get_dimension, get_output_dimension

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library

_ASKED = re.compile(r"^[ \t]*[\w{}\\]+[ \t]*=[ \t]*_{2,}[ \t]*(\S.*?)?[ \t]*$", re.MULTILINE)
CANDIDATES = 40
"""How many entries are looked at for what needs more than their conditions."""
_SHARPNESS = 0.1  # a standard deviation of relevance is worth as much as a condition that speaks against
# How far each sign moves a score.
_HOLDS, _AGAINST, _COVERED, _ASKED_UNIT = 0.05, 0.10, 0.10, 0.10
_MOST_HOLDING = 4.0


@dataclass(frozen=True)
class Ranked:
    """What is known of a question, and each entry's score: -inf where a condition excludes it.

    `asked` are the dimensions asked for, `candidates` the places of the best entries, each of which was
    looked at for what the givens supply.
    """

    known: Facts
    given: GivenInputs
    asked: tuple[str, ...]
    relevance: NDArray[np.float64]
    scores: NDArray[np.float64]
    candidates: list[int]

    def leading(self, count: int) -> list[int]:
        """The places of the best `count` entries that are not excluded, best first."""
        if count > len(self.candidates):
            return _find_best(self.scores, count)
        return sorted(self.candidates, key=lambda place: -self.scores[place])[:count]

    def deviation(self, place: int) -> float:
        """A score as standard deviations of relevance, conditions counted in; -inf if excluded."""
        score = float(self.scores[place])
        return math.log(score) / _SHARPNESS if score > 0 else -math.inf

    def tempting(self, count: int) -> list[int]:
        """The places of those excluded that are as relevant as the first `count` candidates, best first."""
        allowed = np.sort(self.relevance[self.candidates])[::-1][:count]
        least = allowed[-1] if len(allowed) else -np.inf
        found = np.flatnonzero(self.relevance >= least)
        found = found[np.isneginf(self.scores[found])]
        return [int(place) for place in found[np.argsort(-self.relevance[found], kind="stable")]]


class RegimeAware:
    """Any ranker, on condition that the regime allows the entry; by default the hybrid one.

    Without `conditions` only relevance and what the givens supply count, as in a search that knows no regime.
    """

    reads_meaning = True

    def __init__(self, library: Library, relevance: Ranker | None = None, conditions: bool = True):
        self._library = library
        self._relevance = relevance if relevance is not None else Hybrid(library)
        self._conditions = Conditions(library.entries)
        self._heeded = conditions

    def scores(self, question: str) -> NDArray[np.float64]:
        return self.rank(question).scores

    def rank(self, question: str) -> Ranked:
        """The scores with what they rest on."""
        known, asked = find_facts(question, self._library), find_asked_dimensions(question)
        relevance = standardize(self._relevance.scores(remove_blanks(question)))
        verdict = self._conditions.judge(known)
        scores = np.exp(_SHARPNESS * relevance)
        if self._heeded:
            change = _HOLDS * np.minimum(verdict.favour, _MOST_HOLDING) - _AGAINST * verdict.against
            scores *= np.maximum(1 + change, 0.1)
            scores[verdict.excluded] = -np.inf
        scores[np.isneginf(relevance)] = -np.inf
        given = GivenInputs(known.givens)
        candidates = _find_best(scores, CANDIDATES)
        for place in candidates:
            equation = self._library.entries[place]
            fits = get_output_dimension(equation) in asked
            scores[place] *= 1 + _COVERED * given.coverage(equation) + _ASKED_UNIT * fits
        return Ranked(known, given, asked, relevance, scores, candidates)


def find_asked_dimensions(question: str) -> tuple[str, ...]:
    """The dimensions, each once, of the units of the blanks `name = ___ unit` at the end of a question."""
    found = (get_dimension(blank[1] or "-") for blank in _ASKED.finditer(question))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _find_best(scores: NDArray[np.float64], count: int) -> list[int]:
    count = min(count, len(scores))
    best = np.sort(np.argpartition(scores, -count)[-count:]) if count else np.arange(0)
    best = best[np.isfinite(scores[best])]
    found: list[int] = best[np.argsort(-scores[best], kind="stable")].tolist()
    return found
