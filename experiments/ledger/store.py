"""The ledger of a run: one SQLite file that holds everything, written by one process at a time.

Each model reply is committed before the graph sees it and each finished unit in one transaction, so a run
killed at any instant repeats no finished unit and pays again only for requests that were in flight.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.transcript import Transcript
from ansatz.eval import Problem, Score
from ansatz.experiments.ledger.cache import ReplyCache, restored, stored
from ansatz.experiments.ledger.file import opened, opened_to_read
from ansatz.experiments.ledger.payments import Payer, Payments
from ansatz.experiments.ledger.record import Unit
from ansatz.experiments.ledger.texts import Texts

if TYPE_CHECKING:
    from ansatz.agents import Reply
    from ansatz.experiments.ledger.kept_batches import KeptBatches

_PLAN_UNIT = """
INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET model = excluded.model, arm = excluded.arm, position = excluded.position
"""
_SPENT = (
    *("stop", "seconds", "model_calls", "tool_calls"),
    *("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "written_tokens"),
)
_SET_OUTCOME = f"""
INSERT INTO outcome (unit, state, transcript, scores, details, error, tries, at, {", ".join(_SPENT)})
VALUES (?, ?, ?, ?, ?, ?, 1, ?, {", ".join("?" * len(_SPENT))})
ON CONFLICT (unit) DO UPDATE SET state = excluded.state, transcript = excluded.transcript,
    scores = excluded.scores, details = excluded.details, error = excluded.error,
    tries = tries + 1, at = excluded.at, {", ".join(f"{name} = excluded.{name}" for name in _SPENT)}
"""
_PLANNED = "FROM unit JOIN outcome ON key = unit WHERE position IS NOT NULL ORDER BY position"
_ATTEMPT = (
    "model",
    "arm",
    "problem",
    "repeat",
    "state",
    "scores",
    "details",
    "error",
    "tries",
    "at",
    "transcript",
    *_SPENT,
)


class Ledger:
    """Open with `Ledger.open(folder)` to write, `Ledger.open(folder, write=False)` to read."""

    def __init__(self, connection: sqlite3.Connection, lock: Any) -> None:
        self._sql = connection
        self._texts = Texts(connection)
        self.payments = Payments(connection)
        self._lock = lock
        self.shared: ReplyCache | None = None

    @classmethod
    def open(cls, folder: Path, *, write: bool = True) -> Ledger:
        """Raises LedgerError where the folder holds no run to read, or none can be kept there."""
        return cls(*(opened(folder) if write else opened_to_read(folder)))

    def close(self) -> None:
        if self.shared is not None:
            self.shared.close()
        self._sql.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What the run is about

    def describe(self, about: Mapping[str, Any]) -> None:
        """Set entries of the run's description (study, manifest, ...)."""
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in about.items()]
        self._sql.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)

    def about(self, key: str) -> Any:
        row = self._sql.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def plan(self, units: Iterable[Unit], problems: Iterable[Problem]) -> None:
        """Set what the run consists of; records of units that are no longer planned are kept aside."""
        with self._transaction():
            for problem in problems:
                text = self._texts.keep(problem.model_dump_json())
                self._sql.execute("INSERT OR REPLACE INTO problem VALUES (?, ?)", (problem.id, text))
            self._sql.execute("UPDATE unit SET position = NULL")
            rows = [(u.key, u.model, u.arm, u.problem, u.repeat, at) for at, u in enumerate(units)]
            self._sql.executemany(_PLAN_UNIT, rows)

    def problems(self) -> dict[str, Problem]:
        """The problems of the plan, in its order."""
        rows = self._sql.execute(
            "SELECT text FROM problem JOIN (SELECT problem, min(position) AS first FROM unit "
            "WHERE position IS NOT NULL GROUP BY problem) ON id = problem ORDER BY first"
        ).fetchall()
        found = (Problem.model_validate_json(self._texts.kept(text)) for (text,) in rows)
        return {problem.id: problem for problem in found}

    # Model replies

    def batches(self, model: str) -> KeptBatches:
        """What was sent to a model by its provider's batch interface."""
        from ansatz.experiments.ledger.kept_batches import KeptBatches

        return KeptBatches(self._sql, model)

    def recall(self, request: str) -> Reply | None:
        row = self._sql.execute(
            "SELECT message, seconds, retries FROM reply WHERE request = ?", (request,)
        ).fetchone()
        if row is None:
            found = self.shared.get(request) if self.shared else None
            if found is not None:
                self.remember(request, found)
            return found
        message, retries = json.loads(self._texts.kept(row[0])), json.loads(row[2])
        return restored({"message": message, "seconds": row[1], "retries": retries})

    def remember(
        self, request: str, reply: Reply, payer: Payer | None = None, promise: int | None = None
    ) -> None:
        """Keep a reply and book what it took; the first one for a request stays. A refusal is only booked."""
        from ansatz.agents import is_refusal, usage_of

        kept = stored(reply)
        with self._transaction():
            if payer is not None:
                self.payments.pay(payer, usage_of(reply.message), promise)
            if is_refusal(reply.message):
                return
            text = self._texts.keep(json.dumps(kept["message"], ensure_ascii=False))
            row = (request, text, reply.seconds, json.dumps(kept["retries"]))
            self._sql.execute("INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?)", row)
        if self.shared is not None and payer is not None:
            self.shared.put(request, reply)

    # Outcomes of units

    def finished(self) -> set[str]:
        """Keys of units with a scored record; those with an error are to be tried again."""
        return {key for (key,) in self._sql.execute("SELECT unit FROM outcome WHERE state = 'scored'")}

    def unscored(self, unit: str) -> Transcript | None:
        """The transcript of a unit that was answered and could not be scored."""
        row = self._sql.execute(
            "SELECT transcript FROM outcome WHERE unit = ? AND state = 'error' AND transcript IS NOT NULL",
            (unit,),
        ).fetchone()
        return self._texts.kept_transcript(row[0]) if row else None

    def answered_units(self) -> list[Unit]:
        """The planned units with a transcript, scored or not, in the order of the plan."""
        columns = "unit.key, model, arm, problem, repeat"
        found = f"SELECT {columns} FROM unit JOIN outcome ON key = unit WHERE position IS NOT NULL"
        rows = self._sql.execute(f"{found} AND transcript IS NOT NULL ORDER BY position").fetchall()
        return [Unit(*row) for row in rows]

    def transcript(self, unit: str) -> Transcript | None:
        """The last transcript of a unit."""
        row = self._sql.execute("SELECT transcript FROM outcome WHERE unit = ?", (unit,)).fetchone()
        return self._texts.kept_transcript(row[0]) if row and row[0] else None

    def answered(self, unit: str) -> tuple[str, dict[str, float | None]] | None:
        """The answer of a scored unit, and its scores by dimension; None where it has none."""
        row = self._sql.execute(
            "SELECT transcript, scores FROM outcome WHERE unit = ? AND state = 'scored'", (unit,)
        ).fetchone()
        return (json.loads(self._texts.kept(row[0]))["answer"], json.loads(row[1])) if row else None

    def record(
        self,
        unit: Unit,
        *,
        transcript: Transcript | None,
        scores: Sequence[Score] = (),
        error: str | None = None,
    ) -> None:
        """Commit a unit's outcome; an earlier error of the unit is replaced, its count kept."""
        with self._transaction():
            kept = self._texts.keep_transcript(transcript) if transcript else None
            values = {score.dimension: score.value for score in scores}
            details = {score.dimension: [score.evidence, score.details] for score in scores}
            why = self._texts.keep(json.dumps(details, ensure_ascii=False)) if details else None
            state = "error" if error else "scored"
            self._sql.execute(
                _SET_OUTCOME,
                (unit.key, state, kept, json.dumps(values), why, error, time.time(), *_spent(transcript)),
            )

    def attempts(self) -> Iterator[dict[str, Any]]:
        """The outcomes of all planned units in the order of the plan; units not yet done are left out.

        No text is opened: `scores` is JSON of values by dimension, `details` a key of `findings`,
        `transcript` one of `conversation` and `stored`. `at` is when it ended, in seconds since 1970.
        """
        for row in self._sql.execute(f"SELECT {', '.join(_ATTEMPT)} {_PLANNED}"):
            yield dict(zip(_ATTEMPT, row, strict=True))

    def conversation(self, key: str) -> tuple[str, str]:
        """The answer of an attempt, and its messages as JSON."""
        told = self.stored(key)
        return told["answer"], f"[{', '.join(map(self._texts.kept, told['messages']))}]"

    def findings(self, key: str) -> dict[str, Any]:
        """By dimension, [evidence, details] of an attempt's scores."""
        found: dict[str, Any] = json.loads(self._texts.kept(key))
        return found

    def stored(self, key: str) -> Any:
        """The JSON under a key; the messages of a transcript are keys again."""
        return json.loads(self._texts.kept(key))

    def states(self) -> Counter[str]:
        """How many of the planned units are done, by state."""
        return Counter(state for (state,) in self._sql.execute(f"SELECT state {_PLANNED}"))

    def set_aside(self) -> int:
        """How many units are done that an earlier plan had, and this one has not."""
        counted = "SELECT count(*) FROM unit JOIN outcome ON key = unit WHERE position IS NULL"
        return int(self._sql.execute(counted).fetchone()[0])

    def planned_units(self) -> list[tuple[str, str, str, int]]:
        """Model, arm, problem and repeat of every planned unit."""
        found = "SELECT model, arm, problem, repeat FROM unit WHERE position IS NOT NULL ORDER BY position"
        return self._sql.execute(found).fetchall()

    def planned(self) -> int:
        return int(self._sql.execute("SELECT count(*) FROM unit WHERE position IS NOT NULL").fetchone()[0])

    def _transaction(self) -> _Transaction:
        return _Transaction(self._sql)


def _spent(transcript: Transcript | None) -> tuple[Any, ...]:
    """What an attempt took and how it ended, in the order of `_SPENT`; working time, without any waiting."""
    if transcript is None:
        return (None,) * len(_SPENT)
    calls, tools = transcript.model_calls, transcript.tool_calls
    used = [call.usage for call in calls]
    known = [[getattr(each, name) for each in used] for name in ("cached_input", "reasoning", "cache_write")]
    optional = [None if all(n is None for n in counts) else sum(n or 0 for n in counts) for counts in known]
    tokens = (sum(each.input for each in used), sum(each.output for each in used), *optional)
    return (transcript.stop, transcript.seconds, len(calls), len(tools), *tokens)


class _Transaction:
    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql

    def __enter__(self) -> None:
        self._sql.execute("BEGIN IMMEDIATE")

    def __exit__(self, failure: object, *_: object) -> None:
        if not failure:
            self._sql.execute("COMMIT")
        elif self._sql.in_transaction:  # where the disk is full, SQLite has rolled back itself
            self._sql.execute("ROLLBACK")
