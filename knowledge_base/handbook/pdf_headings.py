"""Find the headings among the lines of a PDF: by its bookmarks, its printed contents, fonts and numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.knowledge_base.handbook.document import TextBlock
from ansatz.knowledge_base.handbook.pdf_bookmarks import Heading, match_bookmarks
from ansatz.knowledge_base.handbook.pdf_lines import Bookmark, Line
from ansatz.knowledge_base.handbook.pdf_numbers import (
    follows,
    is_label,
    is_labelled,
    make_key,
    read_number,
    split_number,
    starts_label,
    strip_number,
)
from ansatz.knowledge_base.handbook.pdf_paragraphs import HeadingFonts, Paragraph

_MOST_WORDS = 20  # of a heading
_LETTERS = re.compile(r"[^\W\d_]{3}")
_OPENING = "[({<'\"‘“"  # before the first letter of a title
_CAPTION = re.compile(r"(?:figure|fig\.|table|equation|note)\s", re.IGNORECASE)
_EQUATION = re.compile(r"=|\((?=[^)]*\d)[\dA-Z.-]+\)$")
_PAGE = re.compile(r"(?:[\s.…_]+[A-Z]?-?\d+|[.…_]{2,}\s*[ivxlc]*|[\s.…_]*)\s*$")  # at the end of an entry
_ENTRY_LINES = 3  # of an entry of the printed contents
_LISTED = 0.3  # least share of headings that contents name
_SAME_SIZE = 1.03  # largest ratio of sizes of headings of one level


@dataclass(frozen=True)
class _Candidate:
    """A paragraph, or a label of a chapter and the paragraph below, that is a heading."""

    paragraph: Paragraph
    text: str
    number: str
    is_listed: bool
    """Whether the printed contents name it."""

    @property
    def line(self) -> Line:
        """Return the last line, which has the font of the title."""
        return self.paragraph.lines[-1]


def mark_headings(
    lines: Sequence[Line], bookmarks: Sequence[Bookmark], contents: Sequence[str]
) -> list[TextBlock]:
    """Return lines as blocks, with headings marked by their level.

    Args:
        lines: Those of the whole document.
        bookmarks: The outline; it is used if it has one entry at least for every twenty pages.
        contents: The lines of the printed contents, which name headings.
    """
    pages = lines[-1].page if lines else 0
    found = match_bookmarks(lines, bookmarks) if len(bookmarks) * 20 >= pages and bookmarks else {}
    found = _find_below(lines, found) | found if found else _find_by_font(lines, _list_entries(contents))
    blocks: list[TextBlock] = []
    skipped = 0
    for place, line in enumerate(lines):
        for heading in found.get(place, ()):
            blocks.append(TextBlock(heading.title, line.page, heading.level))
            skipped = max(skipped, heading.length)
        if skipped:
            skipped -= 1
        else:
            blocks.append(TextBlock(line.text, line.page))
    return blocks


def _find_below(lines: Sequence[Line], known: dict[int, list[Heading]]) -> dict[int, list[Heading]]:
    """Return headings that have no bookmark, below those that have one.

    Numbered ones stand out, or have three numbers in sequence. Others have a font of headings that is no
    larger than the smallest of those with bookmarks.
    """
    fonts = HeadingFonts(lines, _is_title)
    marks = {place: heading for place, headings in known.items() for heading in headings if heading.length}
    styles = {(lines[place].font, lines[place].size) for place in marks}
    least = min((size for _, size in styles), default=0.0)
    numbers = {number: marks[place].level for place in marks if (number := read_number(marks[place].title))}
    shifts = Counter(level - number.count(".") for number, level in numbers.items())
    shift = shifts.most_common(1)[0][0] if shifts else 0
    found: dict[int, list[Heading]] = {}
    last: tuple[int, ...] = ()
    level, covered = 0, 0
    below: list[tuple[int, Paragraph]] = []
    for place, paragraph in enumerate(fonts.paragraphs):
        for heading in (each for at in paragraph.places for each in known.get(at, ())):
            last = split_number(read_number(heading.title)) or last
            level, covered = heading.level, paragraph.first + heading.length
        if paragraph.first < covered:
            continue
        number = read_number(paragraph.text)
        parts = split_number(number)
        if shifts and len(parts) > 1 and number not in numbers and _is_title(paragraph.text):
            if fonts.stands_out(paragraph.lines[0]) or (len(parts) > 2 and follows(last, parts)):
                level, last = max(1, len(parts) - 1 + shift), parts
                found[paragraph.first] = [Heading(paragraph.text, level, len(paragraph.lines))]
        elif (
            level
            and fonts.is_heading(place)
            and paragraph.style not in styles
            and paragraph.style[1] <= least
        ):
            below.append((level, paragraph))
    ranks = _rank_fonts([_find_look(paragraph) for _, paragraph in below])
    for level, paragraph in below:
        rank = 1 + ranks[_find_look(paragraph)]
        found[paragraph.first] = [Heading(paragraph.text, level + rank, len(paragraph.lines))]
    return found


def _find_by_font(lines: Sequence[Line], contents: set[str]) -> dict[int, list[Heading]]:
    """Return headings by the printed contents, by numbers in sequence, and by fonts that stand out."""
    fonts = HeadingFonts(lines, _is_title)
    chosen = _remove_unlisted(list(_choose_candidates(fonts, contents)))
    levels = _find_levels(chosen)
    return {
        each.paragraph.first: [Heading(each.text, level, len(each.paragraph.lines))]
        for each, level in zip(chosen, levels, strict=True)
    }


def _choose_candidates(fonts: HeadingFonts, contents: set[str]) -> Iterable[_Candidate]:
    last: tuple[int, ...] = ()
    for place, paragraph, label in _join_labels(fonts):
        title = paragraph.text
        text = f"{label.text} {title}" if label else title
        number = read_number(text)
        parts = split_number(number)
        stands_out = fonts.stands_out(paragraph.lines[0])
        is_listed = bool({make_key(text), make_key(title), make_key(strip_number(title))} & contents)
        is_heading = fonts.is_heading(place)
        is_next = bool(number) and follows(last, parts) and (is_heading or len(parts) > 1)
        if not (_is_title(text) or (is_listed and number and stands_out)):
            continue
        if number and (is_listed or label or is_next):
            last = parts
        elif is_heading or (stands_out and (label or (is_listed and fonts.is_alone(paragraph)))):
            number = ""
        else:
            continue
        whole = Paragraph(label.first, (*label.lines, *paragraph.lines)) if label else paragraph
        yield _Candidate(whole, text, number, is_listed)


def _join_labels(fonts: HeadingFonts) -> Iterable[tuple[int, Paragraph, Paragraph | None]]:
    """Yield paragraphs, each with the label of a chapter above, such as "Chapter 6"."""
    lines: tuple[Line, ...] = ()
    for place, paragraph in enumerate(fonts.paragraphs):
        label = Paragraph(paragraph.first - len(lines), lines)
        more = (*lines, *paragraph.lines)
        if is_label(Paragraph(0, more).text):
            lines = more
        elif is_label(paragraph.text):
            lines = paragraph.lines
        elif is_label(label.text) and _is_label_of(lines[-1], paragraph, fonts):
            lines = ()
            yield place, paragraph, label
        else:
            lines = paragraph.lines if starts_label(paragraph.text) else ()
            yield place, paragraph, None


def _is_label_of(label: Line, paragraph: Paragraph, fonts: HeadingFonts) -> bool:
    line = paragraph.lines[0]
    return (
        label.page == line.page
        and label.size <= _SAME_SIZE * line.size
        and not read_number(paragraph.text)
        and fonts.stands_out(line)
        and fonts.is_alone(paragraph)
    )


def _remove_unlisted(chosen: Sequence[_Candidate]) -> list[_Candidate]:
    """Return headings without those that complete printed contents would name.

    The contents are complete for the depths of numbers, and the sizes of fonts, of which they name many.
    """
    depths: dict[int, list[bool]] = defaultdict(list)
    sizes: dict[float, list[bool]] = defaultdict(list)
    for each in chosen:
        if each.number:
            depths[each.number.count(".")].append(each.is_listed)
        sizes[each.line.size].append(each.is_listed)
    complete = {depth for depth, listed in depths.items() if sum(listed) >= max(2, _LISTED * len(listed))}
    common = {size for size, listed in sizes.items() if sum(listed) >= max(2, _LISTED * len(listed))}
    least = min(common, default=float("inf"))
    return [
        each
        for each in chosen
        if each.is_listed
        or is_labelled(each.text)
        or (
            each.number.count(".") not in complete
            if each.number
            else each.line.size in common or each.line.size <= least
        )
    ]


def _find_levels(chosen: Sequence[_Candidate]) -> list[int]:
    """Return the levels of headings: by their numbers, or by the ranks of their fonts."""
    numbered = [each for each in chosen if each.number]
    has_numbers = len(numbered) * 4 > len(chosen)
    if not has_numbers:
        ranks = _rank_fonts(_find_look(each.paragraph) for each in chosen)
        return [1 + ranks[_find_look(each.paragraph)] for each in chosen]
    sizes: dict[int, Counter[float]] = defaultdict(Counter)
    for each in numbered:
        sizes[each.number.count(".")][each.line.size] += 1
    typical = [counts.most_common(1)[0][0] for _, counts in sorted(sizes.items())]
    levels, depth = [], 0
    for each in chosen:
        if each.number:
            depth = each.number.count(".") + 1
            levels.append(depth)
        else:
            larger = sum(size > _SAME_SIZE * each.line.size for size in typical)
            levels.append(min(depth, larger) + 1)
    return levels


def _find_look(paragraph: Paragraph) -> tuple[float, bool, bool]:
    line = paragraph.lines[-1]
    return line.size, line.text.isupper(), line.bold


def _rank_fonts(looks: Iterable[tuple[float, bool, bool]]) -> dict[tuple[float, bool, bool], int]:
    """Return the rank of each look of headings, from 0: larger ones first, then capitals, then bold."""
    ranks: dict[tuple[float, bool, bool], int] = {}
    rank, last = -1, None
    for look in sorted(set(looks), reverse=True):
        is_same = last is not None and last[0] <= _SAME_SIZE * look[0] and last[1:] == look[1:]
        rank += not is_same
        ranks[look], last = rank, look
    return ranks


def _list_entries(contents: Sequence[str]) -> set[str]:
    """Return the keys of the titles in printed contents, which take up to three lines each."""
    keys: set[str] = set()
    for place, line in enumerate(contents):
        title = _strip_page(line)
        for count in range(_ENTRY_LINES):
            if count and (
                count > place or _strip_page(contents[place - count]) != contents[place - count].strip()
            ):
                break
            if count:
                title = f"{contents[place - count]} {title}"
            keys |= {make_key(title), make_key(strip_number(title))}
    return keys - {""}


def _is_title(text: str) -> bool:
    """Whether a line can be a heading: few words, a letter at its start, no end of a sentence."""
    title = strip_number(text)
    return (
        bool(_LETTERS.search(title))
        and len(text.split()) <= _MOST_WORDS
        and title.lstrip(_OPENING)[:1].isupper()
        and not is_label(text)
        and not starts_label(text)
        and not _CAPTION.match(title)
        and not _EQUATION.search(title)
        and not text.rstrip().endswith((".", ",", ";", ":", "-"))
        and sum(character.isalpha() or character.isspace() for character in title) > 0.6 * len(title)
    )


def _strip_page(title: str) -> str:
    return _PAGE.sub("", title)
