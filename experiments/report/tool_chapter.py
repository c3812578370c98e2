"""The chapter on tools and retrieved passages: how far each result got on its way to a right answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ansatz.eval.score import PERCENT
from ansatz.experiments.attribution.funnel import (
    FAULTS,
    STAGES,
    FunnelRow,
    ToolUse,
    has_few_calls,
    read_tool_use,
)
from ansatz.experiments.report.tables import COUNT, Chapter, Column, Entry, Section, Table, read_notes
from ansatz.experiments.results import Results, System

NOTES = read_notes(__name__)
_TITLE = "What became of tool results"
_MOST_PASSAGES = 20  # rows of the table in the report
_FIRST = Column("arm: source")
_PASSAGE_STAGES = {"called": "retrieved", "used": "used", "in answer": "in answer", "right": "right"}


def funnel_tables(found: ToolUse) -> list[Table]:
    """Return the funnel, the faults, and the counts of each retrieved passage."""
    rows = [row for row in found.rows() if row.offered != 0 or row.calls]  # without those not yet asked
    share = "in % of the attempts that were offered it"
    tables = [
        _make_table("funnel", f"What became of each source, {share}", found, rows, STAGES),
        _make_table(
            "faults", f"Attempts with such a call, {share}", found, list(filter(_has_fault, rows)), FAULTS
        ),
    ]
    if passages := found.passages():
        columns = [_FIRST, *(Column(name, COUNT, better="neither") for name in _PASSAGE_STAGES.values())]
        counts: list[list[Entry]] = [
            [_name(found.data, row), *(row.counts[stage] for stage in _PASSAGE_STAGES)] for row in passages
        ]
        caption = f"Attempts by retrieved equation or passage{found.data.simulation_note}."
        tables.append(Table("passages", caption, columns, counts, _MOST_PASSAGES))
    return [table for table in tables if table.rows]


def _has_fault(row: FunnelRow) -> bool:
    return any(row.counts[fault] for fault in FAULTS)


def _make_table(
    name: str, caption: str, found: ToolUse, rows: Sequence[FunnelRow], kinds: Sequence[str]
) -> Table:
    names = ("offered", "calls")
    columns = [_FIRST, *(Column(each, COUNT, better="neither") for each in names)]
    columns += [Column(kind, PERCENT, better="neither") for kind in kinds]
    entries: list[list[Entry]] = [
        [_name(found.data, row), row.offered, row.calls, *(row.shares[kind] for kind in kinds)]
        for row in rows
    ]
    return Table(name, f"{caption}{found.data.simulation_note}.", columns, entries)


def _name(data: Results, row: FunnelRow) -> str:
    return f"{data.label(System(row.model, row.arm))}: {row.source}"


def chapter(data: Results) -> Chapter | None:
    """Make the chapter on tools and retrieved passages; None for a run without any."""
    if not has_few_calls(data):
        note = "The run has many attempts with tool calls: `ansatz funnel RUN` reads them all."
        return Chapter("tools", _TITLE, [Section("Not read here", notes=(note,))])
    found = read_tool_use(data)
    tables = funnel_tables(found)
    if not tables:
        return None
    notes = (NOTES["funnel"], *found.notes)
    section = Section("From the call to the answer", [*_findings(found)], tables, notes=notes)
    return Chapter("tools", _TITLE, [section])


def _findings(found: ToolUse) -> Iterator[str]:
    """Yield a sentence for each source on how far it got."""
    for row in found.rows():
        counts, who = row.counts, _name(found.data, row)
        if not row.offered and not row.calls:
            continue
        is_tool = row.kind == "tool"
        if not counts["called"]:
            reached = "was never called" if is_tool else "never gave passages"
            yield f"{who} {reached} in {row.offered} attempts"
            continue
        of = f" of {row.offered}" if row.offered is not None else ""
        reached = "was called in" if is_tool else "gave passages in"
        yield (
            f"{who} {reached} {counts['called']}{of} attempts, used in {counts['used']}, "
            f"part of the answer in {counts['in answer']}, and that answer was right in {counts['right']}"
        )
