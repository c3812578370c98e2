"""The lines and bookmarks of a PDF, read with PDFium."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.errors import InvalidData

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_BOLD = 600  # weight of a font, of 1000
_HYPHENS = ("\x02", "\ufffe")  # PDFium's marks of a word that continues on the next line
# Codes of ligatures in TeX's fonts (the encodings T1 and OT1), which a PDF without their meaning passes on.
_LIGATURES = {
    **dict(zip("\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
    **dict(zip("\x0b\x0c\x0e\x0f", ("ff", "fi", "ffi", "ffl"), strict=True)),
}
_LIGATURE = re.compile("[{0}](?=[a-z])|(?<=[a-z])[{0}]".format("".join(_LIGATURES)))
_DEPTH = 12  # levels of bookmarks


@dataclass(frozen=True, eq=False)
class Line:
    """One line of a page; two lines are never equal."""

    text: str
    page: int
    """From 1."""
    top: float
    """The distance from the lower edge of the page, as a share of its height."""
    base: float
    """The distance of its baseline from the lower edge of the page, as a share of its height."""
    size: float
    """The size of the font, in points."""
    bold: bool
    font: str
    """The name of the font of its first letter."""
    em: float
    """The size of the font, as a share of the page's height."""
    left: float
    right: float
    """The ends of the line, from the left edge, in the unit of `em`."""
    gap: float
    """The widest space between its words, in the unit of `em`; that of a row of a table is wide."""
    is_uniform: bool
    """Whether its first and its last letter have one font and size."""


@dataclass(frozen=True)
class Bookmark:
    """An entry of a PDF's outline."""

    title: str
    level: int
    """From 1."""
    page: int
    """From 1."""
    top: float | None
    """Where it points to on the page, as a share of its height."""


def read_lines(path: Path, name: str) -> tuple[list[list[Line]], list[Bookmark]]:
    """Return the lines of each page, and the bookmarks. Raises InvalidData."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as failure:
        is_locked = "password" in str(failure).lower()
        reason = "is encrypted; save a copy without a password" if is_locked else "is not a readable PDF"
        raise InvalidData(f"{name}: {reason}") from None
    try:
        pages = [list(_read_page(pdf, number)) for number in range(len(pdf))]
        return pages, list(_read_bookmarks(pdf))
    except pypdfium2.PdfiumError as failure:
        raise InvalidData(f"{name}: is damaged: {failure}") from None
    finally:
        pdf.close()


def _read_page(pdf: PdfDocument, number: int) -> Iterator[Line]:
    """Yield the lines of a page; the font of a line is that of its first letter."""
    page = pdf[number]
    height = page.get_height() or 1.0
    text_page = page.get_textpage()
    text, place = text_page.get_text_range(), 0
    carried = ""  # the beginning of a word that continues on the next line
    line: Line | None = None
    for written in text.split("\n"):
        content = _clean_text(written)
        if content.strip():
            content = carried + " ".join(content.split())
            carried = content.rstrip("".join(_HYPHENS)) if content.endswith(_HYPHENS) else ""
            line = _measure_line(text_page, written, place, number + 1, height)
            if not carried:
                yield replace(line, text=content.translate(dict.fromkeys(map(ord, _HYPHENS), "-")))
        place += _count_units(written) + 1
    if carried and line:
        yield replace(line, text=carried)


def _count_units(text: str) -> int:
    """Return the length of a text in the units of UTF-16, which PDFium counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _clean_text(written: str) -> str:
    """Return a line without control characters, its ligatures as letters."""
    content = written.rstrip("\r")
    if content.isprintable():
        return content
    content = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], content)
    return "".join(each for each in content if each.isprintable() or each in _HYPHENS or each == "\t")


def _measure_line(text_page: Any, written: str, place: int, page: int, height: float) -> Line:
    """Return a line without its text: its place and fonts."""
    import pypdfium2.raw as pdfium

    letters = [at for at, character in enumerate(written) if character.isalpha()]
    start, stop = len(written) - len(written.lstrip()), len(written.rstrip())
    first, end, letter, last = (
        pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, place + _count_units(written[:at]))
        for at in (start, stop - 1, letters[0] if letters else start, letters[-1] if letters else start)
    )
    box, matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    pdfium.FPDFText_GetLooseCharBox(text_page, first, box)
    pdfium.FPDFText_GetMatrix(text_page, first, matrix)
    across, baseline = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text_page, first, across, baseline)
    scale = math.hypot(matrix.b, matrix.d)
    size = pdfium.FPDFText_GetFontSize(text_page, first) * scale
    font, last_font = _read_font(text_page, letter), _read_font(text_page, last)
    last_size = pdfium.FPDFText_GetFontSize(text_page, last) * scale
    pieces = _read_pieces(text_page, first, end - first + 1)
    gap = max((after[0] - before[1] for before, after in pairwise(pieces)), default=0.0)
    return Line(
        text="",
        page=page,
        top=box.top / height,
        base=baseline.value / height,
        size=round(size, 1),
        bold=pdfium.FPDFText_GetFontWeight(text_page, letter) >= _BOLD or _is_bold(font),
        font=font,
        em=size / height,
        left=min((left for left, _ in pieces), default=box.left) / height,
        right=max((right for _, right in pieces), default=box.right) / height,
        gap=gap / height,
        is_uniform=font == last_font and abs(size - last_size) < 0.1 * size,
    )


def _read_pieces(text_page: Any, first: int, count: int) -> list[tuple[float, float]]:
    """Return the left and right ends of the pieces that a line was written in, from the left."""
    import pypdfium2.raw as pdfium

    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    pieces = []
    for number in range(pdfium.FPDFText_CountRects(text_page, first, count)):
        pdfium.FPDFText_GetRect(text_page, number, left, top, right, bottom)
        pieces.append((left.value, right.value))
    return sorted(pieces)


def _read_font(text_page: Any, character: int) -> str:
    """Return the name of a character's font, without the prefix of a subset."""
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text_page, character, name, 128, ctypes.c_int())
    return name.value.decode("latin-1").rpartition("+")[2]


def _is_bold(font: str) -> bool:
    return any(word in font.lower() for word in ("bold", "black", "heavy", "cmbx", "sfbx"))


def _read_bookmarks(pdf: PdfDocument) -> Iterator[Bookmark]:
    import pypdfium2.raw as pdfium

    at_height = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0, pdfium.PDFDEST_VIEW_FITBH: 0}
    for entry in pdf.get_toc(max_depth=_DEPTH):
        title, target = " ".join(entry.get_title().split()), entry.get_dest()
        number = None if target is None else target.get_index()
        if not title or target is None or number is None:
            continue
        mode, view = target.get_view()
        place = at_height.get(mode, len(view))
        height = pdf.get_page_size(number)[1] or 1.0
        top = view[place] / height if place < len(view) and view[place] else None
        yield Bookmark(title, entry.level + 1, number + 1, top)
