"""`ansatz benchmark physbench`: make regional variants, and compare them with their originals."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli.console import FAILED, AsJson, BadInput, Seed, check_writable, print_json, print_rows

if TYPE_CHECKING:
    from ansatz.eval.benchmarks.physbench.variants.invariance import Change
    from ansatz.eval.problem import Problem

app = typer.Typer(no_args_is_help=True, help="PhysBench: make regional variants, and check variants.")

Originals = Annotated[Path, typer.Argument(help="JSONL in the item schema.")]
Region = Annotated[str, typer.Option("--region", help="asia, africa or south_america_oceania.")]
Opinion = Annotated[
    str, typer.Option("--second-opinion", help="provider:model that reads what numbers cannot show.")
]
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

    Problems in which nothing can be exchanged are left out and listed.
    """
    from ansatz.eval import problem_files
    from ansatz.eval.benchmarks.physbench.variants import pack
    from ansatz.eval.benchmarks.physbench.variants import vary as retell

    check_writable(out, source=originals)
    found = [retell(problem, pack(region), seed) for problem in problem_files.load(str(originals))]
    variants = [each.problem for each in found if each.problem]
    problem_files.dump(variants, str(out))
    rows = [
        {
            "id": each.original.id,
            "exchanged": ", ".join(f"{old} → {new}" for old, new in each.words.items()) or "nothing",
            "kept": "; ".join(f"{text or 'all'}: {reason}" for text, reason in each.kept.items()),
        }
        for each in found
    ]
    print_rows(rows, as_json)
    if not as_json:
        print(f"{len(variants)} of {len(found)} problems varied in {out}")


@app.command()
def check(
    originals: Originals,
    variants: Annotated[Path, typer.Argument(help="JSONL in the item schema, the variants.")],
    second_opinion: Opinion = "",
    as_json: AsJson = False,
) -> None:
    """Compare variants with their originals; exit status 1 if one is no longer the same problem.

    Numbers, units, symbols, formulas, options and keys are computed; conditions and what is asked are seen by
    a second opinion only. A variant names its original by its tag `original_id`, or its id up to the last @.
    """
    from ansatz.eval import problem_files
    from ansatz.eval.benchmarks.physbench.variants.invariance import check as compare
    from ansatz.quantities.did_you_mean import nearest

    known = {problem.id: problem for problem in problem_files.load(str(originals))}
    pairs = []
    for each in problem_files.load(str(variants)):
        named = str(each.tags.get("original_id") or each.id.rpartition("@")[0] or each.id)
        if named not in known:
            raise BadInput(f"{variants}: {each.id}: no original {named!r}{nearest(named, known)}")
        pairs.append((known[named], each))
    found = [compare(original, each) for original, each in pairs]
    if second_opinion:
        found = asyncio.run(_with_opinions(second_opinion, pairs, found))
    rows = [
        {"variant": each.id, "change": change.kind, "what": change.what}
        for (_, each), changes in zip(pairs, found, strict=True)
        for change in changes
    ]
    rejected = len({row["variant"] for row in rows})
    if as_json:
        print_json({"checked": len(pairs), "rejected": rejected, "changes": rows})
    else:
        if rows:
            print_rows(rows, False)
        print(f"{len(pairs)} checked, {rejected} rejected")
    if rows:
        raise typer.Exit(FAILED)


async def _with_opinions(
    model: str, pairs: list[tuple[Problem, Problem]], found: list[tuple[Change, ...]]
) -> list[tuple[Change, ...]]:
    """The computed changes, and those that the model sees where there are none."""
    from ansatz.agents.models import connect
    from ansatz.eval.benchmarks.physbench.variants.invariance import second_opinion

    async with aclosing(connect(model, {})) as client:
        return [
            changes or await second_opinion(client, *pair) for pair, changes in zip(pairs, found, strict=True)
        ]
