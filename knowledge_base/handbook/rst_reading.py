"""Read reStructuredText: headings, paragraphs, items of lists, rows of tables, code and formulas."""

from __future__ import annotations

import csv
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ansatz.knowledge_base.handbook.document import TextBlock
from ansatz.knowledge_base.handbook.text_reading import split_items

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_MARKUP = re.compile(
    r"\.\.(?:\s+|$)(?:\|[^|]+\|\s+)?(?:(?P<name>[\w:.+-]+)::(?:\s+|$))?(?P<rest>.*)", re.DOTALL
)
_EXPLICIT = re.compile(r"\s*\.\.\s+(?:_|\[|[\w:.+-]+::)")
_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_SIMPLE_BORDER = re.compile(r"\s*=+(?:\s+=+)+\s*$")
_GRID_BORDER = re.compile(r"\s*\+(?:[-=]+\+)+\s*$")
_CODE = {"code", "code-block", "sourcecode", "parsed-literal", "literal", "productionlist", "prompt"}
_NO_TEXT = {
    "toctree", "image", "include", "literalinclude", "index", "contents", "raw", "meta", "highlight", "role",
    "default-role", "bibliography", "tabularcolumns", "replace", "unicode", "plot",
}  # fmt: skip
_INLINE = [
    (re.compile(r":math:`([^`]*)`"), r"$\1$"),
    (re.compile(r"(?:(?<!\w):[\w:+.-]+:)?`~?([^`<]+?)\s*<[^`>]*>`_{0,2}"), r"\1"),
    (re.compile(r"(?<!\w):[\w:+.-]+:`[~!]?([^`]*)`"), r"\1"),
    (re.compile(r"``(.+?)``"), r"\1"),
    (re.compile(r"`([^`]+)`_{0,2}"), r"\1"),
    (re.compile(r"(?<![\w*])\*\*(\S(?:.*?\S)?)\*\*(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?!\w)"), r"\1"),
    (re.compile(r"(\[[\w#*-]+\])_\b"), r"\1"),
    (re.compile(r"\\ "), ""),
]


def read_rst(text: str) -> list[TextBlock]:
    """Return the blocks of reStructuredText. Unknown directives leave their text."""
    return list(_RstReader().read(text.expandtabs().split("\n")))


class _RstReader:
    def __init__(self) -> None:
        self._adornments: list[tuple[str, bool]] = []  # in the order of their levels

    def read(self, lines: Sequence[str]) -> Iterator[TextBlock]:
        place = 0
        while place < len(lines):
            line = lines[place]
            if not line.strip():
                place += 1
            elif size := self._count_heading(lines, place):
                title = lines[place + (size == 3)].strip()
                key = (lines[place + size - 1][0], size == 3)
                if key not in self._adornments:
                    self._adornments.append(key)
                yield TextBlock(_clean(title), None, self._adornments.index(key) + 1)
                place += size
            elif re.match(r"\s*\.\.(\s|$)", line):
                end = _find_end(lines, place)
                yield from self._read_markup(lines[place].strip(), lines[place + 1 : end])
                place = end
            elif _SIMPLE_BORDER.match(line) or _GRID_BORDER.match(line):
                end = _find_table_end(lines, place)
                yield from map(TextBlock, _read_table(lines[place:end]))
                place = end
            else:
                end = place + 1
                while end < len(lines) and lines[end].strip() and not _EXPLICIT.match(lines[end]):
                    end += 1
                yield from _read_paragraph(lines[place:end])
                place = end
                if lines[end - 1].rstrip().endswith("::"):
                    place = _find_end(lines, end - 1)
                    yield from _make_code(lines[end:place])

    def _count_heading(self, lines: Sequence[str], place: int) -> int:
        """Return the number of lines of the heading that begins here, 0 if there is none."""
        first, second, third = (*lines[place : place + 3], "", "")[:3]
        over = _ADORNMENT.match(first)
        if over and second.strip() and third.rstrip() == first.rstrip():
            return 3
        is_under = not over and not first.startswith(" ") and _ADORNMENT.match(second)
        return 2 if is_under and len(second.strip()) * 5 >= len(first.strip()) * 4 else 0

    def _read_markup(self, first: str, body: Sequence[str]) -> Iterator[TextBlock]:
        """Read a directive, a footnote, or a comment, which has no text."""
        found = _MARKUP.match(first)
        name, rest = (found["name"] or "", found["rest"]) if found else ("", "")
        if not name:
            if rest.startswith("["):
                yield from self.read([rest, *textwrap.dedent("\n".join(body)).split("\n")])
            return
        kind = name.rpartition(":")[2]
        options, content = _split_options(textwrap.dedent("\n".join(body)).split("\n"))
        if kind in _NO_TEXT:
            return
        if kind == "math":
            formula = " ".join(" ".join([rest, *content]).split())
            yield TextBlock(f"$${formula}$$")
        elif kind in _CODE:
            yield from _make_code(content)
        elif kind in ("csv-table", "list-table"):
            rows = _read_list(content) if kind == "list-table" else csv.reader(map(str.strip, content))
            header = next(csv.reader([options.get("header", "")], skipinitialspace=True), [])
            written = [" | ".join(each.strip() for each in row) for row in [[rest], header, *rows]]
            yield from (TextBlock(_clean(row)) for row in written if row.strip(" |"))
        else:
            if rest and kind not in ("figure", "only", "container", "class", "tab-set"):
                yield TextBlock(_clean(rest))
            yield from self.read(content)


def _find_end(lines: Sequence[str], place: int) -> int:
    """Return the end of what is indented below a line."""
    indent = len(lines[place]) - len(lines[place].lstrip())
    end = place + 1
    while end < len(lines) and (
        not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent
    ):
        end += 1
    return end


def _split_options(lines: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    options: dict[str, str] = {}
    for number, line in enumerate(lines):
        if not (found := _OPTION.fullmatch(line.strip())):
            return options, lines[number:]
        options[found[1]] = found[2]
    return options, []


def _make_code(lines: Sequence[str]) -> Iterator[TextBlock]:
    code = textwrap.dedent("\n".join(lines)).strip("\n")
    if code.strip():
        yield TextBlock("\n".join(line.rstrip() for line in code.split("\n") if line.strip()))


def _read_paragraph(lines: Sequence[str]) -> Iterator[TextBlock]:
    """Yield a paragraph, or the items of a list."""
    for item in split_items([line.strip().removeprefix("| ") for line in lines]):
        if re.search(r"\w", text := _clean(item)):
            yield TextBlock(text.removesuffix(":") if text.endswith("::") else text)


def _find_table_end(lines: Sequence[str], place: int) -> int:
    is_grid = bool(_GRID_BORDER.match(lines[place]))
    for end in range(place + 1, len(lines)):
        if is_grid and not lines[end].strip().startswith(("+", "|")):
            return end
        after = lines[end + 1] if end + 1 < len(lines) else ""
        if not is_grid and _SIMPLE_BORDER.match(lines[end]) and not after.strip():
            return end + 1
    return len(lines)


def _read_table(lines: Sequence[str]) -> Iterator[str]:
    """Yield the rows of a grid or a simple table, with cells separated by bars."""
    is_grid = bool(_GRID_BORDER.match(lines[0]))
    starts = [found.start() + is_grid for found in re.finditer(r"\+(?=[-=])" if is_grid else "=+", lines[0])]
    row: list[str] = []
    for line in [*lines, ""]:
        is_border = line.strip().startswith("+") or _SIMPLE_BORDER.match(line) or not line.strip()
        parts = [] if is_border else [line[a:b] for a, b in pairwise([*starts, None])]
        cells = [part.strip(" |") for part in parts]
        if row and cells and (is_grid or not cells[0]):  # another line of the same row
            row = [" ".join(filter(None, pair)) for pair in zip(row, cells, strict=True)]
            continue
        if any(row):
            yield _clean(" | ".join(row))
        row = cells


def _read_list(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of a list-table: `* - a` begins a row, `- b` a cell."""
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith(("* ", "*\t")):
            rows.append([])
        if rows and (cell := re.match(r"[*\s]*-(?:\s+(.*)|$)", line)):
            rows[-1].append(cell[1] or "")
        elif rows and rows[-1] and line.strip():
            rows[-1][-1] += f" {line.strip()}"
    return rows


def _clean(text: str) -> str:
    """Return text without the markup of roles, links and emphasis; formulas are in dollars."""
    for pattern, meaning in _INLINE:
        text = pattern.sub(meaning, text)
    return text
