"""`ansatz rescore`: answers gathered elsewhere, scored here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ansatz.cli.console import BAD_INPUT, AsJson, console, print_rows

if TYPE_CHECKING:
    from ansatz.eval.benchmarks.thermoqa.llm_extractor import Extraction
    from ansatz.eval.benchmarks.thermoqa.rescore import Rescored
    from ansatz.eval.benchmarks.thermoqa.responses import Responses
    from ansatz.eval.problem import Problem

app = typer.Typer(no_args_is_help=True, help="Score answers gathered elsewhere.")

_SHOWN = 10  # lines on ids of one kind before the rest are only counted


@app.callback()
def rescore() -> None:
    """Score answers gathered elsewhere."""


@app.command()
def thermoqa(
    questions: Annotated[Path, typer.Option("--questions", help="Published or generated questions (JSONL).")],
    responses: Annotated[
        Path, typer.Option("--responses", help="JSONL with id, response_text and perhaps extracted.")
    ],
    extractor: Annotated[
        str | None, typer.Option("--extractor", help='A model that extracts as well: "provider:model".')
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible server for the extractor.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", help="Of the extractor; by default the provider's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score ThermoQA answers by the published and the strict rule, from their text and from `extracted`."""
    from ansatz.eval.benchmarks.thermoqa.questions import QuestionFileError, load_with_places
    from ansatz.eval.benchmarks.thermoqa.rescore import rescore as score
    from ansatz.eval.benchmarks.thermoqa.responses import ResponseFileError, read_responses

    try:
        placed = load_with_places(str(questions))
        problems = [problem for _, problem in placed]
        stored = read_responses(responses, problems, {problem.id: place for place, problem in placed})
    except (QuestionFileError, ResponseFileError) as fault:
        _refuse(str(fault))
    _tell(stored)
    if not stored.by_id:
        _refuse(f"{responses}: no line answers a question of {questions}")
    answered = [problem for problem in problems if problem.id in stored.by_id]
    settings = {"base_url": base_url, "temperature": temperature}
    extractions = _extracted(answered, stored, extractor, settings) if extractor else None
    second = [each.readings for each in extractions] if extractions else [None] * len(answered)
    pairs = zip(answered, second, strict=True)
    _print(
        [score(asked, stored.by_id[asked.id], read) for asked, read in pairs], stored, extractions, as_json
    )


def _extracted(
    answered: Sequence[Problem], stored: Responses, model: str, settings: dict[str, Any]
) -> list[Extraction]:
    from ansatz.agents.models import connect
    from ansatz.eval.benchmarks.thermoqa.llm_extractor import LLMExtractor

    texts = [stored.by_id[problem.id].text or "" for problem in answered]

    async def ask(advance: Callable[[int], None]) -> list[Extraction]:
        client = connect(model, {name: value for name, value in settings.items() if value is not None})
        try:
            return await LLMExtractor(client).extract_all(answered, texts, advance)
        finally:
            await client.aclose()

    from rich.progress import Progress

    screen = console(stderr=True)
    with Progress(console=screen, disable=not screen.is_terminal) as progress:
        task = progress.add_task("Extracting", total=len(answered))
        return asyncio.run(ask(lambda done: progress.update(task, completed=done)))


def _tell(stored: Responses) -> None:
    """One line on stderr for each id or key that is not as it should be."""
    for lines in (stored.missing, stored.unknown, stored.duplicate, stored.ignored):
        for line in lines[:_SHOWN]:
            typer.echo(line, err=True)
        if len(lines) > _SHOWN:
            typer.echo(f"… and {len(lines) - _SHOWN} more such lines", err=True)


def _print(
    rescored: list[Rescored], stored: Responses, extractions: list[Extraction] | None, as_json: bool
) -> None:
    from ansatz.eval.benchmarks.thermoqa import rescore_summary as summary
    from ansatz.eval.benchmarks.thermoqa.rescore import RULES

    found = {
        "missing": stored.missing_ids,
        "unknown": len(stored.unknown),
        "duplicate": len(stored.duplicate),
    }
    counted = _counted(extractions) if extractions else {}
    if as_json:
        scores = summary.to_json(rescored, summary.sources(rescored))
        print(json.dumps(scores | {"ids": found} | counted, indent=2, ensure_ascii=False))
        return
    print(f"{len(rescored)} answers; ids: " + ", ".join(f"{count} {kind}" for kind, count in found.items()))
    for name, counts in counted.items():
        print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    tables = [summary.score_rows(rescored), *(summary.group_rows(rescored, rule) for rule in RULES)]
    for table in [*tables[:1], *([summary.combination_rows(rescored)] if extractions else []), *tables[1:]]:
        print()
        print_rows(table, False)


def _counted(extractions: list[Extraction]) -> dict[str, dict[str, int]]:
    failed = [each for each in extractions if each.status == "failed"]
    for each in failed[:_SHOWN]:
        typer.echo(f"extractor: {each.reason}", err=True)
    counts = {"ok": len(extractions) - len(failed), "failed": len(failed)}
    return {
        "extractor": counts | {"values not in the text": sum(len(each.unsupported) for each in extractions)}
    }


def _refuse(problem: str) -> NoReturn:
    typer.echo(f"ansatz: {problem}", err=True)
    raise typer.Exit(BAD_INPUT)
