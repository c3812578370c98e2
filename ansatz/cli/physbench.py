"""`ansatz benchmark physbench`: tell problems anew for a region, and check that they stay the same."""

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

app = typer.Typer(no_args_is_help=True, help="Physics: tell problems anew for a region, check retellings.")

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
    """Exchange names, places and objects by those of a region, where an object can do what the story says.

    Problems in which nothing can be exchanged are left out and listed.
    """
    from ansatz.eval import problem_files
    from ansatz.eval.benchmarks.physbench.variants import pack
    from ansatz.eval.benchmarks.physbench.variants import vary as retell

    check_writable(out, source=originals)
    found = [retell(problem, pack(region), seed) for problem in problem_files.load(str(originals))]
    told = [each.problem for each in found if each.problem]
    problem_files.dump(told, str(out))
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
        print(f"{len(told)} of {len(found)} told anew in {out}")


@app.command()
def check(
    originals: Originals,
    variants: Annotated[Path, typer.Argument(help="JSONL in the item schema, the retold problems.")],
    second_opinion: Opinion = "",
    as_json: AsJson = False,
) -> None:
    """Compare retold problems with their originals; exit status 1 where one is no longer the same problem.

    Numbers, units, symbols, formulas, options and keys are computed; conditions and what is asked are seen by
    a second opinion only. A variant names its original by its tag `original_id`, or its id up to the last @.
    """
    from ansatz.eval import problem_files
    from ansatz.eval.benchmarks.physbench.variants.invariance import check as compare

    known = {problem.id: problem for problem in problem_files.load(str(originals))}
    pairs = [(_original_of(each, known, variants), each) for each in problem_files.load(str(variants))]
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


def _original_of(variant: Problem, known: dict[str, Problem], file: Path) -> Problem:
    named = variant.tags.get("original_id") or variant.id.rpartition("@")[0] or variant.id
    if named in known:
        return known[str(named)]
    from ansatz.quantities.did_you_mean import nearest

    raise BadInput(f"{file}: {variant.id}: no original {named!r}{nearest(str(named), known)}")
