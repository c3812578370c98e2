"""A study on disk whose model is a loopback server, for tests that run the real command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from tests.commands import Done, ansatz
from tests.experiments.records import records_of
from tests.fakes.behaviours import Answer, Request, Tokens


def write_study(
    folder: Path,
    base_url: str,
    *,
    problems: int,
    settings: str = "",
    concurrency: int = 4,
    provider: str = "openai",
) -> Path:
    """`problems` questions under a baseline and a placebo arm."""
    items = folder / "items.jsonl"
    items.write_text("".join(json.dumps(item(number)) + "\n" for number in range(problems)), encoding="utf-8")
    study = folder / "study.yaml"
    study.write_text(
        f"name: served\n"
        f"models:\n  - {{name: '{provider}:fake', concurrency: {concurrency}, settings: {{base_url: '{base_url}'{settings}}}}}\n"
        f"problems: [{{benchmark: file, settings: {{path: '{items}'}}}}]\n"
        f"arms: {{placebo: placebo}}\nscorers: [outcome]\n",
        encoding="utf-8",
    )
    return study


def item(number: int) -> dict[str, object]:
    return {
        "id": f"item-{number}",
        "level": "L1",
        "task_type": "numerical_calc",
        "domains": ["shock"],
        "question": f"Problem {number}: state Q = {number + 1} J.\n\nReport your answers as:\nQ = ___ J",
        "given": [{"name": "Q", "value": number + 1, "unit": "J", "description": "heat"}],
        "targets": [{"name": "Q", "unit": "J", "weight": 1.0, "value": number + 1.0, "description": "heat"}],
    }


def answer(request: Request) -> Answer:
    """The answer of the served model: always the right value."""
    [value] = set(re.findall(r"state Q = (\d+) J", request.text))
    return Answer(f"Q = {value} J", tokens=Tokens(input=20, output=6))


def command(study: Path, out: Path) -> tuple[object, ...]:
    return "run", study, "--out", out


def run_command(study: Path, out: Path, *options: str) -> Done:
    return ansatz(*command(study, out), *options)


def essence(folder: Path) -> list[tuple[object, ...]]:
    """The content of a ledger without clock times, in the order of the plan: messages last."""
    found: list[tuple[object, ...]] = []
    for record in records_of(folder):
        reply = record.transcript and (record.transcript.answer, record.transcript.tokens)
        messages = record.transcript and record.transcript.messages
        found.append((replace(record, transcript=None), reply, messages))
    return found


STOP = "\nstop: {looks: 2, futility: {difference: 0.3}}\n"


def helped_by_placebo(request: Request) -> Answer:
    """Answer right only with the placebo, whose prompt is the longer one."""
    return answer(request) if len(request.text) > 1000 else Answer("Q = 0 J")
