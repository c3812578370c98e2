"""The sentences of an answer with the heading or label they stand under: assumptions, check or meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ansatz.eval.rubrics.prose import flowing, han

Topic = Literal["", "assumptions", "check", "meaning"]

_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    (
        "assumptions",
        re.compile(
            r"\b(?:assum\w+|regimes?|validity|applicability|simplif\w+|ideali[sz]\w+|hypothes[ei]s"
            r"|premises?"
            r"|model(?:l?ing)?|justification|flow (?:type|conditions?)|why this|conditions of use)\b"
            r"|假设|假定|适用|前提|模型|流态|条件判断",
            re.IGNORECASE,
        ),
    ),
    (
        "check",
        re.compile(
            r"\b(?:checks?|checked|checking|sanity|plausib\w*|verif\w+|validation|cross-?check"
            r"|reasonab\w*|reality"
            r"|order[- ]of[- ]magnitude|ballpark|smell test|credib\w*|limiting cases?"
            r"|does it make sense|believable)\b|^\W*(?:the |both |two )?(?:limits?|extremes?)$"
            r"|检查|校核|检验|验证|合理性|量级|核对|验算",
            re.IGNORECASE,
        ),
    ),
    (
        "meaning",
        re.compile(
            r"\b(?:interpret\w*|means|meaning|implications?|implies|significance|discussion|comments?"
            r"|remarks?"
            r"|take-?aways?|conclusions?|so what|consequences?"
            r"|for the (?:engineer|designer|design|project|team)"
            r"|(?:engineering|design|practical|physical) (?:note|view|reading|message|context|sense|side"
            r"|terms|use|lesson|aspect)s?|relevance|practically|in plain (?:terms|words|language)|insights?"
            r"|bottom line|recommendation|advice|upshot|reading the (?:result|number)"
            r"|what (?:it|this) (?:says|tells))\b"
            r"|^\W*(?:uses?(?: (?:on|in|of|for) [\w -]+)?|design|reading|applications?|outlook|lessons?"
            r"|in (?:practice|words|use)|what for|for the [\w -]+"
            r"|what .{3,30} (?:gets?|sees?))$"
            r"|意义|含义|讨论|解释|结论|说明|启示|解读|建议",
            re.IGNORECASE,
        ),
    ),
)
_HEADING = re.compile(
    r"\b(?:given|data|known|inputs?|formula|equations?|calculat\w+|computation|solution|solve|steps?"
    r"|results?|answers?"
    r"|substitut\w+|method|approach|numbers?|units?|task|find|theory|working|evaluation|part|summary"
    r"|plan)\b|:$"
    r"|已知|公式|计算|代入|求解|步骤|结果|答案",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^[\W\d]*(?:\(?[\dIVXa-e]{1,3}[.)]\)? ?)?[-–: ]*")
_LABEL = re.compile(r"^(?P<label>[^.:=|]{2,60}?)(?P<mark>[.:?](?=\s|$)| - | -- )\s*(?P<rest>.*)$")
_ROW = re.compile(  # of a table
    r"^\|\s*(?P<label>[^|=]{2,60}?)\s*(?P<mark>\|)\s*(?P<rest>[^|]+[^|\s])\s*\|?\s*$"
)  # of a table
_MOST_LABEL_WORDS = 8
_MOST_RUN_IN_WORDS = 4  # of a label that ends in a full stop, as a sentence does
_STOP = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=\S)")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|cf|approx|ca|vs|fig|eq|eqs|ref|no|resp|dr|sec)\.$", re.IGNORECASE)


@dataclass(frozen=True)
class Passage:
    """A sentence or list entry: its text, what it stands under, and where it begins, with a label before it,
    and ends in the plain answer."""

    text: str
    topic: Topic
    position: int
    end: int
    paragraph: int


def passages(text: str) -> tuple[Passage, ...]:
    """The sentences of a plain text in order; headings and labels give their topic and are left out."""
    return tuple(_passages(flowing(text)))


def _passages(text: str) -> Iterator[Passage]:
    """A heading holds until the next, with a colon until the next blank line; a label holds in its line."""
    section: Topic = ""
    brief = told = False
    position = paragraph = 0
    for line in text.split("\n"):
        if not line.strip():
            paragraph += 1
            section = "" if brief and told else section
        elif _is_heading(line):
            section, brief, told = topic_of(line), line.rstrip().endswith(":"), False
            paragraph += 1
        else:
            found = _ROW.match(line) or _LABEL.match(line)
            label = found["label"] if found and _is_label(found["label"], found["mark"]) else ""
            start = found.start("rest") if found and label else 0
            topic, told = topic_of(label) or section, True
            for offset, sentence in _sentences(line, start):
                begin = 0 if offset == start else offset
                yield Passage(sentence, topic, position + begin, position + offset + len(sentence), paragraph)
        position += len(line) + 1


def topic_of(label: str) -> Topic:
    """What a heading or label announces; "" for anything else."""
    return next((topic for topic, pattern in _TOPICS if pattern.search(label)), "")


def _is_label(label: str, mark: str) -> bool:
    words = len(label.split())
    return words <= (_MOST_LABEL_WORDS if mark in ":?|" else _MOST_RUN_IN_WORDS) and bool(topic_of(label))


def _is_heading(line: str) -> bool:
    """A short line without a sentence: "2. Regime and assumptions", "Check:"."""
    bare = _NUMBERED.sub("", line.strip())
    if not bare or re.search(r"[=≈<>|]|\d[.\d]* ?[A-Za-z/%]", bare) or bare[-1] in ".;,!":
        return False
    found = _LABEL.match(bare)
    if found and found["rest"] and topic_of(found["label"]):
        return False
    short = len(bare.split()) <= _MOST_LABEL_WORDS and len(han(bare)) <= 12
    return short and bool(topic_of(bare) or _HEADING.search(bare))


def _sentences(line: str, start: int) -> Iterator[tuple[int, str]]:
    """The sentences of a line from an offset on, each with its own."""
    begin = start
    for stop in _STOP.finditer(line, start):
        if _ABBREVIATED.search(line[begin : stop.start()]):
            continue
        if line[begin : stop.start()].strip():
            yield begin, line[begin : stop.start()].strip()
        begin = stop.end()
    if line[begin:].strip():
        yield begin, line[begin:].strip()
