"""`ansatz benchmark physbench`: make regional variants of problems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import AsJson, Seed, check_writable, print_rows

app = typer.Typer(no_args_is_help=True, help="PhysBench: make regional variants.")

Originals = Annotated[Path, typer.Argument(help="JSONL in the item schema.")]
Region = Annotated[str, typer.Option("--region", help="asia, africa or south_america_oceania.")]
Out = Annotated[Path, typer.Option("--out", help="The JSONL file to write.")]


@app.command()
def vary(
    originals: Originals,
    out: Out,
    region: Region = "asia",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Replace names, places and objects by those of a region, if the new object fits the story.

    Problems in which nothing can be replaced are listed and not written.
    """
    from ansatz.eval import problem_files
    from ansatz.eval.benchmarks.physbench.variants import make_variant, read_pack

    check_writable(out, source=originals)
    pack = read_pack(region)
    found = [make_variant(problem, pack, seed) for problem in problem_files.load(str(originals))]
    variants = [each.problem for each in found if each.problem]
    problem_files.dump(variants, str(out))
    rows = [
        {
            "id": each.original.id,
            "replaced": ", ".join(f"{old} → {new}" for old, new in each.words.items()) or "nothing",
            "unchanged": "; ".join(f"{text or 'all'}: {reason}" for text, reason in each.unchanged.items()),
        }
        for each in found
    ]
    print_rows(rows, as_json)
    if not as_json:
        print(f"{len(variants)} variants of {len(found)} problems in {out}")
