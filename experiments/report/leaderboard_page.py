"""A table as one self-contained HTML page: it sorts by any column, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

Cell = tuple[str, float | None]
"""What is shown, and the number that it sorts by; None for text and for what is not known."""


@dataclass(frozen=True)
class Heading:
    """The head of a column; `is_detail` columns are hidden until they are asked for."""

    title: str
    is_text: bool = False
    is_detail: bool = False

    @property
    def classes(self) -> str:
        return " ".join(["text" if self.is_text else "number", *(["detail"] if self.is_detail else [])])


def page(
    title: str, notices: Sequence[str], headings: Sequence[Heading], rows: Sequence[Sequence[Cell]]
) -> str:
    """The page as text. Raises ValueError for a row that does not fit the headings."""
    return _template().substitute(
        title=escape(title),
        notices="\n".join(f"<p>{escape(notice)}</p>" for notice in notices),
        head="\n".join(_head(heading) for heading in headings),
        body="\n".join(_row(headings, row) for row in rows),
    )


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("leaderboard.html").read_text(encoding="utf-8"))


def _head(heading: Heading) -> str:
    button = f'<button type="button">{escape(heading.title)}</button>'
    return f'<th scope="col" class="{heading.classes}">{button}</th>'


def _row(headings: Sequence[Heading], row: Sequence[Cell]) -> str:
    cells = []
    for heading, (text, number) in zip(headings, row, strict=True):
        value = (
            escape(text.lower(), quote=True) if heading.is_text else "" if number is None else f"{number:g}"
        )
        cells.append(f'<td class="{heading.classes}" data-value="{value}">{escape(text)}</td>')
    return f"<tr>{''.join(cells)}</tr>"
