"""A run as logs of Inspect (https://inspect.aisi.org.uk), one for each model and arm.

The format is version 2 of its JSON logs, as `inspect_ai.log.read_eval_log` reads them. Inspect is
not imported here; a test reads the logs with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.file import private_files
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.text import format_target
from ansatz.experiments.results import Results, System

_STOPS = {"answered": "stop", "truncated": "max_tokens", "refused": "content_filter"}
_LONGEST = 50  # characters of a task in a file's name, of at most four bytes
Row = Mapping[str, Any]


@private_files()
def write_inspect_logs(run: Path, out: Path) -> list[Path]:
    """Write a log for every model and arm that has an attempt. Raises LedgerError without a run."""
    data = read_results(run)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    with Ledger.open(run, write=False) as ledger:
        rows: dict[System, list[Row]] = {system: [] for system in data.systems}
        for row in ledger.attempts():
            rows.get(System(row["model"], row["arm"]), []).append(row)
        for system, own in rows.items():
            if not own:
                continue
            log = _make_log(data, system, own, ledger)
            # Inspect lists no other names, and file systems hold no longer ones.
            about = log["eval"]
            task = re.sub(r"[^\w.]+|_", "-", f"{about['task']}-{about['model']}")[:_LONGEST]
            path = out / f"{re.sub('[:+]', '-', about['created'])}_{task}_{about['task_id']}.json"
            path.write_text(json.dumps(log, indent=1), encoding="utf-8")
            written.append(path)
    return written


def _make_log(data: Results, system: System, rows: list[Row], ledger: Ledger) -> dict[str, Any]:
    """Make the log of a system. Its results are means over problems, with repeats averaged first."""
    ended = [datetime.fromtimestamp(row["at"], UTC).isoformat(timespec="seconds") for row in rows]
    identity = sha256(json.dumps([data.title, system.model, system.arm]).encode()).hexdigest()[:22]
    asked = list(dict.fromkeys(row["problem"] for row in rows))
    scored = [each for each in data.dimensions if each.role != "resource"]
    means = {each.name: data.subset(system).mean_value(data.values(each.name)) for each in scored}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": identity,
            "run_id": identity,
            "task_id": identity,
            "created": min(ended),
            "task": f"{data.title}/{system.arm}",
            "dataset": {"name": data.title, "samples": len(asked), "sample_ids": asked},
            "model": system.model,
            "config": {"epochs": 1 + max(row["repeat"] for row in rows)},
            "metadata": {"arm": system.arm, "baseline": data.baseline, "made_by": "ansatz"},
        },
        "plan": {"name": system.arm, "steps": []},
        "results": {
            "total_samples": len(rows),
            "completed_samples": sum(row["state"] == "scored" for row in rows),
            "scores": [
                {"name": name, "scorer": name, "metrics": {"mean": {"name": "mean", "value": value}}}
                for name, value in means.items()
                if value is not None
            ],
        },
        "stats": {
            "started_at": min(ended),
            "completed_at": max(ended),
            "model_usage": {system.model: _sum_usage(*rows)},
        },
        "samples": [_make_sample(data, row, ledger) for row in rows],
    }


def _sum_usage(*rows: Row) -> dict[str, int]:
    """Sum the reported tokens; empty if no row has any."""
    if all(row["input_tokens"] is None for row in rows):
        return {}
    read, written = (sum(row[name] or 0 for row in rows) for name in ("input_tokens", "output_tokens"))
    return {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}


def _make_sample(data: Results, row: Row, ledger: Ledger) -> dict[str, Any]:
    """Make a sample with its scores and their evidence; missing scores are left out."""
    problem = data.problems[row["problem"]]
    answer, stored = ledger.read_conversation(row["transcript"]) if row["transcript"] else ("", "[]")
    messages = [_convert_message(each, row["model"]) for each in json.loads(stored)]
    output: dict[str, Any] = {"model": row["model"], "choices": []}
    usage = _sum_usage(row)
    if row["transcript"]:
        is_last = bool(messages) and messages[-1]["role"] == "assistant"
        message = messages[-1] if is_last else {"role": "assistant", "content": answer}
        output["choices"] = [{"message": message, "stop_reason": _STOPS.get(row["stop"], "unknown")}]
        output |= {"usage": usage} if usage else {}
    values = json.loads(row["scores"]) if row["details"] else {}
    found = {
        "id": problem.id,
        "epoch": row["repeat"] + 1,
        "input": f"{problem.context}\n\n{problem.question}".strip(),
        "target": list(map(format_target, problem.targets)),
        "messages": messages,
        "output": output,
        "scores": {
            name: {"value": values[name], "answer": answer, "explanation": evidence, "metadata": details}
            for name, (evidence, details) in (ledger.read_json(row["details"]) if values else {}).items()
            if values[name] is not None
        },
        "metadata": {"family": problem.family, "benchmark": problem.benchmark, **problem.tags},
        "model_usage": {row["model"]: usage} if usage else {},
        "working_time": row["seconds"],
    }
    if row["error"]:
        found["error"] = {"message": row["error"], "traceback": row["error"], "traceback_ansi": row["error"]}
    return found


def _convert_message(message: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Convert an OpenAI-style message to Inspect's form; content that is not text becomes JSON."""
    content = message.get("content") or ""
    if not isinstance(content, str):
        content = "\n".join(part.get("text") or json.dumps(part) for part in content)
    found = {"role": message["role"], "content": content}
    if message["role"] == "tool":
        found |= {"tool_call_id": message.get("tool_call_id"), "function": message.get("name")}
    if message["role"] == "assistant":
        found |= {
            "model": model,
            "tool_calls": [_convert_call(each) for each in message.get("tool_calls", ())],
        }
    return found


def _convert_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):  # what a model wrote that is no object
        arguments = {"arguments": function["arguments"]}
    return {"id": call["id"], "function": function["name"], "arguments": arguments, "type": "function"}
