"""`ansatz show`: the arms of one problem in the terminal with their differences, failures and losses."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ansatz.errors import BadInput
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.stop_reasons import IMPORTED
from ansatz.experiments.report.text import format_target, printable
from ansatz.experiments.results import Results, System
from ansatz.quantities import nearest

_COLOURS = {"+": "green", "-": "red", "@": "dim"}
Attempt = dict[str, Any]


def attempts_at(run: Path, problem: str, arms: Sequence[str] = ()) -> tuple[Results, list[Attempt]]:
    """Read the attempts of some arms, or of all, at a problem: answer, messages, scores, cost.

    Raises BadInput for a problem or an arm that the run does not have.
    """
    data = read_results(run)
    if problem not in data.problems:
        raise BadInput(f"the run has no problem {problem!r}{nearest(problem, data.problems)}")
    wanted = [known_arm(data, arm) for arm in arms] or list(data.arms)
    with Ledger.open(run, write=False) as ledger:
        rows = (row for row in ledger.attempts() if row["problem"] == problem and row["arm"] in wanted)
        found = [_attempt(ledger, row) for row in rows]
    found.sort(key=lambda each: (data.models.index(each["model"]), wanted.index(each["arm"]), each["repeat"]))
    return data, found


def known_arm(data: Results, arm: str) -> str:
    if arm not in data.arms:
        raise BadInput(f"the run has no arm {arm!r}{nearest(arm, data.arms)}")
    return arm


def _attempt(ledger: Ledger, row: dict[str, Any]) -> Attempt:
    answer, messages = ledger.read_conversation(row["transcript"]) if row["transcript"] else ("", "[]")
    values = json.loads(row["scores"])
    details = ledger.read_json(row["details"]) if row["details"] else {}
    kept = ("model", "arm", "problem", "repeat", "error", "stop", "seconds", "input_tokens", "output_tokens")
    return {
        **{name: row[name] for name in kept},
        "answer": answer,
        "messages": json.loads(messages),
        "scores": {name: {"value": values[name], "evidence": why} for name, (why, _) in details.items()},
    }


def show_problem(data: Results, found: Sequence[Attempt], console: Console, *, whole: bool) -> None:
    """Print the question and its scores. If `whole`: one arm's conversation, or how two differ."""
    if not found:
        console.print("No attempt at this problem is finished.")
        return
    problem = data.problems[found[0]["problem"]]
    asked = "; ".join(format_target(target, 6) for target in problem.targets)
    console.print(Text(printable(problem.id), style="bold"))
    console.print(Text(printable(f"{problem.context}\n\n{problem.question}".strip())))
    console.print(Text(f"\nReference: {printable(asked)}\n", style="dim"))
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


def _scores(data: Results, found: Sequence[Attempt]) -> Table:
    """Make a table with a row for each attempt; model and repeat are columns if there are several."""
    shown = [each for each in data.dimensions if any(each.name in one["scores"] for one in found)]
    shown = [each for each in headline_dimensions(data) if each in shown] or shown
    who = ["model"] * (len(data.models) > 1) + ["arm"]
    who += ["repeat"] * (len({one["repeat"] for one in found}) > 1)
    table = Table(box=None, pad_edge=False)
    for name in (*who, *(each.name for each in shown), "tokens", "seconds", "ended"):
        table.add_column(name, justify="left" if name in (*who, "ended") else "right", overflow="fold")
    for one in found:
        counts = (one["input_tokens"], one["output_tokens"])
        spent = ["–" if None in counts else f"{sum(counts):,}"]
        spent.append("–" if one["seconds"] is None else f"{one['seconds']:.2f}")
        named = {**one, "repeat": str(one["repeat"] + 1)}
        values = (each.scale.show(one["scores"].get(each.name, {}).get("value")) for each in shown)
        cells = (*(named[name] for name in who), *values, *spent, one["error"] or one["stop"])
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def _print_attempt(attempt: Attempt, console: Console) -> None:
    again = f", repeat {attempt['repeat'] + 1}" if attempt["repeat"] else ""
    console.rule(Text(f"{attempt['arm']}{again}"), align="left")
    print_messages(attempt["messages"], console)
    for name, score in attempt["scores"].items():
        console.print(Text.assemble((f"{name} ", "bold"), printable(score["evidence"])))


def print_messages(messages: Sequence[Mapping[str, Any]], console: Console) -> None:
    for at, message in enumerate(messages, start=1):
        name = f" {message['name']}" if message.get("name") else ""
        console.print(Text(f"{at} {message['role']}{name}", style="bold"))
        console.print(Text(printable(_format_messages(message))), "")


def _format_messages(*messages: Mapping[str, Any]) -> str:
    lines = []
    for message in messages:
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else [str(part.get("text", part)) for part in content]
        calls = (call["function"] for call in message.get("tool_calls", ()))
        parts = [*filter(None, parts), *(f"{each['name']}({each['arguments']})" for each in calls)]
        lines.append("\n".join(parts))
    return "\n".join(lines)


def _print_difference(first: Attempt, other: Attempt, console: Console) -> None:
    """Print the differences between two arms' prompts, steps and answers, line by line."""
    texts = []
    for each in (first, other):
        prompt = [message for message in each["messages"] if message["role"] in ("system", "user")]
        inner = [message for message in each["messages"][:-1] if message["role"] in ("assistant", "tool")]
        texts.append(
            {"prompt": _format_messages(*prompt), "steps": _format_messages(*inner), "answer": each["answer"]}
        )
    for what in texts[0]:
        before, after = (own[what].splitlines() for own in texts)
        if not before and not after:
            continue
        lines = difflib.unified_diff(before, after, lineterm="", n=2)
        shown = [printable(line) for line in lines if not line.startswith(("---", "+++"))]
        console.rule(Text(f"{what}: {first['arm']} (-) against {other['arm']} (+)"), align="left")
        for line in shown or ["no difference"]:
            console.print(Text(line, style=_COLOURS.get(line[:1], "") if shown else "dim"))


def failures(data: Results) -> list[dict[str, Any]]:
    """List the attempts that failed or have another stop reason than an answer."""
    rows = []
    ended = zip(data.attempt_keys, data.attempts.error, data.attempts.stop, strict=True)
    for (model, arm, problem, repeat), error, stop in ended:
        if error or stop not in ("answered", IMPORTED):
            row = {"model": model, "arm": arm, "problem": problem, "repeat": repeat + 1}
            rows.append(
                {**row, "ended": "error" if error else stop, "why": printable(" ".join(error.split()))}
            )
    return rows


def losses(data: Results, arm: str) -> list[dict[str, Any]]:
    """List the problems where an arm is worse than the baseline on the first headline dimension, most first.

    Raises BadInput for an unknown arm, or if the run has no quality dimension.
    """
    if not headline_dimensions(data):
        raise BadInput("the run has no quality dimension to compare arms on")
    dimension = headline_dimensions(data)[0]
    values, scale = data.values(dimension.name), dimension.scale
    found: list[tuple[float, dict[str, Any]]] = []
    for model in data.models:
        own = data.subset(System(model, known_arm(data, arm))).mean_by_problem(values)
        base = data.subset(System(model, data.baseline)).mean_by_problem(values)
        worse = (base - own) * (1 if dimension.better == "higher" else -1)
        for at in np.flatnonzero(np.nan_to_num(worse) > 0).tolist():
            row = {"model": model, "problem": data.problem_list[at].id, data.baseline: scale.show(base[at])}
            row |= {arm: scale.show(own[at]), "change": scale.show_change(own[at] - base[at])}
            found.append((worse[at], row))
    return [row for _, row in sorted(found, key=lambda each: -each[0])]
