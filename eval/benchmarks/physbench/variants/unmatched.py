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

from ansatz.eval.benchmarks.physbench.variants.concepts import concepts, count
from ansatz.eval.benchmarks.physbench.variants.statement import Statement
from ansatz.eval.benchmarks.physbench.variants.telling import (
    adding,
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
_SYMBOL = re.compile(r"(?<!\w)[A-Za-z]{1,5}_\w+")


def unmatched_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Words that a close retelling lost, brought in, exchanged or put in another order."""
    if nearness(one, other) < CLOSE:
        return
    yield from _lost_and_new(one, other)
    yield from _exchanged(one, other)
    yield from _fewer_conditions(one, other)
    yield from _subject_exchanged(one, other)
    yield from _denials(one, other)
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
    yield from (f"{_worded([each], one.words)!r} is missing" for each in sorted(told))
    for each in sorted(adds & (adding() | _asked(other))):
        yield f"{_worded([each], other.words)!r} is new"
    if len(adds) >= _TOO_MANY:
        yield f"{_worded(adds, other.words)} are new"
    asked = _asked(one), _asked(other)
    if lost & asked[0] and new & asked[1]:
        old, now = _worded(lost & asked[0], one.words), _worded(new & asked[1], other.words)
        yield f"{old} became {now} in the question"


def _unmatched(first: Statement, second: Statement) -> set[str]:
    """Roots of only the first text: of telling words, and of any words that only its questions have."""
    words = roots(without_things(first.words))
    told = Counter(words) - Counter(each for part in first.questions for each in roots(part))
    lost = {each for each in words if each in telling()}
    lost |= {each for each in words if each not in told and each not in scenery()} & _asked(first)
    return (
        lost
        - told_by_units()
        - set(places_left_out(first.words, second.words))
        - set(roots(second.words, names=True))
    )


def _asked(statement: Statement) -> set[str]:
    return {each for part in statement.questions for each in roots(without_things(part))}


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
    asked = [_telling_and_symbols(" ".join(each.questions)) for each in (one, other)]
    for old, new in pairs:
        in_questions = old & (asked[0] - asked[1]).keys() and new & (asked[1] - asked[0]).keys()
        is_hard = (old | new) - both - soft() or (in_questions and (old | new) - soft())
        is_opposite = any({lost, gained} in opposites() for lost in old for gained in new)
        if old - new and new - old and (is_hard or is_opposite):
            yield f"{_worded(old, one.words)} became {_worded(new, other.words)}"


def _fewer(first: Statement, second: Statement) -> set[str]:
    """Telling words and symbols that the second text has less often."""
    fewer = _telling_and_symbols(without_things(first.words)) - _telling_and_symbols(second.words)
    return set(fewer - place_words(first.words, second.words))


def _counting(words: set[str], first: Statement, second: Statement) -> set[str]:
    asked = [_telling_and_symbols(" ".join(each.questions)) for each in (first, second)]
    return {each for each in words if each not in told_by_units() or each in asked[0] - asked[1]}


@cache
def _quantities() -> frozenset[str]:
    return frozenset(root(name) for name in concepts().quantities if " " not in name)


def _fewer_conditions(one: Statement, other: Statement) -> Iterator[str]:
    """Words of conditions that come less often, in the text but for its places."""
    old, new = (Counter(each for each in roots(text.words) if each in adding()) for text in (one, other))
    for word in sorted((old - new - place_words(one.words, other.words)).keys()):
        yield f"{_worded([word], one.words)!r} comes less often"


def _subject_exchanged(one: Statement, other: Statement) -> Iterator[str]:
    """A thing of both texts that a question names less often, where it names another more often."""
    whole = [Counter(roots(each.words)) for each in (one, other)]
    asked = [Counter(each for part in text.questions for each in roots(part)) for text in (one, other)]
    both = (whole[0].keys() & whole[1].keys()) - scene_words() - told_by_units()
    lost = ((asked[0] - asked[1]) & (whole[0] - whole[1])).keys() & both
    gained = ((asked[1] - asked[0]) & (whole[1] - whole[0])).keys() - scene_words()
    if lost and gained:
        now, before = _worded(gained, other.words), _worded(lost, one.words)
        yield f"the question is about {now} instead of {before}"


def _denials(one: Statement, other: Statement) -> Iterator[str]:
    """What one text says there is none of, and the other tells of in a sentence that denies nothing."""
    cues = f"{concepts().any_negation}|{concepts().absence}"
    for first, second in ((one, other), (other, one)):
        for word in re.findall(r"\b[Nn]o (?:\w+ )?([a-z]{4,})", first.words):
            sentences = [each for each in second.sentences if re.search(rf"\b{word}", each)]
            if sentences and not any(count(cues, each) for each in sentences):
                yield f"{word!r} is there in one text and not in the other"


def _option_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Words of an option that came or went, but for what the text has exchanged as well."""
    texts = [set(roots(each.words)) for each in (one, other)]
    free = scenery() | (texts[0] ^ texts[1])
    for letter in one.options.keys() & other.options.keys():
        old, new = (set(roots(without_things(each.options[letter]))) - free for each in (one, other))
        if old != new:
            before, now = (
                _worded(gone, text.options[letter]) for gone, text in ((old - new, one), (new - old, other))
            )
            yield f"({letter}) {before} became {now}"


def _worded(found: Collection[str], text: str) -> str:
    """Roots as the text words them first."""
    words = {root(word): word.lower() for word in reversed(re.findall(r"[A-Za-z][A-Za-z'-]+", text))}
    return ", ".join(sorted(words.get(each, each) for each in found)) or "nothing"


def _telling_and_symbols(text: str) -> Counter[str]:
    return Counter([*(each for each in roots(text) if each in telling()), *_SYMBOL.findall(text)])
