"""Read plain text and reStructuredText: paragraphs, rows of tables and headings."""

from __future__ import annotations

import re

from ansatz.knowledge_base.handbook.document import TextBlock

_UNDERLINE = re.compile(r"([=\-~^\"'#*+`.:_])\1{2,}\s*$")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3})*)[.)]?\s+[A-Z].*[^.,;:]$")
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
            is_table = sum("  " in line.strip() or "|" in line for line in lines) * 2 > len(lines)
            blocks += (
                [TextBlock(line.strip()) for line in lines]
                if is_table
                else [TextBlock(" ".join(" ".join(lines).split()))]
            )
    return blocks


def _is_underlined(title: str, line: str) -> bool:
    match = _UNDERLINE.fullmatch(line)
    return (
        match is not None
        and len(line.strip()) * 5 >= len(title.strip()) * 4
        and not _UNDERLINE.fullmatch(title)
    )


def _is_short(line: str) -> bool:
    return len(line.split()) <= _MOST_WORDS
