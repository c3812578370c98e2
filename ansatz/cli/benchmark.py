"""`ansatz benchmark`: the problems of any benchmark, to be read or written, and what one alone can do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ansatz.cli import physbench
from ansatz.cli.console import BadInput, Seed, Steps, check_writable

if TYPE_CHECKING:
    from ansatz.eval.problem import Problem

app = typer.Typer(no_args_is_help=True, help="Show and write problems, make them, tell them anew.")
thermoqa = typer.Typer(no_args_is_help=True, help="ThermoQA: make questions.")
app.add_typer(thermoqa, name="thermoqa")
app.add_typer(physbench.app, name="physbench")


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
