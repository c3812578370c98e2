"""Decide whether a handbook fits a question at all; every question has a nearest passage.

Three numbers decide, none of which depends on the size of the handbook:

- nearness: the cosine of the question and the nearest of the best passages;
- covered: the largest share of the question's words, weighted by rarity, that one of the best passages has;
- unknown: the share of the question's words, weighted by rarity, that no passage has.

A long question fits if one of its sentences does: the others state numbers and circumstances.

The weights are a logistic regression in which three manuals have the same weight: of a fire model, a wind
turbine code, and a space mission tool. 85 questions are inside; 43 outside questions and the inside ones
of the other manuals are the counterexamples (`python -m benchmarks.handbook calibrate`). Questions to the
third manual were written by someone who avoided its words, as users do. They are less near to the passages
(their median cosine is .45) than those to the others (.58 and .64). Without them, the rule refuses half of
such questions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ansatz.knowledge_base.search.encoders import DEFAULT
from ansatz.knowledge_base.search.index import Index, Match
from ansatz.knowledge_base.search.tokenizing import split_terms

_NEARNESS, _COVERED, _UNKNOWN, _LEAST = 12.9, 3.2, -4.1, 5.6
_SENTENCE = re.compile(r"(?<=[.?!;:])\s+|\n+")
_SENTENCES, _TERMS = 12, 4  # the most sentences that are tried, and the fewest words of one
_LEAST_RARITY = 0.5  # of a word that half of the passages of a small handbook have
# Cosines of other encoders have other scales, so words alone decide.
_COVERED_ALONE, _UNKNOWN_ALONE, _LEAST_ALONE = 7.3, -5.5, 1.7


def fits_question(index: Index, question: str, best: Sequence[Match]) -> bool:
    """Whether the best matches of an index are about the question, or those of one of its sentences are."""
    if _fits(index, question, best):
        return True
    sentences = [each for each in _SENTENCE.split(question.strip()) if len(set(split_terms(each))) >= _TERMS]
    return len(sentences) > 1 and any(
        _fits(index, each, index.search(each, len(best))) for each in sentences[:_SENTENCES]
    )


def _fits(index: Index, text: str, best: Sequence[Match]) -> bool:
    nearness, covered, unknown = measure_fit(index, text, best)
    if index.encoder_name == DEFAULT:
        return _NEARNESS * nearness + _COVERED * covered + _UNKNOWN * unknown > _LEAST
    return _COVERED_ALONE * covered + _UNKNOWN_ALONE * unknown > _LEAST_ALONE


def measure_fit(index: Index, question: str, best: Sequence[Match]) -> tuple[float, float, float]:
    """Return nearness, covered and unknown for a question and the best matches."""
    rarity = {term: max(index.rarity(term), _LEAST_RARITY) for term in split_terms(question)}
    whole = sum(rarity.values())
    if not best or not whole:
        return 0.0, 0.0, 1.0
    held = (set(split_terms(f"{match.data['section']}\n{match.data['text']}")) for match in best)
    covered = max(sum(value for term, value in rarity.items() if term in terms) for terms in held)
    unknown = sum(value for term, value in rarity.items() if term not in index)
    return max(match.nearness for match in best), covered / whole, unknown / whole
