"""The ledger of a run: one SQLite file with all data, written by one process at a time.

Each model reply is committed before the graph sees it, and each finished attempt in one transaction. A run
that is killed at any time repeats no finished attempt, and pays again only for requests in flight.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.credentials import hide_credentials
from ansatz.agents.transcript import Transcript
from ansatz.eval import Problem, Score
from ansatz.experiments.ledger.cache import ReplyCache, reply_from_json, reply_to_json
from ansatz.experiments.ledger.file import open_to_read, open_to_write
from ansatz.experiments.ledger.integrity import damage_error, detecting_damage, sealed_insert
from ansatz.experiments.ledger.payments import Payer, Payments
from ansatz.experiments.ledger.record import ImportedOutcome, PlannedAttempt, canonical_hash

if TYPE_CHECKING:
    from ansatz.agents import Reply
    from ansatz.agents.models.batches import SentBatch

_PLAN_ATTEMPT = """
INSERT INTO attempt (key, model, arm, problem, repeat, position) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET model = excluded.model, arm = excluded.arm, position = excluded.position
"""
_ADD_REPLY = "INSERT OR IGNORE INTO reply (request, message, seconds, retries) VALUES (?, ?, ?, ?)"
_ADD_PROBLEM = "INSERT OR REPLACE INTO problem (id, text) VALUES (?, ?)"
_ADD_BATCH = """
INSERT INTO batch (token, model, id, requests, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (token) DO UPDATE SET id = excluded.id
"""
_USAGE = (
    *("stop", "seconds", "model_calls", "tool_calls"),
    *("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "written_tokens"),
)
_SET_OUTCOME = f"""
INSERT INTO outcome (attempt, state, transcript, scores, details, error, tries, at, {", ".join(_USAGE)})
VALUES (?, ?, ?, ?, ?, ?, 1, ?, {", ".join("?" * len(_USAGE))})
ON CONFLICT (attempt) DO UPDATE SET state = excluded.state, transcript = excluded.transcript,
    scores = excluded.scores, details = excluded.details, error = excluded.error,
    tries = tries + 1, at = excluded.at, {", ".join(f"{name} = excluded.{name}" for name in _USAGE)}
"""
_PLANNED = "FROM attempt JOIN outcome ON key = attempt WHERE position IS NOT NULL ORDER BY position"
_ATTEMPT = (
    *("model", "arm", "problem", "repeat", "state", "scores", "details", "error", "tries", "at"),
    *("transcript", *_USAGE),
)


class Ledger:
    """The stored data of a run.

    Example:
        with Ledger.open(folder, write=False) as ledger:  # without write=False: for writing
            print(ledger.count_states())
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, lock: Any) -> None:
        self._sql = connection
        self._path = path
        self.payments = Payments(connection)
        self._lock = lock
        self._stored_evidence: dict[tuple[tuple[str, str], ...], str] = {}
        self.shared: ReplyCache | None = None

    @classmethod
    def open(cls, folder: Path, *, write: bool = True) -> Ledger:
        """Open the ledger in a folder. Raises LedgerError if it has no run to read, or cannot be written."""
        return cls(*(open_to_write(folder) if write else open_to_read(folder)))

    def close(self) -> None:
        if self.shared is not None:
            self.shared.close()
        self._sql.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, _: object, failure: BaseException | None, __: object) -> None:
        """Close the ledger. Raises LedgerError if reading failed because the file is damaged."""
        self.close()
        if self._lock is None and failure is not None:
            with detecting_damage(self._path):
                raise failure

    # The description and the plan of the run

    def describe(self, about: Mapping[str, Any]) -> None:
        """Set entries of the run's description (study, manifest, ...)."""
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in about.items()]
        self._sql.executemany("INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)", rows)

    def about(self, key: str) -> Any:
        """Return one entry of the run's description, or None."""
        row = self._row("SELECT value FROM about WHERE key = ?", key)
        return json.loads(row[0]) if row else None

    def add_isolation(self, levels: Collection[str]) -> None:
        """Store the isolation levels at which code ran, in addition to those of earlier attempts."""
        known = self.about("isolation") or ()
        if not {*levels} <= {*known}:
            self.describe({"isolation": sorted({*known, *levels})})

    def plan(self, attempts: Iterable[PlannedAttempt], problems: Iterable[Problem]) -> None:
        """Set the attempts of the run. Outcomes of attempts that are no longer planned stay in the ledger."""
        with self._transaction():
            for problem in problems:
                text = self._store_text(problem.model_dump_json())
                self._sql.execute(_ADD_PROBLEM, (problem.id, text))
            self._sql.execute("UPDATE attempt SET position = NULL")
            rows = ((a.key, a.model, a.arm, a.problem, a.repeat, at) for at, a in enumerate(attempts))
            self._sql.executemany(_PLAN_ATTEMPT, rows)

    def problems(self, ids: Iterable[str] | None = None) -> dict[str, Problem]:
        """Return the problems of the plan, in its order, or those with the given ids."""
        if ids is not None:
            texts = dict(self._sql.execute("SELECT id, text FROM problem").fetchall())
            stored = {id: self._load_text(texts[id]) for id in ids if id in texts}
            return {id: Problem.model_validate_json(text) for id, text in stored.items()}
        rows = self._sql.execute(
            "SELECT text FROM problem JOIN (SELECT problem, min(position) AS first FROM attempt "
            "WHERE position IS NOT NULL GROUP BY problem) ON id = problem ORDER BY first"
        ).fetchall()
        found = (Problem.model_validate_json(self._load_text(text)) for (text,) in rows)
        return {problem.id: problem for problem in found}

    # Model replies

    def batches(self, model: str) -> StoredBatches:
        """Return the store of a model's batches."""
        return StoredBatches(self._sql, model)

    def find_reply(self, request: str) -> Reply | None:
        """Return the stored reply to a request, from this ledger or the shared cache."""
        row = self._row("SELECT message, seconds, retries FROM reply WHERE request = ?", request)
        if row is None:
            found = self.shared.get(request) if self.shared else None
            if found is not None:
                self.store_reply(request, found)
            return found
        message, retries = json.loads(self._load_text(row[0])), json.loads(row[2])
        return reply_from_json({"message": message, "seconds": row[1], "retries": retries})

    def store_reply(
        self, request: str, reply: Reply, payer: Payer | None = None, promise: int | None = None
    ) -> None:
        """Store a reply and its payment. The first reply to a request stays.

        Of a refusal, only the payment is stored.
        """
        from ansatz.agents import is_refusal, read_usage

        content = reply_to_json(reply)
        with self._transaction():
            if payer is not None:
                self.payments.pay(payer, read_usage(reply.message), promise)
            if is_refusal(reply.message):
                return
            text = self._store_json(content["message"])
            row = (request, text, reply.seconds, json.dumps(content["retries"]))
            self._sql.execute(_ADD_REPLY, row)
        if self.shared is not None and payer is not None:
            self.shared.put(request, reply)

    # Outcomes of attempts

    def finished_keys(self) -> set[str]:
        """Return the keys of scored attempts. A resumed run tries attempts with an error again."""
        return {key for (key,) in self._sql.execute("SELECT attempt FROM outcome WHERE state = 'scored'")}

    def transcript(self, attempt: str, *, unscored: bool = False) -> Transcript | None:
        """Return the last transcript of an attempt; with `unscored`, only if scoring it failed."""
        row = self._row("SELECT transcript, state FROM outcome WHERE attempt = ?", attempt)
        if row is None or row[0] is None or (unscored and row[1] != "error"):
            return None
        data = self._load_json(row[0])
        return Transcript.model_validate({**data, "messages": [*map(self.read_json, data["messages"])]})

    def planned_attempts(self, *, answered: bool = False) -> list[PlannedAttempt]:
        """Return the planned attempts in order; with `answered`, only those that have a transcript."""
        joined = " JOIN outcome ON key = attempt AND transcript IS NOT NULL" if answered else ""
        query = (
            f"SELECT attempt.key, model, arm, problem, repeat FROM attempt{joined} WHERE position IS NOT NULL"
        )
        return [PlannedAttempt(*row) for row in self._sql.execute(f"{query} ORDER BY position").fetchall()]

    def find_answer(self, attempt: str) -> tuple[str, dict[str, float | None]] | None:
        """Return the answer and the scores, by dimension, of a scored attempt; None if it is not scored."""
        row = self._row(
            "SELECT transcript, scores FROM outcome WHERE attempt = ? AND state = 'scored'", attempt
        )
        return (self._load_json(row[0])["answer"], json.loads(row[1])) if row else None

    def record(
        self,
        attempt: PlannedAttempt,
        *,
        transcript: Transcript | None,
        scores: Sequence[Score] = (),
        error: str | None = None,
    ) -> None:
        """Commit an attempt's outcome. It replaces an earlier error; the number of tries goes on."""
        with self._transaction():
            text = None if transcript is None else self._store_transcript(transcript)
            values = json.dumps({score.dimension: score.value for score in scores})
            details = {score.dimension: [score.evidence, score.details] for score in scores}
            why = self._store_json(details) if details else None
            state = "error" if error else "scored"
            row = (attempt.key, state, text, values, why, error, time.time(), *_usage_row(transcript))
            self._sql.execute(_SET_OUTCOME, row)

    def import_attempts(
        self, attempts: Sequence[PlannedAttempt], outcome: Callable[[int], ImportedOutcome]
    ) -> None:
        """Add attempts that were imported with their outcomes, by place, to a ledger that has none.

        Rows are inserted in the order of their keys, because a million in random order take minutes.
        """
        order = sorted(range(len(attempts)), key=lambda at: attempts[at].key)
        with self._transaction():
            insert, blank = sealed_insert(self._sql, "attempt")
            planned = ({**blank, **vars(attempts[at]), "position": at} for at in order)
            self._sql.executemany(insert, planned)
            insert, blank = sealed_insert(self._sql, "outcome")
            known = {**blank, "tries": 1, "at": time.time()}
            rows = ({**known, "attempt": attempts[at].key, **self._import_row(outcome(at))} for at in order)
            self._sql.executemany(insert, rows)

    def _import_row(self, found: ImportedOutcome) -> dict[str, Any]:
        row: dict[str, Any] = {"scores": json.dumps(found.scores), "seconds": found.seconds}
        row |= {"state": "scored", "stop": "imported", "details": self._store_evidence(found.evidence)}
        if found.error:
            row |= {"state": "error", "details": None, "error": found.error}
        if found.transcript is not None:
            usage = dict(zip(_USAGE, _usage_row(found.transcript), strict=True))
            row |= {**usage, "seconds": found.seconds, "transcript": self._store_transcript(found.transcript)}
        return row

    def _store_evidence(self, evidence: tuple[tuple[str, str], ...]) -> str:
        """Store the evidence by dimension; most imported attempts have the same."""
        if evidence not in self._stored_evidence:
            content = {name: [text, {}] for name, text in evidence}
            self._stored_evidence[evidence] = self._store_json(content)
        return self._stored_evidence[evidence]

    def _store_transcript(self, transcript: Transcript) -> str:
        """Store the messages one by one, so that a prompt of several arms is stored once."""
        data = transcript.model_dump(mode="json")
        return self._store_json({**data, "messages": [*map(self._store_json, data["messages"])]})

    def attempts(self) -> Iterator[dict[str, Any]]:
        """Yield the outcomes of the planned attempts that have one, in the order of the plan.

        No text is opened. `scores` is JSON of values by dimension. `details` and `transcript` are keys for
        `read_json`; `details` leads to [evidence, details] by dimension. `read_conversation` takes
        `transcript`. `at` is the end of the attempt in seconds since 1970.
        """
        for row in self._sql.execute(f"SELECT {', '.join(_ATTEMPT)} {_PLANNED}"):
            yield dict(zip(_ATTEMPT, row, strict=True))

    def read_conversation(self, key: str) -> tuple[str, str]:
        """Return the answer of an attempt, and its messages as JSON, without credentials."""
        transcript = self.read_json(key)
        messages = (hide_credentials(self._load_text(each)) for each in transcript["messages"])
        return transcript["answer"], f"[{', '.join(messages)}]"

    def read_json(self, key: str, credentials: Sequence[str] | None = None) -> Any:
        """Return the content of a key of `attempts`, without credentials (by default those of the process).

        It is a transcript, whose messages are keys too, or the evidence and details of scores.
        """
        with detecting_damage(self._path):
            return json.loads(hide_credentials(self._load_text(key), credentials))

    def count_states(self) -> Counter[str]:
        """Count the planned attempts that have an outcome, by state."""
        return Counter(state for (state,) in self._sql.execute(f"SELECT state {_PLANNED}"))

    def count_stop_reasons(self) -> dict[tuple[str, str], Counter[str]]:
        """Count the stop reasons of scored attempts by model and arm."""
        found: dict[tuple[str, str], Counter[str]] = {}
        query = (
            "SELECT model, arm, stop, count(*) FROM attempt JOIN outcome ON key = attempt "
            "WHERE position IS NOT NULL AND state = 'scored' GROUP BY model, arm, stop ORDER BY min(position)"
        )
        for model, arm, stop, count in self._sql.execute(query):
            found.setdefault((model, arm), Counter())[stop] = count
        return found

    def count_unplanned(self) -> int:
        """Count the finished attempts of earlier plans that the present plan does not have."""
        counted = "SELECT count(*) FROM attempt JOIN outcome ON key = attempt WHERE position IS NULL"
        return int(self._row(counted)[0])

    def count_planned(self) -> int:
        """Count the attempts of the plan, finished or not."""
        return int(self._row("SELECT count(*) FROM attempt WHERE position IS NOT NULL")[0])

    def _row(self, query: str, *given: str) -> Any:
        return self._sql.execute(query, given).fetchone()

    # Texts by the hash of their content

    def _store_text(self, text: str) -> str:
        key = _text_key(text)
        self._sql.execute("INSERT OR IGNORE INTO text VALUES (?, ?)", (key, zlib.compress(text.encode())))
        return key

    def _store_json(self, content: Any) -> str:
        return self._store_text(json.dumps(content, ensure_ascii=False))

    def _load_json(self, key: str) -> Any:
        with detecting_damage(self._path):
            return json.loads(self._load_text(key))

    def _load_text(self, key: str) -> str:
        row = self._row("SELECT content FROM text WHERE hash = ?", key)
        with detecting_damage(self._path):
            text = zlib.decompress(row[0]).decode() if row else None
        if text is None or _text_key(text) != key:
            raise damage_error(
                self._path, f"the text {key!r:.40} {'is missing' if text is None else 'changed'}"
            )
        return text

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._sql.in_transaction:  # on a full disk, SQLite has already rolled back
                self._sql.execute("ROLLBACK")
            raise
        self._sql.execute("COMMIT")


@dataclass(frozen=True)
class StoredBatches:
    """The batches of one model, in the order in which they were sent."""

    connection: sqlite3.Connection
    model: str

    def save(self, batch: SentBatch) -> None:
        self.connection.execute(
            _ADD_BATCH,
            (batch.token, self.model, batch.id, json.dumps(list(batch.requests)), batch.at),
        )

    def list_sent(self) -> list[SentBatch]:
        from ansatz.agents.models.batches import SentBatch  # reports do not load it

        rows = self.connection.execute(
            "SELECT token, id, requests, at FROM batch WHERE model = ? ORDER BY rowid", (self.model,)
        )
        return [SentBatch(token, id, json.loads(requests), at) for token, id, requests, at in rows]


def _text_key(text: str) -> str:
    return canonical_hash(text)[:24]


def _usage_row(transcript: Transcript | None) -> tuple[Any, ...]:
    """Return usage, working time and stop reason of an attempt in the order of `_USAGE`."""
    if transcript is None:
        return (None,) * len(_USAGE)
    calls, tools = transcript.model_calls, transcript.tool_calls
    used = [call.usage for call in calls]
    known = [[getattr(each, name) for each in used] for name in ("cached_input", "reasoning", "cache_write")]
    optional = [None if all(n is None for n in counts) else sum(n or 0 for n in counts) for counts in known]
    total: tuple[int | None, int | None] = (
        sum(each.input for each in used),
        sum(each.output for each in used),
    )
    tokens = (*(total if all(each.is_reported for each in used) else (None, None)), *optional)
    return (transcript.stop, transcript.seconds, len(calls), len(tools), *tokens)
