"""The same for people in a terminal: the arms of one problem with their differences, failures, and losses."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ansatz.eval.problem import Problem, Target
from ansatz.eval.views import Results, System
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.comparisons import headlines
from ansatz.experiments.report.text import printable
from ansatz.experiments.view.folder import ViewError
from ansatz.quantities import nearest

_COLOURS = {"+": "green", "-": "red", "@": "dim"}
Attempt = dict[str, Any]


def attempts_at(run: Path, problem: str, arms: Sequence[str] = ()) -> tuple[Results, list[Attempt]]:
    """The attempts of some arms, or of all, at a problem: answer, messages, scores with evidence, cost.

    Raises ViewError for a problem or an arm that the run does not have.
    """
    data = read_results(run)
    if problem not in data.problems:
        raise ViewError(f"the run has no problem {problem!r}{nearest(problem, data.problems)}")
    wanted = [known_arm(data, arm) for arm in arms] or list(data.arms)
    with Ledger.open(run, write=False) as ledger:
        rows = (row for row in ledger.attempts() if row["problem"] == problem and row["arm"] in wanted)
        found = [_attempt(ledger, row) for row in rows]
    found.sort(key=lambda each: (data.models.index(each["model"]), wanted.index(each["arm"]), each["repeat"]))
    return data, found


def known_arm(data: Results, arm: str) -> str:
    if arm not in data.arms:
        raise ViewError(f"the run has no arm {arm!r}{nearest(arm, data.arms)}")
    return arm


def _attempt(ledger: Ledger, row: dict[str, Any]) -> Attempt:
    answer, messages = ledger.conversation(row["transcript"]) if row["transcript"] else ("", "[]")
    values = json.loads(row["scores"])
    details = ledger.findings(row["details"]) if row["details"] else {}
    kept = ("model", "arm", "problem", "repeat", "error", "stop", "seconds", "input_tokens", "output_tokens")
    return {
        **{name: row[name] for name in kept},
        "answer": answer,
        "messages": json.loads(messages),
        "scores": {name: {"value": values[name], "evidence": why} for name, (why, _) in details.items()},
    }


def show_problem(data: Results, found: Sequence[Attempt], console: Console, *, whole: bool) -> None:
    """The question and a table of scores; of one arm the conversation, of two what differs, where `whole`."""
    if not found:
        console.print("No attempt at it has come to an end.")
        return
    problem = data.problems[found[0]["problem"]]
    _print_question(problem, console)
    console.print(_scores(data, found))
    for model in data.models:
        own = [each for each in found if each["model"] == model]
        arms = {each["arm"]: each for each in reversed(own)}  # the first repeat of each
        if whole and len(arms) == 1:
            for each in own:
                _print_attempt(each, console)
        elif whole and arms:
            first, *others = sorted(arms.values(), key=lambda each: each["arm"] != data.baseline)
            for other in others:
                _print_difference(first, other, console)


def _print_question(problem: Problem, console: Console) -> None:
    console.print(Text(printable(problem.id), style="bold"))
    console.print(Text(printable(f"{problem.context}\n\n{problem.question}".strip())))
    asked = [_reference(target) for target in problem.targets]
    console.print(Text(f"\nReference: {printable('; '.join(asked))}\n", style="dim"))


def _reference(target: Target) -> str:
    value = f"{target.value:.6g}" if isinstance(target.value, float) else str(target.value)
    unit = getattr(target, "unit", "-")
    return f"{target.name} = {value}{'' if unit == '-' else f' {unit}'}"


def _scores(data: Results, found: Sequence[Attempt]) -> Table:
    """A row for each attempt."""
    shown = [each for each in data.dimensions if any(each.name in one["scores"] for one in found)]
    shown = [each for each in headlines(data) if each in shown] or shown
    several = len({each["repeat"] for each in found}) > 1
    table = Table(box=None, pad_edge=False)
    for name in (*(["model"] if len(data.models) > 1 else []), "arm", *(["repeat"] if several else [])):
        table.add_column(name, overflow="fold")
    for name in (*(each.name for each in shown), "tokens", "seconds"):
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("ended", overflow="fold")
    for one in found:
        cells = [one["model"]] if len(data.models) > 1 else []
        cells += [one["arm"], *([str(one["repeat"] + 1)] if several else [])]
        cells += [each.scale.show(one["scores"].get(each.name, {}).get("value")) for each in shown]
        spent = one["seconds"] is not None
        cells += (
            [f"{one['input_tokens'] + one['output_tokens']:,}", f"{one['seconds']:.2f}"]
            if spent
            else ["–"] * 2
        )
        table.add_row(*(Text(printable(cell)) for cell in (*cells, one["error"] or one["stop"])))
    return table


def _print_attempt(attempt: Attempt, console: Console) -> None:
    again = f", repeat {attempt['repeat'] + 1}" if attempt["repeat"] else ""
    console.rule(Text(f"{attempt['arm']}{again}"), align="left")
    for at, message in enumerate(attempt["messages"], start=1):
        name = f" {message['name']}" if message.get("name") else ""
        console.print(Text(f"{at} {message['role']}{name}", style="bold"))
        console.print(Text(printable(_said(message))), "")
    for name, score in attempt["scores"].items():
        console.print(Text.assemble((f"{name} ", "bold"), printable(score["evidence"])))


def _said(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else "\n".join(str(part.get("text", part)) for part in content)
    calls = [
        f"{call['function']['name']}({call['function']['arguments']})"
        for call in message.get("tool_calls", ())
    ]
    return "\n".join([*([text] if text else []), *calls])


def _print_difference(first: Attempt, other: Attempt, console: Console) -> None:
    """What two arms were told and what they answered, line by line."""
    for what, of in (("prompt", _prompt), ("steps", _steps), ("answer", lambda each: each["answer"])):
        if not (of(first) or of(other)):
            continue
        lines = list(_difference(of(first), of(other)))
        console.rule(Text(f"{what}: {first['arm']} (-) against {other['arm']} (+)"), align="left")
        for line in lines or ["no difference"]:
            console.print(Text(line, style=_COLOURS.get(line[:1], "") if lines else "dim"))


def _prompt(attempt: Attempt) -> str:
    return "\n".join(_said(each) for each in attempt["messages"] if each["role"] in ("system", "user"))


def _steps(attempt: Attempt) -> str:
    inner = attempt["messages"][:-1]
    return "\n".join(_said(each) for each in inner if each["role"] in ("assistant", "tool"))


def _difference(first: str, other: str) -> Iterator[str]:
    lines = difflib.unified_diff(first.splitlines(), other.splitlines(), lineterm="", n=2)
    yield from (printable(line) for line in lines if not line.startswith(("---", "+++")))


def failures(data: Results) -> list[dict[str, Any]]:
    """A row for each attempt that failed, or that ended otherwise than with an answer."""
    attempts = data.attempts
    return [
        {
            "model": data.models[attempts.model[row]],
            "arm": data.arms[attempts.arm[row]],
            "problem": data.asked[attempts.problem[row]].id,
            "repeat": int(attempts.repeat[row]) + 1,
            "ended": "error" if error else stop,
            "why": printable(" ".join(error.split())),
        }
        for row, (error, stop) in enumerate(zip(attempts.error, attempts.stop, strict=True))
        if error or stop != "answered"
    ]


def losses(data: Results, arm: str) -> list[dict[str, Any]]:
    """The problems where an arm does worse than the baseline on the first headline dimension, most first.

    Raises ViewError for an arm that the run does not have, or where no dimension is one of quality.
    """
    if not headlines(data):
        raise ViewError("the run has no dimension of quality, on which an arm could lose")
    dimension = headlines(data)[0]
    values, scale = data.values(dimension.name), dimension.scale
    found: list[tuple[float, dict[str, Any]]] = []
    for model in data.models:
        own = data.cut(System(model, known_arm(data, arm))).by_problem(values)
        base = data.cut(System(model, data.baseline)).by_problem(values)
        worse = (base - own) * (1 if dimension.better == "higher" else -1)
        for at in np.flatnonzero(np.nan_to_num(worse) > 0).tolist():
            row = {"model": model, "problem": data.asked[at].id, data.baseline: scale.show(base[at])}
            row |= {arm: scale.show(own[at]), "change": scale.show_change(own[at] - base[at])}
            found.append((worse[at], row))
    return [row for _, row in sorted(found, key=lambda each: -each[0])]
