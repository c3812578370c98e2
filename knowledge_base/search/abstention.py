"""Decide whether the base fits a question at all; every question has a nearest entry, even a cooking recipe.

The decision is a logistic regression on shares and similarities, none of which depends on the length of the
question. It compares a question with the base and with subjects that the base does not cover (`subjects`).
One sentence that fits an entry is enough, so chatter around a question changes little.
`benchmarks/abstention.py` fits the coefficients on questions for development, and the threshold on others.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ansatz.knowledge_base.equation.axes import COMMON
from ansatz.knowledge_base.regime.axis_phrases import ASKED
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.stated_quantities import remove_blanks, split_sentences
from ansatz.knowledge_base.search.tokenizing import SYNONYM, split_terms, weigh_question_terms

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation.library import Library
    from ansatz.knowledge_base.search.ranking import BM25

NOTHING = "nothing in the base fits (it is searched in English)"
OTHER_SCRIPT = "cannot search in this language: the base is in English"
_LEAST_TERMS = 3  # of a sentence whose fit counts
_MOST_FACTS = 4


class Meaning(Protocol):
    """Compares a question with a base by meaning."""

    def measure_lead(self, question: str) -> float:
        """Return how much nearer a question is to the base than to a subject outside it."""
        ...


@dataclass(frozen=True)
class Fit:
    """How well the base fits a question."""

    unknown: float
    """The share of its words, weighted by rarity, that are in no entry."""
    best_sentence: float
    """The largest share of a sentence's words, weighted by rarity, that one entry covers."""
    facts: int
    """The number of stated facts about a regime, at most four."""
    lead: float = 0.0
    """The similarity to the nearest phrase of an entry, less that to the nearest subject outside the base."""


# A constant and factors; a question with a sum of 0 or more is answered.
WITH_MEANING = (-6.31, {"best_sentence": 6.38, "facts": 1.38, "lead": 11.47})
BY_WORDS = (-3.91, {"unknown": -3.39, "best_sentence": 6.96, "facts": 1.67})


def find_refusal_reason(question: str, library: Library, words: BM25, meaning: Meaning | None = None) -> str:
    """Return why the base has nothing for a question; "" if it has something.

    Parameters:
        question: In English.
        library: The base.
        words: Its word index.
        meaning: Its index by meaning with the default encoder; without it, words alone decide.
    """
    fit = measure_fit(question, library, words, meaning)
    constant, factors = BY_WORDS if meaning is None else WITH_MEANING
    if constant + sum(factor * getattr(fit, name) for name, factor in factors.items()) >= 0:
        return ""
    return OTHER_SCRIPT if _is_in_other_script(remove_blanks(question)) else NOTHING


def measure_fit(question: str, library: Library, words: BM25, meaning: Meaning | None = None) -> Fit:
    """Measure how well a base fits a question; the parameters are those of `find_refusal_reason`."""
    text = remove_blanks(question)
    weights = {term: weight for term, weight in weigh_question_terms(text).items() if weight != SYNONYM}
    rarity = {term: weight * words.rarity(term) for term, weight in weights.items()}
    whole = sum(rarity.values())
    unknown = sum(value for term, value in rarity.items() if term not in words) / whole if whole else 1.0
    sentences = [set(split_terms(sentence)) for _, sentence in split_sentences(text)]
    least = min(_LEAST_TERMS, max(map(len, sentences)))
    known = find_facts(question, library)
    facts = sum(
        bool(fact.quote)
        for axis, on_axis in known.axes.items()
        if axis not in COMMON and not axis.startswith(ASKED)
        for fact in on_axis
    )
    return Fit(
        unknown=unknown,
        best_sentence=max(_rate_sentence(terms, words) for terms in sentences if len(terms) >= least),
        facts=min(facts, _MOST_FACTS),
        lead=meaning.measure_lead(text) if meaning is not None else 0.0,
    )


def _rate_sentence(terms: set[str], words: BM25) -> float:
    """Return the share of a sentence's words, weighted by rarity, that one entry covers."""
    whole = sum(map(words.rarity, terms))
    best = words.scores_of_terms(dict.fromkeys(terms, 1.0)).max(initial=0.0)
    return float(best) / whole if whole else 0.0


def _is_in_other_script(text: str) -> bool:
    """Whether fewer than half of the letters are Latin."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    return latin * 2 < len(letters)
