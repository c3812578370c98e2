"""`ansatz data curate`: from source text to problem sets, with a model and a human."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli.console import FAILED, AsJson, BadInput, Steps, print_rows

if TYPE_CHECKING:
    from ansatz.eval.benchmarks.apbench.curate.pipeline import Curated
    from ansatz.eval.benchmarks.apbench.curate.stages import Stage


def curate(
    sources: Annotated[list[Path], typer.Argument(help="Text files with worked examples.")],
    model: Annotated[str, typer.Option("--model", help='"provider:model", such as openai:gpt-5.2.')],
    out: Annotated[Path, typer.Option("--out", help="The folder of the stage files.")],
    until: Annotated[
        str, typer.Option("--until", help="Stop after this stage, to review its file.")
    ] = "answer",
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Of a server that speaks the API.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make problem sets of worked examples: examples, problem, content, questions, split, format, answer.

    Each of these stages writes a file that may be edited before the next run, which goes on from it;
    finished items are not asked about again. The last one writes sets.json, which the benchmark apbench
    reads by `path`, and doubts.json: numbers that are in no source or solution. Exit status 1: some items
    could not be treated.
    """
    from ansatz.eval.benchmarks.apbench.curate.files import read_sources
    from ansatz.eval.benchmarks.apbench.curate.stages import STAGES
    from ansatz.quantities.did_you_mean import nearest

    stages = {stage.name: stage for stage in STAGES}
    if until not in stages:
        raise BadInput(f"--until: there is no stage {until!r}{nearest(until, stages)}")
    items = read_sources(sources)
    with Steps() as advance:
        curated = asyncio.run(_curate(model, base_url, items, (out, stages[until]), advance))
    _print(curated, out, as_json)
    if curated.faults:
        raise typer.Exit(FAILED)


async def _curate(
    model: str,
    base_url: str | None,
    items: list[dict[str, str]],
    goal: tuple[Path, Stage],
    advance: Steps,
) -> Curated:
    from ansatz.agents.models import connect
    from ansatz.eval.benchmarks.apbench.curate.pipeline import Curator
    from ansatz.eval.benchmarks.apbench.curate.pipeline import curate as run

    folder, until = goal
    client = connect(model, {"base_url": base_url} if base_url else {})
    try:
        return await run(Curator(client, folder), items, until, advance)
    finally:
        await client.aclose()


def _print(curated: Curated, out: Path, as_json: bool) -> None:
    rows = [
        {
            "stage": f"{each.stage.number} {each.stage.name}",
            "read": each.read,
            "asked": each.asked,
            "made": each.made,
            "faults": len(each.faults),
            "file": each.stage.file_name,
        }
        for each in curated.stages
    ]
    if as_json:
        told = {"stages": rows, "faults": curated.faults, "sets": curated.sets, "doubts": curated.doubts}
        print(json.dumps(told, indent=2, ensure_ascii=False))
        return
    print_rows(rows, False)
    for id, why in curated.faults.items():
        print(f"{id}: {why}")
    for doubt in curated.doubts:
        print(f"look at {doubt['id']}, {doubt['field']}: {doubt['doubt']}")
    if curated.sets is None:
        print(f"Review {out / curated.stages[-1].stage.file_name} and run again.")
    else:
        print(f"{curated.sets} sets in {out / 'sets.json'}")
