"""Commands on why an intervention helped: funnel, replay."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli.console import (
    FAILED,
    INTERRUPTED,
    AsJson,
    Names,
    RunFolder,
    console,
    print_json,
    print_rows,
    run_until_terminated,
)
from ansatz.errors import BadInput

if TYPE_CHECKING:
    from ansatz.eval.score import Dimension
    from ansatz.experiments.replay.effect import ReplayEffect
    from ansatz.experiments.replay.replay_run import Replays

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
    tables = funnel_tables(found)
    for table in tables:
        shown = replace(table, rows=table.rows[: table.max_rows])
        for part in rendered(shown, screen.width):
            screen.print(part)
        if left_out := len(table.rows) - len(shown.rows):
            screen.print(f"{left_out} more with --json.")
    for note in found.notes:
        screen.print(note, markup=False, highlight=False)
    if not found.sources:
        print("No arm of this run has tools or retrieved passages.")
    elif not tables:
        print("No attempt of an arm with tools or retrieved passages has finished.")
    if calls:
        print_rows(call_records(found), False)


@app.command()
def replay(
    folder: RunFolder,
    drop: Annotated[
        str | None, typer.Option(metavar="tool=NAME", help="Take this tool away, from its first call on.")
    ] = None,
    hide_result: Annotated[
        int | None, typer.Option("--hide-result", metavar="N", min=1, help="Hide the result of call N.")
    ] = None,
    perturb: Annotated[
        str | None, typer.Option(metavar="result=±5%", help="Change the numbers of the first result.")
    ] = None,
    noop: Annotated[
        bool,
        typer.Option("--noop", help="The placebo: change nothing. With a change, from the same cut."),
    ] = False,
    tool: Annotated[str | None, typer.Option(help="Count only calls of this tool.")] = None,
    draws: Annotated[
        int | None, typer.Option(min=1, help="Replays of each attempt; default 3, or 1 at temperature 0.")
    ] = None,
    arm: Annotated[Names, typer.Option("--arm", help="Only this arm; may be repeated.")] = None,
    model: Annotated[Names, typer.Option("--model", help="Only this model; may be repeated.")] = None,
    problem: Annotated[Names, typer.Option("--problem", help="Only this problem; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="N problems, spread over families.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the replays; default RUN/replays.")] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="DOLLARS", help="Stop before they cost more.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count replays and requests, and stop.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure what a tool call was worth: ask again from the stored conversation, with one change.

    Only what comes after the cut is asked. Finished replays are stored: run the same command again to resume.
    """
    from ansatz.experiments.replay.change import make_changes
    from ansatz.experiments.replay.replay_run import plan, run_replays
    from ansatz.experiments.running.progress import Progress
    from ansatz.experiments.study import Study

    changes = make_changes(_parse_drop(drop), hide_result, perturb, noop, tool)
    study = Study.from_run(folder).only(models=model, problems=problem, limit=limit)
    planned = plan(study.design, folder, changes, draws, arms=arm or (), out=out)
    if dry_run:
        print(
            f"{len(planned.attempts)} replays; {planned.most_requests} requests if each makes as many as its "
            f"original after the cut; {planned.skipped} attempts have no such call"
        )
        return
    screen = console(stderr=True)
    work = run_replays(planned, folder, Progress(screen, planned.settings.name), out, max_cost)
    try:
        done = asyncio.run(run_until_terminated(work))
    except (KeyboardInterrupt, asyncio.CancelledError):
        screen.print("Interrupted. Finished replays are stored; run the same command again to continue.")
        raise typer.Exit(INTERRUPTED) from None
    _show_replays(done, as_json)
    if any(each.failed for each in done.effects_found):
        screen.print("Failed replays have no score; run the same command again to retry them.")
        raise typer.Exit(FAILED)


def _parse_drop(given: str | None) -> str | None:
    """Return the tool's name in the value of --drop."""
    kind, _, name = (given or "").partition("=")
    if given is not None and (kind != "tool" or not name):
        raise BadInput(f"--drop {given}: write tool=NAME")
    return name or None


def _show_replays(done: Replays, as_json: bool) -> None:
    """Print the effects on headline dimensions, or all as JSON, and where the replays are stored."""
    if as_json:
        effects = [each.to_json() for each in done.effects_found]
        print_json({"folder": str(done.folder), "skipped": done.skipped, "effects": effects})
        return
    from ansatz.experiments.ledger.stored_results import read_results
    from ansatz.experiments.report.comparisons import headline_dimensions

    headline = {each.name: each for each in headline_dimensions(read_results(done.folder))}
    print_rows(
        [
            _make_row(each, headline[each.dimension])
            for each in done.effects_found
            if each.dimension in headline
        ],
        False,
    )
    print(
        "effect: score with the call minus score with the change, with its 95 % interval over families; "
        "--json has every dimension, as stored from 0 to 1"
    )
    if done.skipped:
        print(f"{done.skipped} attempts of these arms have no such call.")
    print(f"Replays are stored in {done.folder}; `ansatz view` shows them.")


def _make_row(found: ReplayEffect, dimension: Dimension) -> dict[str, object]:
    scale = dimension.scale
    effect = scale.show_change(found.effect)
    if found.low is not None and found.high is not None:
        effect += f" [{scale.show_end(found.low)}, {scale.show_end(found.high)}]"
    return {
        **{name: getattr(found, name) for name in ("model", "arm", "tool", "change", "control")},
        "dimension": f"{found.dimension} ({scale.name})",
        "with call": scale.show(found.with_call),
        "changed": scale.show(found.changed),
        "effect": effect,
        **{name: getattr(found, name) for name in ("attempts", "families", "draws")},
    }
