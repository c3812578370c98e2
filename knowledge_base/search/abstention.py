"""Decide whether the base fits a question at all; every question has a nearest entry, even a cooking recipe.

A question fits if the words of one entry make up a large share of it, and few of its words are in no entry.
Shares make the rule independent of the length of the question.

The threshold is a logistic regression on the development half of outside_questions.jsonl, against every
second question of questions.jsonl and every eighth name and phrase of the base. It refuses 4 % of these.
"""

from __future__ import annotations

import unicodedata

from ansatz.knowledge_base.regime.stated_quantities import remove_blanks
from ansatz.knowledge_base.search.ranking import BM25
from ansatz.knowledge_base.search.tokenizing import SYNONYM, weigh_question_terms

_LEAST_SHARE, _PER_UNKNOWN = 0.22, 1.70
NOTHING = "nothing in the base fits (it is searched in English)"
OTHER_SCRIPT = "cannot search in this language: the base is in English"


def find_refusal_reason(question: str, words: BM25) -> str:
    """Return why the base has nothing for a question; "" if it has something."""
    text = remove_blanks(question)
    weights = {term: weight for term, weight in weigh_question_terms(text).items() if weight != SYNONYM}
    rarity = {term: weight * words.rarity(term) for term, weight in weights.items()}
    whole = sum(rarity.values())
    unknown = sum(value for term, value in rarity.items() if term not in words)
    fits = whole and words.scores(text).max() / whole >= _LEAST_SHARE + _PER_UNKNOWN * unknown / whole
    if fits:
        return ""
    return OTHER_SCRIPT if _is_in_other_script(text) else NOTHING


def _is_in_other_script(text: str) -> bool:
    """Whether fewer than half of the letters are Latin."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    return latin * 2 < len(letters)
