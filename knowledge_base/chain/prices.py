"""What a step with each equation of a base costs, from what a question says."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from ansatz.knowledge_base.chain.species import species_of, spoken_of
from ansatz.knowledge_base.conditions import Conditions
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.facts import Facts
from ansatz.knowledge_base.givens import without_blanks
from ansatz.knowledge_base.library import Library
from ansatz.knowledge_base.ranking import Lexical, Ranker, standardised

_LEADING = 15
_MUCH = 6.0  # standard deviations above the mean relevance
_CHEAP = 0.2
_SPECIAL_CASE = 0.4  # a limit or an approximation, where the question does not speak of one
_SPECIAL_WORDS = frozenset(
    [
        "limit",
        "limiting",
        "similarity",
        "approximation",
        "approximate",
        "strong",
        "weak",
        "slender",
        "small",
        "asymptotic",
        "empirical",
    ]
)
_KIND_PRICES = {"law": -0.2, "definition": -0.5, "correlation": 0.05, "boundary_condition": 0.1}
# Chosen on every other template (benchmarks/derivation.py --half 0) after a conditional logit of the
# equations of reference solutions among those that yield the same quantity.
_AGAINST, _FAVOUR, _MOST_FAVOUR = 0.6, 0.12, 4.0
# An equation is more often used for its output than for another of its quantities.
_NOT_OUTPUT, _NOT_SOLVABLE = 0.3, 0.5


class Prices:
    """Built once for a library. `relevance` judges which equations a question's words speak of."""

    def __init__(self, library: Library, relevance: Ranker | None = None):
        self._equations: Sequence[Equation] = list(library)
        self._conditions = Conditions(self._equations)
        self._relevance = relevance if relevance is not None else Lexical(library)

    def of(self, question: str, regime: Facts) -> dict[str, float]:
        """What a step with each equation costs; one without a price is barred by the regime."""
        verdict = self._conditions.judge(regime)
        relevance = standardised(self._relevance.scores(without_blanks(question)))
        named, gases = _proper_names(question), spoken_of(question) | regime.words.get("gas", frozenset())
        leading = Counter(self._equations[place].domain for place in np.argsort(-relevance)[:_LEADING])
        spoken = _words_of(question)
        prices = {}
        for place, equation in enumerate(self._equations):
            if verdict.excluded[place] or equation.kind == "bound":
                continue
            price = 1.45 - 0.15 * _saturated(float(relevance[place]))
            price += _AGAINST * float(verdict.against[place])
            price -= _FAVOUR * min(float(verdict.favour[place]), _MOST_FAVOUR)
            price -= 0.15 * leading[equation.domain] / _LEADING
            price += 0.3 if equation.contrast else 0.0
            price -= 0.15 * min(len(named & _words_of(equation.name)), 2)
            price += _KIND_PRICES.get(equation.kind, 0.0)
            price += _SPECIAL_CASE if _words_of(equation.name) & _SPECIAL_WORDS - spoken else 0.0
            species = species_of(equation)
            if species and gases and not species & {gas.lower() for gas in gases}:
                price += 0.4
            prices[equation.id] = _positive(price)
        return prices


def _saturated(relevance: float) -> float:
    """Relevance as it counts: in full up to a point, and ever less beyond it."""
    return max(relevance, -1.0) if relevance < _MUCH else _MUCH + math.log1p(relevance - _MUCH)


def _positive(price: float) -> float:
    """A price above zero that keeps the order of prices below it."""
    return price if price > _CHEAP else _CHEAP * math.exp(price / _CHEAP - 1)


def inversion_price(equation: Equation, symbol: str) -> float:
    """What it costs to solve an equation for a symbol that is not its output, more so without a formula."""
    price = _NOT_OUTPUT if symbol != equation.output else 0.0
    return price + (_NOT_SOLVABLE if symbol not in (equation.output, *equation.solvable) else 0.0)


def _proper_names(question: str) -> frozenset[str]:
    """Words with a capital that do not begin a sentence: Eckert, Sutton, Graves."""
    return frozenset(
        word.lower() for word in re.findall(r"(?<=[a-z,(-] )[A-Z][a-z]{2,}|(?<=-)[A-Z][a-z]{2,}", question)
    )


@cache
def _words_of(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", name.lower()))
