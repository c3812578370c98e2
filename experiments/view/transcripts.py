"""The transcripts of a run with what their scores rest on, problem by problem, in parts of a bounded size."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ansatz.experiments.attribution.funnel import ToolUse
from ansatz.experiments.attribution.source_use import SourceUse
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.results import Results

PART = 200_000  # characters; after a part with more text, a new part starts


@dataclass
class Bundle:
    """Some problems with all their attempts. It has each text once, and refers to it by number."""

    texts: list[Any] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0
    _numbers: dict[str, int] = field(default_factory=dict)

    def number_text(self, key: str, read: Callable[[], Any]) -> int:
        """Return the number of a text; `read` returns a text that the bundle does not have yet."""
        if key not in self._numbers:
            self._numbers[key] = len(self.texts)
            self.texts.append(text := read())
            self.size += len(text if isinstance(text, str) else json.dumps(text))
        return self._numbers[key]


def parts(data: Results, ledger: Ledger, tool_use: ToolUse | None = None) -> Iterator[Bundle]:
    """Yield the problems in the order of the plan. A problem is never split; its attempts keep that order.

    With `tool_use`, attempts have what became of their tool results, to mark it in the conversation.
    """
    rows = {attempt: row for row, attempt in enumerate(data.attempt_keys)}
    of_problem: defaultdict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for stored in ledger.attempts():
        row = rows.get((stored["model"], stored["arm"], stored["problem"], stored["repeat"]))
        if row is not None:
            of_problem[stored["problem"]].append((row, stored))
    part = Bundle()
    for problem in data.problem_list:
        entry = problem.model_dump(mode="json", exclude_none=True)
        entry["attempts"] = [_attempt(*each, ledger, part) for each in of_problem[problem.id]]
        for each in entry["attempts"]:
            if uses := tool_use.uses.get(each["row"]) if tool_use is not None else None:
                each["uses"] = [_describe_use(use) for use in uses]
        part.problems.append(entry)
        part.size += len(problem.question) + len(problem.context) + 400 * len(entry["attempts"])
        if part.size > PART:
            yield part
            part = Bundle()
    if part.problems:
        yield part


def _attempt(row: int, stored: Mapping[str, Any], ledger: Ledger, part: Bundle) -> dict[str, Any]:
    found: dict[str, Any] = {"row": row, "tries": stored["tries"], "at": stored["at"]}
    if stored["error"]:
        found["error"] = stored["error"]
    if stored["transcript"]:
        found["transcript"] = _transcript(stored["transcript"], ledger, part)
    if stored["details"]:
        values = json.loads(stored["scores"])
        found["scores"] = {
            name: [
                values[name],
                part.number_text(f"evidence {why}", partial(str, why)),
                *[details] * bool(details),
            ]
            for name, (why, details) in ledger.read_json(stored["details"]).items()
        }
    return found


def _transcript(key: str, ledger: Ledger, part: Bundle) -> dict[str, Any]:
    """Return a transcript, with numbers for messages, without an answer that repeats the last one."""
    content = ledger.read_json(key)
    numbers = [
        part.number_text(message, partial(ledger.read_json, message)) for message in content["messages"]
    ]
    last = part.texts[numbers[-1]] if numbers else {}
    if last.get("role") == "assistant" and last.get("content") == content["answer"]:
        del content["answer"]
    else:
        part.size += len(content["answer"])
    return {**content, "messages": numbers}


def _describe_use(use: SourceUse) -> dict[str, Any]:
    """Describe what became of a tool result. `places` are [message, text]; messages count from 0."""
    words: list[str] = [use.use]
    words += ["in the answer"] * (use.use in ("used", "converted") and bool(use.in_answer))
    words += ["redundant"] * use.redundant
    words += [f"recovered {use.recovered}"] * (use.recovered is not None)
    source = f"{use.name} {use.number}" if use.kind == "tool" else use.name
    places = [[each.message, each.text] for each in use.places]
    return {"source": source, "kind": use.kind, "at": use.result, "use": ", ".join(words), "places": places}


def kinds_of_findings(attempt: Mapping[str, Any]) -> set[str]:
    """Return the kinds of errors that the details of an attempt's scores name."""
    return {
        finding["kind"]
        for _, _, *details in attempt.get("scores", {}).values()
        if details and isinstance(details[0].get("findings"), list)
        for finding in details[0]["findings"]
        if isinstance(finding, dict) and isinstance(finding.get("kind"), str)
    }
