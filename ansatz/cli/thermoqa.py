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
    from collections.abc import Iterable, Sequence

    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool

    from ansatz.eval.benchmarks.thermoqa.generated import GeneratedQuestion
    from ansatz.eval.benchmarks.thermoqa.rescore import Rescored
    from ansatz.eval.benchmarks.thermoqa.responses import Responses
    from ansatz.eval.problem import Problem
    from ansatz.eval.score import Extraction

_AT_ONCE = 8  # answers that a model reads
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
    with Steps() as advance:
        made = make(tuple(by_tier), seed, tuple(by_tier.values()), mix, os.cpu_count() or 1)
        _write(out, made, lambda done: advance("Making questions", done, total))
    print(f"{total} questions in {out}")


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"{option}: {text!r} is not a list of whole numbers such as 1,2,3") from None


def _write(out: Path, questions: Iterable[GeneratedQuestion], advance: Any) -> None:
    """Beside the file first, so that an interrupted command leaves no half of one."""
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            for number, question in enumerate(questions, start=1):
                file.write(f"{question.line()}\n")
                advance(number)
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


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
    from ansatz.eval.benchmarks.thermoqa.questions import load_with_places
    from ansatz.eval.benchmarks.thermoqa.rescore import rescore as score
    from ansatz.eval.benchmarks.thermoqa.responses import read_responses
    from ansatz.eval.benchmarks.thermoqa.stated_values import from_model

    placed = load_with_places(str(questions))
    problems = [problem for _, problem in placed]
    stored = read_responses(responses, problems, {problem.id: place for place, problem in placed})
    for lines in (stored.missing, stored.unknown, stored.duplicate, stored.ignored):
        tell(lines, "", most=10)
    if not stored.by_id:
        raise BadInput(f"{responses}: no line answers a question of {questions}")
    answered = [problem for problem in problems if problem.id in stored.by_id]
    settings = {"base_url": base_url, "temperature": temperature}
    extractions = _extracted(answered, stored, extractor, settings) if extractor else None
    second = [from_model(each) for each in extractions] if extractions else [None] * len(answered)
    pairs = zip(answered, second, strict=True)
    scored = [score(asked, stored.by_id[asked.id], read) for asked, read in pairs]
    _print(scored, stored, extractions, as_json)


def _extracted(
    answered: Sequence[Problem], stored: Responses, model: str, settings: dict[str, Any]
) -> list[Extraction]:
    from ansatz.agents.models import connect
    from ansatz.eval.benchmarks.thermoqa.stated_values import PHASES
    from ansatz.eval.judging.model_reading import read_by_model

    given = {name: value for name, value in settings.items() if value is not None}
    gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(advance: Steps) -> list[Extraction]:
        finished = 0
        async with aclosing(connect(model, given)) as client:

            async def send(messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
                return (await client.reply(messages, tools)).message

            async def read(problem: Problem) -> Extraction:
                nonlocal finished
                async with gate:
                    found = await read_by_model(send, problem, stored.by_id[problem.id].text or "", PHASES)
                finished += 1
                advance("Extracting", finished, len(answered))
                return found

            return list(await asyncio.gather(*map(read, answered)))

    with Steps() as steps:
        return asyncio.run(ask(steps))


def _print(
    rescored: list[Rescored], stored: Responses, extractions: list[Extraction] | None, as_json: bool
) -> None:
    from ansatz.eval.benchmarks.thermoqa.rescore import tables, to_json

    found = {
        "missing": stored.missing_ids,
        "unknown": len(stored.unknown),
        "duplicate": len(stored.duplicate),
    }
    counted = _counted(extractions) if extractions else {}
    if as_json:
        print_json(to_json(rescored) | {"ids": found} | counted)
        return
    print(f"{len(rescored)} answers; ids: " + ", ".join(f"{count} {kind}" for kind, count in found.items()))
    for name, counts in counted.items():
        print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    for table in tables(rescored):
        print()
        print_rows(table, False)


def _counted(extractions: list[Extraction]) -> dict[str, dict[str, int]]:
    failed = [each.reason for each in extractions if each.status == "failed"]
    tell(failed, "extractor: ", most=10)
    counts = {"ok": len(extractions) - len(failed), "failed": len(failed)}
    return {
        "extractor": counts | {"values not in the text": sum(len(each.unsupported) for each in extractions)}
    }
