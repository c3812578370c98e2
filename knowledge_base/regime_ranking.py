"""The ranker that knows the regime: what a question contradicts is excluded, what it affirms is moved up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.conditions import Conditions
from ansatz.knowledge_base.facts import Facts
from ansatz.knowledge_base.givens import without_blanks
from ansatz.knowledge_base.ranking import Blend, Ranker, standardised
from ansatz.knowledge_base.regime import facts
from ansatz.knowledge_base.supply import Supplied
from ansatz.knowledge_base.units import UnitError, parse_unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation import Equation
    from ansatz.knowledge_base.library import Library

_ASKED = re.compile(r"^[ \t]*[\w{}\\]+[ \t]*=[ \t]*_{2,}[ \t]*(\S.*?)?[ \t]*$", re.MULTILINE)
CANDIDATES = 40
"""How many entries are looked at for what needs more than their conditions."""
_SHARPNESS = 0.1  # a standard deviation of relevance is worth as much as a condition that speaks against
# How far each sign moves a score.
_HOLDS, _AGAINST, _COVERED, _ASKED_UNIT = 0.03, 0.10, 0.10, 0.10
_MOST_HOLDING = 4.0


@dataclass(frozen=True)
class Ranked:
    """What is known of a question, and each entry's score: -inf where a condition excludes it.

    `candidates` are the places of the best entries, each of which was looked at for what the givens supply.
    """

    known: Facts
    supplied: Supplied
    asked: tuple[str, ...]
    relevance: NDArray[np.float64]
    scores: NDArray[np.float64]
    candidates: list[int]

    def leading(self, count: int) -> list[int]:
        """The places of the best `count` entries that are not excluded, best first."""
        if count > len(self.candidates):
            return _best(self.scores, count)
        return sorted(self.candidates, key=lambda place: -self.scores[place])[:count]

    def deviations(self) -> NDArray[np.float64]:
        """The scores as standard deviations of relevance, conditions counted in; -inf if excluded."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(self.scores, 0.0)) / _SHARPNESS)

    def tempting(self, count: int) -> list[int]:
        """The places of those excluded that are as relevant as the first `count` candidates, best first."""
        allowed = np.sort(self.relevance[self.candidates])[::-1][:count]
        least = allowed[-1] if len(allowed) else -np.inf
        found = np.flatnonzero(np.isneginf(self.scores) & (self.relevance >= least))
        return [int(place) for place in found[np.argsort(-self.relevance[found], kind="stable")]]


class RegimeAware:
    """Any ranker, on condition that the regime allows the entry; by default the blended one."""

    def __init__(self, library: Library, relevance: Ranker | None = None):
        self._library = library
        self._equations: Sequence[Equation] = list(library)
        self._relevance = relevance if relevance is not None else Blend(library)
        self._conditions = Conditions(self._equations)

    def scores(self, question: str) -> NDArray[np.float64]:
        return self.rank(question).scores

    def rank(self, question: str) -> Ranked:
        """The scores with what they rest on."""
        known, asked = facts(question, self._library), asked_units(question)
        relevance = standardised(self._relevance.scores(without_blanks(question)))
        verdict = self._conditions.judge(known)
        change = _HOLDS * np.minimum(verdict.favour, _MOST_HOLDING) - _AGAINST * verdict.against
        scores = np.exp(_SHARPNESS * relevance) * np.maximum(1 + change, 0.1)
        scores = np.where(verdict.excluded | np.isneginf(relevance), -np.inf, scores)
        supplied = Supplied(known.givens)
        candidates = _best(scores, CANDIDATES)
        for place in candidates:
            equation = self._equations[place]
            bonus = _COVERED * supplied.coverage(equation)
            bonus += _ASKED_UNIT if asked and yields(equation, asked) else 0.0
            scores[place] *= 1 + bonus
        return Ranked(known, supplied, asked, relevance, scores, candidates)


def asked_units(question: str) -> tuple[str, ...]:
    """The units of the blanks `name = ___ unit` at the end of a question."""
    return tuple(found[1] or "-" for found in _ASKED.finditer(question))


def yields(equation: Equation, asked: Sequence[str]) -> bool:
    """Whether the equation's output has the dimension of one of the units."""
    produced = equation.units[equation.output]
    return any(_same_dimension(unit, produced) for unit in asked)


@cache
def _same_dimension(asked: str, produced: str) -> bool:
    try:
        return bool(parse_unit(asked).dimensionality == parse_unit(produced).dimensionality)
    except UnitError:
        return False


def _best(scores: NDArray[np.float64], count: int) -> list[int]:
    count = min(count, len(scores))
    best = np.sort(np.argpartition(-scores, count - 1)[:count]) if count else np.arange(0)
    ordered = best[np.argsort(-scores[best], kind="stable")]
    return [int(place) for place in ordered if np.isfinite(scores[place])]
