"""Distinctive pieces of a result that a later text quotes: identifiers, formulas, single words, six words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ansatz.experiments.attribution.conversation import Call, ConversationPart

_TOKEN = re.compile(r"[A-Za-z][\w]*(?:[._/-]\w+)+")
_CODE = re.compile(r"(?<![\w.])[A-Z][A-Z]*\d[A-Z\d]{2,}(?![\w.])")  # S355J2, C93200
_FORMULA = re.compile(r"=\s*([^=\n]*[*/+^(][^=\n]*)")
_WORD_RESULT = re.compile(r"^\W*(?:\w+\W*[=:])?\W*([^\W\d_][\w -]{2,30}?)\W*$")
_LABEL = re.compile(r"\[[A-Z]\w{0,3}\d\]")  # by which an answer cites a passage
_LONGEST_WORD_RESULT = 100  # characters, with its name
_SHORTEST_TOKEN, _SHORTEST_FORMULA, _QUOTED_WORDS = 8, 8, 6


class Quote(NamedTuple):
    """A piece of a result in a later text."""

    part: ConversationPart
    piece: str
    start: int
    """Its offset in the text."""


def find_quotes(
    call: Call,
    before: Sequence[ConversationPart],
    written: Sequence[ConversationPart],
    answer: Sequence[str],
    is_passage: bool,
) -> list[Quote]:
    """Find distinctive pieces of a result in later texts that no earlier text has, in order.

    They are a label or an identifier, a formula, a result in one word, six words in a row, and the words of
    the `answer`.
    """
    known = "\n".join(part.text for part in before)
    words = {each.strip() for each in answer if each.strip() in call.result}
    pieces = {piece for piece in (*_list_pieces(call, is_passage), *words) if piece and piece not in known}
    formulas = {
        formula
        for each in _FORMULA.findall(call.result)
        if len(formula := _squeeze(each)) >= _SHORTEST_FORMULA
    }
    phrases = _find_phrases(call.result) - _find_phrases(known)
    found: list[Quote] = []
    for part in written:
        quotes = [Quote(part, piece, part.text.index(piece)) for piece in pieces if piece in part.text]
        squeezed = _squeeze(part.text) if formulas else ""
        for formula in (each for each in formulas if each in squeezed):
            quotes.append(Quote(part, formula, _find_line(part.text, formula)))
        for phrase in sorted(phrases & _find_phrases(part.text))[:1]:
            quotes.append(Quote(part, phrase, len(part.text)))
        found += sorted(quotes, key=lambda quote: (quote.start, quote.piece))
    return found


def _list_pieces(call: Call, is_passage: bool) -> set[str]:
    result = call.result
    pieces = {label[0]} if (label := _LABEL.match(result)) else set[str]()
    if is_passage and "." in call.name:
        return pieces | {call.name}  # of other equations, a sheet has the identifiers as well
    pieces |= {token for token in _TOKEN.findall(result) if len(token) >= _SHORTEST_TOKEN}
    pieces |= {*_CODE.findall(result)}
    word = _WORD_RESULT.match(result) if len(result) <= _LONGEST_WORD_RESULT else None
    return pieces | ({word[1]} if word else set())


def _find_line(text: str, formula: str) -> int:
    """Return the offset of the line that has a squeezed formula; the end of the text if it is on several."""
    start = 0
    for line in text.split("\n"):
        if formula in _squeeze(line):
            return start
        start += len(line) + 1
    return len(text)


def _squeeze(text: str) -> str:
    return re.sub(r"[\s{}]|\\(?:left|right|,|;)", "", text).replace("^", "**")


@lru_cache(maxsize=256)
def _find_phrases(text: str) -> frozenset[str]:
    """Return the runs of six words."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(" ".join(words[at : at + _QUOTED_WORDS]) for at in range(len(words) - _QUOTED_WORDS + 1))
