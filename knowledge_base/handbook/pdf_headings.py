"""Find the headings among the lines of a PDF: by its bookmarks, its printed contents, fonts and numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.knowledge_base.handbook.document import TextBlock
from ansatz.knowledge_base.handbook.pdf_lines import Bookmark, Line

_NUMBERED = re.compile(
    r"(?:(?P<word>chapter|appendix|annex|part)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+|(?<=\s)[A-Z])"
    r"[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_LARGER = 1.12  # size of an unnumbered heading relative to that of the text
_MOST_WORDS = 14  # of a heading
_LONGEST_MARK = 30  # words of a bookmark
_CLOSE = 0.02  # share of a page's height between a bookmark's target and its line
_LETTERS = re.compile(r"[^\W\d_]{3}")
_CAPTION = re.compile(r"(?:figure|fig\.|table|equation|note)\s", re.IGNORECASE)
_EQUATION = re.compile(r"=|\([\dA-Z.-]+\)$")
_FEW_WORDS = 8  # of a heading in bold that is no larger than the text
_APPENDIX = 1000  # the number of appendix A


@dataclass(frozen=True)
class _Heading:
    title: str
    level: int
    length: int
    """How many lines it takes; 0 if no line is the heading."""


def mark_headings(
    lines: Sequence[Line], bookmarks: Sequence[Bookmark], contents: Iterable[str]
) -> list[TextBlock]:
    """Return lines as blocks, with headings marked by their level.

    Args:
        lines: Those of the whole document.
        bookmarks: The outline; it is used if it has one entry at least for every twenty pages.
        contents: The lines of the printed contents, which name headings.
    """
    pages = lines[-1].page if lines else 0
    found = _match_bookmarks(lines, bookmarks) if len(bookmarks) * 20 >= pages and bookmarks else {}
    if found:
        found = {**_find_numbered(lines, found), **found}
    else:
        found = _find_by_font(lines, {_key(_strip_page(title)) for title in contents})
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


def _match_bookmarks(lines: Sequence[Line], bookmarks: Sequence[Bookmark]) -> dict[int, list[_Heading]]:
    """Return the headings of bookmarks by their line: that with the title, or the first below the target.

    The result is empty if fewer than half of the titles are lines of the text.
    """
    by_page: dict[int, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        by_page[line.page].append(place)
    found: dict[int, list[_Heading]] = defaultdict(list)
    least = matched = wanted = 0
    for mark in bookmarks:
        places = [place for place in by_page[mark.page] if place >= least] or by_page[mark.page]
        if not places or len(mark.title.split()) > _LONGEST_MARK:  # a page without text; a marked paragraph
            continue
        least, heading = _place_title(lines, places, mark)
        found[least].append(heading)
        wanted, matched = wanted + 1, matched + bool(heading.length)
    return found if matched * 2 > wanted else {}  # else they are not headings: Word marks any spot


def _place_title(lines: Sequence[Line], places: Sequence[int], mark: Bookmark) -> tuple[int, _Heading]:
    wanted, target = _key(mark.title), mark.top
    matches: list[tuple[int, int]] = []
    for place in places:
        joined = ""
        for length in range(1, 4):
            if place + length > len(lines):
                break
            joined += _key(lines[place + length - 1].text)
            if (
                joined == wanted
                or _key(_NUMBERED.sub("", lines[place].text, count=1))
                + joined[len(_key(lines[place].text)) :]
                == wanted
            ):
                matches.append((place, length))
                break
            if len(joined) > len(wanted) + 20:
                break
    if matches:
        place, length = min(
            matches, key=lambda each: abs(lines[each[0]].top - target) if target is not None else each[0]
        )
        written = " ".join(lines[place + offset].text for offset in range(length))
        return place, _Heading(written, mark.level, length)
    below = [place for place in places if target is not None and lines[place].top <= target + _CLOSE]
    return (below or places)[0], _Heading(mark.title, mark.level, 0)


def _find_numbered(lines: Sequence[Line], known: dict[int, list[_Heading]]) -> dict[int, list[_Heading]]:
    """Return numbered headings that have no bookmark: they stand out, or have three numbers in sequence."""
    titles = [heading for headings in known.values() for heading in headings]
    depths = {
        number: heading.level - number.count(".") - 1
        for heading in titles
        if (number := _read_number(heading.title))
    }
    if not depths:
        return {}
    shift = Counter(depths.values()).most_common(1)[0][0]
    body = _find_body_size(lines)
    found = {}
    last: tuple[int, ...] = ()
    for place, line in enumerate(lines):
        for heading in known.get(place, ()):
            last = _split_number(_read_number(heading.title)) or last
        number = _read_number(line.text)
        if "." not in number or number in depths or not _is_title(line.text):
            continue
        parts = _split_number(number)
        is_next = len(parts) > 2 and _follows(last, parts)
        if is_next or line.bold or line.size > body * 1.05:
            found[place] = [_Heading(line.text, max(1, len(parts) + shift), 1)]
            last = parts
    return found


def _find_by_font(lines: Sequence[Line], contents: set[str]) -> dict[int, list[_Heading]]:
    """Return headings by the printed contents, by numbers in sequence, and by fonts that stand out."""
    body = _find_body_size(lines)
    plain_is_bold = sum(line.bold for line in lines) * 2 > len(lines)
    chosen: list[tuple[int, Line, str]] = []
    last: tuple[int, ...] = ()
    for place, line in enumerate(lines):
        if not _is_title(line.text):
            continue
        is_bold = line.bold and not plain_is_bold
        stands_out, is_listed = is_bold or line.size > body * 1.05, _key(line.text) in contents
        number = _read_number(line.text)
        parts = _split_number(number)
        if number and (is_listed or (_follows(last, parts) and (stands_out or len(parts) > 1))):
            chosen.append((place, line, number))
            last = parts
        elif is_listed or line.size > body * _LARGER or (is_bold and len(line.text.split()) <= _FEW_WORDS):
            chosen.append((place, line, ""))
    has_numbers = sum(bool(number) for *_, number in chosen) * 4 > len(chosen)
    if has_numbers:
        chosen = [
            each
            for each in chosen
            if each[2] or each[1].size > body * _LARGER or _key(each[1].text) in contents
        ]
    sizes = sorted({line.size for _, line, number in chosen if not number}, reverse=True)
    found: dict[int, list[_Heading]] = {}
    depth = 0
    for place, line, number in chosen:
        if number:
            level = depth = number.count(".") + 1
        elif has_numbers:
            level = 1 if line.size > body * _LARGER else depth + 1
        else:
            level = 1 + sizes.index(line.size)
        found[place] = [_Heading(line.text, level, 1)]
    return found


def _find_body_size(lines: Iterable[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _is_title(text: str) -> bool:
    """Whether a line can be a heading: few words, a letter at its start, no end of a sentence."""
    title = _NUMBERED.sub("", text, count=1)
    return (
        bool(_LETTERS.search(title))
        and len(text.split()) <= _MOST_WORDS
        and title[:1].isupper()
        and not _CAPTION.match(title)
        and not _EQUATION.search(title)
        and not text.rstrip().endswith((".", ",", ";", ":", "-"))
        and sum(character.isalpha() or character.isspace() for character in title) > 0.6 * len(title)
    )


def _read_number(text: str) -> str:
    """Return the number of a heading, such as "3.2.1" or "A.1"; "" if it has none."""
    match = _NUMBERED.match(text)
    return match["number"].upper() if match and (match["word"] or not match["number"].isalpha()) else ""


def _split_number(number: str) -> tuple[int, ...]:
    """Return the parts of a number; appendices come after all chapters."""
    return tuple(
        int(part) if part.isdigit() else _APPENDIX + ord(part) - ord("A")
        for part in number.split(".")
        if part
    )


def _follows(last: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether a number comes next after another: 3.2.1, 3.3, 4 or A after 3.2. One number may be missing."""
    if not last or new[0] == _APPENDIX:
        return set(new[1:]) <= {1} and new[0] in (1, _APPENDIX)
    if new == (*last, 1):
        return True
    shared = len(new) - 1
    if len(last) > shared and last[:shared] == new[:shared]:
        return 0 < new[shared] - last[shared] <= 2
    return len(new) == 2 and new[1] == 1 and new[0] == last[0] + 1


def _strip_page(title: str) -> str:
    return re.sub(r"[\s.…_]*\d*\s*$", "", title)


def _key(title: str) -> str:
    return re.sub(r"[\W_]", "", title).casefold()
