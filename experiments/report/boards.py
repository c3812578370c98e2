"""A leaderboard in four forms: JSON, CSV, Markdown, and a page that sorts and fetches nothing."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from ansatz.eval.score import Scale
from ansatz.eval.views import Board, BoardColumn, Column, Entry, Estimate, Table
from ansatz.experiments.report.text import csv_text, markdown_table, short


def board_files(board: Board) -> dict[str, str]:
    """The same places in every form, by file name."""
    content = {"title": board.title.partition(": ")[2], "notices": board.notices, "places": board.places}
    table = _table(board)
    markdown = "\n\n".join([f"# {board.title}", *board.notices, markdown_table(table)])
    return {
        f"{board.name}.json": json.dumps(content, indent=2, ensure_ascii=False) + "\n",
        f"{board.name}.csv": csv_text(list(board.places[0]), board.places),
        f"{board.name}.md": f"{markdown}\n",
        f"{board.name}.html": page(board),
    }


def _table(board: Board) -> Table:
    columns = [Column(shown.title, _scale(shown)) for shown in board.columns.values()]
    rows = [[_entry(board, at, name) for name in board.columns] for at in range(len(board.places))]
    return Table(board.name, "", columns, rows)


def _scale(shown: BoardColumn) -> Scale | None:
    """Values of a place are on their scale already."""
    return None if shown.decimals is None else Scale(shown.title, 1, shown.decimals)


def _entry(board: Board, at: int, name: str) -> Entry:
    """A place's value as an entry of a table, with its interval if it has one; a simulated model says so."""
    place = board.places[at]
    value = place[name]
    if board.columns[name].decimals is None:
        simulated = " (simulated)" if name == "model" and place.get("simulated") else ""
        return f"{value or ''}{simulated}"
    number, low, high = (
        None if each is None or isinstance(each, str) else float(each)
        for each in (value, place.get(f"{name}_low"), place.get(f"{name}_high"))
    )
    return Estimate(number, low, high) if f"{name}_low" in place else number


def page(board: Board) -> str:
    """One self-contained page: nothing is fetched, columns sort, and it reads on a phone."""
    table = _table(board)
    heads = [
        f'<th scope="col" class="{_classes(shown)}"><button type="button">{escape(shown.title)}</button></th>'
        for shown in board.columns.values()
    ]
    rows = [
        "".join(_cell(*each) for each in zip(board.columns.values(), table.columns, row, strict=True))
        for row in table.rows
    ]
    return _template().substitute(
        title=escape(board.title),
        notices="\n".join(f"<p>{escape(notice)}</p>" for notice in board.notices),
        head="\n".join(heads),
        body="\n".join(f"<tr>{row}</tr>" for row in rows),
    )


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("leaderboard.html").read_text(encoding="utf-8"))


def _classes(shown: BoardColumn) -> str:
    return " ".join(["text" if shown.decimals is None else "number", *(["detail"] if shown.detail else [])])


def _cell(shown: BoardColumn, column: Column, entry: Entry) -> str:
    """What the page shows, and by what it sorts."""
    if column.scale is None or isinstance(entry, str):
        text, value = str(entry), escape(str(entry).lower(), quote=True)
    else:
        estimate = entry if isinstance(entry, Estimate) else Estimate(entry)
        text = short(column, estimate)
        value = "" if estimate.value is None else f"{estimate.value:g}"
    return f'<td class="{_classes(shown)}" data-value="{value}">{escape(text)}</td>'
