"""The file of a ledger: found, locked, opened and known to be one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ansatz.errors import AnsatzError

SCHEMA_VERSION = 2
_NAME = "ledger.sqlite"
_SCHEMA = (Path(__file__).with_name("schema.sql")).read_text(encoding="utf-8")


class LedgerError(AnsatzError):
    """The ledger cannot be used; the message says why and what to do."""


def opened(folder: Path) -> tuple[sqlite3.Connection, FileLock]:
    """A connection that writes, and the lock that keeps others from writing. Raises LedgerError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "lock", timeout=0, thread_local=False)
        lock.acquire()
    except Timeout:
        told = f"another run is writing to {folder}; wait for it, or choose another --out"
        raise LedgerError(told) from None
    except OSError as failure:
        raise LedgerError(f"{folder}: no run can be kept there: {failure.strerror}") from None
    sql = sqlite3.connect(folder / _NAME, isolation_level=None)
    try:
        with _known(sql, folder):
            # WAL with NORMAL: a commit survives the death of the process, and costs no disk flush.
            sql.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")
            version = ("schema_version", str(SCHEMA_VERSION))
            sql.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", version)
            _check_version(sql, folder)
            _complete(sql)
    except LedgerError:
        lock.release()
        raise
    return sql, lock


def opened_to_read(folder: Path) -> tuple[sqlite3.Connection, None]:
    """A connection to a run that is there, which changes nothing of it. Raises LedgerError.

    All that is read by it is of one moment, whatever is written meanwhile. Its folder need not be writable.
    A ledger of an older schema is completed in memory.
    """
    path = folder / _NAME
    if not path.is_file() or not path.stat().st_size:
        raise LedgerError(f"{folder} holds no run; start one with `ansatz run STUDY --out {folder}`")
    ahead = path.with_name(f"{_NAME}-wal")
    writable = os.access(folder, os.W_OK)
    if not writable and ahead.is_file() and ahead.stat().st_size:
        raise LedgerError(f"{folder} holds a run that was broken off and cannot be written; copy it first")
    # In a folder that can be written not `mode=ro`, which leaves the files of the write-ahead log behind.
    uri = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro&immutable=1'}"
    # Tables are streamed to files by threads of another library, one at a time.
    sql = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    with _known(sql, folder):
        _check_version(sql, folder)
        if not _is_complete(sql):
            stored, sql = sql, sqlite3.connect(":memory:", isolation_level=None)
            stored.backup(sql)
            stored.close()
            sql.executescript(_SCHEMA)
            _complete(sql)
        sql.execute("PRAGMA query_only = ON")
        sql.execute("BEGIN")
    return sql, None


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Whoever writes into a run folder says in one line that it cannot, such as where the disk is full."""
    try:
        yield
    except (sqlite3.Error, OSError) as failure:
        why = failure.strerror if isinstance(failure, OSError) and failure.strerror else failure
        kept = "what is finished is kept; the same command goes on from there"
        raise LedgerError(f"{folder} cannot be written: {why}; {kept}") from failure


@contextmanager
def _known(sql: sqlite3.Connection, folder: Path) -> Iterator[None]:
    """Closes a connection that leads to no ledger of this schema."""
    try:
        yield
    except LedgerError:
        sql.close()
        raise
    except sqlite3.DatabaseError as failure:
        sql.close()
        wrong = "cannot be opened" if isinstance(failure, sqlite3.OperationalError) else "is not a ledger"
        raise LedgerError(f"{folder / _NAME} {wrong}: {failure}") from None


def _columns(sql: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _is_complete(sql: sqlite3.Connection) -> bool:
    held = _columns(sql, "outcome") | _columns(sql, "payment")
    return {"written_tokens", "batched"} <= held and not _columns(sql, "judging")


def _complete(sql: sqlite3.Connection) -> None:
    """A ledger from before payments were kept by request gets what it lacks."""
    if "written_tokens" not in _columns(sql, "outcome"):
        sql.execute("ALTER TABLE outcome ADD COLUMN written_tokens INTEGER")
    if "batched" not in _columns(sql, "payment"):
        sql.execute("ALTER TABLE payment ADD COLUMN batched INTEGER NOT NULL DEFAULT 0")
    if _columns(sql, "judging"):
        columns = "NULL AS arm, input, output, NULL AS cached, NULL AS written, NULL AS reasoning"
        billed = f"SELECT model, {columns}, NULL AS promised, 0 AS batched FROM judging"
        sql.executescript(f"BEGIN IMMEDIATE; INSERT INTO payment {billed}; DROP TABLE judging; COMMIT")


def _check_version(sql: sqlite3.Connection, folder: Path) -> None:
    row = sql.execute("SELECT value FROM about WHERE key = 'schema_version'").fetchone()
    version = int(row[0]) if row else SCHEMA_VERSION  # one that is only just begun
    if version != SCHEMA_VERSION:
        made_by = (
            "a newer Ansatz; use that" if version > SCHEMA_VERSION else "Ansatz 0.1; use that, or run anew"
        )
        raise LedgerError(
            f"{folder} has ledger schema {version}, this one reads {SCHEMA_VERSION}: it is from {made_by}"
        )
