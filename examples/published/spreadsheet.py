"""Read the cells of an Excel file: texts and numbers, nothing computed."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_sheet(content: bytes, sheet: str | int = 0) -> list[list[str | float | None]]:
    """Return the rows of a sheet, by its name or its number from 0, as lists of cells."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(f"{_MAIN}sheets/{_MAIN}sheet")
        names = [each.get("name") for each in sheets]
        chosen = sheets[names.index(sheet) if isinstance(sheet, str) else sheet]
        links = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
        target = next(each.get("Target", "") for each in links if each.get("Id") == chosen.get(_LINK))
        shared: list[str] = []
        if "xl/sharedStrings.xml" in book.namelist():
            texts = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            shared = ["".join(each.itertext()) for each in texts]
        rows = ElementTree.fromstring(book.read("xl/" + target.removeprefix("/xl/"))).iter(f"{_MAIN}row")
        return [_read_row(row, shared) for row in rows]


def _read_row(row: ElementTree.Element, shared: list[str]) -> list[str | float | None]:
    cells: list[str | float | None] = []
    for cell in row:
        column = 0
        for letter in re.match(r"[A-Z]+", cell.get("r", "A"))[0]:  # type: ignore[index]
            column = 26 * column + ord(letter) - ord("A") + 1
        cells += [None] * (column - 1 - len(cells))
        kind, value = cell.get("t"), cell.find(f"{_MAIN}v")
        if kind == "inlineStr":
            cells.append("".join(cell.itertext()))
        elif value is None or value.text is None:
            cells.append(None)
        elif kind == "s":
            cells.append(shared[int(value.text)])
        else:
            cells.append(value.text if kind in ("str", "b", "e") else float(value.text))
    return cells
