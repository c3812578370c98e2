"""`ansatz data`: curate problem sets and split them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli.console import AsJson, Seed, print_found, print_warnings

if TYPE_CHECKING:
    from ansatz.eval.curation.candidate import Candidate
    from ansatz.eval.curation.solvability import SolvabilityOpinion

app = typer.Typer(no_args_is_help=True, help="Curate problem sets: gate and split.")

Out = Annotated[Path | None, typer.Option("--out", help="The folder to write.")]
Ratio = Annotated[str, typer.Option("--ratio", help="Shares of train, dev and test.")]
NO_GO = 3


@app.command()
def gate(
    candidates: Annotated[Path, typer.Argument(help="JSONL, one candidate per line; fields may be missing.")],
    out: Out = None,
    review: Annotated[
        Path | None, typer.Option("--review", help="The review queue with filled-in dispositions.")
    ] = None,
    review_all: Annotated[
        bool, typer.Option("--review-all", help="Also queue items without a warning.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the trial split.")] = 0,
    model: Annotated[str, typer.Option("--model", help="provider:model that judges solvability.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check candidates in five stages; exit status 0 is go, 3 is no-go.

    --model judges items without a reference solution.

    --out writes accepted.jsonl, rejected.jsonl, review.jsonl, provenance.jsonl, funnel.json and
    manifest.json. To review, fill in `disposition` (accept, revise with an edited item, reject) in
    review.jsonl and run again with --review.
    """
    from ansatz.eval.curation.candidate import read_candidates
    from ansatz.eval.curation.gate import gate as run_gate
    from ansatz.eval.curation.gate import select_unjudged
    from ansatz.eval.curation.review import read_dispositions

    passed, malformed = read_candidates(candidates)
    print_warnings([f"{each.place}: {each.message}" for each in malformed], "warning: ")
    dispositions = read_dispositions(review) if review else None
    opinions = _request_opinions(select_unjudged(passed), model) if model else {}
    result = run_gate(passed, malformed, dispositions, opinions, review_all=review_all, seed=seed)
    if out:
        result.write(out, [candidates, *([review] if review else [])], seed)
    print_found(result.summary(), as_json)
    if not result.go:
        raise typer.Exit(NO_GO)


@app.command()
def split(
    items: Annotated[Path, typer.Argument(help="JSONL, CSV or Parquet of problems, such as accepted.jsonl.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    seed: Seed = 0,
    ratio: Ratio = "60/20/20",
    as_json: AsJson = False,
) -> None:
    """Split items into train, dev and test: families and chapters stay whole, levels have similar shares."""
    from ansatz.eval.curation.splits import parse_ratio, split_problems, write_split
    from ansatz.eval.problem_files import load

    shares = parse_ratio(ratio)
    problems = load(items)
    manifest = write_split(split_problems(problems, seed, shares), problems, items, out)
    print_found({key: value for key, value in manifest.items() if key != "items"}, as_json)


def _request_opinions(candidates: list[Candidate], model: str) -> dict[str, SolvabilityOpinion]:
    from ansatz.agents.models import connect
    from ansatz.eval.curation.solvability import request_opinions

    async def ask() -> dict[str, SolvabilityOpinion]:
        async with aclosing(connect(model)) as client:
            return await request_opinions(client, candidates)

    return asyncio.run(ask())
