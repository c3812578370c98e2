"""What a statement asks for: its asking clauses, the quantities that they are after, the symbols wanted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ansatz.eval.benchmarks.physbench.variants.concepts import compiled, concepts, without_idioms

_ASKING = re.compile(
    r"\b(?:find|calculate|determine|compute|work out|estimate|explain|judge|derive|design|show|give|state|say"
    r"|tell|compare|evaluate|obtain|predict|name|describe|decide|wants? to (?:know|find|learn)|write)\b",
    re.I,
)
_QUESTION = re.compile(
    r"(?:^|[,;:(]\s*|\band\s+|\bbut\s+|[\"“'])"
    r"(?:(?:at|after|by|in|through|to|from|for|with|up to|on|under) (?:about )?)?(?:at most |at least )?"
    r"(what|which|how|where|when|why|who|does|do|did|is|are|will|would|can|could|may|must|should)\b",
    re.I,
)
_BREAK = re.compile(r"[,;:?()]|\band\b|\bor\b|\b(?:what|which|how)\b", re.I)
_PREPOSITION = re.compile(
    r"\b(?:at|in|from|to|with|for|when|if|after|before|under|through|during|by|per|while|where|that|whose|on"
    r"|above|below|than|into|over|until|as|of its|against|between|given|using|taking)\b",
    re.I,
)
_WANTED = re.compile(r"^(\S+) = ___ *(.*?) *$", re.MULTILINE)
_GIVEN = re.compile(r"(?: of| is|:|,)?(?: \w{1,3})? ?=? ?[-+]?\d")


def asking_part(sentence: str) -> str:
    """The part of a sentence that asks, from its verb or question word on; empty where none does."""
    if "?" in sentence:
        found = _QUESTION.search(sentence)
        return sentence[found.start() :] if found else sentence
    found = _ASKING.search(sentence)
    return sentence[found.start() :] if found else ""


def report_lines(text: str) -> dict[str, str]:
    """What a statement wants reported, by its lines "v = ___ m/s": the symbols with what stands behind."""
    return dict(_WANTED.findall(text))


def asked_quantities(clauses: Iterable[str]) -> frozenset[str]:
    """The quantities that are asked for: not those that only say of what, where or when."""
    return frozenset(name for clause in clauses for name in _heads(without_idioms(clause)))


def _heads(clause: str) -> set[str]:
    spans = [
        (found.start(), found.end(), name)
        for name, pattern in concepts().quantities.items()
        for found in compiled(pattern).finditer(clause)
    ]
    heads = set()
    for start, end, name in spans:
        if any(other <= start and end <= stop and (other, stop) != (start, end) for other, stop, _ in spans):
            continue
        breaks = [found.end() for found in _BREAK.finditer(clause, 0, start)]
        begin = breaks[-1] if breaks else 0
        before = clause[begin:start]
        is_aside = clause.count("(", 0, start) > clause.count(")", 0, start)
        is_complement = any(begin <= other and stop <= start for other, stop, _ in spans)
        is_given = _GIVEN.match(clause, end) is not None
        if not is_aside and not is_given and not is_complement and not _PREPOSITION.search(before):
            heads.add(name)
    return heads
