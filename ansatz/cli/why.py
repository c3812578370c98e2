"""Commands on why an intervention helped: funnel."""

from __future__ import annotations

from typing import Annotated

import typer

from ansatz.cli.console import AsJson, RunFolder, console, print_json, print_rows

app = typer.Typer()


@app.command()
def funnel(
    folder: RunFolder,
    calls: Annotated[bool, typer.Option("--calls", help="List every tool call, too, with its use.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print what became of tool results and retrieved passages: called, used, in the answer, right.

    It reads stored transcripts and makes no request.
    """
    from dataclasses import replace

    from ansatz.experiments.attribution.frames import call_records, funnel_records
    from ansatz.experiments.attribution.funnel import read_tool_use
    from ansatz.experiments.ledger.stored_results import read_results
    from ansatz.experiments.report.summary import rendered
    from ansatz.experiments.report.tool_chapter import funnel_tables

    found = read_tool_use(read_results(folder))
    if as_json:
        more = {"calls": call_records(found)} if calls else {}
        print_json({"funnel": funnel_records(found), "notes": list(found.notes), **more})
        return
    screen = console()
    for table in funnel_tables(found):
        shown = replace(table, rows=table.rows[: table.max_rows])
        for part in rendered(shown, screen.width):
            screen.print(part)
        if more := len(table.rows) - len(shown.rows):
            screen.print(f"{more} more with --json.")
    for note in found.notes:
        screen.print(note, markup=False, highlight=False)
    if not found.sources:
        print("No arm of this run has tools or retrieved passages.")
    if calls:
        print_rows(call_records(found), False)
