"""Split documents into passages of about 150 words, each within one section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ansatz.knowledge_base.handbook.document import HandbookDocument, TextBlock
from ansatz.knowledge_base.search.tokenizing import count_unspaced

WORDS = 150
"""The length of a passage that a split aims at."""
_PART = 50  # words of a part of a passage
_PAGE_END = 0.6  # share of that length from which a passage ends with its page
_LONGEST = 2 * WORDS  # words of text without an end of a sentence, such as a list of names
_SENTENCE = re.compile(r"(?<=[.?!;])\s+(?=[A-Z(\[\"“])|(?<=[。！？；])")
_FORMULA = re.compile(r"\$|\\\[|\\begin\{")
_PIECE = re.compile(r"(?<=[.?!;:])\s+|\n")
_ABBREVIATED = re.compile(r"\b(?:Fig|Figs|Eq|Eqs|Ref|Refs|Sec|No|vs|cf|et al|e\.g|i\.e|approx|[A-Z])\.$")
_BRACKETS = str.maketrans("[]", "()")
SEPARATOR = " > "
"""Between the headings of a section's path."""


@dataclass(frozen=True)
class Passage:
    """A piece of a document: what is searched, shown and cited."""

    file: str
    """The document, relative to the folder that was indexed."""
    section: str
    """The headings above it, from the outermost: "3 Heat transfer > 3.2 Radiation"."""
    page: int | None
    """The page in the file that has most of it, from 1; None for formats without pages."""
    text: str
    """Its text, without headings."""

    @cached_property
    def searched(self) -> str:
        """What is searched: the headings, then the text."""
        return f"{self.section}\n{self.text}" if self.section else self.text

    @property
    def parts(self) -> list[str]:
        """Its text in parts of about 50 words, which end with a line, a sentence or a clause."""
        pieces = [piece for piece in _PIECE.split(self.text) if piece.strip()]
        words = [len(piece.split()) for piece in pieces]
        length = sum(words) / max(1, round(sum(words) / _PART))
        parts: list[list[str]] = [[]]
        size = 0
        for piece, count in zip(pieces, words, strict=True):
            if parts[-1] and size + count / 2 > length:
                parts.append([])
                size = 0
            parts[-1].append(piece)
            size += count
        return [" ".join(part) for part in parts]

    @property
    def source(self) -> str:
        """What an answer cites: the file and the page, then the section."""
        place = self.file if self.page is None else f"{self.file}, page {self.page}"
        section = self.section.translate(_BRACKETS)
        return f"{place}: {section}" if section else place


def split_document(document: HandbookDocument) -> Iterator[Passage]:
    """Yield the passages of a document in reading order."""
    path: list[tuple[int, str]] = []
    body: list[TextBlock] = []
    for block in document.blocks:
        if block.level == 0:
            body.append(block)
            continue
        yield from _split_section(document.name, path, body)
        body = []
        while path and path[-1][0] >= block.level:
            path.pop()
        path.append((block.level, block.text))
    yield from _split_section(document.name, path, body)


def _split_section(
    file: str, path: Sequence[tuple[int, str]], body: Sequence[TextBlock]
) -> Iterator[Passage]:
    section = SEPARATOR.join(title for _, title in path)
    pieces = [piece for block in body for piece in _split_block(block)]
    left = sum(_count_words(piece.text) for piece in pieces)
    start = 0
    while start < len(pieces):
        end = _find_end(pieces, start, left / max(1, round(left / WORDS)))
        part = pieces[start:end]
        pages: Counter[int | None] = Counter()
        for piece in part:
            pages[piece.page] += _count_words(piece.text)
        yield Passage(file, section, pages.most_common(1)[0][0], "\n".join(piece.text for piece in part))
        left -= pages.total()
        start = end


def _find_end(pieces: Sequence[TextBlock], start: int, length: float) -> int:
    """Return where a passage ends: near its length, if possible at the end of a sentence or page."""
    words, best = 0, None
    for place in range(start, len(pieces)):
        words += _count_words(pieces[place].text)
        is_page_end = place + 1 < len(pieces) and pieces[place + 1].page != pieces[place].page
        if words >= _PAGE_END * length and is_page_end:
            return place + 1
        if words >= 0.8 * length and pieces[place].text.rstrip().endswith((".", ":", ";", "?", "!")):
            best = place + 1
            if words >= 0.95 * length:
                return best
        if words >= 1.25 * length:
            return best or place + 1
    return len(pieces)


def _split_block(block: TextBlock) -> Iterator[TextBlock]:
    """Yield the sentences of a long block; formulas stay whole."""
    if _count_words(block.text) <= WORDS // 2 or "\n" in block.text:
        lines = [line for line in block.text.split("\n") if line.strip()]
        pieces = lines if _count_words(block.text) > WORDS else ["\n".join(lines)]
    else:
        pieces = list(_split_sentences(block.text))
    yield from (TextBlock(part, block.page) for piece in pieces for part in _cut(piece))


def _split_sentences(text: str) -> Iterator[str]:
    start = 0
    for found in _SENTENCE.finditer(text):
        before = text[start : found.start()]
        is_in_formula = before.count("$") % 2 == 1
        if before and not is_in_formula and not _ABBREVIATED.search(before):
            yield before
            start = found.end()
    if start < len(text):
        yield text[start:]


def _cut(text: str) -> Iterator[str]:
    """Yield a text without sentences in parts, unless it is a formula."""
    words = text.split() if _count_words(text) > _LONGEST and not _FORMULA.search(text) else []
    if len(words) <= _LONGEST:
        yield text
    else:
        yield from (" ".join(words[start : start + _PART]) for start in range(0, len(words), _PART))


def _count_words(text: str) -> int:
    """Return the number of words; two characters of a script without spaces are one."""
    return len(text.split()) + (0 if text.isascii() else count_unspaced(text) // 2)
