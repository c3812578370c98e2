"""The lines and bookmarks of a PDF, read with PDFium."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Line:
    """One line of a page."""

    text: str
    page: int
    """From 1."""
    top: float
    """The distance from the lower edge of the page, as a share of its height."""
    size: float
    """The size of the font, in points."""
    bold: bool


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
    import pypdfium2.raw as pdfium

    page = pdf[number]
    height = page.get_height() or 1.0
    text_page = page.get_textpage()
    text, place = text_page.get_text_range(), 0
    carried = ""  # the beginning of a word that continues on the next line
    box, matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    for written in text.split("\n"):
        content = written.rstrip("\r")
        if not content.isprintable():
            content = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], content)
            content = "".join(
                each for each in content if each.isprintable() or each in _HYPHENS or each == "\t"
            )
        if content.strip():
            first = place + len(written) - len(written.lstrip())
            character = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, first)
            pdfium.FPDFText_GetLooseCharBox(text_page, character, box)
            pdfium.FPDFText_GetMatrix(text_page, character, matrix)
            size = pdfium.FPDFText_GetFontSize(text_page, character) * math.hypot(matrix.b, matrix.d)
            bold = pdfium.FPDFText_GetFontWeight(text_page, character) >= _BOLD or _is_bold(
                text_page, character
            )
            content = carried + " ".join(content.split())
            carried = content.rstrip("".join(_HYPHENS)) if content.endswith(_HYPHENS) else ""
            if not carried:
                content = content.translate(dict.fromkeys(map(ord, _HYPHENS), "-"))
                yield Line(content, number + 1, box.top / height, round(size, 1), bold)
        place += len(written) + 1
    if carried:
        yield Line(carried, number + 1, box.top / height, round(size, 1), bold)


def _is_bold(text_page: Any, character: int) -> bool:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text_page, character, name, 128, ctypes.c_int())
    return any(word in name.value.lower() for word in (b"bold", b"black", b"heavy", b"cmbx", b"sfbx"))


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
