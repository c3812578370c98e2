"""`ansatz benchmark thermoqa`: make questions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import Seed, Steps, check_writable
from ansatz.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="ThermoQA: make questions.")


@app.command()
def generate(
    out: Annotated[Path, typer.Option("--out", help="The JSONL file to write.")],
    tier: Annotated[str, typer.Option("--tier", help="Tiers, such as 1,3.")] = "1,2,3",
    seed: Seed = 0,
    counts: Annotated[
        str,
        typer.Option("--counts", "--count", help="Questions per tier, such as 200,100,50, or in total: 350."),
    ] = "",
    mix: Annotated[
        str, typer.Option("--mix", help="Kinds in 'published' proportions, or all kinds 'even'.")
    ] = "published",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write questions on properties (1), components (2) and cycles (3), in the published format, with keys.

    The default is the paper's 110, 101 and 82 questions. A total is divided in that proportion.
    """
    from ansatz.eval.benchmarks.thermoqa.generate import counts_by_tier
    from ansatz.eval.benchmarks.thermoqa.generate import generate as generate_questions

    check_writable(out, overwrites=force)
    tiers, numbers = _numbers("--tier", tier), _numbers("--counts", counts) if counts else None
    by_tier = counts_by_tier(tiers, numbers[0] if numbers and len(numbers) == 1 else numbers)
    total = sum(by_tier.values())
    questions = generate_questions(tuple(by_tier), seed, tuple(by_tier.values()), mix)
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")  # so that an interruption leaves no partial file
    try:
        with Steps() as advance, unfinished.open("w", encoding="utf-8", newline="\n") as file:
            for number, question in enumerate(questions, start=1):
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
