"""The file of a ledger: found, locked, opened and known to be one."""

from __future__ import annotations

import os
import sqlite3
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
    try:
        return _checked(folder, sqlite3.connect(folder / _NAME, isolation_level=None)), lock
    except LedgerError:
        lock.release()
        raise


def opened_to_read(folder: Path) -> tuple[sqlite3.Connection, None]:
    """A connection to a run that is there, also where its folder cannot be written. Raises LedgerError."""
    path = folder / _NAME
    if not path.is_file() or not path.stat().st_size:
        raise LedgerError(f"{folder} holds no run; start one with `ansatz run STUDY --out {folder}`")
    if os.access(folder, os.W_OK):
        return _checked(folder, sqlite3.connect(path, isolation_level=None)), None
    ahead = path.with_name(f"{_NAME}-wal")
    if ahead.is_file() and ahead.stat().st_size:
        raise LedgerError(f"{folder} holds a run that was broken off and cannot be written; copy it first")
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    return _checked(folder, sqlite3.connect(uri, uri=True, isolation_level=None), write=False), None


def _checked(folder: Path, sql: sqlite3.Connection, *, write: bool = True) -> sqlite3.Connection:
    """The connection, closed again where it leads to no ledger of this schema."""
    try:
        if write:
            # WAL with NORMAL: a commit survives the death of the process, and costs no disk flush.
            sql.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")
        _check_version(sql, folder)
        _complete(sql, write)
    except (sqlite3.DatabaseError, LedgerError) as failure:
        sql.close()
        if isinstance(failure, LedgerError):
            raise
        raise LedgerError(f"{folder / _NAME} is not a ledger that can be used: {failure}") from None
    return sql


def _complete(sql: sqlite3.Connection, write: bool) -> None:
    """A ledger from before payments were kept by request gets what it lacks; only for now, if it is read."""
    if not sql.execute("SELECT 1 FROM pragma_table_info('outcome') WHERE name = 'written_tokens'").fetchone():
        old = "CREATE TEMP VIEW outcome AS SELECT *, NULL AS written_tokens FROM main.outcome"
        sql.execute("ALTER TABLE outcome ADD COLUMN written_tokens INTEGER" if write else old)
    if not sql.execute("SELECT 1 FROM pragma_table_info('payment') WHERE name = 'batched'").fetchone():
        old = "CREATE TEMP VIEW payment AS SELECT *, 0 AS batched FROM main.payment"
        sql.execute("ALTER TABLE payment ADD COLUMN batched INTEGER NOT NULL DEFAULT 0" if write else old)
    if sql.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'judging'").fetchone():
        columns = "NULL AS arm, input, output, NULL AS cached, NULL AS written, NULL AS reasoning"
        billed = f"SELECT model, {columns}, NULL AS promised, 0 AS batched FROM main.judging"
        moved = f"BEGIN IMMEDIATE; INSERT INTO payment {billed}; DROP TABLE judging; COMMIT"
        sql.executescript(moved if write else f"CREATE TEMP TABLE payment AS {billed}")


def _check_version(sql: sqlite3.Connection, folder: Path) -> None:
    row = sql.execute("SELECT value FROM about WHERE key = 'schema_version'").fetchone()
    if row is None:
        sql.execute("INSERT OR IGNORE INTO about VALUES ('schema_version', ?)", (str(SCHEMA_VERSION),))
    elif int(row[0]) != SCHEMA_VERSION:
        made_by = (
            "a newer Ansatz; use that"
            if int(row[0]) > SCHEMA_VERSION
            else "Ansatz 0.1; use that, or run anew"
        )
        raise LedgerError(
            f"{folder} has ledger schema {row[0]}, this one reads {SCHEMA_VERSION}: it is from {made_by}"
        )
