"""Join the lines of a PDF into paragraphs of one font, and find the fonts of its headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ansatz.knowledge_base.handbook.pdf_lines import Line
from ansatz.knowledge_base.handbook.pdf_numbers import is_label, read_number

_LARGER = 1.05  # size of a font that stands out, relative to that of the text
_SMALLER = 0.95
_LINE_STEP = (0.8, 1.6)  # from one line of a paragraph to the next, in sizes of the font
_MOST_LINES = 4  # of a heading
_WIDE_GAP = 2.5  # space between columns of a table, in sizes of the font
_PROSE_WORDS = 6  # least words on a line of prose
_LEAST_COLUMN = 5  # lines of prose in a column
_COLUMN_SHARE = 0.8  # of the prose of a page with two columns, on one side of the middle
_LEAST_SHARE = 0.5  # of the paragraphs in a font that are titles above text, if it is a font of headings
_SMALL_DOCUMENT = 20  # pages; in a longer one, a font of headings is on several pages

Style = tuple[str, float]
"""A font and its size."""


@dataclass(frozen=True)
class Paragraph:
    """Lines of one font that follow each other."""

    first: int
    """The place of its first line in the document."""
    lines: tuple[Line, ...]

    @property
    def style(self) -> Style:
        """Return the font and the size."""
        return self.lines[0].font, self.lines[0].size

    @property
    def places(self) -> range:
        """Return the places of its lines in the document."""
        return range(self.first, self.first + len(self.lines))

    @property
    def is_uniform(self) -> bool:
        """Whether each of its lines has one font."""
        return all(line.is_uniform for line in self.lines)

    @property
    def text(self) -> str:
        """Return its lines as one."""
        return " ".join(line.text for line in self.lines)


def _continues(last: Line, line: Line) -> bool:
    """Whether a line is the next one of a paragraph: it has the same font and is closely below."""
    least, most = _LINE_STEP
    overlap = min(last.right, line.right) - max(last.left, line.left)
    return (
        last.page == line.page
        and last.font == line.font
        and last.size == line.size
        and least * line.em < last.base - line.base < most * line.em
        and overlap > 0.5 * min(last.right - last.left, line.right - line.left)
    )


def find_body_size(lines: Iterable[Line]) -> float:
    """Return the size of the font that most of the text has."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


class HeadingFonts:
    """Which paragraphs of a document are headings by their fonts, places and neighbours.

    A font of headings stands out from that of the text: it is larger, or it is another one that is not
    smaller. Most of its paragraphs are titles above text; those of figures and tables are not.
    """

    def __init__(self, lines: Sequence[Line], is_title: Callable[[str], bool]) -> None:
        self._is_title = is_title
        self._body_size = find_body_size(lines)
        self._body_fonts = self._find_body_fonts(lines)
        self._columns = self._find_columns(lines)
        self.paragraphs = self._join_lines(lines)
        placed = [self._is_placed(each) for each in self.paragraphs]
        self._is_above = self._find_above(placed, lambda line: True)
        self._above_text = self._find_above(placed, self._is_prose)
        self.styles = self._choose_styles(lines[-1].page if lines else 0)

    def stands_out(self, line: Line) -> bool:
        """Whether a line has a font unlike that of the text, and not a smaller one."""
        if line.size > _LARGER * self._body_size:
            return True
        return line.size >= _SMALLER * self._body_size and line.font not in self._body_fonts

    def is_heading(self, place: int) -> bool:
        """Whether a paragraph is a title in a font of headings, above something on its page."""
        paragraph = self.paragraphs[place]
        return self._is_above[place] and paragraph.style in self.styles and self._is_title(paragraph.text)

    def is_alone(self, paragraph: Paragraph) -> bool:
        """Whether no line on the same height of the column is part of a table or a figure."""
        return all(self._is_alone(line, paragraph) for line in paragraph.lines)

    def _is_alone(self, line: Line, paragraph: Paragraph) -> bool:
        if line.gap >= _WIDE_GAP * line.em and not read_number(line.text):
            return False
        column = next(column for column in self._columns[line.page] if line in column)
        return not any(
            _is_on_row(line, other) and not self._is_prose(other)
            for other in column
            if other not in paragraph.lines
        )

    def _join_lines(self, lines: Iterable[Line]) -> list[Paragraph]:
        """Return the lines that stand out as paragraphs, and each other line as one."""
        joined: list[list[Line]] = []
        for line in lines:
            is_more = joined and _continues(joined[-1][-1], line) and self.stands_out(line)
            if is_more and not read_number(line.text):
                joined[-1].append(line)
            else:
                joined.append([line])
        starts = accumulate(map(len, joined), initial=0)
        return [Paragraph(first, tuple(each)) for first, each in zip(starts, joined, strict=False)]

    def _find_body_fonts(self, lines: Iterable[Line]) -> set[str]:
        fonts: Counter[str] = Counter()
        for line in lines:
            if _SMALLER * self._body_size <= line.size <= _LARGER * self._body_size:
                fonts[line.font] += len(line.text)
        return {font for font, count in fonts.items() if count > 0.2 * fonts.total()}

    def _is_prose(self, line: Line) -> bool:
        is_heading_font = line.bold and line.is_uniform and self.stands_out(line)
        return (
            not is_heading_font
            and line.size <= _LARGER * self._body_size
            and line.gap < _WIDE_GAP * line.em
            and len(line.text.split()) >= _PROSE_WORDS
        )

    def _find_columns(self, lines: Iterable[Line]) -> dict[int, list[tuple[Line, ...]]]:
        """Return the lines of each column of each page."""
        pages: dict[int, list[Line]] = defaultdict(list)
        for line in lines:
            pages[line.page].append(line)
        return {page: self._split_columns(each) for page, each in pages.items()}

    def _split_columns(self, lines: Sequence[Line]) -> list[tuple[Line, ...]]:
        """Return the lines of a page as one column, or as two if prose is left and right of the middle."""
        prose = [line for line in lines if self._is_prose(line)]
        if not prose:
            return [tuple(lines)]
        middle = (min(line.left for line in prose) + max(line.right for line in prose)) / 2
        left = sum(line.right <= middle for line in prose)
        right = sum(line.left >= middle for line in prose)
        if min(left, right) < _LEAST_COLUMN or left + right < _COLUMN_SHARE * len(prose):
            return [tuple(lines)]
        return [
            tuple(line for line in lines if (line.left < middle) == is_first) for is_first in (True, False)
        ]

    def _is_placed(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph has the look and the place of a heading, whatever its words."""
        return (
            len(paragraph.lines) <= _MOST_LINES
            and self.stands_out(paragraph.lines[0])
            and paragraph.is_uniform
            and self.is_alone(paragraph)
        )

    def _find_above(self, placed: Sequence[bool], is_text: Callable[[Line], bool]) -> list[bool]:
        """Return which placed paragraphs have text below on their page, or such a paragraph."""
        found = [False] * len(placed)
        for place in range(len(placed) - 2, -1, -1):
            if not placed[place]:
                continue
            line, after = self.paragraphs[place].lines[-1], self.paragraphs[place + 1].lines[0]
            is_below = after.page == line.page and after.base < line.base
            found[place] = is_below and (found[place + 1] or is_text(after))
        return found

    def _choose_styles(self, pages: int) -> set[Style]:
        counts: Counter[Style] = Counter()
        above: Counter[Style] = Counter()
        title_pages: dict[Style, set[int]] = defaultdict(set)
        for paragraph, is_above in zip(self.paragraphs, self._above_text, strict=True):
            line = paragraph.lines[0]
            if paragraph.is_uniform and self.stands_out(line) and not is_label(paragraph.text):
                counts[paragraph.style] += 1
                above[paragraph.style] += is_above
                if is_above and self._is_title(paragraph.text):
                    title_pages[paragraph.style].add(line.page)
        least = 1 if pages <= _SMALL_DOCUMENT else 2
        return {
            style
            for style, found in title_pages.items()
            if len(found) >= least and above[style] >= _LEAST_SHARE * counts[style]
        }


def _is_on_row(line: Line, other: Line) -> bool:
    is_apart = other.left >= line.right or other.right <= line.left
    return is_apart and abs(line.base - other.base) < 0.5 * line.em
