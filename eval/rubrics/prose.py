"""The sentences of an answer, and the words that carry what they are about."""

from __future__ import annotations

import re
from itertools import pairwise

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_WRAPPED = re.compile(r"(?<=[a-z,])\n(?=[a-z(\d])")
_WORKED = re.compile(r"=[^=,;]*[\w)](?: ?[*/^] ?|\()[\w(]")  # an equation with an expression in it
_POWER_OF_TEN = re.compile(r"(?: ?\* ?)?\b10\^\(?[-+]?\d+\)?")
_LEAST_FUNCTIONAL = 0.1  # share of function words; a list of keywords has fewer
_FEWEST_HAN = 8  # characters from which a Chinese line is a sentence
_SHORTEST_WRAPPED = 60  # characters from which a line without an end is a wrapped sentence and no list entry


def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of a plain text, those of a wrapped paragraph joined."""
    return tuple(part.strip() for part in _SENTENCE.split(flowing(text)) if part and part.strip())


def words(text: str) -> set[str]:
    """The words of a text that can carry its subject: four letters and more, without the commonest."""
    found = {_stem(word) for word in re.findall("[a-z]{4,}", text.lower())} - _COMMON
    return found | {pair for run in han(text) for pair in map("".join, pairwise(run))}


def han(text: str) -> list[str]:
    """The runs of Chinese characters of a text; a subject is carried by their pairs."""
    return re.findall("[\u4e00-\u9fff]{2,}", text)


def is_prose(sentence: str) -> bool:
    """Whether this is a sentence, not a heading, a list of keywords or a formula."""
    if sum(map(len, han(sentence))) >= _FEWEST_HAN:
        return True
    found = re.findall("[A-Za-z]+", sentence)
    functional = sum(word.lower() in FUNCTION_WORDS | _MORE_FUNCTION_WORDS for word in found)
    complete = len(found) >= 8 and sentence.rstrip().endswith((".", ";", "!", "?", ")"))
    return (
        5 <= len(found) <= 90
        and functional >= _LEAST_FUNCTIONAL * len(found)
        and (complete or bool(_VERB.search(sentence)))
    )


FUNCTION_WORDS = frozenset(
    re.split(
        r"\s+",
        "the a an of is are was in to with at we so that as for by and this than from on its it be which or",
    )
)
_MORE_FUNCTION_WORDS = frozenset(
    re.split(
        r"\s+",
        "because since not no has have had would will can could must should may might but if when while"
        " more only"
        " into out over under between about per you our these those there here what how one any all very"
        " too",
    )
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|does|do|must|can|will|would|applies|holds|remains?|lies|exceeds?"
    r"|means?"
    r"|implies|indicates?|requires?|assum\w+|neglect\w*|treat\w*|gives?|shows?|sets?|corresponds?"
    r"|neglected|stays?)\b"
)
_COMMON = frozenset(
    re.split(
        r"\s+",
        "that this with from which then than have been will would into when where value valu result given "
        "find using used equation formula answer problem therefore thus hence also each only such both"
        " their",
    )
)


def is_worked(text: str) -> bool:
    """Whether an equation with an expression stands in it; a number such as 5*10^5 is none."""
    return bool(_WORKED.search(_POWER_OF_TEN.sub("", text)))


def _stem(word: str) -> str:
    """Plural and verb endings off: enough to match "assumed" with "assumes"."""
    return re.sub(r"(?:ies|es|s|ed|ing|ly)$", "", word) if len(word) > 5 else word.rstrip("s")


def flowing(text: str) -> str:
    """The text with the lines of a wrapped paragraph joined."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and len(lines[-1]) >= _SHORTEST_WRAPPED and _WRAPPED.search(f"{lines[-1]}\n{line}"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)
