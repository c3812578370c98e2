"""Find the headings that the bookmarks of a PDF name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.knowledge_base.handbook.pdf_lines import Bookmark, Line
from ansatz.knowledge_base.handbook.pdf_numbers import make_key, strip_number

_LONGEST_MARK = 30  # words of a bookmark
_CLOSE = 0.02  # share of a page's height between a bookmark's target and its line


@dataclass(frozen=True)
class Heading:
    """A heading at a line of a document."""

    title: str
    level: int
    """From 1."""
    length: int
    """How many lines it takes; 0 if no line is the heading."""


def match_bookmarks(lines: Sequence[Line], bookmarks: Sequence[Bookmark]) -> dict[int, list[Heading]]:
    """Return the headings of bookmarks by their line: that with the title, or the first below the target.

    The result is empty if fewer than half of the titles are lines of the text.
    """
    by_page: dict[int, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        by_page[line.page].append(place)
    found: dict[int, list[Heading]] = defaultdict(list)
    least = matched = wanted = 0
    for mark in bookmarks:
        places = [place for place in by_page[mark.page] if place >= least] or by_page[mark.page]
        if not places or len(mark.title.split()) > _LONGEST_MARK:  # a page without text; a marked paragraph
            continue
        least, heading = _place_title(lines, places, mark)
        found[least].append(heading)
        wanted, matched = wanted + 1, matched + bool(heading.length)
    return found if matched * 2 > wanted else {}  # else they are not headings: Word marks any spot


def _place_title(lines: Sequence[Line], places: Sequence[int], mark: Bookmark) -> tuple[int, Heading]:
    wanted, target = make_key(mark.title), mark.top
    matches: list[tuple[int, int]] = []
    for place in places:
        joined = ""
        for length in range(1, 4):
            if place + length > len(lines):
                break
            joined += make_key(lines[place + length - 1].text)
            if (
                joined == wanted
                or make_key(strip_number(lines[place].text)) + joined[len(make_key(lines[place].text)) :]
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
        return place, Heading(written, mark.level, length)
    below = [place for place in places if target is not None and lines[place].top <= target + _CLOSE]
    return (below or places)[0], Heading(mark.title, mark.level, 0)
