"""The same words put another way: laws, ratios, what prepositions join, what symbols stand for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ansatz.eval.benchmarks.physbench.variants.concepts import concepts
from ansatz.eval.benchmarks.physbench.variants.statement import Statement
from ansatz.eval.benchmarks.physbench.variants.telling import joining, root, roots

_LAW = re.compile(
    r"([A-Z][a-z]+['’]s? (?:first |second |third )?)"
    r"(?:law|model|rule|principle|equation|formula|effect|theorem)"
)
_RATIO = re.compile(
    r"(?<!\w)([A-Za-z]{1,5}_\w+|[A-Za-z]) (over|divided by|to|by) ([A-Za-z]{1,5}_\w+|[A-Za-z])(?!\w)"
)
_LETTER = re.compile(r"(?<![\w'])(?:[A-Za-z]{1,5}_\w+|[B-HJ-Zb-z]|alpha|beta|theta|lam|delta|omega)(?![\w'])")
_TOKEN = re.compile(r"[A-Za-z]{1,5}_\w+|[A-Za-z][a-z'-]*|[.?!;:,()]|\s{3,}")
_OPPOSED = (
    ("by", "on"),
    ("by", "to"),
    ("above", "below"),
    ("over", "under"),
    ("before", "after"),
    ("through", "across"),
)
"""Prepositions of which none may take the place of the other between the same two words."""
_PREPOSITIONS = (
    "on by from to into over under above below through across towards between per along before after until "
    "of in at with without"
)


def exchanged_names(one: Statement, other: Statement) -> Iterator[str]:
    """Laws and ratios of two symbols: they are told alike in however free a retelling."""
    yield from _laws(one, other)
    yield from _ratios(one, other)


def arranged_otherwise(one: Statement, other: Statement) -> Iterator[str]:
    """The same words in another order, for a close retelling."""
    yield from _turned(one, other)
    yield from _reordered(one, other)
    yield from _ranked_otherwise(one, other)


def _laws(one: Statement, other: Statement) -> Iterator[str]:
    """Laws by their names, such as Ohm's, of which one takes the place of another."""
    old, new = (set(_LAW.findall(each.text)) for each in (one, other))
    if old - new and new - old:
        yield f"{', '.join(sorted(old - new))} became {', '.join(sorted(new - old))}"


def _ratios(one: Statement, other: Statement) -> Iterator[str]:
    """Ratios of two symbols, told the other way round: "f_a over f_b" and "f_b over f_a"."""
    old, new = (set(_RATIO.findall(each.words)) for each in (one, other))
    for above, word, below in sorted(old - new):
        if (below, word, above) in new:
            yield f"{above} {word} {below} became {below} {word} {above}"


def _turned(one: Statement, other: Statement) -> Iterator[str]:
    """What a preposition joins, turned: "f_a over f_b" and "f_b over f_a", "work by" and "work on"."""
    old, new = (_relations(each.words) for each in (one, other))
    for before, word, after in sorted(old - new):
        turned = {(after, word, before)} & (new - old) if word != "of" else set()
        turned |= {
            (before, each, after) for pair in _OPPOSED if word in pair for each in pair if each != word
        } & (new - old)
        for found in sorted(turned):
            yield f"{before} {word} {after} became {' '.join(found)}"


def _relations(text: str) -> set[tuple[str, str, str]]:
    """Words or symbols with the preposition between them."""
    found = set()
    before = preposition = ""
    for token in _TOKEN.findall(text):
        if token in ".?!;:,()" or token.isspace():
            before = preposition = ""
        elif token.lower() in _PREPOSITIONS.split():
            preposition = token.lower() if before else ""
        elif root(token) not in joining():
            if preposition:
                found.add((before, preposition, root(token)))
            before, preposition = root(token), ""
    return found


def _reordered(one: Statement, other: Statement) -> Iterator[str]:
    """Words such as "first" and "second" in another order in the question, with its symbols in the same."""
    asked = [" ".join(each.questions) for each in (one, other)]
    if Counter(roots(asked[0])) != Counter(roots(asked[1])):
        return
    if _LETTER.findall(asked[0]) != _LETTER.findall(asked[1]):
        return
    for row in concepts().qualities:
        old, new = ([word for word in re.findall(r"[a-z]+", text.lower()) if word in row] for text in asked)
        if old != new and Counter(old) == Counter(new):
            yield f"{', '.join(old)} came in another order"


def _ranked_otherwise(one: Statement, other: Statement) -> Iterator[str]:
    """Symbols that share a clause with another word of a row such as "primary" and "secondary"."""
    old, new = (_ranked(each) for each in (one, other))
    for row in concepts().qualities:
        for word in row:
            for symbol in sorted(old.get(word, set()) - new.get(word, set())):
                for now in row:
                    if symbol in new.get(now, set()) - old.get(now, set()):
                        yield f"{symbol} was {word} and is {now}"


def _ranked(statement: Statement) -> dict[str, set[str]]:
    """The symbols that stand in one clause with each word of the rows of qualities."""
    known = {word for row in concepts().qualities for word in row}
    found: dict[str, set[str]] = {}
    for clause in re.split(r"[.?!;:,]\s|[()\n]|\band\b|\bor\b", statement.text):
        symbols = set(_LETTER.findall(clause))
        for word in re.findall(r"[a-z]+", clause.lower()):
            if word in known:
                found.setdefault(word, set()).update(symbols)
    return found
