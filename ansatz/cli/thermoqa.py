"""`ansatz benchmark thermoqa`: questions of our own making, and answers gathered elsewhere."""

from __future__ import annotations

import asyncio
import os
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.console import (
    AsJson,
    BadInput,
    BaseUrl,
    Seed,
    Steps,
    check_writable,
    print_json,
    print_rows,
    tell,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool

    from ansatz.eval.problem import Problem
    from ansatz.eval.score import Extraction

app = typer.Typer(no_args_is_help=True, help="ThermoQA: make questions, score answers gathered elsewhere.")


@app.command()
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
    unfinished = out.with_name(
        f".{out.name}.{os.getpid()}"
    )  # an interrupted command leaves no half of a file
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


@app.command()
def rescore(
    questions: Annotated[Path, typer.Option("--questions", help="Published or generated questions (JSONL).")],
    responses: Annotated[
        Path, typer.Option("--responses", help="JSONL with id, response_text and perhaps extracted.")
    ],
    extractor: Annotated[
        str | None,
        typer.Option("--extractor", help='A model that extracts too, in two passes: "provider:model".'),
    ] = None,
    base_url: BaseUrl = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", help="Of the extractor; by default the provider's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score answers by the published and the strict rule, from their text and from `extracted`."""
    from ansatz.eval.benchmarks.thermoqa import rescore as scoring
    from ansatz.eval.benchmarks.thermoqa.questions import load_with_places
    from ansatz.eval.benchmarks.thermoqa.stated_values import from_model

    problems = load_with_places(str(questions))
    stored, notes = scoring.read_responses(responses, problems)
    for lines in notes.values():
        tell(lines, "", most=10)
    if not stored:
        raise BadInput(f"{responses}: no line answers a question of {questions}")
    answered = [problem for problem in problems.values() if problem.id in stored]
    second: Sequence[Extraction | None] = [None] * len(answered)
    counted: dict[str, dict[str, int]] = {}
    if extractor:
        settings = {"base_url": base_url, "temperature": temperature}
        texts = [stored[problem.id].text or "" for problem in answered]
        second = extractions = asyncio.run(_extracted(answered, texts, extractor, settings))
        counted = {"extractor": _counts(extractions)}
    found = [
        scoring.rescore(problem, stored[problem.id], from_model(read) if read else None)
        for problem, read in zip(answered, second, strict=True)
    ]
    counted = {"ids": {kind: len(lines) for kind, lines in notes.items() if kind != "ignored"}} | counted
    if as_json:
        print_json(scoring.to_json(found) | counted)
        return
    told = {
        name: ", ".join(f"{count} {kind}" for kind, count in each.items()) for name, each in counted.items()
    }
    print(f"{len(found)} answers; " + "\n".join(f"{name}: {counts}" for name, counts in told.items()))
    for table in scoring.tables(found):
        print()
        print_rows(table, False)


async def _extracted(
    answered: Sequence[Problem], texts: Sequence[str], model: str, settings: dict[str, Any]
) -> list[Extraction]:
    from ansatz.agents.models import connect
    from ansatz.eval.benchmarks.thermoqa.stated_values import PHASES
    from ansatz.eval.concurrency import each_of
    from ansatz.eval.judging.model_reading import read_by_model

    given = {name: value for name, value in settings.items() if value is not None}
    async with aclosing(connect(model, given)) as client:

        async def send(messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
            return (await client.reply(messages, tools)).message

        with Steps() as advance:
            return await each_of(
                zip(answered, texts, strict=True),
                lambda each: read_by_model(send, *each, PHASES),
                lambda done: advance("Extracting", done, len(answered)),
            )


def _counts(extractions: Sequence[Extraction]) -> dict[str, int]:
    failed = [each.reason for each in extractions if each.status == "failed"]
    tell(failed, "extractor: ", most=10)
    counts = {"ok": len(extractions) - len(failed), "failed": len(failed)}
    return counts | {"values not in the text": sum(len(each.unsupported) for each in extractions)}
