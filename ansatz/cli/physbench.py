"""`ansatz benchmark physbench`: tell problems anew for a region, and check that they stay the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ansatz.cli.console import FAILED, AsJson, BadInput, Seed, Steps, check_writable, print_json, print_rows

if TYPE_CHECKING:
    from ansatz.agents.client import ModelClient
    from ansatz.eval.benchmarks.physbench.variants.invariance import Change
    from ansatz.eval.benchmarks.physbench.variants.rewriter import Rewrite
    from ansatz.eval.problem import Problem

T = TypeVar("T")
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
        computed = found
        found = _asked(second_opinion, {}, lambda client: _with_opinions(client, pairs, computed))
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


@app.command()
def rewrite(
    originals: Originals,
    out: Out,
    model: Annotated[str, typer.Option("--model", help="provider:model that writes the candidates.")],
    region: Region = "asia",
    temperature: Annotated[float | None, typer.Option("--temperature", help="Of the candidates.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a model for five candidates a problem and keep the best that is the same problem and plausible.

    Where every candidate is rejected the original stays in the file, and the reason is shown.
    """
    from ansatz.eval import problem_files

    check_writable(out, source=originals)
    problems = problem_files.load(str(originals))
    settings = {} if temperature is None else {"temperature": temperature}
    found = _asked(model, settings, lambda client: _rewritten(client, region, problems))
    problem_files.dump([each.problem or each.original for each in found], str(out))
    rows = [
        {
            "id": each.original.id,
            "candidates": len(each.candidates),
            "accepted": sum(not candidate.reasons for candidate in each.candidates),
            "kept": "variant" if each.problem else f"original: {each.reason}",
        }
        for each in found
    ]
    print_rows(rows, as_json)
    if not as_json:
        print(f"{sum(each.problem is not None for each in found)} of {len(found)} told anew in {out}")


def _asked(model: str, settings: dict[str, float], ask: Callable[[ModelClient], Coroutine[Any, Any, T]]) -> T:
    """What is had of a model, which is closed afterwards."""
    from ansatz.agents.models import connect

    async def asked() -> T:
        async with aclosing(connect(model, settings)) as client:
            return await ask(client)

    return asyncio.run(asked())


async def _rewritten(client: ModelClient, region: str, problems: tuple[Problem, ...]) -> list[Rewrite]:
    from ansatz.eval.benchmarks.physbench.variants import pack
    from ansatz.eval.benchmarks.physbench.variants.rewriter import rewrite as ask
    from ansatz.eval.concurrency import each_of

    with Steps() as advance:
        return await each_of(
            problems,
            lambda problem: ask(client, pack(region), problem),
            lambda done: advance("Rewriting", done, len(problems)),
        )


async def _with_opinions(
    client: ModelClient, pairs: list[tuple[Problem, Problem]], found: list[tuple[Change, ...]]
) -> list[tuple[Change, ...]]:
    """The computed changes, and those that the model sees where there are none."""
    from ansatz.eval.benchmarks.physbench.variants.rewriter import second_opinion

    return [
        changes or await second_opinion(client, *pair) for pair, changes in zip(pairs, found, strict=True)
    ]


def _original_of(variant: Problem, known: dict[str, Problem], file: Path) -> Problem:
    named = variant.tags.get("original_id") or variant.id.rpartition("@")[0] or variant.id
    if named in known:
        return known[str(named)]
    from ansatz.quantities.did_you_mean import nearest

    raise BadInput(f"{file}: {variant.id}: no original {named!r}{nearest(str(named), known)}")
