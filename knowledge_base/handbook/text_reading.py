"""Read plain text: paragraphs, items of lists, rows of tables and headings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ansatz.knowledge_base.handbook.document import TextBlock

_UNDERLINE = re.compile(r"([=\-~^\"'#*+`.:_])\1{2,}\s*$")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3})*)[.)]?\s+[A-Z].*[^.,;:]$")
_ROW = re.compile(r"\||[^.?!:;\s]\s{2,}")
_ITEM = re.compile(r"\s*(?:[-*+•]|\(?(?:\d{1,3}|[a-zA-Z]|#)[.)])\s+")
_MOST_WORDS = 12  # of a heading


def read_text(text: str) -> list[TextBlock]:
    """Return the paragraphs of a text. Headings are underlined, or numbered lines between empty lines."""
    blocks: list[TextBlock] = []
    underlines: list[str] = []  # in the order of their levels
    for paragraph in re.split(r"\n\s*\n", text.expandtabs()):
        lines = [line.rstrip() for line in paragraph.strip("\n").split("\n") if line.strip()]
        if len(lines) > 2 and _UNDERLINE.fullmatch(lines[0]) and lines[0] == lines[2]:
            lines = lines[1:]
        while len(lines) >= 2 and _is_underlined(lines[0], lines[1]):
            if lines[1][0] not in underlines:
                underlines.append(lines[1][0])
            blocks.append(TextBlock(lines[0].strip(), None, underlines.index(lines[1][0]) + 1))
            lines = lines[2:]
        if len(lines) == 1 and (number := _NUMBERED.match(lines[0].strip())) and _is_short(lines[0]):
            blocks.append(TextBlock(lines[0].strip(), None, len(underlines) + number[1].count(".") + 1))
        elif len(lines) == 1 and lines[0].isupper() and _is_short(lines[0]) and len(lines[0]) > 3:
            blocks.append(TextBlock(lines[0].strip(), None, len(underlines) + 1))
        elif lines:
            is_table = sum(bool(_ROW.search(line.strip())) for line in lines) * 2 > len(lines)
            blocks += map(TextBlock, [line.strip() for line in lines] if is_table else split_items(lines))
    return blocks


def split_items(lines: Iterable[str]) -> list[str]:
    """Return the items of a list, each on one line, or a paragraph as one item."""
    items: list[list[str]] = []
    for line in lines:
        if not items or _ITEM.match(line):
            items.append([])
        items[-1] += line.split()
    return [" ".join(words) for words in items]


def _is_underlined(title: str, line: str) -> bool:
    match = _UNDERLINE.fullmatch(line)
    return (
        match is not None
        and len(line.strip()) * 5 >= len(title.strip()) * 4
        and not _UNDERLINE.fullmatch(title)
    )


def _is_short(line: str) -> bool:
    return len(line.split()) <= _MOST_WORDS
