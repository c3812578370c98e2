"""Whether the base has anything to say to a question, or a search had better find nothing.

Every base has a nearest entry, for a loaf of bread too. A question fits where the words of one entry make up
enough of it, and few of its words are in no entry at all. Both are shares, so that "speed of sound" is judged
as a page of givens is.

The floor is a logistic regression on the development half of outside_questions.jsonl against every other of
our own questions and every eighth name and phrase of the base, set where 4 % of these are refused.
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
    """Why a base, by its words, has nothing for a question; empty where it has something."""
    asked = remove_blanks(question)
    weights = {term: weight for term, weight in weigh_question_terms(asked).items() if weight != SYNONYM}
    rarity = {term: weight * words.rarity(term) for term, weight in weights.items()}
    whole = sum(rarity.values())
    unknown = sum(each for term, each in rarity.items() if term not in words)
    fits = whole and words.scores(asked).max() / whole >= _LEAST_SHARE + _PER_UNKNOWN * unknown / whole
    if fits:
        return ""
    return OTHER_SCRIPT if _is_of_another_script(asked) else NOTHING


def _is_of_another_script(text: str) -> bool:
    """Whether most letters are no Latin ones, Greek symbols aside where Latin words stand around them."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    return latin * 2 < len(letters)
