"""Decide whether a handbook fits a question at all; every question has a nearest passage.

Four numbers decide, none of which depends on the size of the handbook:

- nearness: that of the question and the nearest of the best passages;
- covered: the largest share of the question's words, weighted by rarity, that one of the best passages has;
- unknown: the share of the question's words, weighted by rarity, that no passage has;
- background: the mean cosine of the question and its nearest texts in the equation base. A question that is
  near to other engineering texts has to be nearer to the handbook.

A long question fits if one of its sentences does: the others state numbers and circumstances.

The weights are a logistic regression in which seven manuals have the same weight: of two fire models, a wind
turbine code, a space mission tool, water networks, groundwater, and electric grids. 275 questions are inside;
138 outside questions and the inside ones of the other manuals are the counterexamples.

The least score is a rule for new manuals: if each manual is scored with the weights of the other six, both
errors are equally frequent on average, refused inside questions and answered outside ones.
`benchmarks/handbook.py calibrate` fits all.
"""

from __future__ import annotations

import re

import numpy as np

from ansatz.knowledge_base.search.embedding import load_background
from ansatz.knowledge_base.search.encoders import DEFAULT, encode_question, find_encoder
from ansatz.knowledge_base.search.index import Index
from ansatz.knowledge_base.search.tokenizing import split_terms

_WEIGHTS, _LEAST = (12.0, 0.61, -2.97, -6.93), 0.89
_SENTENCE = re.compile(r"(?<=[.?!;:])\s+|\n+")
_INSPECTED = 5  # the best passages by words and meaning
_SENTENCES, _TERMS = 12, 4  # the most sentences that are tried, and the fewest words of one
_LEAST_RARITY = 0.5  # of a word that half of the passages of a small handbook have
# Cosines of other encoders have other scales, so words alone decide.
_WEIGHTS_ALONE, _LEAST_ALONE = (4.39, -3.87), -0.24  # of covered and unknown
_COMPARED = 20  # texts of the background


def fits_question(index: Index, question: str) -> bool:
    """Whether the best passages of an index are about a question, or those of one of its sentences are."""
    return any(_fits(index, text) for text in (question, *split_sentences(question)))


def split_sentences(question: str) -> list[str]:
    """Return the sentences of a question that has several; the short ones are left out."""
    sentences = [each for each in _SENTENCE.split(question.strip()) if len(set(split_terms(each))) >= _TERMS]
    return sentences[:_SENTENCES] if len(sentences) > 1 else []


def _fits(index: Index, text: str) -> bool:
    measures = measure_fit(index, text)
    if index.encoder_name == DEFAULT:
        return bool(np.dot(_WEIGHTS, measures) > _LEAST)
    return bool(np.dot(_WEIGHTS_ALONE, measures[1:3]) > _LEAST_ALONE)


def measure_fit(index: Index, question: str) -> tuple[float, float, float, float]:
    """Return nearness, covered, unknown and background for a question."""
    best = index.search(question, _INSPECTED, compare_tokens=False)
    rarity = {term: max(index.rarity(term), _LEAST_RARITY) for term in split_terms(question)}
    whole = sum(rarity.values())
    if not best or not whole:
        return 0.0, 0.0, 1.0, 0.0
    found = (set(split_terms(f"{match.data['section']}\n{match.data['text']}")) for match in best)
    covered = max(sum(value for term, value in rarity.items() if term in terms) for terms in found)
    unknown = sum(value for term, value in rarity.items() if term not in index)
    background = compare_background(question) if index.encoder_name == DEFAULT else 0.0
    return max(match.nearness for match in best), covered / whole, unknown / whole, background


def compare_background(question: str) -> float:
    """Return the mean cosine of a question and its nearest texts in the equation base."""
    cosines = load_background() @ encode_question(find_encoder(DEFAULT), question)
    return float(np.partition(cosines, -_COMPARED)[-_COMPARED:].mean())
