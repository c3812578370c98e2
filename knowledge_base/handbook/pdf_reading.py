"""Read a PDF as headings and lines, without running heads and printed tables of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ansatz.errors import InvalidData
from ansatz.knowledge_base.handbook.document import HandbookDocument
from ansatz.knowledge_base.handbook.pdf_headings import mark_headings
from ansatz.knowledge_base.handbook.pdf_lines import Line, read_lines
from ansatz.knowledge_base.handbook.pdf_paragraphs import find_body_size

_MARGIN = 0.1  # share of the page's height, at the top and at the bottom, where running heads are
_REPEATED = 3  # pages
_LEADER = re.compile(r"(?:\.\s?){4,}\s*[\divxlcA-Z-]*\s*$|_{5,}\s*\d*\s*$|…+\s*\d+\s*$")
_LAST_NUMBER = re.compile(r"[^\W\d_][^\d]*\s(\d{1,4})$")
_LEAST_CHARACTERS = 20  # a page; a scanned document has fewer on average


def read_pdf(path: Path, name: str) -> HandbookDocument:
    """Read a PDF. Raises InvalidData if it is encrypted, damaged or without text."""
    pages, bookmarks = read_lines(path, name)
    sizes = [sum(len(line.text) for line in lines) for lines in pages]
    if sum(sizes) < _LEAST_CHARACTERS * len(pages):
        raise InvalidData(
            f"{name}: {len(pages)} pages without text (scanned?); run text recognition on it first"
        )
    offset = _find_page_offset(pages)
    body_size = find_body_size(line for page in pages for line in page)
    contents = {number for number, lines in enumerate(pages) if _is_contents(lines)}
    repeated = _find_running_heads(pages)
    lines = [
        line
        for number, page in enumerate(pages)
        if number not in contents
        for line in page
        if not _LEADER.search(line.text)
        and not (
            _is_in_margin(line) and (_shape(line) in repeated or _has_page_number(line, offset, body_size))
        )
    ]
    titles = [line.text for number in sorted(contents) for line in pages[number]]
    blocks = mark_headings(lines, bookmarks, titles)
    return HandbookDocument(name, tuple(blocks), len(pages), sum(size < _LEAST_CHARACTERS for size in sizes))


def _find_running_heads(pages: Sequence[Sequence[Line]]) -> set[str]:
    """Return lines in the margins, without their numbers, that recur on several pages close to each other.

    Chapters with equal titles recur, too, but are further apart.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for shape in {_shape(line) for line in lines if _is_in_margin(line)}:
            found[shape].append(number)
    return {
        shape
        for shape, numbers in found.items()
        if len(numbers) >= _REPEATED and min(after - before for before, after in pairwise(numbers)) <= 2
    }


def _find_page_offset(pages: Sequence[Sequence[Line]]) -> int | None:
    """Return the most common difference of printed and counted page numbers; None if few pages have it."""
    offsets = Counter(
        offset
        for lines in pages
        for offset in {
            number - line.page for line in lines if _is_in_margin(line) for number in _end_numbers(line)
        }
    )
    offset, count = max(offsets.items(), key=lambda each: each[1], default=(0, 0))
    return offset if count >= _REPEATED and count * 4 > len(pages) else None


def _has_page_number(line: Line, offset: int | None, body_size: float) -> bool:
    """Whether a line has the number of its page; a large one is that of a chapter on a page."""
    return offset is not None and line.size <= body_size and line.page + offset in _end_numbers(line)


def _end_numbers(line: Line) -> set[int]:
    """Return the numbers that a line starts and ends with."""
    words = line.text.split()
    return {int(word) for word in (words[0], words[-1]) if word.isdecimal() and len(word) <= 4}


def _is_in_margin(line: Line) -> bool:
    return not _MARGIN < line.top < 1 - _MARGIN


def _shape(line: Line) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", line.text.lower())


def _is_contents(lines: Sequence[Line]) -> bool:
    """Whether a page is a table of contents: leaders, or lines that end with ascending numbers of pages."""
    if len(lines) < 6:
        return False
    leaders = sum(bool(_LEADER.search(line.text)) for line in lines)
    if leaders >= 5 and leaders * 3 > len(lines):
        return True
    numbered = (line.text for line in lines if line.text[-1:].isdigit())
    ends = [int(match[1]) for text in numbered if (match := _LAST_NUMBER.search(text))]
    rises = sum(first <= second for first, second in pairwise(ends))
    return (
        len(ends) * 5 > len(lines) * 3
        and len(ends) >= 8
        and rises >= 0.9 * (len(ends) - 1)
        and ends[0] < ends[-1]
    )
