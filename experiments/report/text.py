"""Tables and chapters as text: Markdown for report.md, rows for CSV and JSON files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ansatz.eval.problem import Target
from ansatz.experiments.report.tables import PROBABILITY, Chapter, Column, Entry, Section, Table, as_estimate
from ansatz.experiments.results import Estimate

_PARTS = ("sigma", "low", "high", "p", "n", "families", "dropped")
_TAG = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])(?!br>)")
# Control characters but line ends and tabs, and what turns the direction of text around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_P = Column("p", PROBABILITY)


def chapter_markdown(chapter: Chapter) -> list[str]:
    """Return the blocks of a chapter, to be joined by blank lines."""
    return [f"## {chapter.title}", *(block for each in chapter.sections for block in _section(chapter, each))]


def _section(chapter: Chapter, section: Section) -> Iterator[str]:
    yield f"### {section.title}"
    if section.findings:
        yield "\n".join(f"- {finding}" for finding in section.findings)
    for figure in section.figures:
        yield f"![{figure.caption}]({chapter.name}/{figure.file})"
    for table in map(_without_empty_columns, section.tables):
        left_out = len(table.rows[table.max_rows :]) if table.max_rows else 0
        more = f" The {left_out} further rows are in {chapter.name}/{table.file}." if left_out else ""
        yield f"{table.caption}{more}"
        yield markdown_table(table)
    yield from section.notes


def _without_empty_columns(table: Table) -> Table:
    """Move columns of numbers without any value to the caption, if another one has values."""

    def has_value(at: int) -> bool:
        return any(isinstance(row[at], str) or as_estimate(row[at]).value is not None for row in table.rows)

    numbers = [at for at, column in enumerate(table.columns) if column.scale is not None]
    empty = [at for at in numbers if not has_value(at)]
    if len(empty) in (0, len(numbers)):
        return table
    wanted = [at for at in range(len(table.columns)) if at not in empty]
    return replace(
        table,
        caption=f"{table.caption} Without a value: {', '.join(table.columns[at].name for at in empty)}.",
        columns=[table.columns[at] for at in wanted],
        rows=[[row[at] for at in wanted] for row in table.rows],
    )


def markdown_table(table: Table) -> str:
    """Format a table as Markdown: text columns to the left, numbers to the right."""
    names = [column.name for column in table.columns]
    rule = ["---" if column.scale is None else "---:" for column in table.columns]
    rows = [
        [show(column, entry) for column, entry in zip(table.columns, row, strict=True)]
        for row in table.rows[: table.max_rows]
    ]
    lines = ([cell.replace("|", "\\|") for cell in line] for line in (names, rule, *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def show(column: Column, entry: Entry) -> str:
    """Format an entry as a cell of a Markdown table."""
    if column.scale is None or isinstance(entry, str):
        return "–" if entry is None else str(entry)
    if not isinstance(entry, Estimate):
        return column.show(entry)
    text = short(column, entry)
    if column.change and entry.is_significant:
        text = f"**{text}**"
    details = [f"p {_P.show(entry.p)}"] * (entry.p is not None or entry.dropped is not None)
    if entry.n is not None:
        details.append(f"n {entry.n}{'' if entry.families in (None, entry.n) else f' in {entry.families}'}")
    if entry.dropped is not None:
        details.append(f"dropped {entry.dropped}")
    return f"{text}<br>{', '.join(details)}" if details and column.change else text


def show_end(column: Column, entry: Estimate, end: float) -> str:
    """Format an end of an interval; one that a star depends on is never shown as zero."""
    starred = column.change and entry.is_significant and column.scale is not None
    return column.scale.show_end(end) if starred and column.scale else column.show(end)


def short(column: Column, entry: Estimate) -> str:
    """Format the number with its interval or standard deviation."""
    text = column.show(entry.value)
    if entry.low is not None and entry.high is not None:
        text += f" [{show_end(column, entry, entry.low)}, {show_end(column, entry, entry.high)}]"
    if entry.sigma is not None and column.scale is not None:
        text += f" ± {column.scale.show_size(entry.sigma)}"
    return text


def records(table: Table) -> list[dict[str, Any]]:
    """Return rows by column name, numbers on the scale shown; an estimate's parts follow as `name_low` etc.

    All rows have the same fields: those that the estimates of a column have in any row. Signs in Ansatz's own
    names are ASCII.
    """
    rows: list[dict[str, Any]] = [{} for _ in table.rows]
    for at, column in enumerate(table.columns):
        entries = [row[at] for row in table.rows]
        parts = [
            part
            for part in _PARTS
            if any(isinstance(each, Estimate) and getattr(each, part) is not None for each in entries)
        ]
        for row, entry in zip(rows, entries, strict=True):
            row |= _fields(column, entry, parts)
    return rows


def table_csv(table: Table) -> str:
    rows = records(table)
    return csv_text(list(rows[0]) if rows else list(map(_field_name, table.columns)), rows)


def csv_cell(value: Any) -> Any:
    """Make a value safe for CSV: control characters are made visible, and formulas are neutralised.

    A text that a spreadsheet would run gets an apostrophe in front.
    """
    if not isinstance(value, str):
        return value
    shown = printable(value, _CONTROL)
    return f"'{shown}" if value.startswith(_FORMULA) else shown


def csv_text(header: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Format rows as CSV; a missing value is an empty cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator="\n")
    writer.writerow({name: csv_cell(name) for name in header})
    writer.writerows({name: csv_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def chapter_json(chapter: Chapter) -> dict[str, Any]:
    return {
        "name": chapter.name,
        "title": chapter.title,
        "sections": [
            {
                "title": section.title,
                "findings": list(section.findings),
                "tables": {table.name: records(table) for table in section.tables},
                "notes": list(section.notes),
            }
            for section in chapter.sections
        ],
    }


_ASCII = str.maketrans({"−": "-", "–": "-", "×": "x", "Δ": "delta"})
"""Signs that Ansatz uses in the names of columns."""


def _field_name(column: Column) -> str:
    return column.name.translate(_ASCII)


def _fields(column: Column, entry: Entry, parts: Sequence[str]) -> dict[str, Any]:
    scale, name = column.scale, _field_name(column)
    if scale is None:
        return {name: entry}
    estimate = as_estimate(entry)
    found = {name: entry if isinstance(entry, str) else scale.to_number(estimate.value, change=column.change)}
    for part in parts:
        value = getattr(estimate, part)
        if part == "p":
            value = rounded(value)
        if part in ("sigma", "low", "high"):
            value = scale.to_number(value, change=column.change or part == "sigma")
        found[f"{name}_{part}"] = value
    return found


def format_target(target: Target, digits: int | None = None) -> str:
    """Format the right value of a quantity with its unit, with all digits or with `digits`."""
    value = f"{target.value:.{digits}g}" if digits and isinstance(target.value, float) else str(target.value)
    unit = getattr(target, "unit", "-")
    return f"{target.name} = {value}{'' if unit == '-' else f' {unit}'}"


def rounded(p: float | None) -> float | None:
    return None if p is None else round(p, 5)


def literal(markdown: str) -> str:
    """Escape HTML tags in names and reasons; line breaks of Ansatz stay."""
    return _TAG.sub(r"\\<", markdown)


def printable(text: str, hidden: re.Pattern[str] = _HIDDEN) -> str:
    """Replace characters that would control a terminal or reorder a line."""
    return hidden.sub(
        lambda found: chr(0x2400 + ord(found[0])) if found[0] < " " else f"‹U+{ord(found[0]):04X}›", text
    )


def sentence(text: str) -> str:
    """Add a full stop unless the text is empty or has one."""
    return f"{text}." if text and not text.endswith((".", "?", "!")) else text
