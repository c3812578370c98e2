"""Of what a statement asks, who owns a number, and which way something goes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache

from ansatz.eval.benchmarks.physbench.variants.concepts import concepts
from ansatz.eval.benchmarks.physbench.variants.roles import FREE, content_words, stem
from ansatz.eval.benchmarks.physbench.variants.statement import Mention, Statement

_BEHIND = re.compile(
    r"\s*,? (?:away |further |to the (?:left|right) )?(?:from|of|behind|beyond|before) ([A-HP-S])(?!\w)"
)
_BEFORE = re.compile(
    r"\b(?:from|of|behind|beyond|before|at|in) ([A-HP-S])(?: is|,| of| at)?(?: \w{1,3} =)?\s*$"
)
_NEAR = 4  # words between a name and a number that it owns
_STANDING_FOR = frozenset({"one", "each", "both", "other", "first", "second", "two", "all"})
_THING = r"(?:the |its |his |her |this |that |each |a |an )?((?:[A-Za-z-]+ ?){1,3})"
_AFTER_THING = re.compile(
    r"\b(?:as|at|in|on|when|if|after|before|from|to|with|and|or|by|that|which|of|for|is|are|was|does|do|just"
    r"|during|have|take|need|exert|move|go|travel|reach|cover|show|get|give|use|feel|hear|see|make|come|land|stop"
    r"|increase|decrease|change|grow|become|remain|stay|flow|act|lie|appear|stand|fall|rise|hit)\b"
)


def name_changes(one: Statement, other: Statement, names: Collection[str]) -> Iterator[str]:
    """Numbers and questions that belong to another person; `names` are the people of both statements."""
    for mention in one.mentions:
        same = [each for each in other.mentions if each.key == mention.key]
        if mention.is_count or len(same) != 1 or [each.key for each in one.mentions].count(mention.key) != 1:
            continue
        old, new = (
            _owner(statement, place, names) for statement, place in ((one, mention), (other, same[0]))
        )
        if old and new and old != new:
            yield f"{mention} belonged to {old} and belongs to {new}"
    old, new = _only_name(one.asked, names), _only_name(other.asked, names)
    if old and new and old != new:
        yield f"the question was about {old} and is about {new}"


def _owner(statement: Statement, mention: Mention, names: Collection[str]) -> str:
    """The name in the few words before a number, or the only one of its sentence."""
    before = re.split(r"[.?!;]\s", statement.prose[: mention.start])[-1]
    near = [word for word in re.findall(r"\w+", before)[-_NEAR:] if word in names]
    return near[-1] if len(set(near)) == 1 else _only_name(statement.sentence_at(mention.start), names)


def _only_name(text: str, names: Collection[str]) -> str:
    found = {word for word in re.findall(r"[A-Z]\w+", text) if word in names}
    return found.pop() if len(found) == 1 else ""


def route_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Ways between two things that now lead from the second to the first."""
    new = _routes(other)
    for begin, end in sorted(_routes(one)):
        if (end, begin) in new and (begin, end) not in new:
            yield f"from {begin} to {end} became from {end} to {begin}"


def label_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Distances that are now told from another point: "1.3 m from A" and "1.3 m from B"."""
    old, new = _labels(one), _labels(other)
    for key in old.keys() & new.keys():
        if old[key] != new[key] and {old[key], new[key]} <= _points(one) & _points(other):
            yield f"{key} was told of {old[key]} and is told of {new[key]}"


def _labels(statement: Statement) -> dict[str, str]:
    """The point that a number is told of: right behind it, or of its quantity right before it."""
    found = {}
    for mention in statement.mentions:
        before, after = statement.prose[: mention.start], statement.prose[mention.end :]
        label = _BEHIND.match(after) or _BEFORE.search(before)
        if label and not mention.is_count:
            found[str(mention)] = label[1]
    return found


def _points(statement: Statement) -> set[str]:
    return set(re.findall(r"(?<![\w=])([A-HP-S])(?![\w'])(?! =)", statement.prose))


def _routes(statement: Statement) -> frozenset[tuple[str, str]]:
    pattern = r"\bfrom (?:the |a |an )?([a-z]+) (?:in)?to (?:the |a |an )?([a-z]+)"
    return frozenset((stem(begin), stem(end)) for begin, end in re.findall(pattern, statement.words, re.I))


def subject_changes(one: Statement, other: Statement) -> Iterator[str]:
    """A question about another thing of the same story: of what a quantity is asked, or who acts."""
    old, new = _subjects(one), _subjects(other)
    known = content_words(one.prose) - content_words(one.asked)
    for role in old.keys() & new.keys():
        gained = (new[role] - old[role]) & known
        if gained and not old[role] & new[role] and not old[role] & content_words(other.asked):
            yield f"it is about {', '.join(sorted(gained))} instead of {', '.join(sorted(old[role]))}"


def _subjects(statement: Statement) -> dict[str, set[str]]:
    """The things that quantities are asked of, by quantity, and under "" those that do something.

    A thing is the last word of "of the heavy cart"; owners, as in "the cart's axis", are not things.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for clause in statement.asking:
        for name, pattern in _subject_patterns().items():
            for phrase in pattern.findall(clause):
                words = re.findall(r"[A-Za-z]{3,}", _AFTER_THING.split(phrase)[0])
                found[name] |= {stem(word) for word in words[-1:] if word not in FREE | _STANDING_FOR}
    return {name: words for name, words in found.items() if words}


@cache
def _subject_patterns() -> dict[str, re.Pattern[str]]:
    acts = r"\b(?:does|do|did|will|would|can|must) (?=the |[A-Z])"
    patterns = {"": acts} | {
        name: rf"(?i:\b(?:{pattern})\b(?: \(?\w{{1,4}}\)?)? (?:of|on|for|through|across) )"
        for name, pattern in concepts().quantities.items()
    }
    return {name: re.compile(rf"{pattern}{_THING}(?!')") for name, pattern in patterns.items()}
