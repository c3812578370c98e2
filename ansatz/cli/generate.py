"""`ansatz generate`: benchmark questions of our own making, as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ansatz.cli.console import BAD_INPUT, console

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ansatz.eval.benchmarks.thermoqa.generated import GeneratedQuestion

app = typer.Typer(no_args_is_help=True, help="Make benchmark questions with their keys.")


@app.callback()
def generate() -> None:
    """Make benchmark questions with their keys."""


@app.command()
def thermoqa(
    out: Annotated[Path, typer.Option("--out", help="The JSONL file to write.")],
    tier: Annotated[str, typer.Option("--tier", help="Tiers, such as 1,3.")] = "1,2,3",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes.")] = 0,
    counts: Annotated[
        str, typer.Option("--counts", "--count", help="200,100,50: one count a tier; 350: in all.")
    ] = "",
    mix: Annotated[
        str, typer.Option("--mix", help="Kinds as often as 'published', or all kinds 'even'.")
    ] = "published",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write ThermoQA questions: properties (1), components (2) and cycles (3), in the published format.

    Without counts, as many as the paper has: 110, 101 and 82. A count in all is split in that proportion.
    """
    from ansatz.eval.benchmarks.thermoqa.generate import GenerationError, counts_by_tier
    from ansatz.eval.benchmarks.thermoqa.generate import generate as make

    _check_writable(out, force)
    tiers, wanted = _numbers("--tier", tier), _numbers("--counts", counts) if counts else None
    try:
        by_tier = counts_by_tier(tiers, wanted[0] if wanted and len(wanted) == 1 else wanted)
        questions = make(tuple(by_tier), seed, tuple(by_tier.values()), mix, os.cpu_count() or 1)
        _write(out, _shown(questions, sum(by_tier.values())))
    except GenerationError as problem:
        _refuse(str(problem))
    print(f"{sum(by_tier.values())} questions in {out}")


def _check_writable(out: Path, force: bool) -> None:
    if out.is_dir():
        _refuse(f"--out: {out} is a folder; name a file in it, such as {out / 'questions.jsonl'}")
    if out.exists() and not force:
        _refuse(f"--out: {out} exists; --force overwrites it")
    if not out.parent.is_dir():
        _refuse(f"--out: there is no folder {out.parent}")


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        _refuse(f"{option}: {text!r} is not a list of whole numbers such as 1,2,3")


def _write(out: Path, questions: Iterable[GeneratedQuestion]) -> None:
    """Beside the file first, so that an interrupted run leaves no half of one."""
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{question.line()}\n" for question in questions)
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


def _shown(questions: Iterator[GeneratedQuestion], total: int) -> Iterator[GeneratedQuestion]:
    """The same questions, counted on stderr while they are made."""
    from rich.progress import track

    screen = console(stderr=True)
    return iter(track(questions, "Making questions", total, console=screen, disable=not screen.is_terminal))


def _refuse(problem: str) -> NoReturn:
    typer.echo(f"ansatz: {problem}", err=True)
    raise typer.Exit(BAD_INPUT)
