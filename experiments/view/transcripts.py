"""The transcripts of a run with what their scores rest on, problem by problem, in parts of a bounded size."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ansatz.eval.views import Results
from ansatz.experiments.ledger import Ledger

PART = 200_000  # characters of text from which on a new part is begun


@dataclass
class Bundle:
    """Some problems with all their attempts. Texts that recur in it are held once, and named by number."""

    texts: list[Any] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0
    _numbers: dict[str, int] = field(default_factory=dict)

    def keep(self, key: str, text: Any) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.texts)
            self.texts.append(text)
            self.size += len(text if isinstance(text, str) else json.dumps(text))
        return self._numbers[key]

    def holds(self, key: str) -> int | None:
        return self._numbers.get(key)

    def to_json(self) -> dict[str, Any]:
        return {"texts": self.texts, "problems": self.problems}


def parts(data: Results, ledger: Ledger) -> Iterator[Bundle]:
    """In the order of the plan. A problem is never split, and its attempts are in that order too."""
    rows = {(row["model"], row["arm"], row["problem"], row["repeat"]): row for row in ledger.attempts()}
    attempts = data.attempts
    of_problem: defaultdict[int, list[int]] = defaultdict(list)
    for row, place in enumerate(attempts.problem.tolist()):
        of_problem[place].append(row)
    part = Bundle()
    for place, problem in enumerate(data.asked):
        entry = problem.model_dump(mode="json", exclude_none=True)
        entry["attempts"] = [
            _attempt(row, rows[key], ledger, part)
            for row in of_problem[place]
            if (key := _key(data, row)) in rows
        ]
        part.problems.append(entry)
        part.size += len(problem.question) + len(problem.context) + 400 * len(entry["attempts"])
        if part.size > PART:
            yield part
            part = Bundle()
    if part.problems:
        yield part


def _key(data: Results, row: int) -> tuple[str, str, str, int]:
    at = data.attempts
    return (
        data.models[at.model[row]],
        data.arms[at.arm[row]],
        data.asked[at.problem[row]].id,
        int(at.repeat[row]),
    )


def _attempt(row: int, kept: Mapping[str, Any], ledger: Ledger, part: Bundle) -> dict[str, Any]:
    found: dict[str, Any] = {"row": row, "tries": kept["tries"], "at": kept["at"]}
    if kept["error"]:
        found["error"] = kept["error"]
    if kept["transcript"]:
        found["transcript"] = transcript(kept["transcript"], ledger, part)
    if kept["details"]:
        values = json.loads(kept["scores"])
        found["scores"] = {
            name: [values[name], part.keep(f"evidence {evidence}", evidence), *([details] if details else [])]
            for name, (evidence, details) in ledger.findings(kept["details"]).items()
        }
    return found


def transcript(key: str, ledger: Ledger, part: Bundle) -> dict[str, Any]:
    """With numbers in place of messages, and without an answer that its last message has."""
    content = ledger.stored(key)
    numbers = []
    for message in content["messages"]:
        number = part.holds(message)
        numbers.append(part.keep(message, ledger.stored(message)) if number is None else number)
    last = part.texts[numbers[-1]] if numbers else {}
    if last.get("role") == "assistant" and last.get("content") == content["answer"]:
        del content["answer"]
    else:
        part.size += len(content["answer"])
    return {**content, "messages": numbers}


def faults(attempt: Mapping[str, Any], named: Mapping[str, float | None]) -> set[str]:
    """What went wrong in an attempt: kinds of findings, and the errors among the dimensions that it has."""
    kinds = {
        finding["kind"]
        for _, _, *details in attempt.get("scores", {}).values()
        if details and isinstance(details[0].get("findings"), list)
        for finding in details[0]["findings"]
        if isinstance(finding, dict) and isinstance(finding.get("kind"), str)
    }
    return kinds | {name for name, value in named.items() if value}
