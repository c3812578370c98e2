"""Conversations whose tool calls were judged by hand, and the comparison of the funnel with these judgements.

`judged/` has the conversations, one JSON object a line. Of each tool call, `gold` states what a careful reader
finds; null where the reader is in doubt.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ansatz.eval.answer_files import Answer
from ansatz.experiments.attribution.frames import call_records
from ansatz.experiments.attribution.funnel import read_tool_use
from ansatz.experiments.imported_answers import score_imported_answers
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.quantities.scales import find_scale

FOLDER = Path(__file__).parent / "judged"
Row = Mapping[str, Any]
Verdict = bool | None
FIELDS = ("succeeded", "in_working", "in_answer", "copied_wrongly", "redundant", "converted")
_TRACED = ("used", "converted", "copied wrongly")


class Judged(NamedTuple):
    """One field of one call, or of the whole conversation."""

    conversation: str
    kind: str
    field: str
    call: int
    expected: Verdict
    found: Verdict

    @property
    def result(self) -> str:
        """`right`, `wrong` or `unknown`; `overconfident` if only the judgement by hand is in doubt."""
        if self.expected == self.found:
            return "right"
        if self.found is None:
            return "unknown"
        return "overconfident" if self.expected is None else "wrong"


def read_conversations(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def judge(given: Sequence[Row], folder: Path) -> Iterator[Judged]:
    """Import conversations as a run in a folder, and compare its funnel with the judgements by hand."""
    answers = [
        Answer(
            problem_id=row["id"],
            text=row["final"],
            target=_make_target(row["reference"]),
            model="judged",
            arm="tools",
            messages=row["messages"],
            **_read_question(row),
        )
        for row in given
    ]
    run = asyncio.run(score_imported_answers(answers, (), folder))
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for record in call_records(read_tool_use(read_results(run.folder))):
        if record["kind"] == "tool":
            found[record["problem"]].append(record)
    exact = dict(run.attempts().select("problem", "exact").iter_rows())
    for row in given:
        yield Judged(row["id"], row["kind"], "right", -1, row["right"], exact[row["id"]] == 1)
        calls = found[row["id"]]
        recovered = any(each["recovered"] for each in calls)
        yield Judged(row["id"], row["kind"], "recovered", -1, row["recovered"], recovered)
        for expected, call in zip(row["gold"], calls, strict=True):
            for field in FIELDS:
                own = (row["id"], row["kind"], field, expected["call"])
                yield Judged(*own, expected[field], read_field(call, field))


def _read_question(row: Row) -> dict[str, str]:
    question = next((each["content"] for each in row["messages"] if each["role"] == "user"), "?")
    return {"question": question}


def _make_target(reference: Row) -> Any:
    if text := reference.get("text"):
        return {"kind": "label", "value": text}
    unit = str(reference["unit"])
    return f"{reference['value']} {unit if find_scale(unit) else '-'}"  # bolts, or million revolutions


def read_field(call: Row, field: str) -> Verdict:
    """Return the verdict of the funnel on a field of a judged call."""
    use = call["use"]
    if field == "succeeded":
        return bool(use != "failed")
    if field == "in_working":
        return None if use == "unknown" else use in _TRACED
    if field == "copied_wrongly":
        return None if use == "unknown" and not call["redundant"] else use == "copied wrongly"
    found: Verdict = call[field]
    return found
