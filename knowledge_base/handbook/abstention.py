"""Decide whether a handbook fits a question at all; every question has a nearest passage.

Three numbers decide, none of which depends on the size of the handbook:

- nearness: that of the question and the nearest of the best passages;
- covered: the largest share of the question's words, weighted by rarity, that one of the best passages has;
- unknown: the share of the question's words, weighted by rarity, that no passage has.

A long question fits if one of its sentences does: the others state numbers and circumstances.

The weights are a logistic regression in which four manuals have the same weight: of a fire model, a wind
turbine code, a space mission tool, and water networks (`python -m benchmarks.handbook calibrate`). 165
questions are inside; 83 outside questions and the inside ones of the other manuals are the counterexamples.

The least score is a rule for new manuals: if each manual is scored with the weights of the other three, 85 %
of the outside questions of the average manual are refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ansatz.knowledge_base.search.encoders import DEFAULT
from ansatz.knowledge_base.search.index import Index, Match
from ansatz.knowledge_base.search.tokenizing import split_terms

_NEARNESS, _COVERED, _UNKNOWN, _LEAST = 17.1, 0.82, -3.56, 5.32
_SENTENCE = re.compile(r"(?<=[.?!;:])\s+|\n+")
_SENTENCES, _TERMS = 12, 4  # the most sentences that are tried, and the fewest words of one
_LEAST_RARITY = 0.5  # of a word that half of the passages of a small handbook have
# Cosines of other encoders have other scales, so words alone decide.
_COVERED_ALONE, _UNKNOWN_ALONE, _LEAST_ALONE = 5.68, -4.52, 0.24


def fits_question(index: Index, question: str, best: Sequence[Match]) -> bool:
    """Whether the best matches of an index are about the question, or those of one of its sentences are."""
    return _fits(index, question, best) or any(
        _fits(index, each, index.search(each, len(best))) for each in split_sentences(question)
    )


def split_sentences(question: str) -> list[str]:
    """Return the sentences of a question that has several; the short ones are left out."""
    sentences = [each for each in _SENTENCE.split(question.strip()) if len(set(split_terms(each))) >= _TERMS]
    return sentences[:_SENTENCES] if len(sentences) > 1 else []


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
