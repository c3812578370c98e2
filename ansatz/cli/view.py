"""Commands that show or export a run: view, show, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import INTERRUPTED, AsJson, RunFolder, console, print_json, print_rows
from ansatz.errors import BadInput

app = typer.Typer()


@app.command()
def view(
    folder: Annotated[Path, typer.Argument(help="A run folder, or what B is compared with.")],
    b: Annotated[
        str | None, typer.Argument(help="Run B: the page compares it with the first, as `compare` does.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The page's folder; default RUN/view, or B/compared.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    follow: Annotated[bool, typer.Option("--watch", help="Update the page while the run goes on.")] = False,
) -> None:
    """Write a page of the run for a browser: differences, arms by problem, and every transcript.

    With two runs, the page shows their answers side by side, largest changes first.
    """
    from ansatz.experiments.view import watch, write_view

    is_first = True

    def show_once(index: Path) -> None:
        nonlocal is_first
        if is_first:
            print(index)
            if open_:
                typer.launch(str(index))
        is_first = False

    if b is not None:
        if follow:
            raise BadInput("--watch is for one run")
        show_once(_compare(folder, b, out))
    elif not follow:
        show_once(write_view(folder, out))
    else:
        try:
            watch(folder, out, show_once)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


def _compare(a: Path, b: str, out: Path | None) -> Path:
    """Write the page of a comparison."""
    from ansatz.experiments.comparing.comparison import compare

    found = compare(a, b)
    folder = found.b.folder or found.a.folder
    if out is None and folder is None:
        raise BadInput("give at least one run folder: summary files have no questions")
    return found.view(out or Path(str(folder)) / "compared")


@app.command()
def show(
    folder: RunFolder,
    problem: Annotated[str | None, typer.Option("--problem", help="The arms at this problem.")] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option("--arm", help="One: its conversation; two: their differences."),
    ] = None,
    failed: Annotated[bool, typer.Option("--failures", help="Attempts that gave no answer.")] = False,
    lost_by: Annotated[
        str | None, typer.Option("--lost-by", metavar="ARM", help="Problems where the arm did worse.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a run in the terminal: the arms at a problem, failures, or problems where an arm is worse."""
    from ansatz.experiments.ledger.stored_results import read_results
    from ansatz.experiments.view.show import attempts_at, failures, losses, show_problem

    if sum((problem is not None, failed, lost_by is not None)) != 1:
        raise BadInput("show takes one of --problem X, --failures and --lost-by ARM")
    if problem is None:
        data = read_results(folder)
        rows = failures(data) if lost_by is None else losses(data, lost_by)
        print_rows(rows, as_json)
        if not rows and not as_json:
            print("none")
        return
    data, found = attempts_at(folder, problem, arm or ())
    if as_json:
        print_json(found)
    else:
        show_problem(data, found, console(), whole=bool(arm))


@app.command()
def export(
    folder: RunFolder,
    to: Annotated[str | None, typer.Option("--to", help="parquet, csv, jsonl, inspect, or ledger.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Default RUN/export/FORMAT.")] = None,
) -> None:
    """Write attempts, scores and deltas as tables, logs of Inspect, or a backup of the ledger.

    A backup is consistent while the run goes on. Its folder is a run: report it, or resume it.
    """
    from ansatz.experiments.export import FORMATS, write_inspect_logs, write_tables
    from ansatz.experiments.ledger.file import back_up
    from ansatz.experiments.run import Run
    from ansatz.quantities import nearest

    kinds = [*FORMATS, "inspect", "ledger"]
    if to is None:
        tables = ", ".join(FORMATS)
        raise BadInput(f"name a format by --to: {tables} (tables), inspect (its logs), ledger (a backup)")
    if to not in kinds:
        raise BadInput(f"--to {to}: there is no such format{nearest(to, kinds)}")
    place = out or folder / "export" / to
    if to == "ledger":
        written = [back_up(folder, place)]
    else:
        written = (
            write_inspect_logs(folder, place) if to == "inspect" else write_tables(Run(folder), to, place)
        )
    for path in written:
        print(path)
