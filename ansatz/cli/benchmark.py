"""`ansatz benchmark`: the problems of any benchmark, to be read or written, and what one alone can do."""

from __future__ import annotations

import asyncio
import os
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli.console import FAILED, AsJson, BadInput, Seed, Steps, check_writable, print_json, print_rows

if TYPE_CHECKING:
    from ansatz.eval.benchmarks.physbench.variants.invariance import Change
    from ansatz.eval.problem import Problem

app = typer.Typer(no_args_is_help=True, help="Show and write problems, make them, tell them anew.")
thermoqa = typer.Typer(no_args_is_help=True, help="ThermoQA: make questions.")
physbench = typer.Typer(
    no_args_is_help=True, help="PhysBench: tell problems anew for a region, check retellings."
)
app.add_typer(thermoqa, name="thermoqa")
app.add_typer(physbench, name="physbench")

Originals = Annotated[Path, typer.Argument(help="JSONL in the item schema.")]
Region = Annotated[str, typer.Option("--region", help="asia, africa or south_america_oceania.")]
Opinion = Annotated[
    str, typer.Option("--second-opinion", help="provider:model that reads what numbers cannot show.")
]
Out = Annotated[Path, typer.Option("--out", help="The JSONL file to write.")]


@app.command()
def problems(
    named: Annotated[
        str, typer.Argument(metavar="NAME[:SETTING=VALUE,…]|FILE", help="A benchmark, or problems (JSONL).")
    ],
    only: Annotated[str, typer.Option("--only", help="Those whose ids start so.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="A JSONL file to write them to instead, in the item schema.")
    ] = None,
) -> None:
    """Show problems with their solutions, bounds and traps, to be read over; or write them.

    `tps:set=core,language=zh` is the benchmark tps with these settings.
    """
    if out is not None:
        check_writable(out)
    found = [each for each in read_problems(named) if each.id.startswith(only)]
    if not found:
        raise BadInput(f"{named} has no problem whose id starts with {only!r}")
    if out is not None:
        from ansatz.eval.problem_files import dump

        dump(found, out)
        print(f"{len(found)} problems in {out}")
        return
    for each in found:
        _show(each)


def read_problems(named: str) -> tuple[Problem, ...]:
    """Those of a file, or of a benchmark with its settings, for which a name that is neither is taken."""
    from ansatz.eval.problem_files import load
    from ansatz.experiments.design import plugins
    from ansatz.experiments.design.study_file import choice_of

    name, _, settings = named.partition(":")
    is_file = "=" not in settings and (Path(named).suffix or Path(named).exists())
    if is_file and name not in plugins.names("ansatz.benchmarks"):
        return load(named)
    found: tuple[Problem, ...] = plugins.load("ansatz.benchmarks", *choice_of(named))
    return found


def _show(problem: Problem) -> None:
    from ansatz.eval.benchmarks.templates.worked import solution_text
    from ansatz.eval.judging.request import reference

    is_worked = bool(problem.reference.final_answer)
    print(f"# {problem.id}", problem.ask().text, reference(problem), sep="\n\n", end="\n\n")
    if is_worked:
        print(solution_text(problem), end="\n\n")


@thermoqa.command()
def generate(
    out: Annotated[Path, typer.Option("--out", help="The JSONL file to write.")],
    tier: Annotated[str, typer.Option("--tier", help="Tiers, such as 1,3.")] = "1,2,3",
    seed: Seed = 0,
    counts: Annotated[
        str, typer.Option("--counts", "--count", help="200,100,50: one count a tier; 350: in all.")
    ] = "",
    mix: Annotated[
        str, typer.Option("--mix", help="Kinds as often as 'published', or all kinds 'even'.")
    ] = "published",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write questions on properties (1), components (2) and cycles (3), in the published format, with keys.

    Without counts, as many as the paper has: 110, 101 and 82. A count in all is split in that proportion.
    """
    from ansatz.eval.benchmarks.thermoqa.generate import counts_by_tier
    from ansatz.eval.benchmarks.thermoqa.generate import generate as make

    check_writable(out, overwrites=force)
    tiers, wanted = _numbers("--tier", tier), _numbers("--counts", counts) if counts else None
    by_tier = counts_by_tier(tiers, wanted[0] if wanted and len(wanted) == 1 else wanted)
    total = sum(by_tier.values())
    made = make(tuple(by_tier), seed, tuple(by_tier.values()), mix)
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")  # an interruption leaves no half of a file
    try:
        with Steps() as advance, unfinished.open("w", encoding="utf-8", newline="\n") as file:
            for number, question in enumerate(made, start=1):
                file.write(f"{question.line()}\n")
                advance("Making questions", number, total)
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    print(f"{total} questions in {out}")


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"{option}: {text!r} is not a list of whole numbers such as 1,2,3") from None


@physbench.command()
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


@physbench.command()
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
