"""Words of one text that have no counterpart in the other, where a retelling keeps nearly all of the words.

A model that retells a problem as its prompt asks exchanges names, places and objects, and orders the clauses
anew; every word that tells of physics stays, or gives way to a synonym. In what is asked, and in the options,
any other word must stay too, unless the rest of the text has told of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise

from ansatz.eval.benchmarks.physbench.variants.asking import asking_part
from ansatz.eval.benchmarks.physbench.variants.concepts import concepts, count
from ansatz.eval.benchmarks.physbench.variants.statement import Statement
from ansatz.eval.benchmarks.physbench.variants.telling import (
    adding,
    joining,
    opposites,
    place_words,
    places_left_out,
    root,
    roots,
    scene_words,
    scenery,
    soft,
    telling,
    told_by_units,
    without_things,
)

CLOSE = 0.46
"""The share of neighbouring words in common from which a retelling counts as close."""
_TOO_MANY = 2  # words of physics that come anew: one may describe the scene, as a hot bath does
_LAW = re.compile(
    r"([A-Z][a-z]+['’]s? (?:first |second |third )?)"
    r"(?:law|model|rule|principle|equation|formula|effect|theorem)"
)
_RATIO = re.compile(
    r"(?<!\w)([A-Za-z]{1,5}_\w+|[A-Za-z]) (over|divided by|to|by) ([A-Za-z]{1,5}_\w+|[A-Za-z])(?!\w)"
)
_SYMBOL = re.compile(r"(?<!\w)[A-Za-z]{1,5}_\w+")
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


def unmatched_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Words that a close retelling lost, brought in, exchanged or put in another order."""
    yield from _laws(one, other)
    yield from _ratios(one, other)
    if nearness(one, other) < CLOSE:
        return
    yield from _lost_and_new(one, other)
    yield from _exchanged(one, other)
    yield from _fewer_conditions(one, other)
    yield from _subject_exchanged(one, other)
    yield from _turned(one, other)
    yield from _denials(one, other)
    yield from _reordered(one, other)
    yield from _ranked_otherwise(one, other)
    yield from _option_changes(one, other)


def telling_only_in(first: Statement, second: Statement) -> list[str]:
    """Roots of the telling words that only the first of two statements has."""
    there = set(roots(second.words))
    here = set(roots(without_things(first.words)))
    return sorted((here & telling()) - there)


def nearness(one: Statement, other: Statement) -> float:
    """The share, from 0 to 1, of neighbouring words in common: of phrases that were left as they were."""
    old, new = (Counter(pairwise(re.findall(r"[a-z]+", each.words.lower()))) for each in (one, other))
    return 2 * (old & new).total() / max(1, old.total() + new.total())


def _lost_and_new(one: Statement, other: Statement) -> Iterator[str]:
    """Words that only one text has: some say another thing by themselves, others where they replace one."""
    lost, new = _unmatched(one, other), _unmatched(other, one)
    told, adds = (words & telling() - soft() for words in (lost, new))
    yield from (f"{each!r} is missing" for each in sorted(told))
    yield from (f"{each!r} is new" for each in sorted(adds & (adding() | _asked(other))))
    if len(adds) >= _TOO_MANY:
        yield f"{_listed(adds)} are new"
    asked = _asked(one), _asked(other)
    if lost & asked[0] and new & asked[1]:
        yield f"{_listed(lost & asked[0])} became {_listed(new & asked[1])} in the question"


def _unmatched(first: Statement, second: Statement) -> set[str]:
    """Roots of only the first text: of telling words, and of any words that only its questions have."""
    words = roots(without_things(first.words))
    told = Counter(words) - Counter(each for part in _questions(first) for each in roots(part))
    lost = {each for each in words if each in telling()}
    lost |= {each for each in words if each not in told and each not in scenery()} & _asked(first)
    return (
        lost
        - told_by_units()
        - set(places_left_out(first.words, second.words))
        - set(roots(second.words, names=True))
    )


def _asked(statement: Statement) -> set[str]:
    return {each for part in _questions(statement) for each in roots(without_things(part))}


def _exchanged(one: Statement, other: Statement) -> Iterator[str]:
    """Telling words and symbols of which there are fewer, where there are more of others.

    One of them must come or go altogether, or both must stand in questions. Quantities that their units tell
    count in a question, and where another quantity comes.
    """
    lost, gained = _fewer(one, other), _fewer(other, one)
    pairs = (
        (_counting(lost, one, other), _counting(gained, other, one)),
        (lost & _quantities(), gained & _quantities()),
    )
    texts = [{*roots(each.words, names=True), *_SYMBOL.findall(each.words)} for each in (one, other)]
    both = texts[0] & texts[1]
    asked = [_telling_and_symbols(" ".join(_questions(each))) for each in (one, other)]
    for old, new in pairs:
        in_questions = old & (asked[0] - asked[1]).keys() and new & (asked[1] - asked[0]).keys()
        is_hard = (old | new) - both - soft() or (in_questions and (old | new) - soft())
        is_opposite = any({lost, gained} in opposites() for lost in old for gained in new)
        if old - new and new - old and (is_hard or is_opposite):
            yield f"{_listed(old)} became {_listed(new)}"


def _fewer(first: Statement, second: Statement) -> set[str]:
    """Telling words and symbols that the second text has less often."""
    fewer = _telling_and_symbols(without_things(first.words)) - _telling_and_symbols(second.words)
    return set(fewer - place_words(first.words, second.words))


def _counting(words: set[str], first: Statement, second: Statement) -> set[str]:
    asked = [_telling_and_symbols(" ".join(_questions(each))) for each in (first, second)]
    return {each for each in words if each not in told_by_units() or each in asked[0] - asked[1]}


@cache
def _quantities() -> frozenset[str]:
    return frozenset(root(name) for name in concepts().quantities if " " not in name)


def _ratios(one: Statement, other: Statement) -> Iterator[str]:
    """Ratios of two symbols, told the other way round: "f_a over f_b" and "f_b over f_a"."""
    old, new = (set(_RATIO.findall(each.words)) for each in (one, other))
    for above, word, below in sorted(old - new):
        if (below, word, above) in new:
            yield f"{above} {word} {below} became {below} {word} {above}"


def _laws(one: Statement, other: Statement) -> Iterator[str]:
    """Laws by their names, such as Ohm's, of which one takes the place of another."""
    old, new = (set(_LAW.findall(each.text)) for each in (one, other))
    if old - new and new - old:
        yield f"{_listed(old - new)} became {_listed(new - old)}"


def _fewer_conditions(one: Statement, other: Statement) -> Iterator[str]:
    """Words of conditions that come less often, in the text but for its places."""
    old, new = (Counter(each for each in roots(text.words) if each in adding()) for text in (one, other))
    for word in sorted((old - new - place_words(one.words, other.words)).keys()):
        yield f"{word!r} comes less often"


def _subject_exchanged(one: Statement, other: Statement) -> Iterator[str]:
    """A thing of both texts that a question names less often, where it names another of both more often."""
    whole = [Counter(roots(each.words)) for each in (one, other)]
    asked = [Counter(each for part in _questions(text) for each in roots(part)) for text in (one, other)]
    both = (whole[0].keys() & whole[1].keys()) - scene_words()
    lost = ((asked[0] - asked[1]) & (whole[0] - whole[1])).keys() & both
    gained = ((asked[1] - asked[0]) & (whole[1] - whole[0])).keys() - scene_words()
    if lost and gained:
        yield f"the question is about {_listed(gained)} instead of {_listed(lost)}"


def _denials(one: Statement, other: Statement) -> Iterator[str]:
    """What one text says there is none of, and the other tells of in a sentence that denies nothing."""
    cues = f"{concepts().any_negation}|{concepts().absence}"
    for first, second in ((one, other), (other, one)):
        for word in re.findall(r"\b[Nn]o (?:\w+ )?([a-z]{4,})", first.words):
            sentences = [each for each in second.sentences if root(word) in roots(each)]
            if sentences and not any(count(cues, each) for each in sentences):
                yield f"{word!r} is there in one text and not in the other"


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
    asked = [" ".join(_questions(each)) for each in (one, other)]
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


def _option_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Words of an option that came or went, but for what the text has exchanged as well."""
    texts = [set(roots(each.words)) for each in (one, other)]
    free = scenery() | (texts[0] ^ texts[1])
    for letter in one.options.keys() & other.options.keys():
        old, new = (set(roots(without_things(each.options[letter]))) - free for each in (one, other))
        if old != new:
            yield f"({letter}) {_listed(old - new)} became {_listed(new - old)}"


def _listed(words: Collection[str]) -> str:
    return ", ".join(sorted(words)) or "nothing"


def _questions(statement: Statement) -> list[str]:
    sentences = re.split(r"(?<=[.?!])\s+|\n+", statement.words)
    return [part for sentence in sentences if (part := asking_part(sentence))]


def _telling_and_symbols(text: str) -> Counter[str]:
    return Counter([*(each for each in roots(text) if each in telling()), *_SYMBOL.findall(text)])
